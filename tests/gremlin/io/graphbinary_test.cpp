#include "gremlin/io/graphbinary.h"

#include <catch2/catch.hpp>

#include "gremlin/io/predicates.h"
#include "gremlin/io/utf8.h"
#include "gremlin/language/traversal.h"
#include "storage/value/compare.h"
#include "tests/gremlin/io/io_values.h"
#include "tests/storage/value/random_values.h"

namespace hob::gremlin {
namespace {

std::string written(const Value& v, const WriteOptions& options = {}) {
    std::string out;
    graphbinary::write_value(v, options, out);
    return out;
}

Result<Value> read(std::string_view bytes) {
    ByteReader in(bytes);
    return graphbinary::read_value(in);
}

std::string error_of(std::string_view bytes) {
    const auto v = read(bytes);
    return v.ok() ? "read: " + to_text(*v) : v.error().message;
}

TEST_CASE("graphbinary: every kind of value comes back as it was") {
    for (const Value& v : test::samples()) {
        const std::string bytes = written(v);
        ByteReader in(bytes);
        const auto back = graphbinary::read_value(in);
        INFO(to_text(v) << " " << to_hex(bytes, 200) << (back.ok() ? "" : back.error().message));
        REQUIRE(back.ok());
        REQUIRE(in.at_end());
        REQUIRE(back->kind() == v.kind());
        REQUIRE(written(*back) == bytes);
        if (v.kind() != Kind::kTraversalMetrics && as_lambda(v) == nullptr)
            REQUIRE(identical(*back, v));
    }
}

TEST_CASE("graphbinary: random values come back as they were") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 3000; ++i) {
        const Value v = random.storable();
        const std::string bytes = written(v);
        const auto back = read(bytes);
        INFO(to_text(v) << " " << to_hex(bytes, 200) << (back.ok() ? "" : back.error().message));
        REQUIRE(back.ok());
        REQUIRE(identical(*back, v));
    }
}

TEST_CASE("graphbinary: the bytes are those of the documentation") {
    CHECK(to_hex(written(Value::int_(1))) == "010000000001");
    CHECK(to_hex(written(Value::string("abc"))) == "030000000003616263");
    CHECK(to_hex(written(Value())) == "fe01");
    CHECK(to_hex(written(Value::direction(Direction::kOut))) == "18000300000000034f5554");
    CHECK(to_hex(written(Value::list({Value::int_(1)}))) == "090000000001010000000001");
    CHECK(to_hex(written(Value::double_(1))) == "07003ff0000000000000");
    CHECK(to_hex(written(*parse_date_time("2018-03-22T00:00:00Z"))) ==
          "8800000007e20316000000000000000000000000");
    CHECK(to_hex(written(Value::map_entry(Value::int_(1), Value()))) ==
          "0a0000000001010000000001fe01");
}

TEST_CASE("graphbinary: older clients get dates") {
    WriteOptions options;
    options.legacy_dates = true;
    const auto back = read(written(*parse_date_time("1970-01-01T00:00:01.5+01:00"), options));
    REQUIRE(back.ok());
    CHECK(back->kind() == Kind::kDate);
    CHECK(back->as_int64() == -3'598'500);
}

TEST_CASE("graphbinary: tokens leave properties out") {
    WriteOptions options;
    options.properties = false;
    const Value v = Value::vertex(Value::long_(1));
    CHECK(to_hex(written(v, options)) ==
          "1100"
          "02000000000000000001"
          "00000006766572746578"
          "fe01");
    CHECK(written(test::edge(Value::int_(1), "l", Value::int_(1), Value::int_(2),
                             {{Value::string("k"), Value()}}),
                  options)
              .ends_with("\xfe\x01"));
}

TEST_CASE("graphbinary: typed nulls are null") {
    for (const int code : {0x01, 0x03, 0x09, 0x11, 0x22}) {
        const std::string bytes{static_cast<char>(code), '\x01'};
        const auto v = read(bytes);
        REQUIRE(v.ok());
        CHECK(v->is_null());
    }
}

TEST_CASE("graphbinary: what can't be read is named with its place") {
    CHECK(error_of("") == "GraphBinary ends inside the value that starts at byte 0");
    CHECK(error_of(test::from_hex("0100000000")) ==
          "GraphBinary ends inside the value that starts at byte 0");
    CHECK(error_of(test::from_hex("0102")) ==
          "value flag at byte 1 is 2, expected 0 (a value) or 1 (null)");
    CHECK(error_of(test::from_hex("7700")) == "type code 0x77 at byte 0 is none of GraphBinary v1");
    CHECK(error_of(test::from_hex("00000000056a616e7573")) ==
          "custom type 'janus' at byte 0 is not known here");
    CHECK(error_of(test::from_hex("03007fffffff61")) ==
          "length 2147483647 at byte 2 does not fit: 1 bytes are left");
    CHECK(error_of(test::from_hex("0300ffffffff61")) ==
          "length -1 at byte 2 does not fit: 1 bytes are left");
    CHECK(error_of(test::from_hex("03000000000161ff").substr(0, 6) + "\xff") ==
          "string at byte 2 is not UTF-8");
    CHECK(error_of(test::from_hex("18000300000000024144")) ==
          "'AD' at byte 2 is no constant of Direction");
    CHECK(
        error_of(test::from_hex("8800000007e20d16000000000000000000000000")).find("out of range") !=
        std::string::npos);
    CHECK(error_of(test::from_hex("23000000000000")).find("expected 1 to 16384") !=
          std::string::npos);
}

TEST_CASE("graphbinary: nesting is bounded") {
    std::string lists;
    for (int i = 0; i < 100'000; ++i) {
        lists += test::from_hex("090000000001");
    }
    CHECK(error_of(lists).find("nests deeper than 500") != std::string::npos);
    std::string trees = test::from_hex("2b00");
    for (int i = 0; i < 100'000; ++i) {
        trees += test::from_hex("00000001fe01");
    }
    CHECK(error_of(trees).find("nests deeper than 500") != std::string::npos);
}

TEST_CASE(
    "graphbinary: lists in lists that all claim to be long are refused without their memory") {
    std::string bytes;
    for (int i = 0; i < 490; ++i) {
        bytes += test::from_hex("090000080000");
    }
    bytes.resize(2'000'000, '\0');
    CHECK_FALSE(read(bytes).ok());
}

TEST_CASE("graphbinary: bulks that don't fit a long together are refused") {
    const std::string entry = test::from_hex(
        "030000000000"
        "7fffffffffffffff");
    const std::string other = test::from_hex(
        "030000000001"
        "61"
        "7fffffffffffffff");
    CHECK(error_of(test::from_hex("2a0000000002") + entry + other).find("out of range") !=
          std::string::npos);
}

TEST_CASE("graphbinary: predicates are what the drivers mean by them") {
    const auto one_list = predicate_of("within", {Value::list({Value::int_(1), Value::int_(2)})});
    CHECK(identical(*one_list, make_predicate("within", {Value::int_(1), Value::int_(2)})));
    const auto spread_eq = predicate_of("eq", {Value::int_(1), Value::int_(2)});
    CHECK(identical(*spread_eq,
                    make_predicate("eq", {Value::list({Value::int_(1), Value::int_(2)})})));
    CHECK(predicate_of("within", {})->as<PredicateObject>().operands.empty());
    CHECK_FALSE(predicate_of("between", {Value::int_(1)}).ok());
    CHECK_FALSE(predicate_of("and", {Value::int_(1)}).ok());
    CHECK(predicate_of("nope", {}).error().message == "unknown predicate 'nope'");
}

TEST_CASE("graphbinary: utf-8 is checked strictly") {
    CHECK(is_utf8("plain ascii text of some length"));
    CHECK(is_utf8("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"));
    for (const char* bad : {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "a\xc3", "12345678\x80"}) {
        CHECK_FALSE(is_utf8(bad));
    }
}

TEST_CASE("graphbinary: mutated messages are read or refused") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    std::vector<std::string> bodies;
    for (const Value& v : test::samples()) {
        bodies.push_back(written(v));
        bodies.push_back(written(Value::list({v, v})));
    }
    int refused = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string bytes = bodies[random.below(bodies.size())];
        for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
            const std::size_t at = random.below(bytes.size());
            switch (random.below(4)) {
                case 0:
                    bytes[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    bytes.erase(at, 1 + random.below(3));
                    break;
                case 2:
                    bytes.insert(at, bodies[random.below(bodies.size())]);
                    break;
                default:
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
            }
            if (bytes.empty()) bytes.push_back('\0');
        }
        const auto v = read(bytes);
        if (!v.ok()) {
            REQUIRE(v.error().code == Code::kParse);
            ++refused;
        } else {
            written(*v);
            to_text(*v);
        }
    }
    CHECK(refused > 10'000);
}

}  // namespace
}  // namespace hob::gremlin
