#include "tests/storage/graph/sample.h"

namespace hob::graph {
namespace {

IndexSpec by_name(bool unique = false, std::string label = "") {
    return {.name = "by_name",
            .element = ElementType::kVertex,
            .label = std::move(label),
            .key = "name",
            .unique = unique};
}

std::string look_up(Transaction& tx, const IndexSpec& index, std::vector<Value> values) {
    std::vector<Value> out;
    take(tx.index_lookup(index, values, out));
    return ids_text(out);
}

TEST_CASE("an index is filled from what is there and kept up") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    take(graph->create_index(by_name(), {}));
    CHECK(graph->create_index(by_name(), {}).error().code == Code::kAlreadyExists);
    tx = graph->begin();
    const auto index = tx->find_index(ElementType::kVertex, "person", "name");
    REQUIRE(index.has_value());
    CHECK_FALSE(tx->find_index(ElementType::kVertex, "person", "age").has_value());
    CHECK_FALSE(tx->find_index(ElementType::kEdge, "person", "name").has_value());
    CHECK(look_up(*tx, *index,
                  {Value::string("marko"), Value::string("lop"), Value::string("nobody")}) ==
          "1 3");
    take(tx->set_vertex_property(v(1), property("name", Value::string("mark"))));
    take(tx->remove(v(3)));
    const std::vector<PropertyWrite> name = {property("name", Value::string("marko"))};
    take(tx->add_vertex(Value::long_(20), "person", name));
    const auto check = [&] {
        CHECK(look_up(*tx, *index, {Value::string("marko"), Value::string("lop")}) == "20");
        CHECK(look_up(*tx, *index, {Value::string("mark")}) == "1");
    };
    check();
    take(tx->commit());
    tx = graph->begin();
    check();
    take(graph->drop_index("by_name", {}));
    CHECK_FALSE(tx->find_index(ElementType::kVertex, "person", "name").has_value());
    std::vector<Value> out;
    CHECK(tx->index_lookup(*index, {}, out).error().code == Code::kNotFound);
    CHECK(graph->drop_index("by_name", {}).error().code == Code::kNotFound);
}

TEST_CASE("an index of one label leaves others out; list values have an entry each") {
    const auto graph = open_graph();
    take(graph->create_index({.name = "c",
                              .element = ElementType::kVertex,
                              .label = "person",
                              .key = "city",
                              .unique = false},
                             {}));
    auto tx = graph->begin();
    const std::vector<PropertyWrite> cities = {
        property("city", Value::string("a"), Cardinality::kList),
        property("city", Value::string("b"), Cardinality::kList),
        property("city", Value::string("a"), Cardinality::kList)};
    take(tx->add_vertex(Value::long_(1), "person", cities));
    take(tx->add_vertex(Value::long_(2), "dog", cities));
    take(tx->commit());
    tx = graph->begin();
    CHECK_FALSE(tx->find_index(ElementType::kVertex, "", "city").has_value());
    const auto index = *tx->find_index(ElementType::kVertex, "person", "city");
    CHECK(look_up(*tx, index, {Value::string("a"), Value::string("b")}) == "1");
    std::vector<const VertexRecord*> records;
    const std::vector<Value> one = {v(1)};
    take(tx->read_vertices(one, Projection::everything(), records));
    take(tx->remove(records[0]->properties[0]));  // One of two "a".
    CHECK(look_up(*tx, index, {Value::string("a")}) == "1");
    take(tx->read_vertices(one, Projection::everything(), records));
    take(tx->remove(records[0]->properties[1]));
    CHECK(look_up(*tx, index, {Value::string("a")}).empty());
    CHECK(look_up(*tx, index, {Value::string("b")}) == "1");
}

TEST_CASE("numbers are found by value whatever their type") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    take(graph->create_index({.name = "age",
                              .element = ElementType::kVertex,
                              .label = "",
                              .key = "age",
                              .unique = false},
                             {}));
    tx = graph->begin();
    const auto index = *tx->find_index(ElementType::kVertex, "person", "age");
    CHECK(look_up(*tx, index, {Value::long_(29)}) == "1");
    CHECK(look_up(*tx, index, {Value::double_(29.0)}) == "1");
    CHECK(look_up(*tx, index, {Value::string("29")}).empty());
}

TEST_CASE("edges are indexed too") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    take(graph->create_index(
        {.name = "w", .element = ElementType::kEdge, .label = "", .key = "weight", .unique = false},
        {}));
    tx = graph->begin();
    const auto index = *tx->find_index(ElementType::kEdge, "knows", "weight");
    CHECK(sorted(look_up(*tx, index, {Value::double_(1.0)})) == "10 8");
    std::vector<Value> edges;
    const std::vector<Value> ids = {Value::long_(8), Value::long_(10)};
    take(tx->read_edges(ids, edges));
    take(tx->set_edge_property(edges[0], "weight", Value::double_(3)));
    CHECK(look_up(*tx, index, {Value::double_(1.0)}) == "10");
    CHECK(look_up(*tx, index, {Value::int_(3)}) == "8");
    take(tx->remove(v(5)));
    CHECK(look_up(*tx, index, {Value::double_(1.0)}).empty());
    take(tx->commit());
    tx = graph->begin();
    CHECK(look_up(*tx, index, {Value::int_(3)}) == "8");
}

TEST_CASE("a unique index refuses a second holder, in one transaction and across two") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    take(graph->create_index(by_name(true), {}));
    auto a = graph->begin();
    auto b = graph->begin();
    CHECK(code_of(a->set_vertex_property(v(1), property("name", Value::string("josh")))) ==
          Code::kAlreadyExists);
    CHECK(read(*a, v(1)) == "person{name=marko, age=29}");
    take(a->set_vertex_property(v(1), property("name", Value::string("marko"))));
    take(a->set_vertex_property(v(1), property("name", Value::string("new"))));
    take(b->set_vertex_property(v(2), property("name", Value::string("new"))));
    take(a->commit());
    const auto lost = b->commit();
    REQUIRE_FALSE(lost.ok());
    CHECK(lost.error().code == Code::kConflict);
    b = graph->begin();
    take(b->set_vertex_property(v(2), property("name", Value::string("marko"))));  // Free again.
    take(b->commit());
    b = graph->begin();
    CHECK(look_up(*b, by_name(true), {Value::string("marko"), Value::string("new")}) == "1 2");
}

TEST_CASE("a unique index over values that are not is refused and leaves nothing") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    const auto refused = graph->create_index({.name = "lang",
                                              .element = ElementType::kVertex,
                                              .label = "",
                                              .key = "lang",
                                              .unique = true},
                                             {});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == Code::kConflict);
    CHECK(graph->indexes().empty());
}

TEST_CASE("a transaction that wrote before an index existed is refused at its commit") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(graph->create_index(by_name(), {}));
    CHECK(tx->commit().error().code == Code::kConflict);
    tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    tx = graph->begin();
    CHECK(look_up(*tx, by_name(), {Value::string("josh")}) == "4");
}

}  // namespace
}  // namespace hob::graph
