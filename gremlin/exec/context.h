#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/budgets.h"
#include "gremlin/exec/random.h"
#include "gremlin/exec/side_effects.h"
#include "gremlin/exec/traverser.h"
#include "storage/base/error.h"
#include "storage/graph/graph.h"

namespace hob::gremlin {

/// Batch sizes: the first results leave early, then a batch grows to the store's chunk (DESIGN.md
/// section 3).
constexpr std::size_t kBatchFirst = 64;
constexpr std::size_t kBatchMax = 1000;

/// Numbers for step labels and for sets of them, so that a path node carries four bytes.
class LabelTable {
  public:
    std::uint32_t label(std::string_view name);
    [[nodiscard]] const Value& name(std::uint32_t label) const { return names_[label]; }
    /// The set of these labels.
    LabelSetId set(std::vector<std::uint32_t> labels);
    LabelSetId unite(LabelSetId a, LabelSetId b);
    [[nodiscard]] const std::vector<std::uint32_t>& labels(LabelSetId set) const {
        return sets_[static_cast<std::uint32_t>(set)];
    }
    [[nodiscard]] bool contains(LabelSetId set, std::uint32_t label) const;
    [[nodiscard]] std::size_t size() const { return names_.size(); }

  private:
    std::vector<Value> names_;
    std::vector<std::vector<std::uint32_t>> sets_{{}};
};

/// How much of the path a query keeps: nothing, the labelled objects, or all.
enum class PathMode : std::uint8_t { kNone, kLabels, kFull };

/// Sack settings of a query (withSack).
struct SackSettings {
    bool used = false;
    Value initial;
    bool merges = false;  ///< A merge operator was given: equal traversers merge their sacks.
    Operator merge = Operator::kAssign;
    bool splits = false;
    Operator split = Operator::kAssign;
};

/// All that the operators of one running query share. Used by one thread at a time.
struct QueryContext {
    graph::Graph* graph = nullptr;
    graph::Transaction* transaction = nullptr;
    store::CallContext call{};
    config::Budgets limits{};  ///< The server's, as the request changed them.
    LabelTable labels;
    SideEffects side_effects;
    SackSettings sack;
    PathMode path_mode = PathMode::kNone;
    bool counts_bulk = true;  ///< False after withBulk(false): merged traversers count as one.
    bool bulk = true;         ///< Equal traversers may merge.
    bool read_only = false;
    std::string io_folder;  ///< Whose files io() may use; empty: none.
    graph::Projection
        projection;  ///< What later steps want of vertices' properties; read on the first access.
    /// The results are whole vertices that a look-up gave: their properties come with it.
    bool whole_results = false;
    std::optional<std::int64_t> seed;          ///< SeedStrategy
    bool productive_by = false;                ///< ProductiveByStrategy
    std::vector<std::string> productive_keys;  ///< Its keys: by() of these stays as it is.
    bool infix = true;  ///< or() and and() may stand between operands (ConnectiveStrategy).
    std::vector<std::string> warnings;
    std::vector<std::pair<std::string, Value>> cuts;  ///< What onCap=sample cut: step.cap -> count.
    std::uint64_t memory_bytes = 0;  ///< Estimate of what barriers and side effects hold.
    bool profiling = false;
    std::size_t batch_max = kBatchMax;   ///< No batch grows beyond it (with('hobgoblin.batch', n)).
    std::vector<std::string> rules_off;  ///< Optimizer rules that are not applied, by name.

    /// A generator of its own for each step that chooses, as in TinkerPop; seeded when the query
    /// is.
    [[nodiscard]] Random make_random() const { return seed ? Random(*seed) : Random(); }
    /// Whether the optimizer rule of that name (plan/rules.h) is on.
    [[nodiscard]] bool applies(std::string_view rule) const;
    /// Notes that onCap=sample cut `count` of what `step` would have given, by the cap's name.
    void cut(std::string_view step, std::string_view cap, std::int64_t count);

    /// kTimeout, kCancelled, or a budget that was passed.
    [[nodiscard]] Status check() const;
    /// Counts `bytes` as held; kLimit beyond max_memory_bytes.
    Status hold(std::uint64_t bytes, std::string_view step);

    /// `t` moved on to `value` (a map or flatMap step): bulk, slot, sack and path go along.
    [[nodiscard]] Traverser split(const Traverser& t, Value value) const;
    /// A fresh traverser (a start step, a reducing barrier's result).
    [[nodiscard]] Traverser start(Value value, std::uint32_t slot = 0) const;
    /// The traverser's path as a value.
    [[nodiscard]] Value path_value(const Traverser& t) const;
    /// Objects with that label on the path, first to last.
    void labelled(const Traverser& t, std::uint32_t label, std::vector<Value>& out) const;
    /// The newest object with that label, or null.
    [[nodiscard]] const Value* newest(const Traverser& t, std::uint32_t label) const;

    /// Records of vertices with at least the query's projection (everything when `all`).
    Status records(std::span<const Value> vertices, bool all,
                   std::vector<const VertexRecord*>& out);
};

}  // namespace hob::gremlin
