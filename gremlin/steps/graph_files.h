#pragma once
#include <span>

#include "gremlin/io/graph_reader.h"
#include "storage/base/error.h"
#include "storage/graph/graph.h"

namespace hob::gremlin {

/// Adds what a file says to a graph, at most three reads for the whole span: vertices and edges
/// keep the ids that the file gives them, the ends of edges must be there. Records of one kind.
/// Errors: as Transaction::add_vertex and add_edge; kInvalidArgument for an id that no vertex of
/// the graph can have.
Status write_records(const graph::Graph& graph, graph::Transaction& transaction,
                     std::span<const GraphRecord> records);

}  // namespace hob::gremlin
