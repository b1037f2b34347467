#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/graph/graph.h"

namespace hob::gremlin {

/// What withComputer() was given (VertexProgramStrategy).
struct ComputerOptions {
    Value vertices;        ///< A traversal that vertices must pass to take part; null: all do.
    bool persist = false;  ///< persist and result ask for results in the graph itself.
};

/// What the computations of one query took, for the reply's status attributes.
struct ComputerReport {
    std::int64_t programs = 0;
    std::int64_t iterations = 0;
    std::int64_t vertices = 0;  ///< Of the largest snapshot.
    std::int64_t edges = 0;
    std::int64_t bytes = 0;  ///< Estimate of what that snapshot and its program held.
};

/// The graph as a query with withComputer() sees it: a transaction's vertices with the properties
/// that vertex programs computed. Those live here only. Used by one thread at a time.
class ComputerView : public graph::Transaction {
  public:
    virtual const ComputerOptions& options() const = 0;
    virtual ComputerReport& report() = 0;
    /// The transaction below, which knows nothing of computed properties.
    virtual graph::Transaction& base() = 0;
    /// Gives each of `vertices` a property of that key, in the place of one that it has.
    virtual void publish(std::string_view key, std::span<const Value> vertices,
                         std::vector<Value> values) = 0;
};

std::unique_ptr<ComputerView> make_computer_view(graph::Transaction& base, ComputerOptions options);
/// The view that a query runs on, or null when it has no graph computer.
ComputerView* computer_view(graph::Transaction* transaction);

}  // namespace hob::gremlin
