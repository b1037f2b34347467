#include "tests/storage/graph/sample.h"

namespace hob::graph {
namespace {

TEST_CASE("the modern graph is read as it was written, before and after the commit") {
    const StoreKind kind = GENERATE(StoreKind::kMemory, StoreKind::kRocksDb);
    const TemporaryFolder folder;
    const auto graph = open_graph({.name = "g", .ids = IdKind::kLong}, open_store(kind, folder));
    auto tx = graph->begin();
    add_modern(*tx);
    const bool committed = GENERATE(false, true);
    if (committed) {
        take(tx->commit());
        tx = graph->begin();
    }
    CHECK(read(*tx, v(1)) == "person{name=marko, age=29}");
    CHECK(read(*tx, v(3)) == "software{name=lop, lang=java}");
    CHECK(read(*tx, v(99)) == "-");
    const std::vector<Value> from = {v(1), v(4), v(1), v(99)};
    CHECK(text(all(*take(tx->expand(from, {})))) == "0:2 0:4 0:3 1:3 1:5 2:2 2:4 2:3");
    CHECK(text(all(*take(tx->expand(from, {.direction = Direction::kBoth})))) ==
          "0:2 0:4 0:3 1:3 1:5 1:1 2:2 2:4 2:3");
    CHECK(text(all(*take(tx->expand(from, {.labels = {"knows", "unheard"}})))) ==
          "0:2 0:4 2:2 2:4");
    CHECK(text(all(*take(tx->expand(from, {.labels = {"unheard"}})))).empty());
    CHECK(text(all(*take(tx->expand(from, {.per_vertex_max = 2})))) == "0:2 0:4 1:3 1:5 2:2 2:4");
    CHECK(text(all(*take(tx->expand(from, {.other_ends = {v(3), v(5)}})))) == "0:3 1:3 1:5 2:3");
    CHECK(text(all(*take(tx->expand({from.data(), 1}, {.edges = true})))) ==
          "0:e[7][1-knows->2] 0:e[8][1-knows->4] 0:e[9][1-created->3]");
    CHECK(text(all(*take(
              tx->expand({from.data() + 1, 1}, {.direction = Direction::kIn, .edges = true})))) ==
          "0:e[8][1-knows->4]");
    std::vector<std::int64_t> counts;
    take(tx->count_edges(from, {.direction = Direction::kBoth}, counts));
    CHECK(counts == std::vector<std::int64_t>{3, 3, 3, 0});
    CHECK(ids_text(all(*take(tx->scan_vertices({}, {})))) == "1 2 3 4 5 6");
    CHECK(ids_text(all(*take(tx->scan_vertices({"software"}, {})))) == "3 5");
    CHECK(ids_text(all(*take(tx->scan_edges({})))) == "7 8 9 10 11 12");
    CHECK(ids_text(all(*take(tx->scan_edges({"knows"})))) == "7 8");
    std::vector<Value> edges;
    const std::vector<Value> ids = {Value::long_(9), Value::int_(12), Value::long_(77)};
    take(tx->read_edges(ids, edges));
    CHECK(ids_text(edges) == "9 12 -");
    CHECK(to_text(edges[0].as<EdgeObject>().properties.at(0).second) == "0.4");
}

}  // namespace
}  // namespace hob::graph
