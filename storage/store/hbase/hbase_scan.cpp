#include <algorithm>

#include "storage/store/hbase/hbase_filter.h"
#include "storage/store/hbase/hbase_read.h"
#include "storage/store/hbase/hbase_wire.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

constexpr std::size_t kFirstPageRows = 100;
constexpr std::size_t kPageRowsMin = 10;
/// A row comes in parts of at most this many cells; one that is cut at a page's end is read by a
/// multi-get.
constexpr std::int32_t kPartCells = 500;

class HBaseScanner final : public Scanner {
  public:
    HBaseScanner(std::shared_ptr<HBaseCore> core, ScanSpec spec, CallContext call, CallStats& stats)
        : core_(std::move(core)),
          spec_(std::move(spec)),
          call_(std::move(call)),
          stats_(&stats),
          name_(core_->data_name(spec_.table)),
          resume_(spec_.from_row) {}

    Status next(std::size_t rows_max, RowBatch& out) override {
        out.clear();
        HOB_TRY(call_.check());
        while (!is_done_ && out.size() == 0 && rows_max > 0) {
            std::size_t rows = std::min({rows_max, page_rows_, core_->options.chunk_rows});
            if (spec_.rows_max != 0) rows = std::min<std::size_t>(rows, spec_.rows_max - given_);
            HOB_TRY(read_page(rows, out));
            if (spec_.rows_max != 0 && given_ >= spec_.rows_max) is_done_ = true;
        }
        return {};
    }

  private:
    Status read_page(std::size_t parts_max, RowBatch& out) {
        const thrift2::TScan scan = page_scan(parts_max);
        ResultList answer;
        ++stats_->rpcs;
        Status read = core_->pool.call(fmt::format("scan of '{}'", name_), call_,
                                       HBasePool::Repeat::kOnce, [&](HBaseConnection& on) {
                                           answer = ResultList();
                                           on.client().send_getScannerResults(
                                               name_, scan, static_cast<std::int32_t>(parts_max));
                                           read_results(*on.wire().protocol, true, answer);
                                       });
        if (!read.ok()) return core_->explain(std::move(read.error()), spec_.table, call_);
        core_->clock.observe(answer.newest_us);
        const std::size_t parts = answer.rows.size();
        if (parts < parts_max) is_done_ = true;
        for (std::size_t begin = 0; begin < parts;) {
            const std::string_view key = answer.rows.row_key(begin);
            std::size_t end = begin + 1;
            while (end < parts && answer.rows.row_key(end) == key) {
                ++end;
            }
            const bool is_cut = end == parts && answer.partial[end - 1];
            HOB_TRY(is_cut ? read_whole_row(key, out) : add_row(answer, begin, end, out));
            resume_.assign(key).push_back('\0');
            begin = end;
        }
        if (parts > 0) {
            const std::size_t cells_per_part =
                std::max<std::size_t>(1, answer.rows.cell_count() / parts);
            page_rows_ = std::max(kPageRowsMin, core_->options.cells_per_call / cells_per_part);
        }
        return {};
    }

    thrift2::TScan page_scan(std::size_t parts) const {
        thrift2::TScan scan;
        scan.__set_startRow(resume_);
        if (!spec_.to_row.empty()) scan.__set_stopRow(spec_.to_row);
        scan.__set_caching(static_cast<std::int32_t>(parts));
        scan.__set_batchSize(kPartCells);
        const std::string family(1, spec_.family);
        scan.__isset.columns = true;
        if (spec_.ranges.empty()) {
            for (const auto& qualifier : spec_.columns) {
                scan.columns.emplace_back();
                scan.columns.back().__set_family(family);
                scan.columns.back().__set_qualifier(qualifier);
            }
        }
        if (scan.columns.empty()) {
            scan.columns.emplace_back();
            scan.columns.back().__set_family(family);
        }
        const std::string filter = scan_filter();
        if (!filter.empty()) scan.__set_filterBytes(filter);
        return scan;
    }

    std::string scan_filter() const {
        std::vector<std::string> wanted;
        bool keys_only = spec_.keys_only || !spec_.ranges.empty();
        for (const auto& range : spec_.ranges) {
            if (!is_empty_range(range)) wanted.push_back(column_range_filter(range.from, range.to));
            keys_only = keys_only && (spec_.keys_only || range.keys_only);
        }
        if (!spec_.ranges.empty()) {
            for (const auto& qualifier : spec_.columns) {
                wanted.push_back(column_filter(qualifier));
            }
            keys_only = keys_only && (spec_.keys_only || spec_.columns.empty());
        }
        std::vector<std::string> filters;
        if (!wanted.empty()) filters.push_back(any_of(wanted));
        // Behind a range filter it would take the row's first cell for the range's.
        if (spec_.keys_only && wanted.empty()) filters.push_back(first_key_only_filter());
        if (keys_only) filters.push_back(key_only_filter());
        return filters.empty() ? std::string() : all_of(filters);
    }

    /// Adds the row that stands in parts [begin, end), cut as the ranges want it.
    Status add_row(const ResultList& answer, std::size_t begin, std::size_t end, RowBatch& out) {
        std::vector<Cell> cells;
        for (std::size_t part = begin; part < end; ++part) {
            const auto some = answer.rows.cells(part);
            cells.insert(cells.end(), some.begin(), some.end());
        }
        cut(cells);
        give(answer.rows.row_key(begin), cells, out);
        return {};
    }

    Status read_whole_row(std::string_view key, RowBatch& out) {
        const std::vector<RowGet> get{{std::string(key), spec_.ranges, spec_.columns}};
        CallStats ignored;
        RowBatch row;
        HOB_TRY(hbase_multi_get(*core_, spec_.table, spec_.family, get, call_, ignored, row));
        stats_->rpcs += ignored.rpcs;
        std::vector<Cell> cells(row.cells(0).begin(), row.cells(0).end());
        if (spec_.keys_only) cut(cells);
        give(key, cells, out);
        return {};
    }

    /// Leaves what the ranges' own limits allow; a cell may also stay because it is asked for by
    /// name.
    void cut(std::vector<Cell>& cells) const {
        if (spec_.keys_only) {
            if (cells.size() > 1) cells.resize(1);
            if (!cells.empty()) cells[0].value = {};
            return;
        }
        const auto has_limit = [](const ColumnRange& range) { return range.cells_max != 0; };
        if (std::none_of(spec_.ranges.begin(), spec_.ranges.end(), has_limit)) return;
        std::vector<bool> keep(cells.size(), false);
        std::size_t begin = 0;
        for (const auto& range : spec_.ranges) {
            while (begin < cells.size() && cells[begin].qualifier < range.from) {
                ++begin;
            }
            std::size_t end = begin;
            while (end < cells.size() && (range.to.empty() || cells[end].qualifier < range.to)) {
                ++end;
            }
            const std::size_t count = range.cells_max == 0
                                          ? end - begin
                                          : std::min<std::size_t>(end - begin, range.cells_max);
            const std::size_t first = range.reversed ? end - count : begin;
            std::fill_n(keep.begin() + static_cast<std::ptrdiff_t>(first), count, true);
            begin = end;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool is_named =
                std::binary_search(spec_.columns.begin(), spec_.columns.end(), cells[i].qualifier);
            if (keep[i] || is_named) cells[kept++] = cells[i];
        }
        cells.resize(kept);
    }

    void give(std::string_view key, const std::vector<Cell>& cells, RowBatch& out) {
        if (cells.empty()) return;
        for (const auto& cell : cells) {
            out.add_cell(cell.qualifier, cell.value);
            stats_->bytes += cell.qualifier.size() + cell.value.size();
        }
        out.end_row(key);
        stats_->cells += cells.size();
        ++stats_->rows;
        ++given_;
    }

    std::shared_ptr<HBaseCore> core_;
    ScanSpec spec_;
    CallContext call_;
    CallStats* stats_;
    std::string name_;
    std::string resume_;  ///< The first row of the next page.
    std::size_t page_rows_ = kFirstPageRows;
    std::uint64_t given_ = 0;
    bool is_done_ = false;
};

}  // namespace

std::unique_ptr<Scanner> hbase_scan(std::shared_ptr<HBaseCore> core, const ScanSpec& spec,
                                    const CallContext& call, CallStats& stats) {
    return std::make_unique<HBaseScanner>(std::move(core), spec, call, stats);
}

}  // namespace hob::store
