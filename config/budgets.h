#pragma once
#include <cstdint>

namespace hob::config {

/// Bounds of one query (DESIGN.md section 3): what the server allows; a request may raise or lower
/// them with g.with(name, value).
struct Budgets {
    std::uint64_t max_frontier = 50'000;    ///< Distinct vertices read by one step (`maxFrontier`).
    std::uint64_t max_per_vertex = 500;     ///< Edges per vertex when sampling (`maxPerVertex`).
    std::uint64_t max_cells = 100'000'000;  ///< Cells read by a query (`maxCells`).
    std::uint64_t max_results = 100'000'000;  ///< Results sent (`maxResults`).
    /// What barriers and side effects of a query may hold (`maxMemory`), estimated.
    std::uint64_t max_memory_bytes = 2ULL << 30;
    bool sample = false;  ///< `onCap`: false = error, true = sample.
};

}  // namespace hob::config
