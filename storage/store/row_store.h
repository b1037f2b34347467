#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/error.h"

namespace hob::store {

/// The wide-column interface that every layout stands on (DESIGN.md section 4): tables of rows
/// sorted by key bytes, each row with column families, each family with cells sorted by qualifier
/// bytes. One row's mutations in one call are atomic; what is atomic across rows is said by
/// `commit`.

/// What a store operation may cost and when it must end. Thread-safe to read; one per query.
struct CallContext {
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::stop_token stop{};  ///< Requested when the client is gone or the server stops.

    /// kTimeout or kCancelled when the call must not be made (or continued) any more.
    [[nodiscard]] Status check() const;
};

/// What was asked of the store, counted as DESIGN.md section 3 shows it in profile(). One batch
/// call is one `multi_gets`, however many chunks or pages the store makes of it (`rpcs` counts
/// those).
struct CallStats {
    std::uint64_t multi_gets = 0;
    std::uint64_t scans = 0;
    std::uint64_t commits = 0;
    std::uint64_t rpcs = 0;
    std::uint64_t rows = 0;   ///< Rows that were asked for (gets) or seen (scans).
    std::uint64_t cells = 0;  ///< Cells that came back.
    std::uint64_t bytes = 0;  ///< Qualifier and value bytes that came back.
    std::uint64_t cache_hits = 0;

    CallStats& operator+=(const CallStats& other);
    friend CallStats operator-(CallStats a, const CallStats& b);
};

/// A column range of one family: qualifiers q with `from <= q < to`; an empty `to` is open-ended.
/// `cells_max` 0 = all. A range never gives more than that many cells, the first in qualifier order
/// (the last when `reversed`; stores that can't, read all and cut).
struct ColumnRange {
    std::string from;
    std::string to;
    std::uint32_t cells_max = 0;
    bool keys_only = false;  ///< Values may come back empty.
    bool reversed = false;   ///< `cells_max` cuts from the end; the cells given still ascend.
};

/// One row of a multi-get. All of one family: one open range. Ranges must be sorted and must not
/// overlap. `columns` are exact qualifiers (sorted); both may be given. Both empty: every cell of
/// the family. One batch may read several families, of one row too: each get names its own.
struct RowGet {
    std::string row;
    std::vector<ColumnRange> ranges;
    std::vector<std::string> columns;
    char family = '\0';  ///< 0: the call's.

    [[nodiscard]] char family_or(char of_call) const { return family == '\0' ? of_call : family; }
};

struct Cell {
    std::string_view qualifier;
    std::string_view value;
};

/// The rows of one multi-get, in the order of the request; a missing row has no cells. Owns all
/// bytes; the views live as long as the batch. Used by one thread at a time.
class RowBatch {
  public:
    RowBatch() = default;
    RowBatch(const RowBatch&) = delete;
    RowBatch& operator=(const RowBatch&) = delete;
    RowBatch(RowBatch&&) = default;
    RowBatch& operator=(RowBatch&&) = default;

    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] std::size_t cell_count() const {
        return cells_.size();
    }  ///< Of all rows together.
    [[nodiscard]] std::span<const Cell> cells(std::size_t index) const {
        const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
        return {cells_.data() + begin, ends_[index] - begin};
    }
    /// The row's key; only scans fill it (a multi-get's caller knows what it asked for).
    [[nodiscard]] std::string_view row_key(std::size_t index) const { return keys_[index]; }
    void clear();

    // --- for stores ---
    /// Copies bytes into the batch's arena.
    std::string_view store(std::string_view bytes);
    void add_cell(std::string_view qualifier, std::string_view value) {
        cells_.push_back({store(qualifier), store(value)});
    }
    /// Keeps what the views of added cells point into.
    void keep(std::shared_ptr<const void> bytes) { kept_.push_back(std::move(bytes)); }
    /// A cell whose bytes `store()` has copied already, or `keep` holds.
    void add_stored(const Cell& cell) { cells_.push_back(cell); }
    void end_row() { ends_.push_back(cells_.size()); }
    void end_row(std::string_view key) {
        keys_.push_back(store(key));
        end_row();
    }

  private:
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::vector<std::shared_ptr<const void>> kept_;
    std::size_t block_size_ = 0;
    std::size_t block_used_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::size_t> ends_;
    std::vector<std::string_view> keys_;
};

/// One change of one cell, or of a whole family of the row (`kDeleteFamily`; qualifier unused).
struct CellMutation {
    enum class Kind : std::uint8_t { kPut, kDelete, kDeleteFamily };
    Kind kind = Kind::kPut;
    char family = 'p';
    std::string qualifier;
    std::string value;
};

/// All changes of one row; applied atomically. Later changes of the same cell win.
struct RowMutation {
    std::string table;
    std::string row;
    std::vector<CellMutation> cells;
};

struct ScanSpec {
    std::string table;
    char family = 'p';
    std::string from_row;              ///< Inclusive.
    std::string to_row;                ///< Exclusive; empty = to the end.
    std::vector<ColumnRange> ranges;   ///< As in RowGet.
    std::vector<std::string> columns;  ///< As in RowGet.
    std::uint64_t rows_max = 0;        ///< 0 = all.
    bool keys_only = false;            ///< Only the row's existence is wanted: one cell, no value.
};

/// Reads a scan page by page. Used by one thread at a time.
class Scanner {
  public:
    virtual ~Scanner() = default;
    /// Appends up to `rows_max` rows (with keys; rows that have no matching cell are left out) to a
    /// cleared `out`. An empty batch is the end.
    virtual Status next(std::size_t rows_max, RowBatch& out) = 0;
};

struct TableSpec {
    std::string name;
    std::string families = "p";  ///< One letter each.
    bool salted = false;         ///< The first key byte is a hash: pre-split evenly over 00..ff.
};

/// A consistent view to read from, where the store has one (RocksDB, memory); elsewhere reads see
/// the newest.
class Snapshot {
  public:
    virtual ~Snapshot() = default;
};

/// What a commit promises beyond its mutations.
struct CommitOptions {
    std::shared_ptr<const Snapshot>
        snapshot{};  ///< Writes that others made since then are conflicts.
    std::int64_t timestamp_us =
        0;              ///< Explicit timestamp of every cell (HBase); deletes use one less.
    bool sync = false;  ///< Wait for the log to be on disk.
};

/// Thread-safe. Every read and write is bounded by its CallContext.
/// Errors: kUnavailable (may be retried), kTimeout, kCancelled, kConflict (commit), kNotFound
/// (table), kInvalidArgument (a row of 0 or more than 16 KiB, a cell of 10 MiB or more), kCorrupt.
class RowStore {
  public:
    virtual ~RowStore() = default;

    [[nodiscard]] virtual std::string_view kind() const = 0;  ///< "memory", "rocksdb", "hbase".

    virtual Status create_table(const TableSpec& spec,
                                const CallContext& call) = 0;  ///< No-op when it exists.
    virtual Status drop_table(std::string_view table,
                              const CallContext& call) = 0;  ///< No-op when missing.
    virtual Result<bool> table_exists(std::string_view table, const CallContext& call) = 0;

    /// Null where the store keeps no snapshots.
    virtual std::shared_ptr<const Snapshot> snapshot() = 0;

    /// Reads many rows in one batch, of `family` where a get names none; `out` is cleared first.
    virtual Status multi_get(std::string_view table, char family, std::span<const RowGet> rows,
                             const Snapshot* snapshot, const CallContext& call, CallStats& stats,
                             RowBatch& out) = 0;

    virtual Result<std::unique_ptr<Scanner>> scan(const ScanSpec& spec,
                                                  std::shared_ptr<const Snapshot> snapshot,
                                                  const CallContext& call, CallStats& stats) = 0;

    /// Applies mutations. RocksDB and memory: all or nothing over all rows, kConflict when a cell
    /// that is written was written by another commit since `options.snapshot`. HBase: in the given
    /// order, row by row atomic (batched where rows are independent).
    virtual Status commit(std::span<const RowMutation> mutations, const CommitOptions& options,
                          const CallContext& call, CallStats& stats) = 0;

    /// Atomically: when the cell's value equals `expected` (empty = the cell is absent), applies
    /// `mutation` (to the same row) and gives true.
    virtual Result<bool> check_and_mutate(const RowMutation& mutation, char family,
                                          std::string_view qualifier, std::string_view expected,
                                          const CallContext& call) = 0;

    /// Adds to an 8-byte big-endian counter cell (absent = 0) and gives the new value.
    virtual Result<std::int64_t> increment(std::string_view table, std::string_view row,
                                           char family, std::string_view qualifier,
                                           std::int64_t amount, const CallContext& call) = 0;

    /// A cheap real read that shows the store can serve (for /readyz).
    virtual Status ping(const CallContext& call) = 0;
};

}  // namespace hob::store
