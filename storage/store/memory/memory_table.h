#pragma once
#include <absl/container/btree_map.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store/row_store.h"

namespace hob::store {

/// The sequence that sees everything.
constexpr std::uint64_t kNewest = ~std::uint64_t{0};

/// One version of one cell; older ones hang behind it while a snapshot may see them.
struct CellVersion {
    std::uint64_t sequence = 0;
    bool is_live = true;  ///< False: the cell was deleted by this commit.
    std::string value;
    std::unique_ptr<CellVersion> older;

    /// The value at `sequence`, or null when the cell was absent then.
    [[nodiscard]] const std::string* value_at(std::uint64_t at) const;
};

using MemoryRow = absl::btree_map<std::string, CellVersion, std::less<>>;

/// What a get or a scan wants of a row.
struct RowSelection {
    const std::vector<ColumnRange>& ranges;
    const std::vector<std::string>& columns;
    bool keys_only = false;  ///< One cell without its value is enough.
};

/// Adds the wanted cells of `row`, as they were at `sequence`, to `out` (without ending the row)
/// and gives how many bytes they have.
std::size_t read_row(const MemoryRow& row, const RowSelection& want, std::uint64_t sequence,
                     RowBatch& out);

/// One family of one table. Used under the store's lock.
class MemoryFamily {
  public:
    absl::btree_map<std::string, MemoryRow, std::less<>> rows;

    /// Applies one change. With `keep_history` the version before stays readable for snapshots.
    void apply(const std::string& row, const CellMutation& change, std::uint64_t sequence,
               bool keep_history);
    /// Drops the cell's versions that no snapshot at or above `oldest_live` sees.
    void collect(const std::string& row, const std::string& qualifier, std::uint64_t oldest_live);

  private:
    void put(const std::string& row, const CellMutation& change, std::uint64_t sequence,
             bool keep_history);
    void remove(const std::string& row, const std::string& qualifier, std::uint64_t sequence,
                bool keep_history);
};

}  // namespace hob::store
