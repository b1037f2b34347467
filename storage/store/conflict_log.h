#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include "storage/store/row_store.h"

namespace hob::store {

/// Who wrote which cell since the oldest live snapshot: what the optimistic transactions of the
/// in-process stores (memory, RocksDB) are checked against. It numbers the commits; while no
/// snapshot lives it records nothing, so a bulk load pays nothing for it. Not thread-safe: guarded
/// by its store's commit lock.
///
/// A write of a cell conflicts with another write of the cell, or a delete of its family in that
/// row, since the snapshot. A family delete conflicts with any other write of that family in that
/// row.
class ConflictLog {
  public:
    /// Beyond this many remembered writes the oldest are forgotten, and snapshots older than those
    /// can still read but no longer commit. About 150 bytes each.
    static constexpr std::size_t kWritesMax = std::size_t{1} << 20;

    explicit ConflictLog(std::size_t writes_max = kWritesMax) : writes_max_(writes_max) {}

    struct Ticket {
        std::uint64_t sequence = 0;  ///< The last commit that the snapshot sees.
        std::uint64_t owner = 0;     ///< Tells the snapshot's own commits from those of others.
    };
    Ticket open_snapshot();
    void close_snapshot(const Ticket& ticket);

    /// kConflict when a write in `mutations` lost against a commit that `snapshot` does not see.
    [[nodiscard]] Status check(std::span<const RowMutation> mutations,
                               const Ticket& snapshot) const;
    /// Takes the next commit number and remembers the writes; `owner` 0 = no snapshot's.
    std::uint64_t record(std::span<const RowMutation> mutations, std::uint64_t owner);

    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    [[nodiscard]] bool has_snapshots() const { return !live_.empty(); }
    /// The oldest live snapshot's commit number; the current one when there is none.
    [[nodiscard]] std::uint64_t oldest_live() const {
        return live_.empty() ? sequence_ : live_.begin()->first;
    }
    [[nodiscard]] std::size_t remembered() const { return written_.size(); }

  private:
    struct Write {
        std::uint64_t sequence = 0;
        std::uint64_t owner = 0;
        std::uint64_t before = 0;  ///< The last commit of any other owner.
    };
    void remember(std::string key, const Write& write);
    void forget_unneeded();
    void forget_oldest();
    [[nodiscard]] bool lost(const std::string& key, const Ticket& snapshot) const;

    std::size_t writes_max_;
    std::uint64_t sequence_ = 0;
    std::uint64_t last_owner_ = 0;
    std::uint64_t forgotten_ = 0;  ///< Snapshots below this number can't be checked any more.
    std::map<std::uint64_t, std::size_t> live_;  ///< Commit number -> snapshots that see up to it.
    std::unordered_map<std::string, Write> written_;
    /// In commit order; each points at a key of `written_` (nodes stay put until erased).
    std::deque<std::pair<std::uint64_t, const std::string*>> order_;
};

}  // namespace hob::store
