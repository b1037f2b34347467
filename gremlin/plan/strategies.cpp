#include "gremlin/plan/strategies.h"

#include <algorithm>
#include <array>

#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

Status apply_read_only(const StrategyObject&, Traversal&, QueryContext& context) {
    context.read_only = true;
    return {};
}

Status apply_productive_by(const StrategyObject& strategy, Traversal&, QueryContext& context) {
    context.productive_by = true;
    HOB_ASSIGN_OR_RETURN(context.productive_keys, strings_setting(strategy, "productiveKeys"));
    return {};
}

Status apply_seed(const StrategyObject& strategy, Traversal&, QueryContext& context) {
    const Value* given = setting(strategy, "seed");
    const auto seed = given == nullptr ? std::nullopt : to_int64(*given);
    if (!seed) {
        return Error::invalid(
            "SeedStrategy needs a seed (long), for example new SeedStrategy(seed: 42)");
    }
    context.seed = *seed;
    return {};
}

/// Strategies that keep the answers: there is nothing to do, the reason is theirs.
constexpr StrategySpec kept(std::string_view name, std::string_view why) {
    return {.name = name, .apply = nullptr, .summary = why};
}

constexpr std::string_view kTunesJvm = "rewrites steps for speed in a JVM; answers are the same";
constexpr std::string_view kComputer = "tunes or checks a JVM's graph computer";

constexpr std::array kStrategies = {
    // Those that change results, in the order in which they are applied.
    StrategySpec{"ElementIdStrategy", apply_element_ids,
                 "ids are a property of the name idPropertyKey (default __id)"},
    StrategySpec{
        "SubgraphStrategy", apply_subgraph,
        "shows only vertices, edges and vertexProperties that pass; checkAdjacentVertices"},
    StrategySpec{"PartitionStrategy", apply_partition,
                 "partitionKey, writePartition, readPartitions, includeMetaProperties"},
    StrategySpec{"ReadOnlyStrategy", apply_read_only, "refuses steps that change the graph"},
    StrategySpec{"SeedStrategy", apply_seed, "coin, sample and shuffle choose by the seed"},
    StrategySpec{"ProductiveByStrategy", apply_productive_by,
                 "by() that finds nothing gives null; productiveKeys are left alone"},
    StrategySpec{"EdgeLabelVerificationStrategy", verify_edge_labels,
                 "steps along edges must name labels; throwException, logWarning"},
    StrategySpec{"ReservedKeysVerificationStrategy", verify_reserved_keys,
                 "keys (default id, label) may not be set; throwException, logWarning"},
    // Those that do their work in another place.
    kept("ConnectiveStrategy",
         "infix or() and and(): in force unless withoutStrategies() names it"),
    kept("VertexProgramRestrictionStrategy", "refuses VertexProgramStrategy beside it"),
    kept("VertexProgramStrategy",
         "withComputer(): graphComputer and workers are ignored; persist, result, vertices"),
    kept("OptionsStrategy", "its options are with() settings"),
    kept("ReferenceElementStrategy",
         "results carry id and label, as materializeProperties: tokens"),
    // Accepted and ignored.
    kept("AdjacentToIncidentStrategy", kTunesJvm),
    kept("ByModulatorOptimizationStrategy", kTunesJvm),
    kept("CountStrategy", kTunesJvm),
    kept("EarlyLimitStrategy", kTunesJvm),
    kept("FilterRankingStrategy", kTunesJvm),
    kept("GValueReductionStrategy", kTunesJvm),
    kept("IdentityRemovalStrategy", kTunesJvm),
    kept("IncidentToAdjacentStrategy", kTunesJvm),
    kept("InlineFilterStrategy", kTunesJvm),
    kept("LazyBarrierStrategy", kTunesJvm),
    kept("MatchAlgorithmStrategy", "match() orders its patterns itself; answers are the same"),
    kept("MatchPredicateStrategy", kTunesJvm),
    kept("OrderLimitStrategy", kTunesJvm),
    kept("PathProcessorStrategy", kTunesJvm),
    kept("PathRetractionStrategy", kTunesJvm),
    kept("ProviderGValueReductionStrategy", kTunesJvm),
    kept("RepeatUnrollStrategy", kTunesJvm),
    kept("TinkerGraphCountStrategy", kTunesJvm),
    kept("TinkerGraphStepStrategy", kTunesJvm),
    kept("ComputerFinalizationStrategy", kComputer),
    kept("ComputerVerificationStrategy", kComputer),
    kept("GraphFilterStrategy", kComputer),
    kept("MessagePassingReductionStrategy", kComputer),
    kept("EventStrategy", "its listeners are objects of an embedding JVM"),
    kept("HaltedTraverserStrategy", "how a graph computer hands on results inside a JVM"),
    kept("LambdaRestrictionStrategy", "lambdas are never run"),
    kept("ProfileStrategy", "profile() measures by itself"),
    kept("RemoteStrategy", "sends a traversal to a server, where it is by now"),
    kept("RequirementsStrategy", "paths, sacks and bulks are kept as the steps need them"),
    kept("SackStrategy", "withSack() says it"),
    kept("SideEffectStrategy", "withSideEffect() says it"),
    kept("StandardVerificationStrategy", "its checks are part of planning"),
};

const StrategySpec* find_strategy(std::string_view name) {
    const auto* found = std::find_if(kStrategies.begin(), kStrategies.end(),
                                     [name](const StrategySpec& s) { return s.name == name; });
    return found == kStrategies.end() ? nullptr : found;
}

/// A strategy as an argument; bytecode may bring a bare name.
Value strategy_of(const Value& argument) {
    if (as_strategy(argument) != nullptr) return argument;
    return make_strategy(to_text(argument), {});
}

std::string_view name_of_strategy(const Value& strategy) {
    return as_strategy(strategy)->name;
}

}  // namespace

std::span<const StrategySpec> all_strategies() {
    return kStrategies;
}

const StrategyObject* StrategySet::find(std::string_view name) const {
    const auto found = std::find_if(given.begin(), given.end(), [name](const Value& strategy) {
        return name_of_strategy(strategy) == name;
    });
    return found == given.end() ? nullptr : as_strategy(*found);
}

bool StrategySet::is_without(std::string_view name) const {
    return std::find(without.begin(), without.end(), name) != without.end();
}

Result<StrategySet> strategies_of(const Traversal& traversal) {
    StrategySet set;
    for (const Instruction& source : traversal.sources) {
        const bool with = source.name == "withStrategies";
        if (!with && source.name != "withoutStrategies") continue;
        for (const Value& argument : source.arguments) {
            const Value strategy = strategy_of(argument);
            const std::string name(name_of_strategy(strategy));
            std::erase_if(set.given, [&](const Value& s) { return name_of_strategy(s) == name; });
            std::erase(set.without, name);
            if (!with) {
                set.without.push_back(name);
                continue;
            }
            if (find_strategy(name) == nullptr)
                return Error::invalid("there is no strategy {}", name);
            set.given.push_back(strategy);
        }
    }
    return set;
}

Status apply_strategies(Traversal& traversal, QueryContext& context) {
    HOB_ASSIGN_OR_RETURN(const StrategySet set, strategies_of(traversal));
    context.infix = !set.is_without("ConnectiveStrategy");
    if (set.given.empty()) return {};
    if (set.find("VertexProgramRestrictionStrategy") != nullptr &&
        set.find("VertexProgramStrategy") != nullptr) {
        return Error::execution("The TraversalSource does not allow the use of a GraphComputer");
    }
    for (const StrategySpec& spec : kStrategies) {
        const StrategyObject* strategy = set.find(spec.name);
        if (strategy == nullptr || spec.apply == nullptr) continue;
        HOB_TRY(spec.apply(*strategy, traversal, context));
    }
    return {};
}

Result<std::optional<ComputerOptions>> computer_of(const Traversal& traversal) {
    HOB_ASSIGN_OR_RETURN(const StrategySet set, strategies_of(traversal));
    const StrategyObject* strategy = set.find("VertexProgramStrategy");
    if (strategy == nullptr) return std::optional<ComputerOptions>();
    ComputerOptions options;
    const Value* edges = setting(*strategy, "edges");
    if (edges != nullptr) {
        return Error::unsupported(
            "VertexProgramStrategy: edges is not followed; give each program its edges: "
            "pageRank().with(PageRank.edges, ...), or use SubgraphStrategy beside it");
    }
    if (const Value* vertices = setting(*strategy, "vertices"); vertices != nullptr) {
        if (as_traversal(*vertices) == nullptr)
            return Error::invalid("VertexProgramStrategy: vertices must be a traversal, found {}",
                                  to_text(*vertices));
        options.vertices = *vertices;
    }
    const Value* persist = setting(*strategy, "persist");
    const Value* result = setting(*strategy, "result");
    options.persist = persist != nullptr && to_text(*persist) != "NOTHING" && result != nullptr &&
                      to_text(*result) == "ORIGINAL";
    return std::optional(std::move(options));
}

const Value* setting(const StrategyObject& strategy, std::string_view key) {
    for (const auto& [name, value] : strategy.configuration) {
        if (name == key) return value.is_null() ? nullptr : &value;
    }
    return nullptr;
}

Result<bool> bool_setting(const StrategyObject& strategy, std::string_view key, bool otherwise) {
    const Value* value = setting(strategy, key);
    if (value == nullptr) return otherwise;
    if (value->kind() != Kind::kBool) {
        return Error::invalid("{}: {} must be true or false, found {} ({})", strategy.name, key,
                              to_text(*value), type_name(*value));
    }
    return value->as_bool();
}

Result<std::vector<std::string>> strings_setting(const StrategyObject& strategy,
                                                 std::string_view key) {
    std::vector<std::string> strings;
    const Value* value = setting(strategy, key);
    if (value == nullptr) return strings;
    if (value->is_string()) return std::vector<std::string>{std::string(value->text())};
    const bool many = value->kind() == Kind::kList || value->kind() == Kind::kSet;
    const auto items = many ? value->items() : std::span<const Value>(value, 1);
    for (const Value& item : items) {
        if (!item.is_string()) {
            return Error::invalid("{}: {} takes strings, found {} ({})", strategy.name, key,
                                  to_text(item), type_name(item));
        }
        strings.emplace_back(item.text());
    }
    return strings;
}

}  // namespace hob::gremlin
