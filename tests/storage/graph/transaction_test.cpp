#include "tests/storage/graph/sample.h"

namespace hob::graph {
namespace {

TEST_CASE("ids that exist are refused in TinkerPop's words; ids of the wrong kind too") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    tx = graph->begin();
    const auto again = tx->add_vertex(Value::int_(1), "person", {});
    REQUIRE_FALSE(again.ok());
    CHECK(again.error().code == Code::kAlreadyExists);
    CHECK(again.error().message == "Vertex with id already exists: 1");
    const auto edge_again = tx->add_edge(Value::long_(7), "knows", v(1), v(2), {});
    REQUIRE_FALSE(edge_again.ok());
    CHECK(edge_again.error().message == "Edge with id already exists: 7");
    CHECK(code_of(tx->add_vertex(Value::string("one"), "person", {})) == Code::kInvalidArgument);
    CHECK(code_of(tx->add_vertex({}, "", {})) == Code::kInvalidArgument);
    CHECK(code_of(tx->add_edge({}, "knows", v(1), v(99), {})) == Code::kNotFound);
    CHECK(code_of(tx->set_vertex_property(v(99), property("a", Value::int_(1)))) ==
          Code::kNotFound);
    CHECK(code_of(tx->set_vertex_property(v(1), property("a", Value::vertex(Value::long_(1))))) ==
          Code::kInvalidArgument);
    // Ids made by the server come after those that users gave.
    CHECK(take(tx->add_vertex({}, "person", {})).vertex_id().as_int64() == 7);
}

TEST_CASE("parallel edges and self-loops are told apart") {
    const EdgeIdKind edge_ids = GENERATE(EdgeIdKind::kPlace, EdgeIdKind::kLong);
    const bool committed = GENERATE(false, true);
    const auto graph = open_graph({.name = "g", .ids = IdKind::kLong, .edge_ids = edge_ids});
    auto tx = graph->begin();
    take(tx->add_vertex(Value::long_(1), "a", {}));
    take(tx->add_vertex(Value::long_(2), "a", {}));
    if (committed) {
        take(tx->commit());
        tx = graph->begin();
    }
    std::vector<Value> made;
    for (int i = 0; i < 3; ++i) {
        const std::vector<std::pair<std::string, Value>> properties = {{"n", Value::int_(i)}};
        made.push_back(take(tx->add_edge({}, "x", v(1), v(2), properties)));
    }
    made.push_back(take(tx->add_edge({}, "x", v(1), v(1), {})));
    if (committed) {
        take(tx->commit());
        tx = graph->begin();
    }
    std::vector<Value> ids;
    for (const auto& edge : made) {
        ids.push_back(edge.as<EdgeObject>().id);
    }
    std::vector<Value> back;
    take(tx->read_edges(ids, back));
    for (std::size_t i = 0; i < made.size(); ++i) {
        REQUIRE_FALSE(back[i].is_null());
        CHECK(identical(back[i], made[i]));
        CHECK(back[i].as<EdgeObject>().properties.size() ==
              made[i].as<EdgeObject>().properties.size());
    }
    const std::vector<Value> one = {v(1)};
    CHECK(text(all(*take(tx->expand(one, {})))) == "0:1 0:2 0:2 0:2");
    CHECK(text(all(*take(tx->expand(one, {.direction = Direction::kBoth})))) ==
          "0:1 0:2 0:2 0:2 0:1");
    CHECK(text(all(*take(tx->expand(one, {.other_ends = {v(2)}})))) == "0:2 0:2 0:2");
    CHECK(all(*take(tx->scan_edges({}))).size() == 4);
    take(tx->remove(made[1]));
    take(tx->remove(made[1]));
    take(tx->remove(made[3]));
    CHECK(text(all(*take(tx->expand(one, {.direction = Direction::kBoth})))) == "0:2 0:2");
    take(tx->read_edges(ids, back));
    CHECK(back[1].is_null());
    CHECK(back[3].is_null());
    CHECK_FALSE(back[2].is_null());
}

TEST_CASE("place ids hold the edge's place; user ids are found through their row") {
    const auto graph = open_graph({.name = "g", .ids = IdKind::kAny});
    auto tx = graph->begin();
    take(tx->add_vertex(Value::string("a"), "x", {}));
    take(tx->add_vertex(Value::long_(5), "x", {}));
    const Value a = Value::vertex(Value::string("a"));
    const Value plain = take(tx->add_edge({}, "e", a, v(5), {}));
    CHECK(plain.as<EdgeObject>().id.text() == "sa-1-5");
    const Value own = take(tx->add_edge(Value::string("mine"), "e", v(5), a, {}));
    CHECK(own.as<EdgeObject>().id.text() == "mine");
    take(tx->commit());
    tx = graph->begin();
    std::vector<Value> back;
    const std::vector<Value> ids = {Value::string("mine"), Value::string("sa-1-5"),
                                    Value::string("5-1-sa"), Value::int_(3)};
    take(tx->read_edges(ids, back));
    CHECK(ids_text(back) == "mine sa-1-5 - -");
    const auto before = tx->stats();
    take(tx->read_edges({ids.data() + 1, 1}, back));
    CHECK((tx->stats() - before).multi_gets == 1);
    take(tx->remove(own));
    take(tx->read_edges(ids, back));
    CHECK(ids_text(back) == "- sa-1-5 - -");
}

TEST_CASE("cardinalities: single replaces, list appends, set keeps one of equals") {
    const bool committed = GENERATE(false, true);
    const auto graph = open_graph();
    auto tx = graph->begin();
    const auto flush = [&] {
        if (!committed) return;
        take(tx->commit());
        tx = graph->begin();
    };
    take(tx->add_vertex(Value::long_(1), "a", {}));
    take(tx->set_vertex_property(v(1), property("single", Value::int_(1))));
    flush();
    const Value second = take(tx->set_vertex_property(v(1), property("single", Value::int_(2))));
    for (const char* city : {"c", "a", "b", "a"}) {
        take(tx->set_vertex_property(v(1),
                                     property("list", Value::string(city), Cardinality::kList)));
        take(
            tx->set_vertex_property(v(1), property("set", Value::string(city), Cardinality::kSet)));
        flush();
    }
    CHECK(read(*tx, v(1)) == "a{single=2, list=c, list=a, list=b, list=a, set=c, set=a, set=b}");
    CHECK(read(*tx, v(1), {.all = false, .keys = {"list", "single"}})
              .find("single=2, list=c, list=a, list=b, list=a") != std::string::npos);
    std::vector<const VertexRecord*> records;
    const std::vector<Value> one = {v(1)};
    take(tx->read_vertices(one, Projection::everything(), records));
    CHECK(identical(records[0]->properties[0].as<VertexPropertyObject>().id,
                    second.as<VertexPropertyObject>().id));
    take(tx->remove(records[0]->properties[2]));
    flush();
    CHECK(read(*tx, v(1)) == "a{single=2, list=c, list=b, list=a, set=c, set=a, set=b}");
    take(tx->set_vertex_property(v(1), property("list", Value::string("z"))));
    flush();
    CHECK(read(*tx, v(1)) == "a{single=2, list=z, set=c, set=a, set=b}");
    CHECK(take(tx->set_vertex_property(v(1), property("single", Value{}))).is_null());
    flush();
    CHECK(read(*tx, v(1)) == "a{list=z, set=c, set=a, set=b}");
}

TEST_CASE("meta-properties and edge properties are set, replaced and removed") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    PropertyWrite write = property("city", Value::string("rome"), Cardinality::kList);
    write.meta = {{"since", Value::int_(1)}, {"none", Value{}}};
    write.id = Value::string("my");
    Value city = take(tx->set_vertex_property(v(1), write));
    take(tx->commit());
    tx = graph->begin();
    city = take(tx->set_meta_property(city, "until", Value::int_(9)));
    city = take(tx->set_meta_property(city, "since", Value::int_(2)));
    take(tx->commit());
    tx = graph->begin();
    std::vector<const VertexRecord*> records;
    const std::vector<Value> one = {v(1)};
    take(tx->read_vertices(one, Projection::everything(), records));
    const auto& held = records[0]->properties.at(2).as<VertexPropertyObject>();
    CHECK(held.id.text() == "my");
    REQUIRE(held.meta.size() == 2);
    CHECK(held.meta[0].second.as_int64() == 2);
    CHECK(held.meta[1].second.as_int64() == 9);
    auto since = std::make_unique<PropertyObject>();
    since->key = Value::string("since");
    since->element = city;
    take(tx->remove(Value::adopt(Kind::kProperty, since.release())));
    take(tx->read_vertices(one, Projection::everything(), records));
    CHECK(records[0]->properties.at(2).as<VertexPropertyObject>().meta.size() == 1);

    std::vector<Value> edges;
    const std::vector<Value> ids = {Value::long_(7)};
    take(tx->read_edges(ids, edges));
    take(tx->set_edge_property(edges[0], "weight", Value::double_(9)));
    take(tx->set_edge_property(edges[0], "note", Value::string("n")));
    take(tx->commit());
    tx = graph->begin();
    const std::vector<Value> two = {v(2)};
    const auto incoming = all(*take(
        tx->expand(two, {.direction = Direction::kIn, .edges = true, .edge_properties = true})));
    REQUIRE(incoming.size() == 1);
    const auto& edge = incoming[0].value.as<EdgeObject>();
    REQUIRE(edge.properties.size() == 2);
    CHECK(edge.properties[0].second.as_double() == 9);
    take(tx->set_edge_property(incoming[0].value, "weight", Value{}));
    take(tx->read_edges(ids, edges));
    CHECK(edges[0].as<EdgeObject>().properties.size() == 1);
}

TEST_CASE("a removed vertex takes every copy of its edges along") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    const bool committed = GENERATE(false, true);
    if (committed) {
        take(tx->commit());
        tx = graph->begin();
    }
    take(tx->remove(v(1)));
    const auto check = [&] {
        CHECK(read(*tx, v(1)) == "-");
        CHECK(ids_text(all(*take(tx->scan_vertices({}, {})))) == "2 3 4 5 6");
        CHECK(ids_text(all(*take(tx->scan_edges({})))) == "10 11 12");
        const std::vector<Value> others = {v(1), v(2), v(3), v(4)};
        CHECK(text(all(*take(tx->expand(others, {.direction = Direction::kIn})))) == "2:4 2:6");
        std::vector<Value> edges;
        const std::vector<Value> ids = {Value::long_(7), Value::long_(10)};
        take(tx->read_edges(ids, edges));
        CHECK(ids_text(edges) == "- 10");
    };
    check();
    take(tx->commit());
    tx = graph->begin();
    check();
    // The id may be used again, and starts empty.
    take(tx->add_vertex(Value::long_(1), "new", {}));
    CHECK(read(*tx, v(1)) == "new{}");
    const std::vector<Value> one = {v(1)};
    CHECK(all(*take(tx->expand(one, {.direction = Direction::kBoth}))).empty());
    take(tx->remove(v(1)));
    CHECK(read(*tx, v(1)) == "-");
}

TEST_CASE("a vertex removed and added again in one transaction loses its old cells") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    tx = graph->begin();
    take(tx->remove(v(1)));
    take(tx->add_vertex(Value::long_(1), "again", {}));
    take(tx->commit());
    tx = graph->begin();
    CHECK(read(*tx, v(1)) == "again{}");
    const std::vector<Value> one = {v(1)};
    CHECK(all(*take(tx->expand(one, {}))).empty());
}

TEST_CASE("rolled back is gone; others see nothing before the commit") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    CHECK(tx->has_writes());
    auto other = graph->begin();
    CHECK(read(*other, v(1)) == "-");
    tx->rollback();
    CHECK_FALSE(tx->has_writes());
    CHECK(read(*tx, v(1)) == "-");
    add_modern(*tx);
    take(tx->commit());
    CHECK(read(*other, v(2)) == "-");  // Its snapshot is from before.
    other->rollback();
    CHECK(read(*other, v(2)) == "person{name=vadas, age=27}");
}

TEST_CASE("transactions that write the same thing conflict") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    auto a = graph->begin();
    auto b = graph->begin();
    const auto both_read = [&] {
        read(*a, v(1));
        read(*b, v(1));
    };
    const auto second_loses = [&] {
        take(a->commit());
        const auto lost = b->commit();
        REQUIRE_FALSE(lost.ok());
        CHECK(lost.error().code == Code::kConflict);
        CHECK_FALSE(b->has_writes());
    };
    SECTION("a property") {
        both_read();
        take(a->set_vertex_property(v(1), property("age", Value::int_(1))));
        take(b->set_vertex_property(v(1), property("age", Value::int_(2))));
        second_loses();
        b = graph->begin();
        CHECK(read(*b, v(1)) == "person{name=marko, age=1}");
    }
    SECTION("an edge to a vertex that was removed") {
        both_read();
        take(a->remove(v(2)));
        take(b->add_edge({}, "knows", v(6), v(2), {}));
        second_loses();
        b = graph->begin();
        const std::vector<Value> six = {v(6)};
        CHECK(text(all(*take(b->expand(six, {})))) == "0:3");
    }
    SECTION("the removal of a vertex that got an edge") {
        both_read();
        take(a->add_edge({}, "knows", v(6), v(2), {}));
        take(b->remove(v(2)));
        second_loses();
    }
    SECTION("a new vertex of one id") {
        both_read();
        take(a->add_vertex(Value::long_(50), "x", {}));
        take(b->add_vertex(Value::long_(50), "y", {}));
        second_loses();
    }
    SECTION("an edge of one id") {
        both_read();
        take(a->add_edge(Value::long_(50), "x", v(1), v(6), {}));
        take(b->add_edge(Value::long_(50), "x", v(2), v(6), {}));
        second_loses();
    }
    SECTION("the second parallel edge") {
        both_read();
        take(a->add_edge({}, "new", v(1), v(6), {}));
        take(b->add_edge({}, "new", v(1), v(6), {}));
        second_loses();
    }
    SECTION("different vertices do not") {
        both_read();
        take(a->set_vertex_property(v(1), property("age", Value::int_(1))));
        take(b->set_vertex_property(v(2), property("age", Value::int_(2))));
        take(a->commit());
        take(b->commit());
    }
}

TEST_CASE("each batch read is one multi-get, and none for what is cached") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    tx = graph->begin();
    auto last = tx->stats();
    const auto multi_gets = [&] {
        const auto delta = tx->stats() - last;
        last = tx->stats();
        return delta.multi_gets;
    };
    const std::vector<Value> many = {v(1), v(2), v(3), v(2), v(77), v(1)};
    std::vector<const VertexRecord*> records;
    take(tx->read_vertices(many, Projection::label_only(), records));
    CHECK(multi_gets() == 1);
    take(tx->read_vertices(many, Projection::label_only(), records));
    CHECK(multi_gets() == 0);
    take(tx->read_vertices(many, {.all = false, .keys = {"age"}}, records));
    CHECK(multi_gets() == 1);
    CHECK(text(records[0]) == "person{age=29}");
    take(tx->read_vertices(many, {.all = false, .keys = {"name"}}, records));
    CHECK(multi_gets() == 1);
    take(tx->read_vertices(many, {.all = false, .keys = {"age", "name"}}, records));
    CHECK(multi_gets() == 0);
    CHECK(text(records[5]) == "person{name=marko, age=29}");
    CHECK(records[4] == nullptr);
    all(*take(tx->expand(many, {.direction = Direction::kBoth})));
    CHECK(multi_gets() == 1);
    std::vector<std::int64_t> counts;
    take(tx->count_edges(many, {}, counts));
    CHECK(multi_gets() == 1);
    std::vector<Value> scanned;
    auto scan = take(tx->scan_vertices({}, Projection::everything()));
    take(scan->next(100, scanned));
    take(tx->read_vertices(scanned, Projection::everything(), records));
    CHECK(multi_gets() == 0);
    tx->forget(2);
    take(tx->read_vertices(scanned, Projection::everything(), records));
    CHECK(multi_gets() == 1);
    // New vertices are known: edges between them need no read.
    const Value a = take(tx->add_vertex({}, "n", {}));
    const Value b = take(tx->add_vertex({}, "n", {}));
    take(tx->add_edge({}, "e", a, b, {}));
    take(tx->add_edge({}, "e", a, b, {}));
    take(tx->set_vertex_property(a, property("p", Value::int_(1))));
    CHECK(multi_gets() == 0);
}

TEST_CASE("edges that were prefetched are added without a store call") {
    const auto graph = open_graph({.name = "g", .ids = IdKind::kLong});
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    tx = graph->begin();
    const std::vector<EdgeDraft> drafts = {
        {.id = {}, .label = "likes", .out = v(1), .in = v(2)},
        {.id = {}, .label = "likes", .out = v(1), .in = v(2)},
        {.id = Value::long_(50), .label = "knows", .out = v(1), .in = v(2)},
        {.id = Value::long_(7), .label = "knows", .out = v(1), .in = v(6)},
        {.id = {}, .label = "knows", .out = v(1), .in = v(99)}};
    take(tx->prefetch_edges(drafts));
    const auto before = tx->stats();
    CHECK(before.multi_gets == 3);
    const auto add = [&](std::size_t i) {
        return tx->add_edge(drafts[i].id, drafts[i].label, drafts[i].out, drafts[i].in, {});
    };
    const Value first = take(add(0));
    CHECK_FALSE(identical(first, take(add(1))));
    CHECK((tx->stats() - before).multi_gets == 0);
    take(add(2));  // Its place is taken by edge 7, so it is looked at again.
    CHECK(code_of(add(2)) == Code::kAlreadyExists);
    CHECK(code_of(add(3)) == Code::kAlreadyExists);
    CHECK(code_of(add(4)) == Code::kNotFound);
    const std::vector<Value> one = {v(1)};
    CHECK(sorted(text(all(*take(tx->expand(one, {.labels = {"likes", "knows"}}))))) ==
          "0:2 0:2 0:2 0:2 0:4");
}

TEST_CASE("supernodes are read in pages, duplicates and both directions included") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    constexpr std::int64_t kEdges = 24'000;
    take(tx->add_vertex(Value::long_(1), "hub", {}));
    for (std::int64_t i = 0; i < kEdges; ++i) {
        take(tx->add_vertex(Value::long_(10 + i), "leaf", {}));
        take(tx->add_edge({}, i % 2 == 0 ? "a" : "b", i % 3 == 0 ? v(10 + i) : v(1),
                          i % 3 == 0 ? v(1) : v(10 + i), {}));
    }
    const bool committed = GENERATE(false, true);
    if (committed) {
        take(tx->commit());
        tx = graph->begin();
    }
    const std::vector<Value> hub = {v(1), v(10), v(1)};
    const auto both = all(*take(tx->expand(hub, {.direction = Direction::kBoth})), 1'000);
    CHECK(both.size() == 2 * kEdges + 1);
    CHECK(both[0].value.vertex_id().as_int64() == 12);
    const auto ordered = all(
        *take(tx->expand({hub.data(), 1}, {.direction = Direction::kBoth, .labels = {"b", "a"}})),
        999);
    REQUIRE(ordered.size() == kEdges);
    std::vector<std::int64_t> seen;
    for (const auto& incident : ordered) {
        seen.push_back(incident.value.vertex_id().as_int64());
    }
    std::sort(seen.begin(), seen.end());
    CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
    std::vector<std::int64_t> counts;
    take(tx->count_edges(hub, {.direction = Direction::kBoth, .labels = {"a", "b"}}, counts));
    CHECK(counts == std::vector<std::int64_t>{kEdges, 1, kEdges});
    take(tx->count_edges(hub, {.per_vertex_max = 7}, counts));
    CHECK(counts == std::vector<std::int64_t>{7, 1, 7});
    CHECK(all(*take(tx->scan_edges({}))).size() == kEdges);
    CHECK(all(*take(tx->scan_vertices({"leaf"}, {}))).size() == kEdges);
}

TEST_CASE("every kind of vertex id works throughout") {
    const IdKind kind = GENERATE(IdKind::kLong, IdKind::kString, IdKind::kUuid, IdKind::kAny);
    const EdgeIdKind edge_ids = GENERATE(EdgeIdKind::kPlace, EdgeIdKind::kLong);
    const auto graph = open_graph({.name = "g", .ids = kind, .edge_ids = edge_ids});
    auto tx = graph->begin();
    std::vector<Value> made;
    for (int i = 0; i < 5; ++i) {
        made.push_back(take(tx->add_vertex({}, "x", {})));
    }
    for (std::size_t i = 0; i + 1 < made.size(); ++i) {
        take(tx->add_edge({}, "next", made[i], made[i + 1], {}));
    }
    take(tx->commit());
    tx = graph->begin();
    const auto out = all(*take(tx->expand(made, {})));
    REQUIRE(out.size() == 4);
    for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(identical(out[i].value, made[i + 1]));
    }
    const auto scanned = all(*take(tx->scan_vertices({}, {})));
    REQUIRE(scanned.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(identical(scanned[i], made[i]));  // In the order in which they were made.
    }
    CHECK(all(*take(tx->scan_edges({}))).size() == 4);
    CHECK(graph->vertex_id_of(made[0].vertex_id()).has_value());
}

TEST_CASE("clear leaves an empty graph that works on") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    take(graph->create_index(
        {.name = "i", .element = ElementType::kVertex, .label = "", .key = "name", .unique = false},
        {}));
    tx.reset();
    take(graph->clear({}));
    CHECK(graph->indexes().empty());
    tx = graph->begin();
    CHECK(all(*take(tx->scan_vertices({}, {}))).empty());
    add_modern(*tx);
    take(tx->commit());
    tx = graph->begin();
    CHECK(ids_text(all(*take(tx->scan_vertices({}, {})))) == "1 2 3 4 5 6");
}

TEST_CASE("a graph opens again with the same ids only") {
    const std::shared_ptr<store::RowStore> store = store::make_memory_store();
    auto graph = open_graph({.name = "g", .ids = IdKind::kLong}, store);
    auto tx = graph->begin();
    add_modern(*tx);
    take(tx->commit());
    tx.reset();
    graph = open_graph({.name = "g", .ids = IdKind::kLong}, store);
    tx = graph->begin();
    CHECK(read(*tx, v(1)) == "person{name=marko, age=29}");
    CHECK(take(tx->add_vertex({}, "x", {})).vertex_id().as_int64() > 6);
    const auto wrong = Graph::open(store, {.name = "g", .ids = IdKind::kAny}, {});
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().code == Code::kInvalidArgument);
}

TEST_CASE("calls after the deadline or a cancellation give its error") {
    const auto graph = open_graph();
    auto tx = graph->begin();
    add_modern(*tx);
    std::stop_source source;
    source.request_stop();
    tx->use({.deadline = std::chrono::steady_clock::time_point::max(), .stop = source.get_token()});
    const std::vector<Value> one = {v(1)};
    CHECK(code_of(tx->expand(one, {})) == Code::kCancelled);
    CHECK(code_of(tx->scan_vertices({}, {})) == Code::kCancelled);
    tx->use({.deadline = std::chrono::steady_clock::time_point::min(), .stop = {}});
    std::vector<const VertexRecord*> records;
    CHECK(code_of(tx->read_vertices(one, {}, records)) == Code::kTimeout);
}

}  // namespace
}  // namespace hob::graph
