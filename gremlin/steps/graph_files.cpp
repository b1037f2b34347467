#include "gremlin/steps/graph_files.h"

#include <utility>
#include <vector>

namespace hob::gremlin {
namespace {

Status write_vertices(graph::Transaction& transaction, std::span<const GraphRecord> records) {
    for (const GraphRecord& record : records) {
        std::vector<graph::PropertyWrite> properties;
        for (const GraphProperty& property : record.properties) {
            graph::PropertyWrite write{.key = property.key, .value = property.value};
            if (property.cardinality != Cardinality::kSingle)
                write.cardinality = property.cardinality;
            for (const auto& [key, value] : property.meta)
                write.meta.emplace_back(key.text(), value);
            properties.push_back(std::move(write));
        }
        HOB_TRY(transaction.add_vertex(record.id, record.label, properties));
    }
    return {};
}

Result<Value> end_of(const graph::Graph& graph, const Value& id) {
    auto fitting = graph.vertex_id_of(id);
    if (!fitting)
        return Error::invalid("{} can't be the id of a vertex of this graph", to_text(id));
    return Value::vertex(*fitting);
}

Status write_edges(const graph::Graph& graph, graph::Transaction& transaction,
                   std::span<const GraphRecord> records) {
    std::vector<graph::EdgeDraft> drafts;
    for (const GraphRecord& record : records) {
        HOB_ASSIGN_OR_RETURN(auto from, end_of(graph, record.from));
        HOB_ASSIGN_OR_RETURN(auto to, end_of(graph, record.to));
        drafts.push_back(
            {.id = record.id, .label = record.label, .out = std::move(from), .in = std::move(to)});
    }
    HOB_TRY(transaction.prefetch_edges(drafts));
    for (std::size_t i = 0; i < records.size(); ++i) {
        std::vector<std::pair<std::string, Value>> properties;
        for (const GraphProperty& property : records[i].properties)
            properties.emplace_back(property.key, property.value);
        HOB_TRY(transaction.add_edge(records[i].id, records[i].label, drafts[i].out, drafts[i].in,
                                     properties));
    }
    return {};
}

}  // namespace

Status write_records(const graph::Graph& graph, graph::Transaction& transaction,
                     std::span<const GraphRecord> records) {
    if (records.empty()) return {};
    if (records.front().kind == GraphRecord::Kind::kEdge)
        return write_edges(graph, transaction, records);
    return write_vertices(transaction, records);
}

}  // namespace hob::gremlin
