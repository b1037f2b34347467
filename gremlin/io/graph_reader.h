#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// One property of a record. A vertex may have several of one key; then `cardinality` is list or
/// set.
struct GraphProperty {
    std::string key;
    Value value;
    Cardinality cardinality = Cardinality::kSingle;
    std::vector<std::pair<Value, Value>>
        meta;  ///< kString -> value; vertex properties of GraphSON only.
};

/// A vertex or an edge as a file says it.
struct GraphRecord {
    enum class Kind : std::uint8_t { kVertex, kEdge };
    Kind kind = Kind::kVertex;
    Value id;  ///< Null when the file gives none (an edge).
    std::string label;
    Value from;  ///< kEdge: id of the out-vertex ...
    Value to;    ///< ... and of the in-vertex. Both may come later in the file than the edge.
    std::vector<GraphProperty> properties;
    std::uint64_t line = 0;  ///< Where it begins, from 1.
};

/// Reads a file record by record, in its order. Used by one thread at a time.
class GraphReader {
  public:
    virtual ~GraphReader() = default;
    /// True: `record` holds the next one. False: the end. An Error ("FILE:LINE: what") is about one
    /// record: call again for the next. When nothing after it can be read (broken XML, a broken
    /// archive), the next call gives false.
    virtual Result<bool> next(GraphRecord& record) = 0;
    /// The text of the record that the last call gave or refused, for a reject file; empty for
    /// GraphML.
    [[nodiscard]] virtual std::string_view text() const = 0;
    /// CSV: the header line, which a reject file needs first; else empty.
    [[nodiscard]] virtual std::string_view header() const { return {}; }
    /// Bytes of the file taken so far (compressed ones when it is compressed), and all of them (0
    /// when not known).
    [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
    [[nodiscard]] virtual std::uint64_t bytes_total() const = 0;
};

/// How ids that a file writes as text (CSV, GraphML) become values.
enum class IdForm : std::uint8_t {
    kAuto,  ///< A whole number that fits a long is one, anything else a string.
    kText,
    kLong,  ///< Anything but a whole number is an error.
};

struct GraphReadOptions {
    std::string format;  ///< "csv", "graphson", "graphml"; empty: by the file's name (a last ".gz"
                         ///< set aside).
    IdForm ids = IdForm::kAuto;
    char csv_separator = ',';
};

/// Opens a file, gzip-compressed or not ("-": standard input, with a format). CSV is Neptune's
/// form: the header
/// `~id,~label,name:String,age:Int[]` makes vertices, one with `~from` and `~to` edges; GraphSON
/// has an adjacency line a vertex (its out-edges become records, its in-edges are somebody's
/// out-edges). Errors: kNotFound, kInvalidArgument (unknown format), kParse (a header that can't be
/// read).
Result<std::unique_ptr<GraphReader>> open_graph_reader(const std::string& path,
                                                       const GraphReadOptions& options = {});

}  // namespace hob::gremlin
