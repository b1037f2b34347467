#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store/row_store.h"

namespace hob::store {

/// Cells of rows as multi-gets brought them, for a store that one process owns: exact for every
/// snapshot. An entry is what a row's family held for one selection (ranges and columns) when it
/// was read; it is dropped before a commit that touches the row can be seen, so while it is here it
/// is right for every snapshot at or after the one it was read at. Bounded in bytes. Thread-safe.
class RowCache {
  public:
    /// `capacity_bytes` 0: nothing is ever kept.
    explicit RowCache(std::size_t capacity_bytes);
    ~RowCache();
    RowCache(const RowCache&) = delete;
    RowCache& operator=(const RowCache&) = delete;

    [[nodiscard]] bool enabled() const { return capacity_bytes_ != 0; }

    /// What a read must know to add what it brought; taken before it reads.
    struct Reading {
        std::uint64_t sequence = 0;  ///< Of the snapshot, or the store's newest when there is none.
        std::uint64_t epoch = 0;
    };
    [[nodiscard]] Reading begin_reading(std::uint64_t sequence) const {
        return {sequence, epoch_.load(std::memory_order_acquire)};
    }

    /// Appends the row's cells to `out` (their bytes kept alive by it) and ends the row. False: not
    /// here. `family` is the identity of the table's family.
    bool get(const void* family, const RowGet& get, const Reading& reading, RowBatch& out);
    /// Keeps what a get brought, if that can be used again and no commit came between.
    void put(const void* family, const RowGet& get, const Reading& reading,
             std::span<const Cell> cells);

    /// A row of one family.
    struct Place {
        const void* family = nullptr;
        std::string_view row;
    };
    /// What a commit is about to change: it is gone from here before the commit can be seen. The
    /// store calls it with its commit lock held, and `end` (with the sequence after the commit,
    /// whether it succeeded or not) before it lets go of that.
    void begin_commit(std::span<const Place> places);
    void end_commit(std::uint64_t sequence);
    /// A table was dropped: forgets everything, what is being read included.
    void clear();

    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Entry;
    struct Shard;
    static constexpr std::size_t kShards = 32;

    Shard& shard_of(std::string_view row) const;

    const std::size_t capacity_bytes_;
    std::atomic<std::uint64_t> epoch_{0};
    std::array<std::unique_ptr<Shard>, kShards> shards_;
    std::vector<Shard*> committing_;  ///< Guarded by the store's commit lock.
};

}  // namespace hob::store
