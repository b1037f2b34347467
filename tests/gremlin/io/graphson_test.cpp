#include "gremlin/io/graphson.h"

#include <catch2/catch.hpp>
#include <limits>
#include <sstream>

#include "gremlin/io/base64.h"
#include "gremlin/io/json.h"
#include "gremlin/language/traversal.h"
#include "storage/value/compare.h"
#include "storage/value/extended.h"
#include "tests/gremlin/io/io_values.h"
#include "tests/storage/value/random_values.h"

namespace hob::gremlin {
namespace {

using graphson::Format;

std::string written(const Value& v, const Format& format = {}, const WriteOptions& options = {}) {
    std::string out;
    graphson::write_value(v, format, options, out);
    return out;
}

Result<Value> read(std::string_view json) {
    return graphson::read_value(json, Format{});
}

std::string error_of(std::string_view json) {
    const auto v = read(json);
    return v.ok() ? "read: " + to_text(*v) : v.error().message;
}

/// A vertex, and what is known of it.
struct Marko {
    Value vertex = Value::vertex(Value::long_(1));
    test::KnownElements known;
    WriteOptions options;
    Marko() {
        known.add(vertex, "person",
                  {test::vertex_property(Value::long_(0), "name", Value::string("marko"),
                                         {{Value::string("since"), Value::int_(2010)}}),
                   test::vertex_property(Value::long_(1), "age", Value::int_(29)),
                   test::vertex_property(Value::long_(2), "name", Value::string("mark"))});
        options.elements = &known;
    }
};

constexpr Format kV1{1, false};
constexpr Format kV2{2, true};
constexpr Format kV2Untyped{2, false};
constexpr Format kV3{3, true};
constexpr Format kV3Untyped{3, false};

TEST_CASE("graphson: every kind of value comes back from version 3 as it was") {
    for (const Value& v : test::samples()) {
        const std::string json = written(v);
        const auto back = read(json);
        INFO(json << (back.ok() ? "" : "  " + back.error().message));
        REQUIRE(back.ok());
        REQUIRE(back->kind() == v.kind());
        REQUIRE(written(*back) == json);
        if (v.kind() != Kind::kTraversalMetrics && as_lambda(v) == nullptr)
            REQUIRE(identical(*back, v));
    }
}

TEST_CASE("graphson: random values come back from version 3 as they were") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    for (int i = 0; i < 3000; ++i) {
        const Value v = random.storable();
        const std::string json = written(v);
        const auto back = read(json);
        INFO(json << (back.ok() ? "" : "  " + back.error().message));
        REQUIRE(back.ok());
        REQUIRE(identical(*back, v));
    }
}

TEST_CASE(
    "what the Java driver and Gremlin Server said is read, and written again letter for letter") {
    std::istringstream lines(test::read_test_file("graphson_frames.txt"));
    std::string line;
    int same = 0;
    while (std::getline(lines, line)) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        const std::string name = line.substr(0, first);
        const std::string json = line.substr(second + 1);
        const auto v = read(json);
        INFO(name << " " << json << (v.ok() ? "" : "  " + v.error().message));
        REQUIRE(v.ok());
        // Vertices keep only their id, a long; Java writes longs and ints apart.
        if (json.find("g:Vertex\"") != std::string::npos ||
            json.find("g:Edge\"") != std::string::npos)
            continue;
        REQUIRE(written(*v) == json);
        ++same;
    }
    CHECK(same > 35);
}

TEST_CASE("graphson: scalars in every form") {
    CHECK(written(Value::int_(1)) == R"({"@type":"g:Int32","@value":1})");
    CHECK(written(Value::int_(1), kV3Untyped) == "1");
    CHECK(written(Value::double_(0.1), kV2) == R"({"@type":"g:Double","@value":0.1})");
    CHECK(written(Value::float_(5.0f), kV1) == "5.0");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(written(Value::double_(nan)) == R"({"@type":"g:Double","@value":"NaN"})");
    CHECK(written(Value::double_(-std::numeric_limits<double>::infinity()), kV1) ==
          R"("-Infinity")");
    CHECK(written(*big_int_from_text("123456789987654321123456789987654321")) ==
          R"({"@type":"gx:BigInteger","@value":123456789987654321123456789987654321})");
    CHECK(written(*big_decimal_from_text("1.10"), kV1) == "1.10");
    CHECK(written(Value::date(1481750076295)) == R"({"@type":"g:Date","@value":1481750076295})");
    CHECK(written(*parse_date_time("2007-12-03T10:15:30+01:00")) ==
          R"({"@type":"gx:OffsetDateTime","@value":"2007-12-03T10:15:30+01:00"})");
    CHECK(written(Value::bytes("some bytes for you")) ==
          R"({"@type":"gx:ByteBuffer","@value":"c29tZSBieXRlcyBmb3IgeW91"})");
    CHECK(written(*parse_extended(ExtendedType::kInetAddress, "127.0.0.1")) ==
          R"({"@type":"gx:InetAddress","@value":"127.0.0.1"})");
    CHECK(written(Value::token(T::kId), kV1) == R"("id")");
    WriteOptions old;
    old.legacy_dates = true;
    CHECK(written(Value::date_time(1, 500'000'000, 3600), kV3, old) ==
          R"({"@type":"g:Date","@value":1500})");
}

TEST_CASE("graphson: collections in every form") {
    const Value map = test::map_of(
        {{Value::string("a"), Value::int_(1)}, {Value::vertex(Value::long_(5)), Value()}});
    CHECK(written(map, kV3Untyped) == R"({"a":1,"5":null})");
    CHECK(written(map, kV1) == R"({"a":1,"5":null})");
    CHECK(written(map, kV2) == R"({"a":{"@type":"g:Int32","@value":1},"5":null})");
    CHECK(written(Value::set({Value::string("a")}), kV2) == R"(["a"])");
    CHECK(written(Value::set({Value::string("a")}), kV3) == R"({"@type":"g:Set","@value":["a"]})");
    auto* set = new BulkSetObject;
    set->add(Value::string("a"), 2);
    const Value bulk = Value::adopt(Kind::kBulkSet, set);
    CHECK(written(bulk, kV2) == R"(["a","a"])");
    CHECK(written(bulk, kV3) ==
          R"({"@type":"g:BulkSet","@value":["a",{"@type":"g:Int64","@value":2}]})");
    CHECK(written(Value::map_entry(Value::string("k"), Value::string("v")), kV1) == R"({"k":"v"})");
}

TEST_CASE("graphson: vertices in every form") {
    const Marko marko;
    CHECK(
        written(marko.vertex, kV1, marko.options) ==
        R"({"id":1,"label":"person","type":"vertex","properties":{"name":[{"id":0,"value":"marko","properties":{"since":2010}},)"
        R"({"id":2,"value":"mark"}],"age":[{"id":1,"value":29}]}})");
    CHECK(written(marko.vertex, kV3Untyped, marko.options) ==
          written(marko.vertex, kV1, marko.options));
    CHECK(
        written(marko.vertex, kV2Untyped, marko.options) ==
        R"({"id":1,"label":"person","properties":{"name":[{"id":0,"value":"marko","label":"name","properties":{"since":2010}},)"
        R"({"id":2,"value":"mark","label":"name"}],"age":[{"id":1,"value":29,"label":"age"}]}})");
    CHECK(
        written(marko.vertex, kV3, marko.options)
            .starts_with(
                R"({"@type":"g:Vertex","@value":{"id":{"@type":"g:Int64","@value":1},"label":"person","properties":{"name":)"
                R"([{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":0},"value":"marko","label":"name",)"
                R"("properties":{"since":{"@type":"g:Int32","@value":2010}}}},)"));
    WriteOptions tokens = marko.options;
    tokens.properties = false;
    CHECK(written(marko.vertex, kV3Untyped, tokens) ==
          R"({"id":1,"label":"person","type":"vertex"})");
    CHECK(written(marko.vertex, kV1, tokens) ==
          R"({"id":1,"label":"person","type":"vertex","properties":{}})");
    CHECK(written(marko.vertex, kV3Untyped) == R"({"id":1,"label":"vertex","type":"vertex"})");
}

TEST_CASE("graphson: edges, properties, paths and trees in every form") {
    const Value edge = test::edge(Value::int_(9), "created", Value::long_(1), Value::long_(3),
                                  {{Value::string("weight"), Value::double_(0.4)}});
    CHECK(
        written(edge, kV1) ==
        R"({"id":9,"label":"created","type":"edge","inVLabel":"software","outVLabel":"person","inV":3,"outV":1,"properties":{"weight":0.4}})");
    CHECK(written(edge, kV3Untyped) == written(edge, kV1));
    CHECK(
        written(edge, kV2Untyped) ==
        R"({"id":9,"label":"created","inVLabel":"software","outVLabel":"person","inV":3,"outV":1,)"
        R"("properties":{"weight":{"key":"weight","value":0.4}}})");
    CHECK(written(test::property("k", Value::int_(1)), kV3Untyped) == R"({"key":"k","value":1})");
    const Value path = test::path({Value::string("x")}, {{Value::string("a")}});
    CHECK(written(path, kV1) == R"({"labels":[["a"]],"objects":["x"]})");
    CHECK(written(path, kV2) ==
          R"({"@type":"g:Path","@value":{"labels":[["a"]],"objects":["x"]}})");
    auto* tree = new TreeObject;
    tree->children.put(Value::string("x"), Value::adopt(Kind::kTree, new TreeObject));
    const Value t = Value::adopt(Kind::kTree, tree);
    CHECK(written(t, kV1) == R"({"x":{"key":"x","value":{}}})");
    CHECK(written(t, kV3Untyped) == R"([{"key":"x","value":[]}])");
}

TEST_CASE("graphson: a subgraph comes back with labels and properties") {
    auto* graph = new GraphObject;
    const Value v1 = Value::vertex(Value::long_(1));
    graph->vertices.push_back(
        {v1,
         Value::string("person"),
         {test::vertex_property(Value::long_(0), "name", Value::string("marko"))}});
    graph->edges.push_back(test::edge(Value::long_(7), "self", Value::long_(1), Value::long_(1)));
    const Value g = Value::adopt(Kind::kGraph, graph);
    const auto back = read(written(g));
    REQUIRE(back.ok());
    REQUIRE(back->kind() == Kind::kGraph);
    CHECK(back->as<GraphObject>().vertices[0].label.text() == "person");
    CHECK(back->as<GraphObject>().vertices[0].properties.size() == 1);
    CHECK(written(*back) == written(g));
}

TEST_CASE("graphson: plain json becomes plain values") {
    CHECK(to_text(*read(R"({"a":[1,2.5,"x",null,true],"b":{}})")) ==
          "{a=[1, 2.5, x, null, true], b={}}");
    CHECK(read("2147483648")->kind() == Kind::kLong);
    CHECK(read("9223372036854775808")->kind() == Kind::kBigInt);
    CHECK(read("1e3")->kind() == Kind::kDouble);
    CHECK(to_text(*read(R"("\u00e4\ud83d\ude00\n\ud800")")) ==
          "\xc3\xa4\xf0\x9f\x98\x80\n\xef\xbf\xbd");
    CHECK(to_text(*read(R"({"@type":"mine","other":1})")) == "{@type=mine, other=1}");
    CHECK(to_text(*read(R"({"@type":"g:SackFunctions.Barrier","@value":"normSack"})")) ==
          "normSack");
    CHECK(to_text(*read(R"({"@value":5,"@type":"g:Int64"})")) == "5");
    CHECK(to_text(*read(R"({"@type":"gx:BigDecimal","@value":"1.50"})")) == "1.50");
    CHECK(to_text(*read(R"({"@type":"g:Int64","@value":"9007199254740993"})")) ==
          "9007199254740993");
}

TEST_CASE("graphson: older shapes of strategies are understood") {
    const auto v =
        read(R"({"@type":"g:SubgraphStrategy","@value":{"checkAdjacentVertices":false}})");
    REQUIRE(v.ok());
    REQUIRE(as_strategy(*v) != nullptr);
    CHECK(as_strategy(*v)->name == "SubgraphStrategy");
    CHECK(as_strategy(*v)->configuration.size() == 1);
}

TEST_CASE("graphson: what can't be read is named with its place") {
    CHECK(error_of("") == "expected a JSON value at byte 0 of 0");
    CHECK(error_of("[1,]") == "expected a JSON value at byte 3 of 4");
    CHECK(error_of("[1 2]") == "expected ',' or the end of an array or object at byte 3 of 5");
    CHECK(error_of("{1:2}") == "expected a member's name at byte 1 of 5");
    CHECK(error_of("1 1") == "JSON goes on after its end at byte 2 of 3");
    CHECK(error_of("01") == "expected a JSON value at byte 2 of 2");
    CHECK(error_of("\"abc") == "string without an end at byte 4 of 4");
    CHECK(error_of("\"\xff\"") == "string is not UTF-8 at byte 2 of 3");
    CHECK(error_of(R"({"@type":"g:Nothing","@value":1})") == "unknown type 'g:Nothing' at byte 30");
    CHECK(error_of(R"({"@type":"g:Int32"})") == "g:Int32 at byte 0 has no '@value'");
    CHECK(error_of(R"({"@type":"g:Int32","@value":2147483648})").find("due to overflow") !=
          std::string::npos);
    CHECK(error_of(R"({"@type":"g:Int32","@value":"x"})") == "'x' at byte 28 is no number");
    CHECK(error_of(R"({"@type":"g:T","@value":"nope"})") ==
          "'nope' at byte 24 is no constant of T");
    CHECK(error_of(R"({"@type":"g:Map","@value":[1]})") ==
          "g:Map at byte 26 ends with a key that has no value");
    CHECK(error_of(R"({"@type":"g:Vertex","@value":{}})") == "the object at byte 29 has no 'id'");
    CHECK(error_of(R"({"@type":"g:UUID","@value":5})") == "a number at byte 27, expected a UUID");
    CHECK(error_of(R"({"@type":"g:Bytecode","@value":{"step":[[]]}})")
              .find("expected an instruction") != std::string::npos);
}

TEST_CASE("graphson: nesting is bounded") {
    CHECK(error_of(std::string(100'000, '[')).find("nests too deep") != std::string::npos);
    std::string typed;
    for (int i = 0; i < 10'000; ++i) {
        typed += R"({"@type":"g:List","@value":[)";
    }
    CHECK(error_of(typed).find("nests too deep") != std::string::npos);
}

TEST_CASE("graphson: strings are escaped so that any reader can read them") {
    std::string out;
    graphson::write_json_string("a\"\\\n\x01\xc3\xa4\xff", out);
    CHECK(out == "\"a\\\"\\\\\\n\\u0001\xc3\xa4\\ufffd\"");
}

TEST_CASE("graphson: base64 goes there and back") {
    for (const std::string_view text : {"", "a", "ab", "abc", "abcd"}) {
        std::string encoded;
        append_base64(text, encoded);
        CHECK(encoded.size() % 4 == 0);
        CHECK(decode_base64(encoded) == std::string(text));
    }
    CHECK(decode_base64("YQ") == "a");
    CHECK_FALSE(decode_base64("Y").has_value());
    CHECK_FALSE(decode_base64("Y*==").has_value());
}

TEST_CASE("graphson: an adjacency line is a vertex with its edges") {
    const auto v = graphson::read_adjacency_line(
        R"({"id":{"@type":"g:Int64","@value":1},"label":"person","outE":{"knows":[{"id":{"@type":"g:Int64","@value":7},)"
        R"("inV":{"@type":"g:Int64","@value":2},"properties":{"weight":{"@type":"g:Double","@value":0.5}}}]},)"
        R"("inE":{"likes":[{"id":8,"outV":3}]},"properties":{"name":[{"id":{"@type":"g:Int64","@value":0},"value":"marko",)"
        R"("properties":{"since":{"@type":"g:Int32","@value":2010}}}]}})");
    INFO((v.ok() ? "" : v.error().message));
    REQUIRE(v.ok());
    CHECK(v->label == "person");
    REQUIRE(v->out_edges.size() == 1);
    CHECK(to_text(v->out_edges[0]) == "e[7][1-knows->2]");
    CHECK(to_text(v->in_edges[0]) == "e[8][3-likes->1]");
    CHECK(v->out_edges[0].as<EdgeObject>().properties[0].second.as_double() == 0.5);
    REQUIRE(v->properties.size() == 1);
    CHECK(v->properties[0].as<VertexPropertyObject>().meta.size() == 1);
    CHECK_FALSE(graphson::read_adjacency_line("{}").ok());
    CHECK_FALSE(graphson::read_adjacency_line(R"({"id":1,"outE":{"x":[{"id":1}]}})").ok());
}

TEST_CASE("graphson: mutated texts are read or refused") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    std::vector<std::string> bodies;
    for (const Value& v : test::samples()) {
        bodies.push_back(written(v));
        bodies.push_back(written(v, kV2));
    }
    int refused = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string json = bodies[random.below(bodies.size())];
        for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
            const std::size_t at = random.below(json.size());
            switch (random.below(4)) {
                case 0:
                    json[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    json.erase(at, 1 + random.below(9));
                    break;
                case 2:
                    json.insert(at, bodies[random.below(bodies.size())]);
                    break;
                default:
                    json.insert(at, 1, "{}[]\",:0-eE."[random.below(12)]);
            }
            if (json.empty()) json.push_back(' ');
        }
        const auto v = graphson::read_value(json, Format{});
        if (!v.ok()) {
            REQUIRE(v.error().code == Code::kParse);
            ++refused;
        } else {
            written(*v);
        }
    }
    CHECK(refused > 10'000);
}

}  // namespace
}  // namespace hob::gremlin
