#include "storage/value/value.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/storage/value/random_values.h"

namespace hob {
namespace {

Value edge(Value id) {
    auto* e = new EdgeObject;
    e->id = std::move(id);
    return Value::adopt(Kind::kEdge, e);
}

TEST_CASE("what a maker is given comes back") {
    CHECK(Value().is_null());
    CHECK(Value::byte(-128).as_int64() == -128);
    CHECK(Value::long_(INT64_MIN).as_int64() == INT64_MIN);
    CHECK(Value::float_(0.1f).as_double() == static_cast<double>(0.1f));
    CHECK(Value::string(std::string_view("a\0b", 3)).text().size() == 3);
    CHECK(Value::enumeration(EnumType::kMerge, 2).is_enum(EnumType::kMerge));
    for (const std::int32_t offset : {0, 3600, -3600, 64800, -64800, 1, -1}) {
        const Value v = Value::date_time(-5, 999'999'999, offset);
        CHECK(v.offset_seconds() == offset);
        CHECK(v.seconds() == -5);
        CHECK(v.nanos() == 999'999'999);
    }
}

TEST_CASE("big numbers lose bytes that only repeat the sign") {
    CHECK(Value::big_int(std::string_view("\0\0\x01", 3)).as<BigIntObject>().twos_complement ==
          "\x01");
    CHECK(Value::big_int(std::string_view("\0\x80", 2)).as<BigIntObject>().twos_complement.size() ==
          2);
    CHECK(Value::big_int("\xff\xff\x80").as<BigIntObject>().twos_complement == "\x80");
    CHECK(Value::big_int("").as<BigIntObject>().twos_complement == std::string(1, '\0'));
}

TEST_CASE("a vertex keeps an id of any kind") {
    for (const Value& id :
         {Value::long_(7), Value::string("seven"), Value::double_(7.5), Value(),
          Value::uuid({1, 2, 3}), Value::list({Value::int_(1)}), Value::vertex(Value::long_(1))}) {
        const Value v = Value::vertex(id);
        const Value copy = v;
        CHECK(identical(copy.vertex_id(), id));
        CHECK(identical(v, Value::vertex(id)));
        CHECK(hash_of(v) == hash_of(Value::vertex(id)));
    }
    // Clients send the id of a long back as an int.
    CHECK(identical(Value::vertex(Value::int_(7)), Value::vertex(Value::long_(7))));
    CHECK_FALSE(identical(Value::vertex(Value::long_(7)), Value::vertex(Value::string("7"))));
}

TEST_CASE("identity is Java's equals") {
    CHECK_FALSE(identical(Value::int_(1), Value::long_(1)));
    CHECK_FALSE(identical(Value::float_(1), Value::double_(1)));
    CHECK(identical(Value::double_(NAN), Value::double_(-NAN)));
    CHECK(hash_of(Value::double_(NAN)) == hash_of(Value::double_(-NAN)));
    CHECK_FALSE(identical(Value::double_(0.0), Value::double_(-0.0)));
    CHECK_FALSE(identical(Value::string("a"), Value::char_('a')));
    CHECK_FALSE(identical(Value::big_decimal(1, "\x0a"), Value::big_decimal(0, "\x01")));
    CHECK_FALSE(identical(Value::date_time(0, 0, 0), Value::date_time(0, 0, 3600)));

    const Value a = Value::set({Value::int_(1), Value::string("x")});
    const Value b = Value::set({Value::string("x"), Value::int_(1), Value::int_(1)});
    CHECK(identical(a, b));
    CHECK(hash_of(a) == hash_of(b));
    CHECK_FALSE(identical(Value::list({Value::int_(1), Value::int_(2)}),
                          Value::list({Value::int_(2), Value::int_(1)})));
    CHECK(identical(edge(Value::string("e1")), edge(Value::string("e1"))));
    CHECK_FALSE(identical(edge(Value::string("e1")), Value::vertex(Value::string("e1"))));
}

TEST_CASE("paths are equal with their labels, whose order does not matter") {
    const auto path = [](std::vector<Value> labels) {
        auto* p = new PathObject;
        p->objects = {Value::int_(1)};
        p->labels = {std::move(labels)};
        return Value::adopt(Kind::kPath, p);
    };
    const Value ab = path({Value::string("a"), Value::string("b")});
    CHECK(identical(ab, path({Value::string("b"), Value::string("a")})));
    CHECK(hash_of(ab) == hash_of(path({Value::string("b"), Value::string("a")})));
    CHECK_FALSE(identical(ab, path({Value::string("a")})));
}

TEST_CASE("maps keep their order and find by key, small and large") {
    for (const int n : {3, 8, 9, 100}) {
        MapObject map;
        for (int i = 0; i < n; ++i) {
            map.put(Value::string("k" + std::to_string(i)), Value::int_(i));
        }
        CHECK(map.size() == static_cast<std::size_t>(n));
        map.put(Value::string("k1"), Value::int_(-1));
        CHECK(map.size() == static_cast<std::size_t>(n));
        CHECK(map.entries()[1].second.as_int64() == -1);
        REQUIRE(map.find("k2") != nullptr);
        CHECK(map.find("k2")->as_int64() == 2);
        CHECK(map.find("none") == nullptr);
        CHECK(map.find(Value::char_('k')) == nullptr);
        CHECK(map.erase(Value::string("k0")));
        CHECK_FALSE(map.erase(Value::string("k0")));
        CHECK(map.find("k0") == nullptr);
        CHECK(map.find("k2")->as_int64() == 2);
        CHECK(map.find(Value::string("k" + std::to_string(n - 1)))->as_int64() == n - 1);
        CHECK(map.slot(Value::long_(5)).is_null());
        CHECK(map.size() == static_cast<std::size_t>(n));
    }
}

TEST_CASE("maps are equal whatever the order of their entries") {
    Value a = make_map();
    Value b = make_map();
    for (int i = 0; i < 20; ++i) {
        a.mutate<MapObject>().put(Value::int_(i), Value::int_(i * i));
        b.mutate<MapObject>().put(Value::int_(19 - i), Value::int_((19 - i) * (19 - i)));
    }
    CHECK(identical(a, b));
    CHECK(hash_of(a) == hash_of(b));
    b.mutate<MapObject>().put(Value::int_(3), Value::int_(0));
    CHECK_FALSE(identical(a, b));
}

TEST_CASE("assign replaces entries and what find sees") {
    MapObject map;
    for (int i = 0; i < 20; ++i) {
        map.put(Value::int_(i), Value::int_(i));
    }
    map.assign({{Value::int_(50), Value::int_(1)}});
    CHECK(map.find(Value::int_(3)) == nullptr);
    CHECK(map.find(Value::int_(50)) != nullptr);
}

TEST_CASE("a bulk set counts") {
    BulkSetObject set;
    for (int i = 0; i < 50; ++i) {
        set.add(Value::int_(i % 20), i < 20 ? 1 : 10);
    }
    CHECK(set.entries().size() == 20);
    CHECK(set.entries()[0].second == 21);
    CHECK(set.entries()[19].second == 11);
    CHECK(set.size() == 20 + 300);
}

TEST_CASE("sets keep the first of equal items") {
    std::vector<Value> items;
    for (int i = 0; i < 100; ++i) {
        items.push_back(Value::int_(i % 30));
    }
    CHECK(Value::set(items).items().size() == 30);
    CHECK(Value::set({Value::int_(1), Value::long_(1), Value::int_(1)}).items().size() == 2);
}

TEST_CASE("equal values have equal hashes, and a copy equals its original") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 2000; ++i) {
        const Value a = random.storable();
        const Value b = random.storable();
        const Value copy = a;
        REQUIRE(identical(a, copy));
        REQUIRE(identical(a, b) == identical(b, a));
        if (identical(a, b)) REQUIRE(hash_of(a) == hash_of(b));
    }
}

TEST_CASE("hashes of neighbouring ids differ in every part") {
    std::vector<int> by_low_bits(64);
    for (std::int64_t i = 0; i < 6400; ++i) {
        ++by_low_bits[hash_of(Value::vertex(Value::long_(i))) & 63];
    }
    for (const int count : by_low_bits) {
        CHECK(count > 50);
        CHECK(count < 160);
    }
}

TEST_CASE("enumerations go by name") {
    CHECK(name_of(EnumType::kMerge, 2) == "outV");
    CHECK(name_of(EnumType::kGType, static_cast<std::uint8_t>(GType::kVertexProperty)) ==
          "VPROPERTY");
    CHECK(name_of(EnumType::kGType, static_cast<std::uint8_t>(GType::kInt)) == "INT");
    CHECK(name_of(EnumType::kT, 4).empty());
    CHECK(ordinal_of(EnumType::kOrder, "incr") == ordinal_of(EnumType::kOrder, "asc"));
    CHECK(ordinal_of(EnumType::kDirection, "to") == static_cast<std::uint8_t>(Direction::kIn));
    CHECK(ordinal_of(EnumType::kPop, "nothing") == std::nullopt);
    CHECK(enum_type_of("Cardinality") == EnumType::kCardinality);
    CHECK(enum_type_of("cardinality") == std::nullopt);
}

}  // namespace
}  // namespace hob
