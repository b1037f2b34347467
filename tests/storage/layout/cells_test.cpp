#include "storage/layout/cells.h"

#include <catch2/catch.hpp>
#include <memory>

#include "storage/base/bytes.h"

namespace hob::layout {
namespace {

Names names_with(std::vector<std::string> keys) {
    Names names;
    auto& space = names.spaces[static_cast<std::size_t>(NameKind::kKey)];
    for (auto& key : keys) {
        space.codes.emplace(key, static_cast<std::uint16_t>(space.names.size()));
        space.names.push_back(Value::string(key));
    }
    return names;
}

TEST_CASE("a plain edge qualifier is 11 bytes: direction, label code, neighbour") {
    const IdCodec ids(IdKind::kLong);
    const std::string out = edge_qualifier(ids, kOutMark, 3, Value::long_(42), 0);
    CHECK(out.size() == 11);
    CHECK(to_hex(out) == "4f0003800000000000002a");
    CHECK(to_hex(edge_qualifier(ids, kInMark, 0x0102, Value::long_(-1), 0)) ==
          "4901027fffffffffffffff");
    CHECK(to_hex(edge_qualifier(ids, kOutMark, 3, Value::long_(42), 5)) ==
          "4f0003800000000000002a0105");
    CHECK(to_hex(edge_qualifier(ids, kOutMark, 3, Value::long_(42), 0x1234)) ==
          "4f0003800000000000002a021234");
}

TEST_CASE("edge qualifiers read back; broken ones are corrupt") {
    for (const IdKind kind : {IdKind::kLong, IdKind::kString, IdKind::kAny}) {
        const IdCodec ids(kind);
        const Value other = *ids.normal(Value::long_(42));
        for (const std::uint64_t parallel : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{255},
                                             std::uint64_t{256}, ~std::uint64_t{0}}) {
            const std::string qualifier = edge_qualifier(ids, kInMark, 9, other, parallel);
            const auto cell = decode_edge_qualifier(ids, qualifier);
            REQUIRE(cell.ok());
            CHECK(cell->mark == kInMark);
            CHECK(cell->label == 9);
            CHECK(identical(cell->other, other));
            CHECK(cell->parallel == parallel);
            for (std::size_t size = 0; size < 4; ++size) {
                CHECK(decode_edge_qualifier(ids, qualifier.substr(0, size)).error().code ==
                      Code::kCorrupt);
            }
            CHECK_FALSE(decode_edge_qualifier(ids, "X" + qualifier.substr(1)).ok());
            CHECK_FALSE(decode_edge_qualifier(ids, qualifier + "\x7f").ok());
        }
    }
}

TEST_CASE("the end of a prefix is the first string after all that start with it") {
    CHECK(prefix_end("O") == "P");
    CHECK(prefix_end(std::string("O\0\xff", 3)) == std::string("O\x01", 2));
    CHECK(prefix_end("\xff\xff").empty());
}

TEST_CASE("property qualifiers sort the label first, then keys by code, lists by age") {
    const std::vector<std::string> ordered = {
        std::string(kLabelQualifier), std::string(kBucketQualifier),
        single_qualifier(1),          list_qualifier(1, 7),
        list_qualifier(1, 8),         set_qualifier(1, Value::int_(1), 0),
        single_qualifier(2)};
    CHECK(std::is_sorted(ordered.begin(), ordered.end()));
    CHECK(to_hex(single_qualifier(258)) == "0102");
    CHECK(to_hex(list_qualifier(2, 1)) == "0002018000000000000001");
    CHECK(set_qualifier(2, Value::int_(1), 0).size() == 11);
    CHECK(set_qualifier(2, Value::int_(1), 0) != set_qualifier(2, Value::int_(1), 1));
    CHECK(*key_of_qualifier(kLabelQualifier) == 0);
    CHECK(*key_of_qualifier(list_qualifier(513, 1)) == 513);
    CHECK(key_of_qualifier("x").error().code == Code::kCorrupt);
}

TEST_CASE("a property cell keeps id, value and meta-properties") {
    const Names names = names_with({"name", "since"});
    for (const Value& id : {Value::long_(77), Value::string("my-id"), Value::long_(-3)}) {
        VertexPropertyObject property;
        property.id = id;
        property.value = Value::string("marko");
        property.meta.emplace_back(Value::string("since"), Value::int_(1997));
        std::string bytes;
        REQUIRE(encode_property(property, {2}, bytes).ok());
        const auto back = decode_property(names, 1, bytes, Value::vertex(Value::long_(1)));
        REQUIRE(back.ok());
        const auto& object = back->as<VertexPropertyObject>();
        CHECK(identical(object.id, id));
        CHECK(object.key.text() == "name");
        CHECK(object.value.text() == "marko");
        REQUIRE(object.meta.size() == 1);
        CHECK(object.meta[0].first.text() == "since");
        CHECK(object.meta[0].second.as_int64() == 1997);
        for (std::size_t size = 0; size + 1 < bytes.size(); ++size) {
            const auto cut = decode_property(names, 1, bytes.substr(0, size), Value{});
            const bool lost_meta =
                cut.ok() &&
                cut->as<VertexPropertyObject>().meta.empty();  // Cut between value and meta.
            CHECK((!cut.ok() || lost_meta));
        }
        CHECK(decode_property(names_with({"name"}), 1, bytes, Value{}).error().code ==
              Code::kNotFound);
    }
    CHECK(decode_property(names, 1, "\x7f", Value{}).error().code == Code::kCorrupt);
}

TEST_CASE("an edge without id and properties has an empty value") {
    std::string bytes;
    REQUIRE(encode_edge(Value{}, {}, bytes).ok());
    CHECK(bytes.empty());
    CHECK(edge_id_in(bytes)->is_null());
    const Names names = names_with({"weight"});
    REQUIRE(encode_edge(Value::long_(7), {{1, Value::double_(0.5)}}, bytes).ok());
    EdgeObject edge;
    REQUIRE(decode_edge(names, bytes, true, edge).ok());
    CHECK(edge.id.as_int64() == 7);
    REQUIRE(edge.properties.size() == 1);
    CHECK(edge.properties[0].second.as_double() == 0.5);
    EdgeObject bare;
    REQUIRE(decode_edge(names, bytes, false, bare).ok());
    CHECK_FALSE(bare.has_properties);
    CHECK(bare.properties.empty());
    CHECK(edge_id_in("\x40").error().code == Code::kCorrupt);
    bytes.clear();
    CHECK(encode_edge(Value{}, {{1, Value::vertex(Value::long_(1))}}, bytes).error().code ==
          Code::kInvalidArgument);
}

TEST_CASE("a place prints shortly and reads back") {
    const IdCodec longs(IdKind::kLong);
    CHECK(place_text(longs,
                     {.out = Value::long_(1), .label = 2, .in = Value::long_(-3), .parallel = 0}) ==
          "1-2-n3");
    CHECK(place_text(longs,
                     {.out = Value::long_(1), .label = 2, .in = Value::long_(3), .parallel = 9}) ==
          "1-2-3-9");
    const IdCodec any(IdKind::kAny);
    const Value uuid = Value::uuid({0xff, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    for (const Value& id :
         {Value::long_(INT64_MIN), Value::long_(0), Value::string("a-b c\xc3\xa9_9%"), uuid}) {
        const EdgePlace place{.out = id, .label = 65'535, .in = Value::string("x"), .parallel = 3};
        const auto back = parse_place(any, place_text(any, place));
        REQUIRE(back.has_value());
        CHECK(identical(back->out, id));
        CHECK(back->label == 65'535);
        CHECK(back->in.text() == "x");
        CHECK(back->parallel == 3);
        const auto bytes_back = read_place(any, place_bytes(any, place));
        REQUIRE(bytes_back.ok());
        CHECK(identical(bytes_back->out, id));
        CHECK(bytes_back->parallel == 3);
    }
    for (const char* wrong : {"", "1", "1-2", "1-2-", "1-2-3-", "1-2-3-0", "1-2-3-4-5", "01-2-3",
                              "1-x-3", "1-70000-3", "-1-2-3", "sa-2-3", "1-2-x80"}) {
        INFO(wrong);
        CHECK_FALSE(parse_place(longs, wrong).has_value());
    }
}

}  // namespace
}  // namespace hob::layout
