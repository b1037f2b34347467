#include "storage/layout/id_block.h"

#include <algorithm>

#include "storage/base/bytes.h"

namespace hob::layout {
namespace {
constexpr std::string_view kCounter = "next";
}

Status IdBlock::load(const store::CallContext& call) {
    const store::RowGet get{.row = row_, .ranges = {}, .columns = {std::string(kCounter)}};
    store::RowBatch rows;
    store::CallStats stats;
    HOB_TRY(store_.multi_get(table_, 'p', {&get, 1}, nullptr, call, stats, rows));
    std::int64_t value = 0;
    if (const auto cells = rows.cells(0); !cells.empty()) {
        ByteReader in(cells[0].value);
        value = in.i64();
        if (!in.ok() || !in.at_end()) {
            return Error::corrupt("counter {} in {} has {} bytes, needs 8", row_, table_,
                                  cells[0].value.size());
        }
    }
    const std::lock_guard lock(mutex_);
    next_ = end_ = value + 1;
    block_size_ = kBlockMin;
    return {};
}

Status IdBlock::take(std::int64_t amount, const store::CallContext& call) {
    HOB_ASSIGN_OR_RETURN(const std::int64_t value,
                         store_.increment(table_, row_, 'p', kCounter, amount, call));
    next_ = value - amount + 1;
    end_ = value + 1;
    return {};
}

Result<std::int64_t> IdBlock::next(const store::CallContext& call) {
    const std::lock_guard lock(mutex_);
    if (next_ == end_) {
        HOB_TRY(take(block_size_, call));
        block_size_ = std::min(block_size_ * 2, kBlockMax);
    }
    return next_++;
}

Status IdBlock::reserve(std::int64_t id, const store::CallContext& call) {
    const std::lock_guard lock(mutex_);
    if (id < next_ || id > kReservable) return {};
    if (id >= end_) HOB_TRY(take(id - end_ + 1 + block_size_, call));
    next_ = std::max(next_, id + 1);
    return {};
}

std::int64_t IdBlock::highest() const {
    const std::lock_guard lock(mutex_);
    return end_ - 1;
}

}  // namespace hob::layout
