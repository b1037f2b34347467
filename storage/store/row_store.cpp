#include "storage/store/row_store.h"

#include <algorithm>
#include <cstring>

namespace hob::store {
namespace {

/// A batch that grows doubles its blocks up to this size, so that small answers stay small.
constexpr std::size_t kFirstBlockBytes = std::size_t{4} << 10;
constexpr std::size_t kLargestBlockBytes = std::size_t{1} << 20;
/// Every block starts with its own size.
constexpr std::size_t kBlockHeaderBytes = sizeof(std::size_t);

#ifdef HOB_CHECKS
/// A view that outlived its batch then reads this pattern in any test (STYLE.md section 4).
void overwrite(std::vector<std::unique_ptr<char[]>>& blocks) {
    for (auto& block : blocks) {
        std::size_t size = 0;
        std::memcpy(&size, block.get(), kBlockHeaderBytes);
        std::memset(block.get() + kBlockHeaderBytes, 0xdd, size - kBlockHeaderBytes);
    }
}
#endif

}  // namespace

Status CallContext::check() const {
    if (stop.stop_requested()) {
        return Error{Code::kCancelled, "the request was cancelled before the store was asked"};
    }
    if (deadline != std::chrono::steady_clock::time_point::max() &&
        std::chrono::steady_clock::now() >= deadline) {
        return Error{Code::kTimeout, "the deadline of the request passed during a store call"};
    }
    return {};
}

CallStats& CallStats::operator+=(const CallStats& other) {
    multi_gets += other.multi_gets;
    scans += other.scans;
    commits += other.commits;
    rpcs += other.rpcs;
    rows += other.rows;
    cells += other.cells;
    bytes += other.bytes;
    cache_hits += other.cache_hits;
    return *this;
}

CallStats operator-(CallStats a, const CallStats& b) {
    a.multi_gets -= b.multi_gets;
    a.scans -= b.scans;
    a.commits -= b.commits;
    a.rpcs -= b.rpcs;
    a.rows -= b.rows;
    a.cells -= b.cells;
    a.bytes -= b.bytes;
    a.cache_hits -= b.cache_hits;
    return a;
}

void RowBatch::clear() {
#ifdef HOB_CHECKS
    overwrite(blocks_);
#endif
    blocks_.clear();
    kept_.clear();
    block_size_ = 0;
    block_used_ = 0;
    cells_.clear();
    ends_.clear();
    keys_.clear();
}

std::string_view RowBatch::store(std::string_view bytes) {
    if (bytes.empty()) return {};
    // `blocks_` is empty in a moved-from batch, whose sizes are stale.
    if (blocks_.empty() || bytes.size() > block_size_ - block_used_) {
        const std::size_t grown =
            blocks_.empty() ? kFirstBlockBytes : std::min(block_size_ * 2, kLargestBlockBytes);
        block_size_ = std::max(grown, bytes.size() + kBlockHeaderBytes);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
        std::memcpy(blocks_.back().get(), &block_size_, kBlockHeaderBytes);
        block_used_ = kBlockHeaderBytes;
    }
    char* place = blocks_.back().get() + block_used_;
    std::memcpy(place, bytes.data(), bytes.size());
    block_used_ += bytes.size();
    return {place, bytes.size()};
}

}  // namespace hob::store
