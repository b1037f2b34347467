#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/layout/ids.h"
#include "storage/value/value.h"

namespace hob::layout {

/// Rows of `<graph>_i`: salt(1) | index code(2) | key bytes. Code 0 is the look-up of edges by ids
/// that are not their places.

inline constexpr std::uint16_t kEdgeIdCode = 0;

/// The row in which `value` is indexed. Equal values (P.eq) share a row whatever their number type;
/// unequal ones may too (long strings are cut, values without order lie in one row), so what a row
/// names must be compared with the element itself.
std::string index_row(std::uint16_t index, const Value& value);

/// The row of an edge id; errors when the id can't be one (kInvalidArgument).
Result<std::string> edge_id_row(const Value& id);

/// The qualifier of a unique index's one cell, whose value names the element. Other indexes: the
/// qualifier names it, the value is empty.
inline constexpr std::string_view kUniqueQualifier = "u";
/// The qualifier of an edge id row's one cell; its value is the edge's place.
inline constexpr std::string_view kPlaceQualifier = "e";

}  // namespace hob::layout
