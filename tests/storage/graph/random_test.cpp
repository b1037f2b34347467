#include <map>
#include <random>
#include <set>

#include "tests/storage/graph/sample.h"

namespace hob::graph {
namespace {

/// A graph as anyone would write it, to compare with.
struct PlainEdge {
    std::int64_t out = 0;
    std::string label;
    std::int64_t in = 0;
    std::map<std::string, std::int64_t> properties;
};
struct PlainVertex {
    std::string label;
    std::map<std::string, std::vector<std::int64_t>> properties;
};
struct PlainGraph {
    std::map<std::int64_t, PlainVertex> vertices;
    std::map<std::string, PlainEdge> edges;  ///< By the text of the id.
};

std::string describe(const PlainGraph& graph) {
    std::string out;
    for (const auto& [id, vertex] : graph.vertices) {
        out += std::to_string(id) + ":" + vertex.label;
        for (const auto& [key, values] : vertex.properties) {
            std::multiset<std::int64_t> ordered(values.begin(), values.end());
            for (const auto value : ordered) {
                out += " " + key + "=" + std::to_string(value);
            }
        }
        out += "\n";
    }
    for (const auto& [id, edge] : graph.edges) {
        out += id + ": " + std::to_string(edge.out) + "-" + edge.label + "->" +
               std::to_string(edge.in);
        for (const auto& [key, value] : edge.properties) {
            out += " " + key + "=" + std::to_string(value);
        }
        out += "\n";
    }
    return out;
}

void add_to(PlainGraph& plain, const VertexRecord& record) {
    auto& vertex = plain.vertices[record.vertex.vertex_id().as_int64()];
    vertex.label = record.label.text();
    for (const auto& held : record.properties) {
        const auto& object = held.as<VertexPropertyObject>();
        vertex.properties[std::string(object.key.text())].push_back(object.value.as_int64());
    }
}

void add_to(PlainGraph& plain, const EdgeObject& edge) {
    auto& copy = plain.edges[to_text(edge.id)];
    copy.out = edge.out.vertex_id().as_int64();
    copy.label = edge.label.text();
    copy.in = edge.in.vertex_id().as_int64();
    for (const auto& [key, value] : edge.properties) {
        copy.properties[std::string(key.text())] = value.as_int64();
    }
}

/// Reads everything by scans.
PlainGraph scanned(Transaction& tx) {
    PlainGraph plain;
    const auto vertices = all(*take(tx.scan_vertices({}, Projection::everything())));
    std::vector<const VertexRecord*> records;
    take(tx.read_vertices(vertices, Projection::everything(), records));
    for (const auto* record : records) {
        REQUIRE(record != nullptr);
        add_to(plain, *record);
    }
    for (const auto& edge : all(*take(tx.scan_edges({})))) {
        add_to(plain, edge.as<EdgeObject>());
    }
    return plain;
}

/// One random walk of changes over a graph and its plain twin.
class Pair {
  public:
    Pair(Graph& graph, std::uint32_t seed, EdgeIdKind edge_ids)
        : graph_(graph), random_(seed), edge_ids_(edge_ids), tx_(graph.begin()) {}

    void step() {
        switch (pick(12)) {
            case 0:
            case 1:
                add_vertex();
                break;
            case 2:
            case 3:
            case 4:
                add_edge();
                break;
            case 5:
            case 6:
                set_property();
                break;
            case 7:
                set_edge_property();
                break;
            case 8:
                remove_property();
                break;
            case 9:
                remove_edge();
                break;
            case 10:
                if (pick(3) == 0) remove_vertex();
                break;
            default:
                end_transaction();
                break;
        }
    }

    void check() {
        CHECK(describe(scanned(*tx_)) == describe(now_));
        check_adjacency();
        check_index();
        check_edges_by_id();
    }

  private:
    std::int64_t pick(std::int64_t below) {
        return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random_);
    }
    std::string key() { return std::string(1, static_cast<char>('a' + pick(3))); }
    std::string label() { return std::string(1, static_cast<char>('x' + pick(3))); }
    std::optional<std::int64_t> any_vertex() {
        if (now_.vertices.empty()) return std::nullopt;
        return std::next(now_.vertices.begin(),
                         pick(static_cast<std::int64_t>(now_.vertices.size())))
            ->first;
    }
    std::optional<Value> any_edge() {
        if (now_.edges.empty()) return std::nullopt;
        const auto& id =
            std::next(now_.edges.begin(), pick(static_cast<std::int64_t>(now_.edges.size())))
                ->first;
        std::vector<Value> out;
        const Value asked = Value::string(id);
        take(tx_->read_edges({&asked, 1}, out));
        if (out[0].is_null()) {  // A user's long id in a graph of places.
            const Value number = Value::long_(std::stoll(id));
            take(tx_->read_edges({&number, 1}, out));
        }
        REQUIRE_FALSE(out[0].is_null());
        return out[0];
    }

    void add_vertex() {
        const bool own_id = pick(2) == 0;
        const Value id = own_id ? Value::long_(pick(60) - 5) : Value{};
        const std::string name = label();
        const auto made = tx_->add_vertex(id, name, {});
        if (own_id && now_.vertices.contains(id.as_int64())) {
            CHECK(code_of(made) == Code::kAlreadyExists);
            return;
        }
        REQUIRE(made.ok());
        const auto number = made->vertex_id().as_int64();
        REQUIRE_FALSE(now_.vertices.contains(number));
        now_.vertices[number].label = name;
    }

    void add_edge() {
        const auto out = any_vertex();
        const auto in = any_vertex();
        if (!out.has_value()) return;
        const bool own_id = pick(4) == 0;
        const Value id = own_id ? Value::long_(pick(100)) : Value{};
        const std::string name = label();
        std::vector<std::pair<std::string, Value>> properties;
        if (pick(2) == 0)
            properties.emplace_back("a", Value::int_(static_cast<std::int32_t>(pick(5))));
        const auto made = tx_->add_edge(id, name, v(*out), v(*in), properties);
        if (own_id && now_.edges.contains(to_text(id))) {
            CHECK(code_of(made) == Code::kAlreadyExists);
            return;
        }
        REQUIRE(made.ok());
        REQUIRE_FALSE(now_.edges.contains(to_text(made->as<EdgeObject>().id)));
        add_to(now_, made->as<EdgeObject>());
    }

    void set_property() {
        const auto id = any_vertex();
        if (!id.has_value()) return;
        const std::string name = key();
        const auto number = pick(5);
        const auto cardinality = static_cast<Cardinality>(pick(3));
        take(tx_->set_vertex_property(
            v(*id), property(name, Value::int_(static_cast<std::int32_t>(number)), cardinality)));
        auto& values = now_.vertices[*id].properties[name];
        if (cardinality == Cardinality::kSingle) values.clear();
        if (cardinality == Cardinality::kSet &&
            std::find(values.begin(), values.end(), number) != values.end())
            return;
        values.push_back(number);
    }

    void set_edge_property() {
        const auto edge = any_edge();
        if (!edge.has_value()) return;
        const std::string name = key();
        const auto number = pick(4);
        const Value value = number == 0 ? Value{} : Value::int_(static_cast<std::int32_t>(number));
        take(tx_->set_edge_property(*edge, name, value));
        auto& properties = now_.edges[to_text(edge->as<EdgeObject>().id)].properties;
        properties.erase(name);
        if (number != 0) properties[name] = number;
    }

    void remove_property() {
        const auto id = any_vertex();
        if (!id.has_value()) return;
        std::vector<const VertexRecord*> records;
        const Value vertex = v(*id);
        take(tx_->read_vertices({&vertex, 1}, Projection::everything(), records));
        if (records[0]->properties.empty()) return;
        const Value held = records[0]->properties[static_cast<std::size_t>(
            pick(static_cast<std::int64_t>(records[0]->properties.size())))];
        take(tx_->remove(held));
        const auto& object = held.as<VertexPropertyObject>();
        auto& values = now_.vertices[*id].properties[std::string(object.key.text())];
        values.erase(std::find(values.begin(), values.end(), object.value.as_int64()));
    }

    void remove_edge() {
        const auto edge = any_edge();
        if (!edge.has_value()) return;
        take(tx_->remove(*edge));
        now_.edges.erase(to_text(edge->as<EdgeObject>().id));
    }

    void remove_vertex() {
        const auto id = any_vertex();
        if (!id.has_value()) return;
        take(tx_->remove(v(*id)));
        now_.vertices.erase(*id);
        std::erase_if(now_.edges, [&](const auto& edge) {
            return edge.second.out == *id || edge.second.in == *id;
        });
    }

    void end_transaction() {
        if (pick(4) == 0) {
            tx_->rollback();
            now_ = committed_;
        } else {
            take(tx_->commit());
            committed_ = now_;
        }
        tx_ = graph_.begin();
    }

    void check_adjacency() {
        std::vector<Value> vertices;
        for (const auto& [id, vertex] : now_.vertices) {
            vertices.push_back(v(id));
        }
        const std::vector<std::string> labels =
            pick(2) == 0 ? std::vector<std::string>{} : std::vector<std::string>{"x", "z"};
        const auto wanted = [&](const PlainEdge& edge) {
            return labels.empty() || edge.label != "y";
        };
        std::multiset<std::string> expected_out;
        std::multiset<std::string> expected_in;
        std::map<std::int64_t, std::int64_t> degrees;
        for (const auto& [id, edge] : now_.edges) {
            if (!wanted(edge)) continue;
            expected_out.insert(std::to_string(edge.out) + ">" + std::to_string(edge.in));
            expected_in.insert(std::to_string(edge.in) + "<" + id);
            ++degrees[edge.out];
            ++degrees[edge.in];
        }
        ExpandSpec spec;
        spec.labels = labels;
        std::multiset<std::string> seen;
        for (const auto& incident : all(*take(tx_->expand(vertices, spec)))) {
            seen.insert(to_text(vertices[incident.input].vertex_id()) + ">" +
                        to_text(incident.value.vertex_id()));
        }
        CHECK(seen == expected_out);
        seen.clear();
        spec.direction = Direction::kIn;
        spec.edges = true;
        for (const auto& incident : all(*take(tx_->expand(vertices, spec)))) {
            seen.insert(to_text(vertices[incident.input].vertex_id()) + "<" +
                        to_text(incident.value.as<EdgeObject>().id));
        }
        CHECK(seen == expected_in);
        spec.direction = Direction::kBoth;
        std::vector<std::int64_t> counts;
        take(tx_->count_edges(vertices, spec, counts));
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            CHECK(counts[i] == degrees[vertices[i].vertex_id().as_int64()]);
        }
    }

    void check_index() {
        const auto index = tx_->find_index(ElementType::kVertex, "", "a");
        REQUIRE(index.has_value());
        for (std::int64_t number = 0; number < 5; ++number) {
            const Value value = Value::long_(number);
            std::vector<Value> out;
            take(tx_->index_lookup(*index, {&value, 1}, out));
            std::set<std::int64_t> found;
            for (const auto& vertex : out) {
                found.insert(vertex.vertex_id().as_int64());
            }
            std::set<std::int64_t> expected;
            for (const auto& [id, vertex] : now_.vertices) {
                const auto values = vertex.properties.find("a");
                if (values != vertex.properties.end() &&
                    std::count(values->second.begin(), values->second.end(), number) > 0)
                    expected.insert(id);
            }
            CHECK(found == expected);
        }
    }

    void check_edges_by_id() {
        std::vector<Value> ids;
        for (const auto& [id, edge] : now_.edges) {
            const bool number = edge_ids_ == EdgeIdKind::kLong || id.find('-') == std::string::npos;
            ids.push_back(number ? Value::long_(std::stoll(id)) : Value::string(id));
        }
        std::vector<Value> out;
        take(tx_->read_edges(ids, out));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            REQUIRE_FALSE(out[i].is_null());
            CHECK(identical(out[i].as<EdgeObject>().id, ids[i]));
        }
    }

    Graph& graph_;
    std::mt19937 random_;
    const EdgeIdKind edge_ids_;
    std::unique_ptr<Transaction> tx_;
    PlainGraph now_;
    PlainGraph committed_;
};

TEST_CASE("random changes leave what they leave in a plain graph") {
    const StoreKind kind = GENERATE(StoreKind::kMemory, StoreKind::kRocksDb);
    const EdgeIdKind edge_ids = GENERATE(EdgeIdKind::kPlace, EdgeIdKind::kLong);
    const int round_of_seed = GENERATE(0, 1, 2);
    static const std::uint32_t kFirstSeed = std::random_device{}();
    const std::uint32_t seed = kFirstSeed + static_cast<std::uint32_t>(round_of_seed);
    CAPTURE(seed);
    const TemporaryFolder folder;
    const auto graph = open_graph({.name = "g", .ids = IdKind::kLong, .edge_ids = edge_ids},
                                  open_store(kind, folder));
    take(graph->create_index(
        {.name = "a", .element = ElementType::kVertex, .label = "", .key = "a", .unique = false},
        {}));
    Pair pair(*graph, seed, edge_ids);
    for (int round = 0; round < 12; ++round) {
        for (int i = 0; i < 25; ++i) {
            pair.step();
        }
        pair.check();
    }
}

}  // namespace
}  // namespace hob::graph
