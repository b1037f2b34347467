#include "gremlin/io/graph_reader.h"

#include <array>

#include "gremlin/io/graph_readers.h"

namespace hob::gremlin {
namespace {

using Open = Result<std::unique_ptr<GraphReader>> (*)(std::unique_ptr<InputFile>,
                                                      const GraphReadOptions&);

struct FormatName {
    std::string_view name;  ///< Of the format, or a file name's end.
    Open open;
};
constexpr std::array<FormatName, 8> kFormats{{
    {"csv", open_csv},
    {"tsv", open_csv},
    {"graphson", open_graphson},
    {"json", open_graphson},
    {"jsonl", open_graphson},
    {"ndjson", open_graphson},
    {"graphml", open_graphml},
    {"xml", open_graphml},
}};

std::string_view extension_of(std::string_view path) {
    if (path.ends_with(".gz")) path.remove_suffix(3);
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
}

}  // namespace

Result<std::unique_ptr<GraphReader>> open_graph_reader(const std::string& path,
                                                       const GraphReadOptions& options) {
    const std::string_view name =
        options.format.empty() ? extension_of(path) : std::string_view(options.format);
    for (const FormatName& format : kFormats) {
        if (format.name != name) continue;
        HOB_ASSIGN_OR_RETURN(auto input, InputFile::open(path));
        GraphReadOptions chosen = options;
        if (name == "tsv") chosen.csv_separator = '\t';
        return format.open(std::move(input), chosen);
    }
    return Error::invalid(
        "'{}': unknown graph format '{}', expected csv, graphson or graphml (files .csv, .tsv, "
        ".json, .jsonl, "
        ".graphson, .xml, .graphml, each also with .gz)",
        path, name);
}

}  // namespace hob::gremlin
