#pragma once
#include <atomic>
#include <cstdint>

namespace hob::store {

/// Timestamps for cells: microseconds since 1970 that never repeat or go back in this process, and
/// that are later than any timestamp it has seen, whatever other machines' clocks say. The
/// timestamp before each one is left free for the deletes that go with it. Thread-safe.
class HybridClock {
  public:
    std::int64_t next();
    /// Later timestamps shall be above this one.
    void observe(std::int64_t timestamp_us);

  private:
    std::atomic<std::int64_t> last_ = 0;
};

}  // namespace hob::store
