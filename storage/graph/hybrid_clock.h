#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

namespace hob::graph {

/// Timestamps for cells: microseconds of the system clock, but never the same or an earlier one
/// twice. Steps of two, since a store may write the deletes of a commit one before its puts.
/// Thread-safe.
class HybridClock {
  public:
    std::int64_t next() {
        using std::chrono::microseconds;
        const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
        const std::int64_t now = std::chrono::duration_cast<microseconds>(since_epoch).count();
        std::int64_t last = last_.load(std::memory_order_relaxed);
        std::int64_t mine = 0;
        do {
            mine = now > last + 1 ? now : last + 2;
        } while (!last_.compare_exchange_weak(last, mine, std::memory_order_relaxed));
        return mine;
    }

  private:
    std::atomic<std::int64_t> last_{0};
};

}  // namespace hob::graph
