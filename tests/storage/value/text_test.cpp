#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "storage/value/compare.h"
#include "storage/value/value.h"

namespace hob {
namespace {

std::string text_of(double v) {
    return to_text(Value::double_(v));
}

TEST_CASE("doubles and floats print as Java prints them") {
    CHECK(text_of(0.1) == "0.1");
    CHECK(text_of(1) == "1.0");
    CHECK(text_of(-0.0) == "-0.0");
    CHECK(text_of(100) == "100.0");
    CHECK(text_of(1e7) == "1.0E7");
    CHECK(text_of(9999999) == "9999999.0");
    CHECK(text_of(12345678.9) == "1.23456789E7");
    CHECK(text_of(1e10) == "1.0E10");
    CHECK(text_of(0.001) == "0.001");
    CHECK(text_of(0.00012) == "1.2E-4");
    CHECK(text_of(1.7976931348623157e308) == "1.7976931348623157E308");
    CHECK(text_of(4.9e-324) == "4.9E-324");
    CHECK(text_of(NAN) == "NaN");
    CHECK(text_of(-std::numeric_limits<double>::infinity()) == "-Infinity");
    CHECK(to_text(Value::float_(0.1f)) == "0.1");
    CHECK(to_text(Value::float_(3.4028235e38f)) == "3.4028235E38");
    CHECK(to_text(Value::float_(5.75f)) == "5.75");
}

TEST_CASE("scalars print as Java prints them") {
    CHECK(to_text(Value()) == "null");
    CHECK(to_text(Value::boolean(true)) == "true");
    CHECK(to_text(Value::long_(INT64_MIN)) == "-9223372036854775808");
    CHECK(to_text(Value::char_(0x1f600)) == "\xf0\x9f\x98\x80");
    CHECK(to_text(Value::direction(Direction::kOut)) == "OUT");
    CHECK(to_text(Value::token(T::kId)) == "id");
    CHECK(to_text(*parse_uuid("41D2E28A-20a4-4ab0-b379-d810dede3786")) ==
          "41d2e28a-20a4-4ab0-b379-d810dede3786");
    CHECK(to_text(Value::bytes("abc")) == "java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]");
}

TEST_CASE("big decimals print as BigDecimal.toString()") {
    for (const char* text : {"0", "1", "-1.50", "0.000001", "1E-7", "1.23E-10", "1E+3",
                             "12345678901234567890.5", "-1.2E+10", "0.00", "0E+2", "0E-8"}) {
        CHECK(to_text(*big_decimal_from_text(text)) == text);
    }
    CHECK(to_text(*big_decimal_from_text("1e3")) == "1E+3");
    CHECK(to_text(*big_int_from_text("-00123")) == "-123");
}

TEST_CASE("elements and collections print as TinkerPop prints them") {
    const Value marko = Value::vertex(Value::long_(1));
    const Value vadas = Value::vertex(Value::string("vadas"));
    CHECK(to_text(marko) == "v[1]");

    auto* e = new EdgeObject;
    e->id = Value::int_(7);
    e->label = Value::string("knows");
    e->out = marko;
    e->in = vadas;
    const Value edge = Value::adopt(Kind::kEdge, e);
    CHECK(to_text(edge) == "e[7][1-knows->vadas]");

    auto* p = new VertexPropertyObject;
    p->key = Value::string("name");
    p->value = Value::string("marko");
    CHECK(to_text(Value::adopt(Kind::kVertexProperty, p)) == "vp[name->marko]");
    auto* q = new PropertyObject;
    q->key = Value::string("k");
    q->value = Value::string("a text of more than twenty");
    CHECK(to_text(Value::adopt(Kind::kProperty, q)) == "p[k->a text of more th...]");

    CHECK(to_text(Value::list({Value::int_(1), Value::string("b"), Value()})) == "[1, b, null]");
    CHECK(to_text(Value::set({})) == "[]");
    Value map = make_map();
    map.mutate<MapObject>().put(Value::string("a"), Value::int_(1));
    map.mutate<MapObject>().put(marko, Value::list({}));
    CHECK(to_text(map) == "{a=1, v[1]=[]}");
    CHECK(to_text(Value::map_entry(Value::string("a"), Value::int_(1))) == "a=1");

    auto* path = new PathObject;
    path->objects = {marko, edge};
    path->labels.resize(2);
    CHECK(to_text(Value::adopt(Kind::kPath, path)) == "path[v[1], e[7][1-knows->vadas]]");

    auto* bulk = new BulkSetObject;
    bulk->add(marko, 3);
    CHECK(to_text(Value::adopt(Kind::kBulkSet, bulk)) == "{v[1]=3}");
    CHECK(to_text(Value::traverser(marko, 3)) == "v[1]");
    CHECK(to_text(Value::adopt(Kind::kGraph, new GraphObject)) ==
          "tinkergraph[vertices:0 edges:0]");
}

TEST_CASE("twenty characters are not cut, whatever their bytes") {
    auto* p = new PropertyObject;
    p->key = Value::string("k");
    std::string text;
    for (int i = 0; i < 20; ++i) {
        text += "\xc3\xa4";
    }
    p->value = Value::string(text);
    CHECK(to_text(Value::adopt(Kind::kProperty, p)) == "p[k->" + text + "]");
}

TEST_CASE("metrics print as a table") {
    auto* step = new MetricsObject;
    step->id = "7.0.0()";
    step->name = "VertexStep(OUT,edge)";
    step->duration_ns = 1'234'000;
    step->counts = {{"traverserCount", 4}, {"elementCount", 6}};
    step->annotations = {{"percentDur", Value::double_(12.345)}, {"rows", Value::long_(3)}};
    auto* all = new TraversalMetricsObject;
    all->duration_ns = 9'996'000;
    all->metrics = {Value::adopt(Kind::kMetrics, step)};
    const std::string text = to_text(Value::adopt(Kind::kTraversalMetrics, all));
    CHECK(text.find("VertexStep(OUT,edge)                                                   6      "
                    "     4           1.234") != std::string::npos);
    CHECK(text.find("rows=3") != std::string::npos);
    CHECK(text.find("                                            >TOTAL                     -      "
                    "     -           9.996") != std::string::npos);
}

TEST_CASE("types have Java's simple names") {
    CHECK(type_name(Value::int_(1)) == "Integer");
    CHECK(type_name(Value::date_time(0, 0, 0)) == "OffsetDateTime");
    CHECK(type_name(Value::vertex(Value::long_(1))) == "Vertex");
    CHECK(type_name(Value::token(T::kId)) == "T");
}

}  // namespace
}  // namespace hob
