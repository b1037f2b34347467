#include "storage/store/rocksdb/rocksdb_read.h"

#include <algorithm>
#include <numeric>

#include "storage/store/rocksdb/row_key.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

/// Work done between two looks at the deadline.
constexpr std::size_t kRowsPerCheck = 64;
constexpr std::size_t kCellsPerCheck = 4096;
/// Exact columns looked up in one MultiGet.
constexpr std::size_t kKeysPerMultiGet = 1024;
/// Cells stepped over before a scan seeks to the next row instead.
constexpr int kStepsBeforeSeek = 8;

rocksdb::ReadOptions read_options(const rocksdb::Snapshot* snapshot) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    return options;
}

/// Reads ranges of one row after another through one iterator, into bytes that the batch owns.
class RangeReader {
  public:
    RangeReader(const RocksCore& core, const RocksFamily& family, const rocksdb::Snapshot* snapshot,
                const CallContext& call, RowBatch& out)
        : core_(core), family_(family), snapshot_(snapshot), call_(call), out_(out) {}

    /// Adds the cells of `range` in the row of `prefix` to `cells`.
    Status read(std::string_view prefix, const ColumnRange& range, bool with_values,
                std::vector<Cell>& cells) {
        if (is_empty_range(range)) return {};
        return range.reversed ? read_backwards(prefix, range, with_values, cells)
                              : read_forwards(prefix, range, with_values, cells);
    }

  private:
    Status read_forwards(std::string_view prefix, const ColumnRange& range, bool with_values,
                         std::vector<Cell>& cells) {
        if (forward_ == nullptr) {
            rocksdb::ReadOptions options = read_options(snapshot_);
            options.prefix_same_as_start = true;
            forward_.reset(core_.db().NewIterator(options, family_.handle()));
        }
        target_.assign(prefix).append(range.from);
        std::size_t left = range.cells_max == 0 ? ~std::size_t{0} : range.cells_max;
        for (forward_->Seek(slice(target_)); left > 0 && forward_->Valid();
             forward_->Next(), --left) {
            const std::string_view key = view(forward_->key());
            if (!key.starts_with(prefix)) break;
            const std::string_view qualifier = key.substr(prefix.size());
            if (!range.to.empty() && qualifier >= range.to) break;
            HOB_TRY(add(*forward_, qualifier, with_values, cells));
        }
        return core_.status(forward_->status(), "read rows");
    }

    Status read_backwards(std::string_view prefix, const ColumnRange& range, bool with_values,
                          std::vector<Cell>& cells) {
        if (backward_ == nullptr) {
            rocksdb::ReadOptions options = read_options(snapshot_);
            options.total_order_seek = true;
            backward_.reset(core_.db().NewIterator(options, family_.handle()));
        }
        if (range.to.empty()) {
            target_ = after_row(prefix);
        } else {
            target_.assign(prefix).append(range.to);
        }
        const std::size_t first = cells.size();
        std::size_t left = range.cells_max == 0 ? ~std::size_t{0} : range.cells_max;
        backward_->SeekForPrev(slice(target_));
        if (backward_->Valid() && view(backward_->key()) == target_) backward_->Prev();
        for (; left > 0 && backward_->Valid(); backward_->Prev(), --left) {
            const std::string_view key = view(backward_->key());
            if (!key.starts_with(prefix)) break;
            const std::string_view qualifier = key.substr(prefix.size());
            if (qualifier < range.from) break;
            HOB_TRY(add(*backward_, qualifier, with_values, cells));
        }
        std::reverse(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end());
        return core_.status(backward_->status(), "read rows");
    }

    Status add(const rocksdb::Iterator& at, std::string_view qualifier, bool with_value,
               std::vector<Cell>& cells) {
        if (++read_ % kCellsPerCheck == 0) HOB_TRY(call_.check());
        const std::string_view value =
            with_value ? out_.store(view(at.value())) : std::string_view{};
        cells.push_back({out_.store(qualifier), value});
        return {};
    }

    const RocksCore& core_;
    const RocksFamily& family_;
    const rocksdb::Snapshot* snapshot_;
    const CallContext& call_;
    RowBatch& out_;
    std::unique_ptr<rocksdb::Iterator> forward_;
    std::unique_ptr<rocksdb::Iterator> backward_;
    std::string target_;
    std::size_t read_ = 0;
};

/// Looks exact columns up in MultiGets, and answers them in the order in which they were added
/// (best: key order).
class ColumnReader {
  public:
    ColumnReader(const RocksCore& core, const RocksFamily& family,
                 const rocksdb::Snapshot* snapshot, const CallContext& call, RowBatch& out)
        : core_(core), family_(family), options_(read_options(snapshot)), call_(call), out_(out) {}

    void add(std::string_view prefix, std::string_view column) {
        keys_.push_back(std::string(prefix).append(column));
        column_sizes_.push_back(column.size());
    }

    Status read_all() {
        found_.resize(keys_.size());
        for (std::size_t begin = 0; begin < keys_.size(); begin += kKeysPerMultiGet) {
            HOB_TRY(call_.check());
            HOB_TRY(read(begin, std::min(keys_.size(), begin + kKeysPerMultiGet)));
        }
        return {};
    }

    /// Gives the next `count` columns' cells, those that exist.
    void take(std::size_t count, std::vector<Cell>& cells) {
        for (const std::size_t end = next_ + count; next_ < end; ++next_) {
            if (found_[next_].has_value) cells.push_back(found_[next_].cell);
        }
    }

  private:
    struct Found {
        bool has_value = false;
        Cell cell;
    };

    Status read(std::size_t begin, std::size_t end) {
        const std::size_t count = end - begin;
        std::vector<rocksdb::Slice> keys(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         keys_.begin() + static_cast<std::ptrdiff_t>(end));
        std::vector<rocksdb::PinnableSlice> values(count);
        std::vector<rocksdb::Status> statuses(count);
        // Sorted, but for a row that was asked for twice.
        const bool is_sorted = std::is_sorted(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                                              keys_.begin() + static_cast<std::ptrdiff_t>(end));
        core_.db().MultiGet(options_, family_.handle(), count, keys.data(), values.data(),
                            statuses.data(), is_sorted);
        for (std::size_t i = 0; i < count; ++i) {
            if (statuses[i].IsNotFound()) continue;
            HOB_TRY(core_.status(statuses[i], "read cells"));
            const std::string& key = keys_[begin + i];
            const std::size_t size = column_sizes_[begin + i];
            const std::string_view qualifier = std::string_view(key).substr(key.size() - size);
            found_[begin + i] = {true, {out_.store(qualifier), out_.store(view(values[i]))}};
        }
        return {};
    }

    const RocksCore& core_;
    const RocksFamily& family_;
    rocksdb::ReadOptions options_;
    const CallContext& call_;
    RowBatch& out_;
    std::vector<std::string> keys_;
    std::vector<std::size_t> column_sizes_;
    std::vector<Found> found_;
    std::size_t next_ = 0;
};

/// When a row is read by ranges and by columns: sorts `cells` and leaves each qualifier once. The
/// exact columns come last in `cells` and win, since they have their values.
void merge_columns(std::vector<Cell>& cells) {
    std::reverse(cells.begin(), cells.end());
    std::stable_sort(cells.begin(), cells.end(),
                     [](const Cell& a, const Cell& b) { return a.qualifier < b.qualifier; });
    const auto end = std::unique(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
        return a.qualifier == b.qualifier;
    });
    cells.erase(end, cells.end());
}

void count_cells(std::span<const Cell> cells, CallStats& stats) {
    stats.cells += cells.size();
    for (const auto& cell : cells) {
        stats.bytes += cell.qualifier.size() + cell.value.size();
    }
}

class RocksScanner final : public Scanner {
  public:
    RocksScanner(std::shared_ptr<RocksCore> core, std::shared_ptr<RocksFamily> family,
                 const ScanSpec& spec, std::shared_ptr<const Snapshot> snapshot, CallContext call,
                 CallStats& stats)
        : core_(std::move(core)),
          family_(std::move(family)),
          spec_(spec),
          snapshot_(std::move(snapshot)),
          call_(std::move(call)),
          stats_(&stats) {
        rocksdb::ReadOptions options = read_options(rocks_of(snapshot_.get()));
        options.total_order_seek = true;
        if (!spec.to_row.empty()) {
            end_key_ = row_prefix(spec.to_row);
            end_slice_ = slice(end_key_);
            options.iterate_upper_bound = &end_slice_;
        }
        at_.reset(core_->db().NewIterator(options, family_->handle()));
        if (spec.from_row.empty()) {
            at_->SeekToFirst();
        } else {
            at_->Seek(row_prefix(spec.from_row));
        }
    }

    Status next(std::size_t rows_max, RowBatch& out) override {
        out.clear();
        HOB_TRY(call_.check());
        ++stats_->rpcs;
        while (at_->Valid() && out.size() < rows_max &&
               (spec_.rows_max == 0 || given_ < spec_.rows_max)) {
            if (++seen_ % kRowsPerCheck == 0) HOB_TRY(call_.check());
            HOB_TRY(next_row(out));
        }
        return core_->status(at_->status(), "scan rows");
    }

  private:
    Status next_row(RowBatch& out) {
        const std::string_view key = view(at_->key());
        const std::size_t prefix_size = row_prefix_size(key);
        if (prefix_size == kNoRowPrefix) {
            return Error::corrupt("table '{}': a stored key of {} bytes has no row terminator",
                                  spec_.table, key.size());
        }
        prefix_.assign(key.substr(0, prefix_size));
        cells_.clear();
        HOB_TRY(read_row(out));
        if (!cells_.empty()) {
            for (const auto& cell : cells_) {
                out.add_stored(cell);
            }
            unescape_row(prefix_, row_);
            out.end_row(row_);
            count_cells(cells_, *stats_);
            ++stats_->rows;
            ++given_;
        }
        leave_row();
        return {};
    }

    Status read_row(RowBatch& out) {
        const bool whole = spec_.ranges.empty() && spec_.columns.empty();
        if (whole) return read_from_here({}, false, out);
        for (const auto& range : spec_.ranges) {
            if (is_empty_range(range)) continue;
            if (range.reversed && range.cells_max != 0) {
                HOB_TRY(read_last(range, out));
            } else {
                seek(range.from);
                HOB_TRY(read_from_here(range, range.keys_only, out));
            }
            if (spec_.keys_only && !cells_.empty()) return {};
        }
        for (const auto& column : spec_.columns) {
            seek(column);
            if (!in_row() || view(at_->key()).substr(prefix_.size()) != column) continue;
            HOB_TRY(add(spec_.keys_only, out));
            if (spec_.keys_only) return {};
        }
        if (!spec_.ranges.empty() && !spec_.columns.empty()) merge_columns(cells_);
        return {};
    }

    /// Reads on from the iterator's place to the range's or the row's end.
    Status read_from_here(const ColumnRange& range, bool keys_only, RowBatch& out) {
        std::size_t left = range.cells_max == 0 ? ~std::size_t{0} : range.cells_max;
        if (spec_.keys_only) left = 1;
        for (; left > 0 && in_row(); at_->Next(), --left) {
            const std::string_view qualifier = view(at_->key()).substr(prefix_.size());
            if (!range.to.empty() && qualifier >= range.to) break;
            HOB_TRY(add(keys_only || spec_.keys_only, out));
        }
        return {};
    }

    /// The range's last cells: read all, keep the tail.
    Status read_last(const ColumnRange& range, RowBatch& out) {
        const std::size_t first = cells_.size();
        ColumnRange all = range;
        all.cells_max = 0;
        seek(range.from);
        HOB_TRY(read_from_here(all, range.keys_only, out));
        const std::size_t count = cells_.size() - first;
        if (count > range.cells_max) {
            const auto begin = cells_.begin() + static_cast<std::ptrdiff_t>(first);
            cells_.erase(begin, begin + static_cast<std::ptrdiff_t>(count - range.cells_max));
        }
        return {};
    }

    Status add(bool keys_only, RowBatch& out) {
        if (++read_ % kCellsPerCheck == 0) HOB_TRY(call_.check());
        const std::string_view qualifier = view(at_->key()).substr(prefix_.size());
        cells_.push_back(
            {out.store(qualifier), keys_only ? std::string_view{} : out.store(view(at_->value()))});
        return {};
    }

    [[nodiscard]] bool in_row() const {
        return at_->Valid() && view(at_->key()).starts_with(prefix_);
    }

    void seek(std::string_view qualifier) {
        target_.assign(prefix_).append(qualifier);
        if (at_->Valid() && view(at_->key()) == target_) return;
        at_->Seek(slice(target_));
    }

    void leave_row() {
        for (int i = 0; i < kStepsBeforeSeek && in_row(); ++i) {
            at_->Next();
        }
        if (in_row()) at_->Seek(after_row(prefix_));
    }

    std::shared_ptr<RocksCore> core_;
    std::shared_ptr<RocksFamily> family_;
    ScanSpec spec_;
    std::shared_ptr<const Snapshot> snapshot_;
    CallContext call_;
    CallStats* stats_;
    std::string end_key_;
    rocksdb::Slice end_slice_;
    std::unique_ptr<rocksdb::Iterator> at_;
    std::string prefix_;  ///< Of the row that is being read.
    std::string target_;
    std::string row_;
    std::vector<Cell> cells_;
    std::uint64_t given_ = 0;
    std::size_t seen_ = 0;
    std::size_t read_ = 0;
};

/// Indexes of the rows of one family, in key order.
std::vector<std::size_t> key_order(std::span<const RowGet> rows, char family, char of_call) {
    std::vector<std::size_t> order;
    order.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].family_or(of_call) == family) order.push_back(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return rows[a].row < rows[b].row; });
    return order;
}

/// The cells of a multi-get as they are found; `places[i]` is where those of row i begin and end.
struct FoundCells {
    std::vector<Cell> cells;
    std::vector<std::pair<std::size_t, std::size_t>> places;
};

/// Reads the rows of `order` from one column family.
Status read_family(ColumnReader& columns, RangeReader& ranges, std::span<const RowGet> rows,
                   std::span<const std::size_t> order, const CallContext& call, FoundCells& found) {
    static const ColumnRange kWholeRow;
    std::string prefix;
    for (const std::size_t index : order) {
        if (rows[index].columns.empty()) continue;
        prefix.clear();
        append_row_prefix(prefix, rows[index].row);
        for (const auto& column : rows[index].columns) {
            columns.add(prefix, column);
        }
    }
    HOB_TRY(columns.read_all());

    std::vector<Cell> row_cells;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i % kRowsPerCheck == kRowsPerCheck - 1) HOB_TRY(call.check());
        const RowGet& get = rows[order[i]];
        prefix.clear();
        append_row_prefix(prefix, get.row);
        row_cells.clear();
        for (const auto& range : get.ranges) {
            HOB_TRY(ranges.read(prefix, range, !range.keys_only, row_cells));
        }
        if (get.ranges.empty() && get.columns.empty())
            HOB_TRY(ranges.read(prefix, kWholeRow, true, row_cells));
        columns.take(get.columns.size(), row_cells);
        if (!get.ranges.empty() && !get.columns.empty()) merge_columns(row_cells);
        found.places[order[i]] = {found.cells.size(), found.cells.size() + row_cells.size()};
        found.cells.insert(found.cells.end(), row_cells.begin(), row_cells.end());
    }
    return {};
}

}  // namespace

Status rocks_multi_get(const RocksCore& core, const RocksFamilies& families,
                       std::span<const RowGet> rows, const rocksdb::Snapshot* snapshot,
                       const CallContext& call, CallStats& stats, RowBatch& out) {
    FoundCells found;
    found.places.resize(rows.size());
    for (const auto& [letter, family] : families) {
        const auto order = key_order(rows, letter, families.front().first);
        if (order.empty()) continue;
        ColumnReader columns(core, *family, snapshot, call, out);
        RangeReader ranges(core, *family, snapshot, call, out);
        HOB_TRY(read_family(columns, ranges, rows, order, call, found));
    }
    for (const auto& [begin, end] : found.places) {
        for (std::size_t i = begin; i < end; ++i) {
            out.add_stored(found.cells[i]);
        }
        out.end_row();
    }
    count_cells(found.cells, stats);
    return {};
}

std::unique_ptr<Scanner> rocks_scan(std::shared_ptr<RocksCore> core,
                                    std::shared_ptr<RocksFamily> family, const ScanSpec& spec,
                                    std::shared_ptr<const Snapshot> snapshot,
                                    const CallContext& call, CallStats& stats) {
    return std::make_unique<RocksScanner>(std::move(core), std::move(family), spec,
                                          std::move(snapshot), call, stats);
}

}  // namespace hob::store
