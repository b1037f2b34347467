#include "storage/store/validate.h"

#include <algorithm>
#include <cctype>

#include "storage/base/bytes.h"

namespace hob::store {
namespace {

constexpr std::size_t kTableNameMax = 128;

bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

Status check_row(std::string_view table, std::string_view row) {
    if (row.empty() || row.size() > kRowBytesMax) {
        return Error::invalid("table '{}': a row key has {} bytes, expected 1 to {}", table,
                              row.size(), kRowBytesMax);
    }
    return {};
}

Status check_table_name(std::string_view table) {
    const bool plain = std::all_of(table.begin(), table.end(), [](char c) {
        return is_plain(c) || c == '_' || c == '.' || c == '-';
    });
    if (table.empty() || table.size() > kTableNameMax || !plain || table[0] == '-' ||
        table[0] == '.') {
        return Error::invalid(
            "table name '{}': expected 1 to {} letters, digits, '_', '.' or '-', not starting with "
            "'.' or '-'",
            table, kTableNameMax);
    }
    return {};
}

Status check_table(const TableSpec& spec) {
    HOB_TRY(check_table_name(spec.name));
    std::string sorted = spec.families;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (sorted.empty() || !distinct || !std::all_of(sorted.begin(), sorted.end(), is_plain)) {
        return Error::invalid("table '{}': families are '{}', expected distinct letters, one each",
                              spec.name, spec.families);
    }
    return {};
}

Status check_selection(std::string_view table, const std::vector<ColumnRange>& ranges,
                       const std::vector<std::string>& columns) {
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const auto& before = ranges[i - 1];
        if (before.to.empty() || before.to > ranges[i].from) {
            return Error::invalid(
                "table '{}': column range {} starts at {} inside the one before it, which ends at "
                "{}",
                table, i, to_hex(ranges[i].from),
                before.to.empty() ? "the row's end" : to_hex(before.to));
        }
    }
    for (std::size_t i = 1; i < columns.size(); ++i) {
        if (columns[i - 1] >= columns[i]) {
            return Error::invalid("table '{}': column {} ({}) is not above the one before it ({})",
                                  table, i, to_hex(columns[i]), to_hex(columns[i - 1]));
        }
    }
    return {};
}

Status check_gets(std::string_view table, std::span<const RowGet> rows) {
    for (const auto& get : rows) {
        HOB_TRY(check_row(table, get.row));
        HOB_TRY(check_selection(table, get.ranges, get.columns));
    }
    return {};
}

Status check_mutations(std::span<const RowMutation> mutations) {
    for (const auto& mutation : mutations) {
        HOB_TRY(check_row(mutation.table, mutation.row));
        for (const auto& cell : mutation.cells) {
            const std::size_t size =
                mutation.row.size() + cell.qualifier.size() + cell.value.size();
            if (size >= kCellBytesMax) {
                return Error::invalid(
                    "table '{}', row {}: cell {} has {} bytes with its key, expected less than {}",
                    mutation.table, to_hex(mutation.row, 16), to_hex(cell.qualifier, 16), size,
                    kCellBytesMax);
            }
        }
    }
    return {};
}

Result<std::int64_t> add_to_counter(std::string_view table, std::string_view row,
                                    std::string_view value, std::int64_t amount) {
    if (!value.empty() && value.size() != 8) {
        return Error::invalid("table '{}', row {}: the counter cell has {} bytes, expected 8",
                              table, to_hex(row, 16), value.size());
    }
    const std::int64_t before = value.empty() ? 0 : ByteReader(value).i64();
    std::int64_t after = 0;
    if (__builtin_add_overflow(before, amount, &after)) {
        return Error::invalid("table '{}', row {}: counter {} plus {} is beyond 64 bits", table,
                              to_hex(row, 16), before, amount);
    }
    return after;
}

std::string counter_bytes(std::int64_t value) {
    std::string bytes;
    ByteWriter(bytes).i64(value);
    return bytes;
}

Error missing_table(std::string_view table) {
    return Error::make(Code::kNotFound, "table '{}' does not exist in the store", table);
}

Error missing_family(std::string_view table, char family) {
    return Error::make(Code::kNotFound, "table '{}' has no family '{}'", table, family);
}

}  // namespace hob::store
