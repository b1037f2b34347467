#include "storage/value/codec.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "storage/value/compare.h"
#include "tests/storage/value/random_values.h"

namespace hob {
namespace {

std::string plain(const Value& v) {
    std::string out;
    const Status done = encode_value(v, out);
    REQUIRE(done.ok());
    return out;
}
std::string key(const Value& v) {
    std::string out;
    const Status done = encode_key(v, out);
    REQUIRE(done.ok());
    return out;
}
int sign(std::weak_ordering o) {
    return o == std::weak_ordering::less ? -1 : (o == std::weak_ordering::greater ? 1 : 0);
}

TEST_CASE("any storable value comes back as it was") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 5000; ++i) {
        const Value v = random.storable();
        const std::string bytes = plain(v) + "rest";
        ByteReader in(bytes);
        const auto back = decode_value(in);
        REQUIRE(back.ok());
        INFO(to_text(v));
        REQUIRE(identical(*back, v));
        REQUIRE(in.rest() == "rest");
    }
}

TEST_CASE("common values are short") {
    CHECK(to_hex(plain(Value::string("marko"))) == "10056d61726b6f");
    CHECK(to_hex(plain(Value::int_(29))) == "053a");
    CHECK(to_hex(plain(Value::boolean(true))) == "02");
    CHECK(plain(Value::double_(0.5)).size() == 9);
}

TEST_CASE("what has no place in a property is refused by its type") {
    for (const Value& v : {Value::vertex(Value::long_(1)), Value::traverser(Value(), 1),
                           Value::map_entry(Value(), Value())}) {
        std::string out;
        const Status done = encode_value(v, out);
        REQUIRE_FALSE(done.ok());
        CHECK(done.error().code == Code::kInvalidArgument);
        CHECK(done.error().message.find(type_name(v)) != std::string::npos);
    }
}

TEST_CASE("nesting is bounded both ways") {
    Value deep = Value::list({});
    for (int i = 0; i < 300; ++i) {
        deep = Value::list({deep});
    }
    std::string out;
    CHECK_FALSE(encode_value(deep, out).ok());
    out.clear();
    CHECK_FALSE(encode_key(deep, out).ok());
    std::string bytes;
    for (int i = 0; i < 100'000; ++i) {
        bytes += "\x14\x01";
    }
    ByteReader in(bytes);
    CHECK(decode_value(in).error().code == Code::kCorrupt);
    const std::string lists(100'000, '\x50');
    ByteReader keys(lists);
    CHECK(decode_key(keys).error().code == Code::kCorrupt);
}

TEST_CASE("a count beyond the bytes that are there fails before anything is reserved") {
    const std::string bytes("\x14\xff\xff\xff\xff\x7f", 6);
    ByteReader in(bytes);
    CHECK(decode_value(in).error().code == Code::kCorrupt);
}

/// Broken bytes give a value or kCorrupt, never anything else.
template <typename Decode>
void mutate_and_read(std::string (*encode)(const Value&), Decode decode) {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    int refused = 0;
    for (int i = 0; i < 50'000; ++i) {
        std::string bytes = encode(random.scalar());
        for (std::uint64_t n = random.below(3); n > 0 && !bytes.empty(); --n) {
            bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
        }
        if (random.below(3) == 0) bytes.resize(random.below(bytes.size() + 1));
        ByteReader in(bytes);
        const auto v = decode(in);
        if (!v.ok()) {
            REQUIRE(v.error().code == Code::kCorrupt);
            ++refused;
        }
    }
    CHECK(refused > 1000);
}

TEST_CASE("mutated bytes are read or refused") {
    mutate_and_read(plain, decode_value);
    mutate_and_read(key, decode_key);
}

/// Byte order of two keys must be the order of the two values.
void check_order(const Value& a, const Value& b) {
    INFO(to_text(a) << " (" << type_name(a) << ") and " << to_text(b) << " (" << type_name(b)
                    << ")");
    const int by_value = sign(order(a, b));
    const int by_bytes = sign(key(a) <=> key(b));
    REQUIRE(by_bytes == by_value);
}

TEST_CASE("byte order of keys is value order") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 5000; ++i) {
        check_order(random.integral(), random.integral());
        check_order(random.string(), random.string());
        check_order(random.decimal(), random.decimal());
        check_order(Value::bytes(random.bytes(5)), Value::bytes(random.bytes(5)));
        check_order(Value::double_(random.real().as_double()),
                    Value::double_(random.real().as_double()));
        check_order(Value::date(random.integer() / 1000),
                    Value::date_time(random.integer() / 1'000'000, 5, 3600));
        check_order(Value::duration(random.integer(), 1), Value::duration(random.integer(), 0));
        check_order(Value::list({random.integral(), random.string()}),
                    Value::list({random.integral()}));
    }
}

TEST_CASE("keys come back as an equal value") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 5000; ++i) {
        const Value v = random.scalar();
        const std::string bytes = key(v) + "rest";
        ByteReader in(bytes);
        const auto back = decode_key(in);
        INFO(to_text(v) << " (" << type_name(v) << ")");
        REQUIRE(back.ok());
        REQUIRE(in.rest() == "rest");
        REQUIRE(order(*back, v) == std::weak_ordering::equivalent);
        REQUIRE(key(*back) == key(v));
    }
}

TEST_CASE("no key begins another") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 5000; ++i) {
        const std::string a = key(random.string());
        const std::string b = key(random.string());
        if (a != b) REQUIRE_FALSE(b.starts_with(a));
    }
}

TEST_CASE("integers of every width are one key") {
    CHECK(key(Value::byte(7)) == key(Value::long_(7)));
    CHECK(key(*big_int_from_text("7")) == key(Value::int_(7)));
    CHECK(key(Value::double_(-0.0)) == key(Value::float_(0.0f)));
    CHECK(key(*big_decimal_from_text("1.50")) == key(*big_decimal_from_text("1.5")));
    CHECK(to_hex(key(Value::long_(1))) == "198000000000000001");
    std::string out;
    CHECK_FALSE(encode_key(Value::vertex(Value::long_(1)), out).ok());
    CHECK_FALSE(encode_key(make_map(), out).ok());
}

TEST_CASE("long keys") {
    for (const std::int64_t v :
         {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, INT64_MAX}) {
        std::string out;
        encode_long_key(v, out);
        CHECK(out.size() == 8);
        CHECK(decode_long_key(out) == v);
    }
}

}  // namespace
}  // namespace hob
