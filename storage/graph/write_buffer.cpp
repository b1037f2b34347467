#include "storage/graph/write_buffer.h"

#include <algorithm>
#include <utility>

namespace hob::graph {
namespace {

constexpr std::array<char, 2> kFamilies = {'p', 'e'};

/// One run of qualifiers that a get wants: a range, or an exact column.
struct Wanted {
    std::string_view from;
    std::string_view to;  ///< Ignored when `exact`; empty: open.
    bool exact = false;
    std::uint32_t cells_max = 0;

    [[nodiscard]] bool before_end(std::string_view qualifier) const {
        return exact ? qualifier <= from : to.empty() || qualifier < to;
    }
};

std::vector<Wanted> wanted_of(const store::RowGet& get) {
    std::vector<Wanted> wanted;
    if (get.ranges.empty() && get.columns.empty()) wanted.push_back({});
    for (const auto& range : get.ranges) {
        wanted.push_back(
            {.from = range.from, .to = range.to, .exact = false, .cells_max = range.cells_max});
    }
    for (const auto& column : get.columns) {
        wanted.push_back({.from = column, .to = {}, .exact = true, .cells_max = 0});
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const Wanted& a, const Wanted& b) { return a.from < b.from; });
    return wanted;
}

}  // namespace

RowEdits& WriteBuffer::edits(Table table, std::string_view row) {
    auto& rows = rows_[static_cast<std::size_t>(table)];
    const auto found = rows.find(row);
    return found != rows.end() ? found->second : rows[std::string(row)];
}

const FamilyEdits* WriteBuffer::find(Table table, std::string_view row, char family) const {
    const auto& rows = rows_[static_cast<std::size_t>(table)];
    const auto found = rows.find(row);
    if (found == rows.end()) return nullptr;
    const FamilyEdits& edits = found->second.families[index_of(family)];
    return edits.untouched() ? nullptr : &edits;
}

void WriteBuffer::put(Table table, std::string_view row, char family, std::string qualifier,
                      std::string value) {
    FamilyEdits& family_edits = edits(table, row).families[index_of(family)];
    const auto [cell, is_new] = family_edits.cells.try_emplace(std::move(qualifier));
    if (!is_new && !cell->second.has_value()) --family_edits.deletes;
    cell->second = std::move(value);
}

void WriteBuffer::erase(Table table, std::string_view row, char family,
                        std::string_view qualifier) {
    FamilyEdits& family_edits = edits(table, row).families[index_of(family)];
    if (family_edits.hides_store) {
        if (const auto cell = family_edits.cells.find(qualifier);
            cell != family_edits.cells.end()) {
            family_edits.cells.erase(cell);
        }
        return;
    }
    const auto [cell, is_new] = family_edits.cells.try_emplace(std::string(qualifier));
    if (is_new || cell->second.has_value()) ++family_edits.deletes;
    cell->second.reset();
}

void WriteBuffer::clear_family(Table table, std::string_view row, char family) {
    FamilyEdits& family_edits = edits(table, row).families[index_of(family)];
    family_edits.hides_store = true;
    family_edits.cells.clear();
    family_edits.deletes = 0;
}

void WriteBuffer::set_absent(Table table, std::string_view row) {
    RowEdits& row_edits = edits(table, row);
    if (row_edits.families[0].hides_store) return;  // Removed before: its delete must stay.
    row_edits.absent = true;
    for (auto& family_edits : row_edits.families) {
        family_edits.hides_store = true;
    }
}

bool WriteBuffer::is_absent(Table table, std::string_view row) const {
    const auto& rows = rows_[static_cast<std::size_t>(table)];
    const auto found = rows.find(row);
    return found != rows.end() && found->second.absent;
}

bool WriteBuffer::wrote(Table table, std::string_view row, char family,
                        std::string_view prefix) const {
    const FamilyEdits* edits = find(table, row, family);
    if (edits == nullptr) return false;
    for (auto cell = edits->cells.lower_bound(prefix);
         cell != edits->cells.end() && cell->first.starts_with(prefix); ++cell) {
        if (cell->second.has_value()) return true;
    }
    return false;
}

void WriteBuffer::clear() {
    for (auto& rows : rows_) {
        rows.clear();
    }
    ahead_rows_.clear();
}

std::vector<store::RowMutation> WriteBuffer::mutations() const {
    std::vector<store::RowMutation> out;
    for (std::size_t table = 0; table < kTables; ++table) {
        out.reserve(out.size() + rows_[table].size());
        for (const auto& [row, row_edits] : rows_[table]) {
            store::RowMutation mutation{.table = tables_[table], .row = row, .cells = {}};
            for (std::size_t f = 0; f < kFamilies.size(); ++f) {
                const FamilyEdits& family_edits = row_edits.families[f];
                using Change = store::CellMutation::Kind;
                if (family_edits.hides_store && !row_edits.absent) {
                    mutation.cells.push_back({.kind = Change::kDeleteFamily,
                                              .family = kFamilies[f],
                                              .qualifier = {},
                                              .value = {}});
                }
                for (const auto& [qualifier, value] : family_edits.cells) {
                    mutation.cells.push_back(
                        {.kind = value.has_value() ? Change::kPut : Change::kDelete,
                         .family = kFamilies[f],
                         .qualifier = qualifier,
                         .value = value.value_or(std::string{})});
                }
            }
            if (!mutation.cells.empty()) out.push_back(std::move(mutation));
        }
    }
    return out;
}

void WriteBuffer::merge(const store::RowGet& get, std::span<const store::Cell> stored,
                        const FamilyEdits& edits, store::RowBatch& out) {
    auto cell = stored.begin();
    const auto add = [&out](std::string_view qualifier, std::string_view value) {
        out.add_cell(qualifier, value);
    };
    for (const Wanted& want : wanted_of(get)) {
        while (cell != stored.end() && cell->qualifier < want.from) {
            ++cell;
        }
        auto edit = edits.cells.lower_bound(want.from);
        const auto edit_wanted = [&] {
            return edit != edits.cells.end() && want.before_end(edit->first);
        };
        const auto cell_wanted = [&] {
            return cell != stored.end() && want.before_end(cell->qualifier);
        };
        std::uint32_t count = 0;
        while ((want.cells_max == 0 || count < want.cells_max) &&
               (edit_wanted() || cell_wanted())) {
            if (!edit_wanted() || (cell_wanted() && cell->qualifier < edit->first)) {
                add(cell->qualifier, cell->value);
                ++cell;
                ++count;
                continue;
            }
            if (cell_wanted() && cell->qualifier == edit->first) ++cell;
            if (edit->second.has_value()) {
                add(edit->first, *edit->second);
                ++count;
            }
            ++edit;
        }
        while (cell_wanted()) {  // Fetched beyond the limit, to make up for deletes.
            ++cell;
        }
    }
}

namespace {

/// What names a read of one range in the memory of what was read ahead; empty for other reads.
std::string ahead_key(Table table, char family, const store::RowGet& get) {
    if (get.ranges.size() != 1 || !get.columns.empty()) return {};
    const auto& range = get.ranges[0];
    return fmt::format("{}{}{} {} {}{}{}", static_cast<int>(table), get.family_or(family),
                       range.from.size(), range.to.size(), range.from, range.to, get.row);
}

}  // namespace

Status WriteBuffer::read_ahead(Table table, char family, std::span<const store::RowGet> gets,
                               const store::Snapshot* snapshot, const store::CallContext& call,
                               store::CallStats& stats) {
    ahead_rows_.clear();
    if (gets.empty()) return {};
    HOB_TRY(store_.multi_get(tables_[static_cast<std::size_t>(table)], family, gets, snapshot, call,
                             stats, ahead_));
    for (std::size_t i = 0; i < gets.size(); ++i) {
        const auto& range = gets[i].ranges[0];
        if (range.cells_max == 0 || ahead_.cells(i).size() < range.cells_max)
            ahead_rows_.emplace(ahead_key(table, family, gets[i]), i);
    }
    return {};
}

Status WriteBuffer::stored(Table table, char family, std::span<const store::RowGet> gets,
                           const store::Snapshot* snapshot, const store::CallContext& call,
                           store::CallStats& stats, store::RowBatch& out) const {
    if (gets.size() == 1 && !ahead_rows_.empty()) {
        const auto found = ahead_rows_.find(ahead_key(table, family, gets[0]));
        if (found != ahead_rows_.end()) {
            out.clear();
            for (const store::Cell& cell : ahead_.cells(found->second))
                out.add_cell(cell.qualifier, cell.value);
            out.end_row();
            return {};
        }
    }
    return store_.multi_get(tables_[static_cast<std::size_t>(table)], family, gets, snapshot, call,
                            stats, out);
}

Status WriteBuffer::get(Table table, char family, std::span<const store::RowGet> gets,
                        const store::Snapshot* snapshot, const store::CallContext& call,
                        store::CallStats& stats, store::RowBatch& out) const {
    if (rows_[static_cast<std::size_t>(table)].empty()) {
        return stored(table, family, gets, snapshot, call, stats, out);
    }
    std::vector<const FamilyEdits*> found(gets.size());
    std::vector<store::RowGet> asked;
    bool any_edits = false;
    for (std::size_t i = 0; i < gets.size(); ++i) {
        found[i] = find(table, gets[i].row, gets[i].family_or(family));
        any_edits = any_edits || found[i] != nullptr;
        if (found[i] != nullptr && found[i]->hides_store) continue;
        asked.push_back(gets[i]);
        if (found[i] == nullptr || found[i]->deletes == 0) continue;
        for (auto& range : asked.back().ranges) {
            if (range.cells_max != 0) range.cells_max += found[i]->deletes;
        }
    }
    if (!any_edits) return stored(table, family, gets, snapshot, call, stats, out);
    store::RowBatch below;
    if (!asked.empty()) HOB_TRY(stored(table, family, asked, snapshot, call, stats, below));
    out.clear();
    std::size_t next = 0;
    for (std::size_t i = 0; i < gets.size(); ++i) {
        if (found[i] == nullptr) {
            for (const auto& cell : below.cells(next)) {
                out.add_cell(cell.qualifier, cell.value);
            }
            ++next;
        } else {
            const bool hidden = found[i]->hides_store;
            merge(gets[i], hidden ? std::span<const store::Cell>{} : below.cells(next), *found[i],
                  out);
            if (!hidden) ++next;
        }
        out.end_row();
    }
    return {};
}

/// Reads the store's rows page by page and puts the rows that the transaction touched in their
/// places.
class MergedScanner final : public store::Scanner {
  public:
    MergedScanner(const WriteBuffer& buffer, Table table, store::ScanSpec spec,
                  std::shared_ptr<const store::Snapshot> snapshot, const store::CallContext& call,
                  store::CallStats& stats, std::unique_ptr<store::Scanner> stored)
        : buffer_(buffer),
          table_(table),
          spec_(std::move(spec)),
          snapshot_(std::move(snapshot)),
          call_(call),
          stats_(stats),
          stored_(std::move(stored)) {
        for (const auto& [row, edits] : buffer.rows_[static_cast<std::size_t>(table)]) {
            const bool inside =
                row >= spec_.from_row && (spec_.to_row.empty() || row < spec_.to_row);
            if (inside && !edits.families[WriteBuffer::index_of(spec_.family)].untouched())
                edited_.push_back(row);
        }
    }

    Status next(std::size_t rows_max, store::RowBatch& out) override {
        out.clear();
        while (out.size() == 0 && (!stored_done_ || next_edited_ < edited_.size())) {
            store::RowBatch page;
            if (!stored_done_) HOB_TRY(stored_->next(rows_max, page));
            stored_done_ = page.size() == 0;
            HOB_TRY(add_page(page, rows_max, out));
        }
        return {};
    }

  private:
    /// Merges the edited rows up to the page's last row (all that are left, up to `rows_max`, when
    /// the page is empty).
    Status add_page(const store::RowBatch& page, std::size_t rows_max, store::RowBatch& out) {
        std::vector<store::RowGet> gets;
        const auto want = [&](std::string_view row) {
            gets.push_back(
                {.row = std::string(row), .ranges = spec_.ranges, .columns = spec_.columns});
        };
        std::vector<std::pair<std::string_view, std::ptrdiff_t>>
            order;  // Row; place in the page, or -1 - place in gets.
        std::size_t at = 0;
        const auto in_reach = [&] {
            if (next_edited_ == edited_.size()) return false;
            return page.size() == 0 ? gets.size() < rows_max
                                    : edited_[next_edited_] <= page.row_key(page.size() - 1);
        };
        while (at < page.size() || in_reach()) {
            const bool take_edited =
                in_reach() && (at == page.size() || edited_[next_edited_] <= page.row_key(at));
            if (take_edited) {
                if (at < page.size() && edited_[next_edited_] == page.row_key(at)) ++at;
                order.emplace_back(edited_[next_edited_],
                                   -1 - static_cast<std::ptrdiff_t>(gets.size()));
                want(edited_[next_edited_++]);
            } else if (buffer_.find(table_, page.row_key(at), spec_.family) !=
                       nullptr) {  // Touched since the scan began.
                order.emplace_back(page.row_key(at), -1 - static_cast<std::ptrdiff_t>(gets.size()));
                want(page.row_key(at++));
            } else {
                order.emplace_back(page.row_key(at), static_cast<std::ptrdiff_t>(at));
                ++at;
            }
        }
        store::RowBatch merged;
        if (!gets.empty())
            HOB_TRY(
                buffer_.get(table_, spec_.family, gets, snapshot_.get(), call_, stats_, merged));
        for (const auto& [row, place] : order) {
            const auto cells = place >= 0 ? page.cells(static_cast<std::size_t>(place))
                                          : merged.cells(static_cast<std::size_t>(-1 - place));
            if (cells.empty()) continue;
            for (const auto& cell : cells) {
                out.add_cell(cell.qualifier, cell.value);
            }
            out.end_row(row);
        }
        return {};
    }

    const WriteBuffer& buffer_;
    const Table table_;
    const store::ScanSpec spec_;
    const std::shared_ptr<const store::Snapshot> snapshot_;
    const store::CallContext call_;
    store::CallStats& stats_;
    std::unique_ptr<store::Scanner> stored_;
    bool stored_done_ = false;
    std::vector<std::string> edited_;
    std::size_t next_edited_ = 0;
};

Result<std::unique_ptr<store::Scanner>> WriteBuffer::scan(
    Table table, store::ScanSpec spec, std::shared_ptr<const store::Snapshot> snapshot,
    const store::CallContext& call, store::CallStats& stats) const {
    spec.table = tables_[static_cast<std::size_t>(table)];
    HOB_ASSIGN_OR_RETURN(auto stored, store_.scan(spec, snapshot, call, stats));
    return std::unique_ptr<store::Scanner>(std::make_unique<MergedScanner>(
        *this, table, std::move(spec), std::move(snapshot), call, stats, std::move(stored)));
}

}  // namespace hob::graph
