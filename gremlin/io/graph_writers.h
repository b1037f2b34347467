#pragma once
#include <memory>
#include <string>

#include "gremlin/io/graph_writer.h"

namespace hob::gremlin {

/// One maker for each format; open_graph_writer chooses among them.
Result<std::unique_ptr<GraphWriter>> create_graphson(const std::string& path);
Result<std::unique_ptr<GraphWriter>> create_graphml(const std::string& path);

}  // namespace hob::gremlin
