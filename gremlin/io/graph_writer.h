#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// Writes a graph to a file, vertex by vertex; what open_graph_reader and TinkerPop's io().read()
/// read. Used by one thread at a time. The file appears under its name when `finish` succeeds, so
/// that nobody sees half of it.
class GraphWriter {
  public:
    virtual ~GraphWriter() = default;
    /// A vertex with its edges (kEdge each, with properties). In-edges may be left out; GraphSON
    /// then has them at their out-vertex only. Errors: kUnsupported (GraphML: several values of a
    /// key, meta-properties), kUnavailable (the disk).
    virtual Status add(const VertexRecord& vertex, std::span<const Value> out_edges,
                       std::span<const Value> in_edges) = 0;
    virtual Status finish() = 0;
};

/// `format` is "graphson" (version 3, an adjacency line a vertex) or "graphml"; empty: by the
/// file's name. A last ".gz" compresses. Errors: kInvalidArgument (format), kUnavailable (can't
/// create the file).
Result<std::unique_ptr<GraphWriter>> open_graph_writer(const std::string& path,
                                                       std::string_view format = "");

}  // namespace hob::gremlin
