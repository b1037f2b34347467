#pragma once
#include <cstdint>
#include <mutex>
#include <string>

#include "storage/base/error.h"
#include "storage/store/row_store.h"

namespace hob::layout {

/// Ids that the server makes up: ascending longs from 1, taken from a counter cell of
/// `<graph>_meta` in blocks, so that most ids cost no store call and several servers never give the
/// same one. Ids of a block that was not used up are lost. Thread-safe.
class IdBlock {
  public:
    IdBlock(store::RowStore& store, std::string table, std::string row)
        : store_(store), table_(std::move(table)), row_(std::move(row)) {}

    /// Reads the counter, so that `highest` knows what a restart left.
    Status load(const store::CallContext& call);
    Result<std::int64_t> next(const store::CallContext& call);
    /// A user gave this id himself: later ones of ours will be above it. Ids near the end of the
    /// range are let be.
    Status reserve(std::int64_t id, const store::CallContext& call);
    /// No id that the server gave or reserved through this object, or before `load`, is above this
    /// one.
    [[nodiscard]] std::int64_t highest() const;

    static constexpr std::int64_t kBlockMin = 1'000;
    static constexpr std::int64_t kBlockMax =
        100'000;  ///< Blocks double up to here: what a crash may lose.
    static constexpr std::int64_t kReservable = std::int64_t{1} << 62;

  private:
    Status take(std::int64_t amount, const store::CallContext& call);

    store::RowStore& store_;
    const std::string table_;
    const std::string row_;
    mutable std::mutex mutex_;
    std::int64_t next_ = 1;  ///< Guarded by mutex_, as all below.
    std::int64_t end_ = 1;   ///< One past the block; the counter's value after the last increment.
    std::int64_t block_size_ = kBlockMin;
};

}  // namespace hob::layout
