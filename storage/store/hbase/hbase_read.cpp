#include "storage/store/hbase/hbase_read.h"

#include <algorithm>
#include <map>

#include "storage/store/hbase/hbase_filter.h"
#include "storage/store/hbase/hbase_wire.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

/// Rows below which a call is not split further for the sake of parallelism: smaller ones cost more
/// than they win.
constexpr std::size_t kRowsPerCallMin = 100;
/// No row brings more cells than this in one call.
constexpr std::size_t kRowCellsMax = 10'000;
/// A call may bring this many times `cells_per_call` when rows turn out wider than expected.
constexpr std::size_t kSurprise = 5;

/// Part of what one RowGet asks: one range, or its exact columns. One TGet at a time.
struct Piece {
    const RowGet* get = nullptr;
    ColumnRange range{};         ///< Moves on from page to page.
    bool is_columns = false;     ///< The get's exact columns instead of `range`.
    std::size_t page_cells = 0;  ///< Limit sent with the last page; 0 = none.
    std::size_t got_cells = 0;
    std::vector<std::pair<std::size_t, std::size_t>> pages{};  ///< Answer and index in it.

    /// Whether the store can cut at `cells_max` itself.
    [[nodiscard]] bool is_cut_by_store() const { return range.cells_max != 0 && !range.reversed; }
};

class MultiGet {
  public:
    MultiGet(HBaseCore& core, std::string_view table, char family, const CallContext& call,
             CallStats& stats)
        : core_(core), name_(core.data_name(table)), family_(family), call_(call), stats_(stats) {}

    Status run(std::span<const RowGet> rows, RowBatch& out) {
        make_pieces(rows);
        std::vector<std::size_t> pending(pieces_.size());
        for (std::size_t i = 0; i < pending.size(); ++i) {
            pending[i] = i;
        }
        std::size_t rows_per_call = first_rows_per_call();
        std::size_t page_cells = page_for(rows_per_call);
        while (!pending.empty()) {
            HOB_TRY(read_round(pending, rows_per_call, page_cells));
            pending = unfinished(pending);
            // What is left are wide rows: longer pages, fewer rows in a call.
            page_cells = std::min(page_cells * 4, kRowCellsMax);
            rows_per_call = std::max<std::size_t>(1, core_.options.cells_per_call / page_cells);
        }
        assemble(rows, out);
        return {};
    }

  private:
    void make_pieces(std::span<const RowGet> rows) {
        for (const auto& get : rows) {
            for (const auto& range : get.ranges) {
                if (!is_empty_range(range)) pieces_.push_back({.get = &get, .range = range});
            }
            if (!get.columns.empty()) pieces_.push_back({.get = &get, .is_columns = true});
            if (get.ranges.empty() && get.columns.empty()) pieces_.push_back({.get = &get});
        }
    }

    std::size_t first_rows_per_call() const {
        std::size_t expected = 0;
        for (const auto& piece : pieces_) {
            std::size_t cells = core_.expected_cells(piece.get->family_or(family_));
            if (piece.is_columns) cells = piece.get->columns.size();
            if (piece.is_cut_by_store())
                cells = std::min<std::size_t>(cells, piece.range.cells_max);
            expected += cells;
        }
        const std::size_t count = std::max<std::size_t>(1, pieces_.size());
        const std::size_t per_row = std::max<std::size_t>(1, expected / count);
        const std::size_t by_cells =
            std::max<std::size_t>(1, core_.options.cells_per_call / per_row);
        const std::size_t connections = std::max<std::size_t>(1, core_.options.connections);
        const std::size_t by_share =
            std::max(kRowsPerCallMin, (count + connections - 1) / connections);
        return std::min({std::max<std::size_t>(1, core_.options.chunk_rows), by_cells, by_share});
    }

    std::size_t page_for(std::size_t rows_per_call) const {
        return std::clamp<std::size_t>(core_.options.cells_per_call * kSurprise / rows_per_call, 1,
                                       kRowCellsMax);
    }

    Status read_round(const std::vector<std::size_t>& pending, std::size_t rows_per_call,
                      std::size_t page_cells) {
        const std::size_t calls = (pending.size() + rows_per_call - 1) / rows_per_call;
        const std::size_t first_answer = answers_.size();
        answers_.resize(first_answer + calls);
        stats_.rpcs += calls;
        return core_.workers.run(calls, [&](std::size_t index) -> Status {
            const std::size_t begin = index * rows_per_call;
            const std::size_t end = std::min(pending.size(), begin + rows_per_call);
            const std::span<const std::size_t> chunk(pending.data() + begin, end - begin);
            return read_chunk(chunk, page_cells, first_answer + index);
        });
    }

    Status read_chunk(std::span<const std::size_t> chunk, std::size_t page_cells,
                      std::size_t answer_index) {
        std::vector<thrift2::TGet> gets;
        gets.reserve(chunk.size());
        for (const std::size_t index : chunk) {
            gets.push_back(next_get(pieces_[index], page_cells));
        }
        ResultList& answer = answers_[answer_index];
        HOB_TRY(core_.pool.call(fmt::format("get of {} rows of '{}'", gets.size(), name_), call_,
                                HBasePool::Repeat::kOnce, [&](HBaseConnection& on) {
                                    answer = ResultList();
                                    on.client().send_getMultiple(name_, gets);
                                    read_results(*on.wire().protocol, false, answer);
                                }));
        if (answer.rows.size() != chunk.size()) {
            return Error::internal("hbase get of {} rows of '{}' answered {} rows", chunk.size(),
                                   name_, answer.rows.size());
        }
        for (std::size_t i = 0; i < chunk.size(); ++i) {
            Piece& piece = pieces_[chunk[i]];
            piece.pages.emplace_back(answer_index, i);
            piece.got_cells += answer.rows.cells(i).size();
        }
        core_.clock.observe(answer.newest_us);
        return {};
    }

    thrift2::TGet next_get(Piece& piece, std::size_t page_cells) const {
        thrift2::TGet get;
        get.__set_row(piece.get->row);
        get.__isset.columns = true;
        const std::string family(1, piece.get->family_or(family_));
        if (piece.is_columns) {
            for (const auto& qualifier : piece.get->columns) {
                thrift2::TColumn column;
                column.__set_family(family);
                column.__set_qualifier(qualifier);
                get.columns.push_back(std::move(column));
            }
            return get;
        }
        get.columns.emplace_back();
        get.columns.back().__set_family(family);
        piece.page_cells = page_cells;
        if (piece.is_cut_by_store()) {
            piece.page_cells = std::min(page_cells, piece.range.cells_max - piece.got_cells);
        }
        get.__set_storeLimit(static_cast<std::int32_t>(piece.page_cells));
        std::vector<std::string> filters;
        if (!piece.range.from.empty() || !piece.range.to.empty()) {
            filters.push_back(column_range_filter(piece.range.from, piece.range.to));
        }
        if (piece.range.keys_only) filters.push_back(key_only_filter());
        if (!filters.empty()) get.__set_filterBytes(all_of(filters));
        return get;
    }

    /// The pieces whose last page was full; each is set to go on behind its last cell.
    std::vector<std::size_t> unfinished(const std::vector<std::size_t>& read) {
        std::vector<std::size_t> pending;
        for (const std::size_t index : read) {
            Piece& piece = pieces_[index];
            const auto [answer, row] = piece.pages.back();
            const auto cells = answers_[answer].rows.cells(row);
            if (piece.is_columns || cells.size() < piece.page_cells) continue;
            if (piece.is_cut_by_store() && piece.got_cells >= piece.range.cells_max) continue;
            piece.range.from.assign(cells.back().qualifier).push_back('\0');
            if (!is_empty_range(piece.range)) pending.push_back(index);
        }
        return pending;
    }

    void assemble(std::span<const RowGet> rows, RowBatch& out) {
        std::size_t at = 0;
        std::map<char, std::pair<std::size_t, std::size_t>> open;  // Rows and cells by family.
        std::vector<Cell> cells;
        for (const auto& get : rows) {
            cells.clear();
            for (; at < pieces_.size() && pieces_[at].get == &get; ++at) {
                const Piece& piece = pieces_[at];
                collect(piece, cells);
                if (piece.is_columns || piece.is_cut_by_store()) continue;
                auto& [open_rows, open_cells] = open[get.family_or(family_)];
                ++open_rows;
                open_cells += piece.got_cells;
            }
            if (!get.ranges.empty() && !get.columns.empty()) merge(cells);
            for (const auto& cell : cells) {
                out.add_cell(cell.qualifier, cell.value);
                stats_.bytes += cell.qualifier.size() + cell.value.size();
            }
            out.end_row();
        }
        stats_.cells += out.cell_count();
        for (const auto& [family, seen] : open)
            core_.learn_cells(family, seen.first, seen.second);
    }

    void collect(const Piece& piece, std::vector<Cell>& cells) const {
        const std::size_t first = cells.size();
        for (const auto& [answer, row] : piece.pages) {
            const auto page = answers_[answer].rows.cells(row);
            cells.insert(cells.end(), page.begin(), page.end());
        }
        const std::size_t count = cells.size() - first;
        const std::size_t cells_max = piece.range.cells_max;
        if (cells_max == 0 || count <= cells_max) return;
        const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(first);
        const auto surplus = static_cast<std::ptrdiff_t>(count - cells_max);
        if (piece.range.reversed) {
            cells.erase(begin, begin + surplus);
        } else {
            cells.resize(first + cells_max);
        }
    }

    /// A cell may be wanted by a range and by name; the named one comes last, has its value, and
    /// wins.
    static void merge(std::vector<Cell>& cells) {
        std::reverse(cells.begin(), cells.end());
        std::stable_sort(cells.begin(), cells.end(),
                         [](const Cell& a, const Cell& b) { return a.qualifier < b.qualifier; });
        const auto end = std::unique(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
            return a.qualifier == b.qualifier;
        });
        cells.erase(end, cells.end());
    }

    HBaseCore& core_;
    std::string name_;
    char family_;
    const CallContext& call_;
    CallStats& stats_;
    std::vector<Piece> pieces_;  ///< In the order of the rows.
    std::vector<ResultList> answers_;
};

}  // namespace

Status hbase_multi_get(HBaseCore& core, std::string_view table, char family,
                       std::span<const RowGet> rows, const CallContext& call, CallStats& stats,
                       RowBatch& out) {
    return MultiGet(core, table, family, call, stats).run(rows, out);
}

Result<NewestCell> hbase_read_cell(HBaseCore& core, std::string_view table, std::string_view row,
                                   char family, std::string_view qualifier,
                                   const CallContext& call) {
    const std::string name = core.data_name(table);
    std::vector<thrift2::TGet> gets(1);
    gets[0].__set_row(std::string(row));
    gets[0].__isset.columns = true;
    gets[0].columns.emplace_back();
    gets[0].columns[0].__set_family(std::string(1, family));
    gets[0].columns[0].__set_qualifier(std::string(qualifier));
    ResultList answer;
    HOB_TRY(core.pool.call(fmt::format("get of one cell of '{}'", name), call,
                           HBasePool::Repeat::kOnce, [&](HBaseConnection& on) {
                               answer = ResultList();
                               on.client().send_getMultiple(name, gets);
                               read_results(*on.wire().protocol, false, answer);
                           }));
    core.clock.observe(answer.newest_us);
    NewestCell cell;
    if (answer.rows.size() == 1 && !answer.rows.cells(0).empty()) {
        cell.value = answer.rows.cells(0)[0].value;
        cell.timestamp_us = answer.newest_us;
    }
    return cell;
}

}  // namespace hob::store
