#pragma once
#include "config/config.h"
#include "storage/base/error.h"
#include "storage/graph/graph.h"

namespace hob::server {

/// Writes TinkerPop's sample graph of that name, with TinkerPop's ids, in one transaction. The
/// graph must be empty.
Status write_sample(graph::Graph& graph, config::Sample sample, const store::CallContext& call);

/// Whether the graph has no vertex.
Result<bool> is_empty(graph::Graph& graph, const store::CallContext& call);

}  // namespace hob::server
