#pragma once
#include <memory>

#include "gremlin/io/graph_reader.h"
#include "gremlin/io/input_file.h"

namespace hob::gremlin {

/// One maker for each format; open_graph_reader chooses among them.
Result<std::unique_ptr<GraphReader>> open_csv(std::unique_ptr<InputFile> input,
                                              const GraphReadOptions& options);
Result<std::unique_ptr<GraphReader>> open_graphson(std::unique_ptr<InputFile> input,
                                                   const GraphReadOptions& options);
Result<std::unique_ptr<GraphReader>> open_graphml(std::unique_ptr<InputFile> input,
                                                  const GraphReadOptions& options);

}  // namespace hob::gremlin
