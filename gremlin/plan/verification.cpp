// Strategies that look at a traversal and refuse it or warn.
#include <algorithm>

#include "gremlin/plan/rewrite.h"
#include "gremlin/plan/strategies.h"

namespace hob::gremlin {
namespace {

using Check = std::function<Status(const StepGroups&)>;

/// Runs a check over all levels; its error is a warning or a refusal, as the strategy says.
Status verify(const StrategyObject& strategy, Traversal& traversal, QueryContext& context,
              const Check& check) {
    HOB_ASSIGN_OR_RETURN(const bool refuses, bool_setting(strategy, "throwException", false));
    HOB_ASSIGN_OR_RETURN(const bool warns, bool_setting(strategy, "logWarning", false));
    if (!refuses && !warns) return {};
    Traversal copy = traversal;
    return rewrite_levels(copy, context.infix, [&](StepGroups& groups) -> Status {
        Status fault = check(groups);
        if (fault.ok()) return {};
        if (warns) context.warnings.push_back(fault.error().message);
        return refuses ? std::move(fault) : Status();
    });
}

struct VertexStep {
    std::string_view name;
    std::string_view shown;
};

constexpr VertexStep kVertexSteps[] = {
    {"out", "VertexStep(OUT,vertex)"},   {"in", "VertexStep(IN,vertex)"},
    {"both", "VertexStep(BOTH,vertex)"}, {"outE", "VertexStep(OUT,edge)"},
    {"inE", "VertexStep(IN,edge)"},      {"bothE", "VertexStep(BOTH,edge)"},
    {"to", "VertexStep(vertex)"},        {"toE", "VertexStep(edge)"},
};

Status check_edge_labels(const StepGroups& groups) {
    for (const StepGroup& group : groups) {
        const auto* step =
            std::find_if(std::begin(kVertexSteps), std::end(kVertexSteps),
                         [&group](const VertexStep& s) { return s.name == group.name(); });
        if (step == std::end(kVertexSteps)) continue;
        const std::size_t first = step->name.starts_with("to") ? 1 : 0;
        if (group.step.arguments.size() > first) continue;
        return Error::execution(
            "The provided traversal contains a vertex step without any specified edge label: {}\n"
            "Always specify edge labels which restrict traversal paths ensuring optimal "
            "performance.",
            step->shown);
    }
    return {};
}

/// Keys that a property() sets: of the element, and meta-properties.
void add_keys(const Instruction& property, std::vector<std::string>& keys) {
    const auto& args = property.arguments;
    const std::size_t at = !args.empty() && args[0].is_enum(EnumType::kCardinality) ? 1 : 0;
    if (args.size() == at + 1 && args[at].kind() == Kind::kMap) {
        for (const auto& [key, value] : args[at].as<MapObject>().entries()) {
            if (key.is_string()) keys.emplace_back(key.text());
        }
        return;
    }
    for (std::size_t i = at; i + 1 < args.size(); i += 2) {
        if (args[i].is_string()) keys.emplace_back(args[i].text());
    }
}

Status check_keys(std::string_view step, const std::vector<std::string>& keys,
                  const std::vector<std::string>& reserved) {
    for (const std::string& key : reserved) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
        return Error::execution(
            "The provided traversal contains a {} that is setting a property key to a reserved "
            "word: {}",
            step, key);
    }
    return {};
}

Status check_reserved(const StepGroups& groups, const std::vector<std::string>& reserved) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::string& name = groups[i].name();
        std::vector<std::string> keys;
        std::string_view shown = "AddPropertyStep";
        if (name == "property") {
            add_keys(groups[i].step, keys);
        } else if (name == "addV" || name == "addE") {
            for (const Instruction& modulator : groups[i].modulators) {
                if (modulator.name == "property") add_keys(modulator, keys);
            }
            if (name == "addV") shown = i == 0 ? "AddVertexStartStep" : "AddVertexStep";
            if (name == "addE") shown = i == 0 ? "AddEdgeStartStep" : "AddEdgeStep";
        }
        HOB_TRY(check_keys(shown, keys, reserved));
    }
    return {};
}

}  // namespace

Status verify_edge_labels(const StrategyObject& strategy, Traversal& traversal,
                          QueryContext& context) {
    return verify(strategy, traversal, context, check_edge_labels);
}

Status verify_reserved_keys(const StrategyObject& strategy, Traversal& traversal,
                            QueryContext& context) {
    std::vector<std::string> reserved = {"id", "label"};
    if (setting(strategy, "keys") != nullptr) {
        HOB_ASSIGN_OR_RETURN(reserved, strings_setting(strategy, "keys"));
    }
    return verify(strategy, traversal, context, [&reserved](const StepGroups& groups) {
        return check_reserved(groups, reserved);
    });
}

}  // namespace hob::gremlin
