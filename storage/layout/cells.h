#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/error.h"
#include "storage/layout/dictionary.h"
#include "storage/layout/ids.h"
#include "storage/value/value.h"

namespace hob::layout {

/// How vertices, properties and edges lie in cells; docs/formats.md draws every byte.

// --- family p
// -------------------------------------------------------------------------------------------------

/// Sorts before every property (key codes start at 1): the first cell of each vertex row.
inline constexpr std::string_view kLabelQualifier{"\0", 1};
/// The place of the bucket marker; sorts after the label, before every property.
inline constexpr std::string_view kBucketQualifier{"\0\0", 2};

std::string label_value(std::uint16_t label);
/// Errors: kCorrupt.
Result<std::uint16_t> read_label_value(std::string_view value);

/// key code(2)
std::string single_qualifier(std::uint16_t key);
/// key code(2) | 01 | sequence(8): list items stay in the order in which they were made.
std::string list_qualifier(std::uint16_t key, std::int64_t sequence);
/// key code(2) | 02 | head of the MD5 of the value's bytes(8), plus `probe` when another value sits
/// there.
std::string set_qualifier(std::uint16_t key, const Value& value, std::uint64_t probe);
/// The key code of a property qualifier; 0 for the label and the bucket marker. Errors: kCorrupt.
Result<std::uint16_t> key_of_qualifier(std::string_view qualifier);
inline bool is_multi_qualifier(std::string_view qualifier) {
    return qualifier.size() > 2;
}

using KeyCodes = std::vector<std::uint16_t>;

/// Value of a property cell: flags | id | value | meta-properties. `meta_keys[i]` is the code of
/// `property.meta[i]`. Errors: kInvalidArgument when the value can't be stored.
Status encode_property(const VertexPropertyObject& property, const KeyCodes& meta_keys,
                       std::string& out);
/// Reads a property cell of `vertex`; kCorrupt, or kNotFound when a meta-property's key code is not
/// in `names` yet.
Result<Value> decode_property(const Names& names, std::uint16_t key, std::string_view value,
                              const Value& vertex);

// --- family e
// -------------------------------------------------------------------------------------------------

inline constexpr char kOutMark = 'O';
inline constexpr char kInMark = 'I';

/// Where an edge is: what its cells' qualifiers say, and what a kPlace id prints.
struct EdgePlace {
    Value out;  ///< Vertex id, normal.
    std::uint16_t label = 0;
    Value in;
    std::uint64_t parallel = 0;  ///< 0: the first edge between these two with this label.
};

/// mark(1) | label(2): what all edges of one direction and label start with.
std::string edge_prefix(char mark, std::uint16_t label);
/// The first byte string after all that start with `prefix`; empty when there is none.
std::string prefix_end(std::string prefix);
/// mark | label | other id | [parallel: length(1), big-endian bytes]
std::string edge_qualifier(const IdCodec& ids, char mark, std::uint16_t label, const Value& other,
                           std::uint64_t parallel);

/// One incident edge; `mark` says which end the row's vertex is.
struct EdgeCell {
    char mark = kOutMark;
    std::uint16_t label = 0;
    Value other;
    std::uint64_t parallel = 0;
};
/// Errors: kCorrupt.
Result<EdgeCell> decode_edge_qualifier(const IdCodec& ids, std::string_view qualifier);

/// Bytes of a place in index rows: out id | label(2) | in id | [parallel].
std::string place_bytes(const IdCodec& ids, const EdgePlace& place);
Result<EdgePlace> read_place(const IdCodec& ids, std::string_view bytes);

/// A kPlace id: `<out>-<label>-<in>[-<parallel>]`; numbers in decimal (negative: n5), strings s…
/// with %XX, other ids x… in hexadecimal.
std::string place_text(const IdCodec& ids, const EdgePlace& place);
/// Nothing when the text is not a place.
std::optional<EdgePlace> parse_place(const IdCodec& ids, std::string_view text);

/// Value of both cells of an edge: empty, or flags | [id] | properties. `id` null: the edge's id is
/// its place.
Status encode_edge(const Value& id, const std::vector<std::pair<std::uint16_t, Value>>& properties,
                   std::string& out);
/// The id in an edge cell's value; null when the place is the id. Errors: kCorrupt.
Result<Value> edge_id_in(std::string_view value);
/// Fills id (unless it is the place) and, when `with_properties`, properties. kCorrupt, kNotFound
/// as decode_property.
Status decode_edge(const Names& names, std::string_view value, bool with_properties,
                   EdgeObject& edge);

}  // namespace hob::layout
