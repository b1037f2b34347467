#include "storage/store/memory/memory_table.h"

#include <algorithm>

#include "storage/store/validate.h"

namespace hob::store {
namespace {

using CellIterator = MemoryRow::const_iterator;

void add(CellIterator cell, const std::string& value, bool with_value, std::vector<Cell>& out) {
    out.push_back({cell->first, with_value ? std::string_view(value) : std::string_view{}});
}

/// The first `cells_max` cells of [begin, end), or the last ones when `reversed`.
void read_range(const MemoryRow& row, const ColumnRange& range, bool with_value,
                std::uint64_t sequence, std::vector<Cell>& out) {
    if (is_empty_range(range)) return;
    const auto begin = row.lower_bound(range.from);
    const auto end = range.to.empty() ? row.end() : row.lower_bound(range.to);
    const std::size_t first_size = out.size();
    const std::size_t size_max =
        range.cells_max == 0 ? ~std::size_t{0} : first_size + range.cells_max;
    const auto visit = [&](CellIterator cell) {
        if (const auto* value = cell->second.value_at(sequence)) add(cell, *value, with_value, out);
    };
    if (!range.reversed) {
        for (auto cell = begin; cell != end && out.size() < size_max; ++cell) {
            visit(cell);
        }
        return;
    }
    for (auto cell = end; cell != begin && out.size() < size_max;) {
        visit(--cell);
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first_size), out.end());
}

bool qualifier_less(const Cell& a, const Cell& b) {
    return a.qualifier < b.qualifier;
}
bool qualifier_equal(const Cell& a, const Cell& b) {
    return a.qualifier == b.qualifier;
}

}  // namespace

const std::string* CellVersion::value_at(std::uint64_t at) const {
    const CellVersion* version = this;
    while (version != nullptr && version->sequence > at) {
        version = version->older.get();
    }
    return version != nullptr && version->is_live ? &version->value : nullptr;
}

std::size_t read_row(const MemoryRow& row, const RowSelection& want, std::uint64_t sequence,
                     RowBatch& out) {
    thread_local std::vector<Cell> cells;
    cells.clear();
    if (want.ranges.empty() && want.columns.empty()) {
        ColumnRange whole;
        whole.cells_max = want.keys_only ? 1 : 0;
        read_range(row, whole, !want.keys_only, sequence, cells);
    }
    for (const auto& range : want.ranges) {
        read_range(row, range, !want.keys_only && !range.keys_only, sequence, cells);
    }
    for (const auto& column : want.columns) {
        const auto cell = row.find(column);
        if (cell == row.end()) continue;
        if (const auto* value = cell->second.value_at(sequence))
            add(cell, *value, !want.keys_only, cells);
    }
    if (!want.ranges.empty() && !want.columns.empty()) {
        // A cell may be wanted twice; the exact column (with its value) comes second, so it goes
        // first.
        std::reverse(cells.begin(), cells.end());
        std::stable_sort(cells.begin(), cells.end(), qualifier_less);
        cells.erase(std::unique(cells.begin(), cells.end(), qualifier_equal), cells.end());
    }
    if (want.keys_only && cells.size() > 1) cells.resize(1);
    std::size_t bytes = 0;
    for (const auto& cell : cells) {
        out.add_cell(cell.qualifier, cell.value);
        bytes += cell.qualifier.size() + cell.value.size();
    }
    return bytes;
}

void MemoryFamily::apply(const std::string& row, const CellMutation& change, std::uint64_t sequence,
                         bool keep_history) {
    switch (change.kind) {
        case CellMutation::Kind::kPut:
            put(row, change, sequence, keep_history);
            return;
        case CellMutation::Kind::kDelete:
            remove(row, change.qualifier, sequence, keep_history);
            return;
        case CellMutation::Kind::kDeleteFamily: {
            const auto found = rows.find(row);
            if (found == rows.end()) return;
            if (!keep_history) {
                rows.erase(found);
                return;
            }
            for (auto& [qualifier, version] : found->second) {
                if (version.is_live) remove(row, qualifier, sequence, keep_history);
            }
            return;
        }
    }
}

void MemoryFamily::put(const std::string& row, const CellMutation& change, std::uint64_t sequence,
                       bool keep_history) {
    const auto [cell, is_new] = rows[row].try_emplace(change.qualifier);
    CellVersion& version = cell->second;
    if (!is_new && keep_history && version.sequence < sequence) {
        version.older = std::make_unique<CellVersion>(std::move(version));
    }
    version.sequence = sequence;
    version.is_live = true;
    version.value = change.value;
    if (!keep_history) version.older.reset();
}

void MemoryFamily::remove(const std::string& row, const std::string& qualifier,
                          std::uint64_t sequence, bool keep_history) {
    const auto found = rows.find(row);
    if (found == rows.end()) return;
    const auto cell = found->second.find(qualifier);
    if (cell == found->second.end()) return;
    CellVersion& version = cell->second;
    if (keep_history) {
        if (version.sequence < sequence)
            version.older = std::make_unique<CellVersion>(std::move(version));
        version.sequence = sequence;
        version.is_live = false;
        version.value.clear();
        return;
    }
    found->second.erase(cell);
    if (found->second.empty()) rows.erase(found);
}

void MemoryFamily::collect(const std::string& row, const std::string& qualifier,
                           std::uint64_t oldest_live) {
    const auto found = rows.find(row);
    if (found == rows.end()) return;
    const auto cell = found->second.find(qualifier);
    if (cell == found->second.end()) return;
    CellVersion* version = &cell->second;
    while (version->sequence > oldest_live && version->older != nullptr) {
        version = version->older.get();
    }
    if (version->sequence > oldest_live) return;
    version->older.reset();
    if (version == &cell->second && !version->is_live) {
        found->second.erase(cell);
        if (found->second.empty()) rows.erase(found);
    }
}

}  // namespace hob::store
