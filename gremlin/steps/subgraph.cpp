// subgraph('x'): collects the edges that pass, with the vertices at their ends, into a graph of
// their own.
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/tree_effects.h"

namespace hob::gremlin {
namespace {

using Elements = absl::flat_hash_set<Value, ValueHash, ValueIdentical>;

class SubgraphOp final : public SideEffectBarrierOp {
  public:
    SubgraphOp(QueryContext& context, Op* input, Scope& scope, std::string key)
        : SideEffectBarrierOp(context, input, scope, std::move(key)) {
        auto& entry = ctx_.side_effects.require(this->key());
        if (entry.value.is_null()) entry.value = Value::adopt(Kind::kGraph, new GraphObject);
    }

  protected:
    Status add(Batch& in) override {
        for (const Traverser& t : in) {
            if (t.value.kind() == Kind::kEdge) continue;
            return Error::execution(
                "subgraph() requires Edge input but encountered {}; use an edge step such as "
                "outE(), inE(), or bothE()",
                java_simple_name(t.value));
        }
        HOB_TRY(complete_edges(in));
        return SideEffectBarrierOp::add(in);
    }

    Status complete() override {
        std::vector<Value> ends;
        Elements seen;
        for (const Traverser& t : all()) {
            const auto& edge = t.value.as<EdgeObject>();
            for (const Value& end : {edge.out, edge.in}) {
                if (seen.insert(end).second) ends.push_back(end);
            }
        }
        if (ends.empty()) return {};
        std::vector<const VertexRecord*> records;
        HOB_TRY(ctx_.records(ends, true, records));
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (records[i] == nullptr) continue;
            HOB_TRY(ctx_.hold(sizeof(VertexRecord), "subgraph"));
            vertices_.emplace(ends[i], *records[i]);
        }
        return {};
    }

    Status apply(std::size_t from, std::size_t to) override {
        Value& value = ctx_.side_effects.require(key()).value;
        if (value.kind() != Kind::kGraph) {
            return Error::execution(
                "subgraph('{0}'): the side effect '{0}' is {1}, expected a Graph", key(),
                type_name(value));
        }
        // Whoever was given the graph keeps it as it was.
        if (!value.object()->unique()) {
            auto* copy = new GraphObject;
            copy->vertices = value.as<GraphObject>().vertices;
            copy->edges = value.as<GraphObject>().edges;
            value = Value::adopt(Kind::kGraph, copy);
        }
        auto& graph = value.mutate<GraphObject>();
        Elements edges(graph.edges.begin(), graph.edges.end());
        Elements vertices;
        for (const VertexRecord& record : graph.vertices)
            vertices.insert(record.vertex);
        for (std::size_t i = from; i < to; ++i) {
            const Value& edge = all()[i].value;
            if (!edges.insert(edge).second) continue;
            graph.edges.push_back(edge);
            for (const Value& end : {edge.as<EdgeObject>().out, edge.as<EdgeObject>().in}) {
                const auto record = vertices_.find(end);
                if (record == vertices_.end() || !vertices.insert(end).second) continue;
                graph.vertices.push_back(record->second);
            }
        }
        return {};
    }

    void clear() override {
        SideEffectBarrierOp::clear();
        vertices_.clear();
    }

  private:
    /// Edges that were read without their properties are read again, all at once.
    Status complete_edges(Batch& in) {
        std::vector<Value> ids;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (in[i].value.as<EdgeObject>().has_properties) continue;
            ids.push_back(in[i].value.as<EdgeObject>().id);
            places.push_back(i);
        }
        if (ids.empty()) return {};
        std::vector<Value> edges;
        HOB_TRY(ctx_.transaction->read_edges(ids, edges));
        for (std::size_t p = 0; p < places.size(); ++p) {
            if (edges[p].is_null()) continue;
            const std::uint8_t origin = in[places[p]].value.edge_origin();
            in[places[p]].value = std::move(edges[p]);
            in[places[p]].value.set_edge_origin(origin);
        }
        return {};
    }

    absl::flat_hash_map<Value, VertexRecord, ValueHash, ValueIdentical> vertices_;
};

Result<Op*> make_subgraph(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(std::string key,
                         string_argument(node, 0, "a side effect's name (string)"));
    return compiler.add<SubgraphOp>(input, std::move(key));
}

}  // namespace

extern const StepSpec subgraph_step;
const StepSpec subgraph_step = {.name = "subgraph", .make = make_subgraph, .barrier = true};

}  // namespace hob::gremlin
