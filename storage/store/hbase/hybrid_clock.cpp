#include "storage/store/hbase/hybrid_clock.h"

#include <algorithm>
#include <chrono>

namespace hob::store {

std::int64_t HybridClock::next() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t now_us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    std::int64_t last = last_.load();
    std::int64_t next = 0;
    do {
        next = std::max(now_us, last + 2);
    } while (!last_.compare_exchange_weak(last, next));
    return next;
}

void HybridClock::observe(std::int64_t timestamp_us) {
    std::int64_t last = last_.load();
    while (last < timestamp_us && !last_.compare_exchange_weak(last, timestamp_us)) {
    }
}

}  // namespace hob::store
