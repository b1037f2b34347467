#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/exec/computer_view.h"
#include "gremlin/exec/context.h"
#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// The strategies in force for a query: those of withStrategies() less those of
/// withoutStrategies().
struct StrategySet {
    std::vector<Value> given;          ///< StrategyObjects; one for each name, the last one given.
    std::vector<std::string> without;  ///< Names taken away and not given again.
    [[nodiscard]] const StrategyObject* find(std::string_view name) const;
    [[nodiscard]] bool is_without(std::string_view name) const;
};

/// Errors: kInvalidArgument for a strategy that neither TinkerPop nor this server knows; it is
/// named.
Result<StrategySet> strategies_of(const Traversal& traversal);

/// One strategy of TinkerPop: what it does here, or why there is nothing to do.
struct StrategySpec {
    std::string_view name;
    /// Changes the traversal or the query's settings; null: accepted and ignored.
    Status (*apply)(const StrategyObject& strategy, Traversal& traversal, QueryContext& context);
    std::string_view summary;  ///< What it does, or why it is ignored. Shown in docs/strategies.md.
};

/// All that are known, in the order in which they are applied. Thread-safe.
std::span<const StrategySpec> all_strategies();

/// Applies the strategies of the traversal's sources to it and to the query's settings, before it
/// is planned: filters that they put in run as ordinary steps, for a whole batch at once.
Status apply_strategies(Traversal& traversal, QueryContext& context);

/// What VertexProgramStrategy (withComputer()) says; nothing without it. Errors: kInvalidArgument
/// for a setting that it does not have, or that this server can't follow.
Result<std::optional<ComputerOptions>> computer_of(const Traversal& traversal);

// --- a strategy each, in files of their own ---
Status apply_subgraph(const StrategyObject& strategy, Traversal& traversal, QueryContext& context);
Status apply_partition(const StrategyObject& strategy, Traversal& traversal, QueryContext& context);
Status apply_element_ids(const StrategyObject& strategy, Traversal& traversal,
                         QueryContext& context);
Status verify_edge_labels(const StrategyObject& strategy, Traversal& traversal,
                          QueryContext& context);
Status verify_reserved_keys(const StrategyObject& strategy, Traversal& traversal,
                            QueryContext& context);

/// A strategy's setting, or null.
const Value* setting(const StrategyObject& strategy, std::string_view key);
/// A boolean setting. Errors: kInvalidArgument.
Result<bool> bool_setting(const StrategyObject& strategy, std::string_view key, bool otherwise);
/// A string, or strings in a list or set. Errors: kInvalidArgument.
Result<std::vector<std::string>> strings_setting(const StrategyObject& strategy,
                                                 std::string_view key);

}  // namespace hob::gremlin
