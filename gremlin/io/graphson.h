#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/io/element_source.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin::graphson {

/// GraphSON (TinkerPop docs/src/dev/io/graphson.asciidoc), plain functions on text.
struct Format {
    int version = 3;    ///< 1, 2 or 3.
    bool typed = true;  ///< With @type wrappers (v1 typed: Jackson's class names are not written,
                        ///< as Gremlin Server's v1 is untyped).
};

/// Appends JSON. Never fails (see graphbinary::write_value). NaN and infinities are written as each
/// version's documents say.
void write_value(const Value& value, const Format& format, const WriteOptions& options,
                 std::string& out);
/// Reads any version's JSON, typed or not: {"@type":...} forms of v2/v3 (g: and gx: prefixes),
/// plain objects as maps, plain numbers as int (long when larger, then big), plain fractions as
/// double. Bytecode, P, strategies as in GraphBinary. Errors: kParse with what and where.
Result<Value> read_value(std::string_view json, const Format& format, std::size_t depth_max = 500);

/// One vertex of a GraphSON adjacency line (TinkerPop's graph file format: id, label, outE, inE,
/// properties), for load and io().
struct AdjacencyVertex {
    Value id;
    std::string label;
    std::vector<Value> properties;  ///< kVertexProperty each.
    std::vector<Value> out_edges;   ///< kEdge each, complete.
    std::vector<Value> in_edges;
};
Result<AdjacencyVertex> read_adjacency_line(std::string_view json);

/// Appends a JSON string literal.
void write_json_string(std::string_view utf8, std::string& out);

}  // namespace hob::gremlin::graphson
