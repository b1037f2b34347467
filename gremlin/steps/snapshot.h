#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gremlin/exec/computer_view.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// A graph in memory for vertex programs: vertices by dense numbers, and for each the edges along
/// which it sends, as one run in `targets` (compressed rows).
struct Snapshot {
    std::vector<Value> vertices;         ///< kVertex, by number.
    std::vector<std::uint64_t> begins;   ///< Of each vertex's run; one more than vertices.
    std::vector<std::uint32_t> targets;  ///< Numbers of the other ends.
    std::vector<Value> edges;            ///< Beside `targets`; empty when edges are not kept.
    [[nodiscard]] std::size_t size() const { return vertices.size(); }
    [[nodiscard]] std::uint64_t degree(std::size_t v) const { return begins[v + 1] - begins[v]; }
    /// The vertex's number, or nothing when it takes no part.
    [[nodiscard]] std::optional<std::uint32_t> number(const Value& vertex) const;
    struct Index;
    std::shared_ptr<Index> index;
};

/// How a snapshot is taken: the children of a vertex computing step.
class SnapshotPlan {
  public:
    /// `edges`: a traversal from a vertex to the edges it sends along.
    static Result<SnapshotPlan> make(Compiler& compiler, const Value& edges, bool keep_edges,
                                     std::size_t bytes_per_vertex);
    /// Reads the graph in batches. Errors: kLimit, before the edges are read, when the estimate
    /// does not fit into the query's memory budget; what is held counts for it.
    Result<Snapshot> take(QueryContext& context, std::string_view step);

  private:
    Status read_vertices(QueryContext& context, std::string_view step, Snapshot& snapshot);
    Status check_estimate(QueryContext& context, std::string_view step, const Snapshot& snapshot);
    Status read_edges(QueryContext& context, Snapshot& snapshot);
    Child edges_;
    std::optional<Child> vertices_;
    bool keep_edges_ = false;
    std::size_t bytes_per_vertex_ = 0;
};

/// A step's options, named "~tinkerpop.<step>.<option>" in with(): the last given, or null.
const Value* program_option(const Node& node, std::string_view option);
/// Errors: kInvalidArgument in TinkerPop's words for a value of another type.
Result<Value> edges_option(const Node& node, std::string_view owner, std::string_view otherwise);
Result<std::string> name_option(const Node& node, std::string_view owner,
                                std::string_view otherwise);
Result<std::int64_t> times_option(const Node& node, std::string_view owner, std::int64_t otherwise);

/// The view that the query runs on. Errors: kExecution without withComputer().
Result<ComputerView*> required_computer(Compiler& compiler, const Node& node);
/// Whether a traversal runs before the first program, so that its traversers weigh: any step but
/// V(), E() and programs themselves.
bool follows_traversal(const Op* input);

}  // namespace hob::gremlin
