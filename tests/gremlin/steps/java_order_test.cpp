#include "gremlin/steps/java_order.h"

#include <catch2/catch.hpp>

namespace hob::gremlin::java {
namespace {

TEST_CASE("hash codes are those that Java's documentation specifies") {
    CHECK(hash_code(Value::string("")) == 0);
    CHECK(hash_code(Value::string("hello")) == 99162322);
    CHECK(hash_code(Value::string("\xc3\xa9")) == 0xE9);
    // Two UTF-16 units: 0xD834 * 31 + 0xDD1E.
    CHECK(hash_code(Value::string("\xf0\x9d\x84\x9e")) == 0xD834 * 31 + 0xDD1E);
    CHECK(hash_code(Value::int_(-5)) == -5);
    CHECK(hash_code(Value::long_(1LL << 32)) == 1);
    CHECK(hash_code(Value::long_(-1)) == 0);
    CHECK(hash_code(Value::double_(1.0)) == 1072693248);
    CHECK(hash_code(Value::boolean(true)) == 1231);
    CHECK_FALSE(hash_code(Value::list()).has_value());
}

TEST_CASE("a hash map goes over its keys bucket by bucket") {
    // "software" lies in bucket 4 of 16, "person" in bucket 6.
    const std::vector<Value> labels = {Value::string("person"), Value::string("software")};
    CHECK(hash_map_order(labels) == std::vector<std::uint32_t>{1, 0});

    const std::vector<Value> numbers = {Value::int_(17), Value::int_(2), Value::int_(1)};
    CHECK(hash_map_order(numbers) == std::vector<std::uint32_t>{0, 2, 1});

    // Beyond three quarters of 16 the table has 32 buckets, and 17 one of its own.
    std::vector<Value> more = {Value::int_(17)};
    for (std::int32_t i = 0; i < 12; ++i)
        more.push_back(Value::int_(i));
    const auto order = hash_map_order(more);
    CHECK(order.front() == 1);
    CHECK(order.back() == 0);

    const std::vector<Value> unknown = {Value::list(), Value::int_(3)};
    CHECK(hash_map_order(unknown) == std::vector<std::uint32_t>{1, 0});
}

}  // namespace
}  // namespace hob::gremlin::java
