#include "gremlin/io/graph_writer.h"

#include "gremlin/io/graph_writers.h"

namespace hob::gremlin {

Result<std::unique_ptr<GraphWriter>> open_graph_writer(const std::string& path,
                                                       std::string_view format) {
    std::string_view name = format;
    if (name.empty()) {
        std::string_view file = path;
        if (file.ends_with(".gz")) file.remove_suffix(3);
        const std::size_t dot = file.rfind('.');
        name = dot == std::string_view::npos ? std::string_view{} : file.substr(dot + 1);
    }
    const bool graphson =
        name == "graphson" || name == "json" || name == "jsonl" || name == "ndjson";
    const bool graphml = name == "graphml" || name == "xml";
    if (!graphson && !graphml) {
        return Error::invalid(
            "'{}': unknown graph format '{}', expected graphson or graphml (files .json, .jsonl, "
            ".graphson, "
            ".xml, .graphml, each also with .gz)",
            path, name);
    }
    return graphson ? create_graphson(path) : create_graphml(path);
}

}  // namespace hob::gremlin
