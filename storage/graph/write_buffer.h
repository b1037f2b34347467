#pragma once
#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/error.h"
#include "storage/store/row_store.h"

namespace hob::graph {

/// The tables that a transaction writes: `<graph>` and `<graph>_i`.
enum class Table : std::uint8_t { kGraph, kIndex };
inline constexpr std::size_t kTables = 2;

/// What a transaction changed in one family of a row, and in a row.
struct FamilyEdits {
    bool hides_store = false;  ///< Cleared, or known to be absent from the store.
    absl::btree_map<std::string, std::optional<std::string>, std::less<>>
        cells;  ///< Nothing: deleted.
    std::uint32_t deletes = 0;
    [[nodiscard]] bool untouched() const { return !hides_store && cells.empty(); }
};
struct RowEdits {
    bool absent = false;
    std::array<FamilyEdits, 2> families;  ///< p, e
};

/// A transaction's cells: what it wrote lies over what the store holds, and every read of it goes
/// through here, so that all of a transaction's reads see its writes by one mechanism. Used by one
/// thread at a time.
class WriteBuffer {
  public:
    WriteBuffer(store::RowStore& store, std::array<std::string, kTables> tables)
        : store_(store), tables_(std::move(tables)) {}

    // --- writes ---
    void put(Table table, std::string_view row, char family, std::string qualifier,
             std::string value);
    void erase(Table table, std::string_view row, char family, std::string_view qualifier);
    void clear_family(Table table, std::string_view row, char family);
    /// The store has no such row: reads of it need no store call, and clearing it needs no delete.
    /// Nothing changes for a row that this transaction has cleared.
    void set_absent(Table table, std::string_view row);
    [[nodiscard]] bool is_absent(Table table, std::string_view row) const;
    /// True when this transaction wrote a cell whose qualifier starts with `prefix`.
    [[nodiscard]] bool wrote(Table table, std::string_view row, char family,
                             std::string_view prefix) const;
    [[nodiscard]] bool empty() const { return rows_[0].empty() && rows_[1].empty(); }
    void clear();
    /// All changes, in an order that is safe to apply row by row: vertices' rows, then index rows.
    [[nodiscard]] std::vector<store::RowMutation> mutations() const;

    // --- reads ---
    /// As RowStore::multi_get, this transaction's writes merged in. Rows that need no store call
    /// cost none. No reversed ranges.
    Status get(Table table, char family, std::span<const store::RowGet> gets,
               const store::Snapshot* snapshot, const store::CallContext& call,
               store::CallStats& stats, store::RowBatch& out) const;
    /// Reads ahead, in one multi-get, what later single gets of the same rows and ranges will ask:
    /// those then cost none. What was read ahead before is forgotten.
    Status read_ahead(Table table, char family, std::span<const store::RowGet> gets,
                      const store::Snapshot* snapshot, const store::CallContext& call,
                      store::CallStats& stats);
    /// As RowStore::scan, the writes made until now and later changes of rows that existed merged
    /// in. `this` must outlive the scanner.
    Result<std::unique_ptr<store::Scanner>> scan(Table table, store::ScanSpec spec,
                                                 std::shared_ptr<const store::Snapshot> snapshot,
                                                 const store::CallContext& call,
                                                 store::CallStats& stats) const;

  private:
    friend class MergedScanner;
    using Rows = absl::btree_map<std::string, RowEdits, std::less<>>;

    static std::size_t index_of(char family) { return family == 'p' ? 0 : 1; }
    RowEdits& edits(Table table, std::string_view row);
    [[nodiscard]] const FamilyEdits* find(Table table, std::string_view row, char family) const;
    /// What the store holds, read ahead or read now.
    Status stored(Table table, char family, std::span<const store::RowGet> gets,
                  const store::Snapshot* snapshot, const store::CallContext& call,
                  store::CallStats& stats, store::RowBatch& out) const;
    static void merge(const store::RowGet& get, std::span<const store::Cell> stored,
                      const FamilyEdits& edits, store::RowBatch& out);

    store::RowStore& store_;
    std::array<std::string, kTables> tables_;
    std::array<Rows, kTables> rows_;
    /// Cells read ahead, by what asked for them; only where no limit cut them off.
    store::RowBatch ahead_;
    absl::flat_hash_map<std::string, std::size_t> ahead_rows_;
};

}  // namespace hob::graph
