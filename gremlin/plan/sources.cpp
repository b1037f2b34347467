#include "gremlin/plan/sources.h"

#include <algorithm>
#include <array>

#include "gremlin/plan/rules.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

Result<std::uint64_t> budget_of(std::string_view name, const Value& value) {
    const auto number = to_int64(value);
    if (!number || *number <= 0)
        return Error::invalid("with('{}'): expected a positive number, found {}", name,
                              to_text(value));
    return static_cast<std::uint64_t>(*number);
}

/// "count,cut", a list of names, or "all". Errors: kInvalidArgument for a name that no rule has.
Result<std::vector<std::string>> rules_named(const Value& value) {
    std::vector<std::string> names;
    const bool many = value.kind() == Kind::kList || value.kind() == Kind::kSet;
    const auto items = many ? value.items() : std::span<const Value>(&value, 1);
    for (const Value& item : items) {
        std::string_view rest = item.is_string() ? item.text() : std::string_view();
        while (!rest.empty()) {
            const std::size_t comma = rest.find(',');
            names.emplace_back(rest.substr(0, comma));
            rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        }
    }
    std::vector<std::string> known;
    for (const Rule& rule : all_rules())
        known.emplace_back(rule.name);
    if (names == std::vector<std::string>{"all"}) return known;
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        return Error::invalid("with('hobgoblin.rulesOff'): there is no rule '{}'; the rules are {}",
                              name, fmt::join(known, ", "));
    }
    return names;
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
    } else if (name == "hobgoblin.batch") {
        HOB_ASSIGN_OR_RETURN(const std::uint64_t batch, budget_of(name, value));
        context.batch_max = static_cast<std::size_t>(std::min<std::uint64_t>(batch, kBatchMax));
    } else if (name == "hobgoblin.rulesOff") {
        HOB_ASSIGN_OR_RETURN(context.rules_off, rules_named(value));
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

/// ReferenceElementStrategy: elements of the results without their properties.
bool is_reference_strategy(const Value& argument) {
    const StrategyObject* strategy = as_strategy(argument);
    return strategy != nullptr && strategy->name == "ReferenceElementStrategy";
}

}  // namespace

RequestSettings request_settings(const Traversal& traversal) {
    RequestSettings settings;
    for (const Instruction& source : traversal.sources) {
        if (source.name == "withStrategies") {
            for (const Value& strategy : source.arguments) {
                if (is_reference_strategy(strategy)) settings.materialize_properties = "tokens";
            }
        }
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
        } else if (source.name == "withSack") {
            HOB_TRY(apply_sack(source, context));
        } else if (source.name == "withSideEffect") {
            HOB_TRY(apply_side_effect(source, context));
        } else if (source.name == "withBulk") {
            if (!source.arguments.empty() && source.arguments[0].kind() == Kind::kBool)
                context.counts_bulk = source.arguments[0].as_bool();
        } else if (source.name == "withComputer") {
            return Error::unsupported("withComputer() is not offered yet");
        } else if (source.name != "withPath" && source.name != "withStrategies" &&
                   source.name != "withoutStrategies" && source.name != "tx") {
            return Error::invalid("there is no source method {}()", source.name);
        }
    }
    return settings;
}

}  // namespace hob::gremlin
