#include "gremlin/plan/sources.h"

#include <algorithm>
#include <array>

#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// Strategies of TinkerPop that only tune a JVM's traversal or only matter to its embedders:
/// accepted, nothing to do.
constexpr std::array<std::string_view, 33> kIgnored = {
    "AdjacentToIncidentStrategy",
    "ByModulatorOptimizationStrategy",
    "ComputerFinalizationStrategy",
    "ComputerVerificationStrategy",
    "ConnectiveStrategy",
    "CountStrategy",
    "EarlyLimitStrategy",
    "ElementIdStrategy",
    "EventStrategy",
    "FilterRankingStrategy",
    "GraphFilterStrategy",
    "HaltedTraverserStrategy",
    "IdentityRemovalStrategy",
    "IncidentToAdjacentStrategy",
    "InlineFilterStrategy",
    "LambdaRestrictionStrategy",
    "LazyBarrierStrategy",
    "MatchPredicateStrategy",
    "MatchAlgorithmStrategy",
    "MessagePassingReductionStrategy",
    "OrderLimitStrategy",
    "OptionsStrategy",
    "PathProcessorStrategy",
    "PathRetractionStrategy",
    "ProfileStrategy",
    "ReferenceElementStrategy",
    "RemoteStrategy",
    "RepeatUnrollStrategy",
    "StandardVerificationStrategy",
    "TinkerGraphCountStrategy",
    "TinkerGraphStepStrategy",
    "GValueReductionStrategy",
    "ProviderGValueReductionStrategy",
};

/// Strategies that change results and are not offered yet.
constexpr std::array<std::string_view, 6> kNotYet = {
    "SubgraphStrategy",
    "PartitionStrategy",
    "EdgeLabelVerificationStrategy",
    "ReservedKeysVerificationStrategy",
    "VertexProgramStrategy",
    "VertexProgramRestrictionStrategy",
};

template <typename Names>
bool is_in(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Status apply_strategy(const Value& argument, QueryContext& context) {
    std::string name;
    const StrategyObject* strategy = as_strategy(argument);
    if (strategy != nullptr) {
        name = strategy->name;
    } else {
        name = to_text(argument);
    }
    if (name == "ReadOnlyStrategy") {
        context.read_only = true;
    } else if (name == "ProductiveByStrategy") {
        context.productive_by = true;
    } else if (name == "SeedStrategy") {
        std::optional<std::int64_t> seed;
        if (strategy != nullptr) {
            for (const auto& [key, value] : strategy->configuration) {
                if (key == "seed") seed = to_int64(value);
            }
        }
        if (!seed)
            return Error::invalid(
                "SeedStrategy needs a seed (long), for example new SeedStrategy(seed: 42)");
        context.random.reseed(*seed);
    } else if (is_in(kNotYet, name)) {
        return Error::unsupported("{} is not offered yet", name);
    } else if (!is_in(kIgnored, name)) {
        return Error::invalid("there is no strategy {}", name);
    }
    return {};
}

Result<std::uint64_t> budget_of(std::string_view name, const Value& value) {
    const auto number = to_int64(value);
    if (!number || *number <= 0)
        return Error::invalid("with('{}'): expected a positive number, found {}", name,
                              to_text(value));
    return static_cast<std::uint64_t>(*number);
}

Status apply_option(std::string_view name, const Value& value, QueryContext& context,
                    SourceSettings& settings) {
    struct Budget {
        std::string_view name;
        std::uint64_t config::Budgets::*limit;
    };
    static constexpr std::array kBudgets = {
        Budget{"maxFrontier", &config::Budgets::max_frontier},
        Budget{"maxPerVertex", &config::Budgets::max_per_vertex},
        Budget{"maxCells", &config::Budgets::max_cells},
        Budget{"maxResults", &config::Budgets::max_results},
        Budget{"maxMemory", &config::Budgets::max_memory_bytes},
    };
    for (const Budget& budget : kBudgets) {
        if (budget.name != name) continue;
        HOB_ASSIGN_OR_RETURN(context.limits.*budget.limit, budget_of(name, value));
        return {};
    }
    if (name == "onCap") {
        if (!value.is_string() || (value.text() != "sample" && value.text() != "error")) {
            return Error::invalid("with('onCap'): expected 'error' or 'sample', found {}",
                                  to_text(value));
        }
        context.limits.sample = value.text() == "sample";
    } else if (name == "storageStats") {
        settings.storage_stats = value.kind() != Kind::kBool || value.as_bool();
    }
    // Other keys are hints of other providers; they are passed over, as every provider does.
    return {};
}

Status apply_sack(const Instruction& source, QueryContext& context) {
    if (source.arguments.empty()) return Error::invalid("withSack(): expected an initial value");
    context.sack.used = true;
    context.sack.initial = source.arguments[0];
    if (as_lambda(source.arguments[0]) != nullptr) {
        return Error::unsupported("withSack(): lambdas are not run; give the initial value itself");
    }
    bool merge_seen = false;
    for (std::size_t i = 1; i < source.arguments.size(); ++i) {
        const Value& op = source.arguments[i];
        if (op.is_null()) continue;
        if (!op.is_enum(EnumType::kOperator))
            return Error::unsupported(
                "withSack(): only Operator constants split and merge sacks, found {}", to_text(op));
        // withSack(initial, merge) has one operator; withSack(initial, split, merge) has two.
        const bool is_split = source.arguments.size() == 3 && i == 1;
        if (is_split) {
            context.sack.splits = true;
            context.sack.split = static_cast<Operator>(op.enum_ordinal());
        } else if (!merge_seen) {
            merge_seen = true;
            context.sack.merges = true;
            context.sack.merge = static_cast<Operator>(op.enum_ordinal());
        }
    }
    return {};
}

Status apply_side_effect(const Instruction& source, QueryContext& context) {
    if (source.arguments.size() < 2 || !source.arguments[0].is_string()) {
        return Error::invalid("withSideEffect(): expected a name (string) and a value");
    }
    std::optional<Operator> reducer;
    if (source.arguments.size() > 2 && source.arguments[2].is_enum(EnumType::kOperator)) {
        reducer = static_cast<Operator>(source.arguments[2].enum_ordinal());
    }
    context.side_effects.declare(source.arguments[0].text(), source.arguments[1], reducer);
    return {};
}

}  // namespace

RequestSettings request_settings(const Traversal& traversal) {
    RequestSettings settings;
    for (const Instruction& source : traversal.sources) {
        if (source.name != "with" || source.arguments.size() < 2 ||
            !source.arguments[0].is_string())
            continue;
        const std::string_view key = source.arguments[0].text();
        const Value& value = source.arguments[1];
        if (key == "evaluationTimeout" || key == "scriptEvaluationTimeout")
            settings.evaluation_timeout_ms = to_int64(value);
        if (key == "batchSize") settings.batch_size = to_int64(value);
        if (key == "materializeProperties" && value.is_string())
            settings.materialize_properties = std::string(value.text());
        if (key == "userAgent" && value.is_string())
            settings.user_agent = std::string(value.text());
    }
    return settings;
}

Result<SourceSettings> apply_sources(const Traversal& traversal, QueryContext& context) {
    SourceSettings settings;
    settings.request = request_settings(traversal);
    for (const Instruction& source : traversal.sources) {
        if (source.name == "with") {
            if (source.arguments.empty() || !source.arguments[0].is_string())
                return Error::invalid("with(): expected a name (string)");
            const Value value =
                source.arguments.size() > 1 ? source.arguments[1] : Value::boolean(true);
            HOB_TRY(apply_option(source.arguments[0].text(), value, context, settings));
        } else if (source.name == "withStrategies") {
            for (const Value& strategy : source.arguments)
                HOB_TRY(apply_strategy(strategy, context));
        } else if (source.name == "withSack") {
            HOB_TRY(apply_sack(source, context));
        } else if (source.name == "withSideEffect") {
            HOB_TRY(apply_side_effect(source, context));
        } else if (source.name == "withBulk") {
            if (!source.arguments.empty() && source.arguments[0].kind() == Kind::kBool)
                context.counts_bulk = source.arguments[0].as_bool();
        } else if (source.name == "withComputer") {
            return Error::unsupported("withComputer() is not offered yet");
        } else if (source.name != "withPath" && source.name != "withoutStrategies" &&
                   source.name != "tx") {
            return Error::invalid("there is no source method {}()", source.name);
        }
    }
    return settings;
}

}  // namespace hob::gremlin
