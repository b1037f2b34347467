#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store/row_store.h"

namespace hob::store {

/// The bounds that every store keeps, so that a graph which fits one store fits them all (they are
/// HBase's).
constexpr std::size_t kRowBytesMax = std::size_t{16} << 10;
constexpr std::size_t kCellBytesMax =
    std::size_t{10} << 20;  ///< Row, qualifier and value together: less than this.

/// kInvalidArgument for a row of 0 or more than kRowBytesMax bytes.
Status check_row(std::string_view table, std::string_view row);

/// kInvalidArgument for a table name that some store can't keep: 1 to 128 of [A-Za-z0-9_.-], not
/// starting with '-' or '.'.
Status check_table_name(std::string_view table);

/// kInvalidArgument when `spec` has a bad name, no family, or a family that is not a distinct
/// letter or digit.
Status check_table(const TableSpec& spec);

/// kInvalidArgument for ranges or columns that are not sorted or that overlap.
Status check_selection(std::string_view table, const std::vector<ColumnRange>& ranges,
                       const std::vector<std::string>& columns);
Status check_gets(std::string_view table, std::span<const RowGet> rows);

/// kInvalidArgument for an oversized row or cell. A mutation without cells is allowed and changes
/// nothing.
Status check_mutations(std::span<const RowMutation> mutations);

/// True when the range can't hold any qualifier.
inline bool is_empty_range(const ColumnRange& range) {
    return !range.to.empty() && range.from >= range.to;
}

/// An 8-byte big-endian counter. Errors: kInvalidArgument when `value` is not 8 bytes, or the sum
/// overflows.
Result<std::int64_t> add_to_counter(std::string_view table, std::string_view row,
                                    std::string_view value, std::int64_t amount);
std::string counter_bytes(std::int64_t value);

Error missing_table(std::string_view table);
Error missing_family(std::string_view table, char family);

}  // namespace hob::store
