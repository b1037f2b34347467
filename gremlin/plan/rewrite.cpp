#include "gremlin/plan/rewrite.h"

#include <algorithm>
#include <array>

#include "gremlin/plan/nodes.h"

namespace hob::gremlin {
namespace {

bool belongs_to_step_before(const Instruction& instruction, const StepGroups& groups) {
    if (groups.empty()) return false;
    const std::string& name = instruction.name;
    const auto& args = instruction.arguments;
    if (name == "to") return args.empty() || !args[0].is_enum(EnumType::kDirection);
    if (name == "property") {
        const std::string& owner = groups.back().name();
        return owner == "addV" || owner == "addE";
    }
    constexpr std::array<std::string_view, 4> kModulators = {"by", "with", "from", "option"};
    return std::find(kModulators.begin(), kModulators.end(), name) != kModulators.end();
}

StepGroups grouped(std::vector<Instruction> steps) {
    StepGroups groups;
    for (Instruction& instruction : steps) {
        if (instruction.name == "as" && !groups.empty()) {
            groups.back().labels.push_back(std::move(instruction));
        } else if (belongs_to_step_before(instruction, groups)) {
            groups.back().modulators.push_back(std::move(instruction));
        } else {
            groups.emplace_back(std::move(instruction));
        }
    }
    return groups;
}

std::vector<Instruction> flattened(StepGroups groups) {
    std::vector<Instruction> steps;
    for (StepGroup& group : groups) {
        steps.push_back(std::move(group.step));
        std::move(group.modulators.begin(), group.modulators.end(), std::back_inserter(steps));
        std::move(group.labels.begin(), group.labels.end(), std::back_inserter(steps));
    }
    return steps;
}

Status rewrite_argument(Value& argument, bool infix, const LevelRewrite& rewrite) {
    if (const TraversalObject* child = as_traversal(argument)) {
        Traversal inner = child->traversal;
        HOB_TRY(rewrite_levels(inner, infix, rewrite));
        argument = make_traversal(std::move(inner));
    } else if (argument.kind() == Kind::kList || argument.kind() == Kind::kSet) {
        std::vector<Value> items(argument.items().begin(), argument.items().end());
        for (Value& item : items)
            HOB_TRY(rewrite_argument(item, infix, rewrite));
        argument = argument.kind() == Kind::kList ? Value::list(std::move(items))
                                                  : Value::set(std::move(items));
    } else if (argument.kind() == Kind::kMap) {
        Value copy = make_map();
        for (const auto& [key, value] : argument.as<MapObject>().entries()) {
            Value rewritten = value;
            HOB_TRY(rewrite_argument(rewritten, infix, rewrite));
            copy.mutate<MapObject>().put(key, std::move(rewritten));
        }
        argument = std::move(copy);
    }
    return {};
}

/// `properties(keys)` and what the view asks of them.
std::vector<Instruction> seen_properties(std::vector<Value> keys, const PropertyView& view) {
    std::vector<Instruction> steps{make_step("properties", std::move(keys))};
    steps.insert(steps.end(), view.condition.begin(), view.condition.end());
    return steps;
}

void view_map(StepGroup& group, const PropertyView& view) {
    std::vector<Value> keys;
    for (const Value& argument : group.step.arguments) {
        if (argument.kind() != Kind::kBool) keys.push_back(argument);
    }
    group.modulators.push_back(make_step(
        "with",
        {Value::string(kPropertyTraversal), make_steps(seen_properties(std::move(keys), view))}));
}

void view_modulators(StepGroup& group, const PropertyView& view) {
    for (Instruction& modulator : group.modulators) {
        auto& args = modulator.arguments;
        if (modulator.name != "by" || args.empty() || !args[0].is_string()) continue;
        std::vector<Instruction> steps = seen_properties({args[0]}, view);
        steps.push_back(make_step("value"));
        args[0] = make_steps(std::move(steps));
    }
}

}  // namespace

Instruction make_step(std::string_view name, std::vector<Value> arguments) {
    return Instruction{std::string(name), std::move(arguments)};
}

Value make_steps(std::vector<Instruction> steps) {
    Traversal traversal;
    traversal.steps = std::move(steps);
    return make_traversal(std::move(traversal));
}

Status rewrite_levels(Traversal& traversal, bool infix, const LevelRewrite& rewrite) {
    if (infix) traversal.steps = without_infix(traversal.steps);
    for (Instruction& instruction : traversal.steps) {
        for (Value& argument : instruction.arguments)
            HOB_TRY(rewrite_argument(argument, infix, rewrite));
    }
    StepGroups groups = grouped(std::move(traversal.steps));
    HOB_TRY(rewrite(groups));
    traversal.steps = flattened(std::move(groups));
    return {};
}

std::size_t put_behind(StepGroups& groups, std::size_t at, const std::vector<Instruction>& steps) {
    if (steps.empty()) return at;
    std::vector<Instruction> labels = std::move(groups[at].labels);
    groups[at].labels.clear();
    for (const Instruction& step : steps)
        groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(++at), StepGroup(step));
    groups[at].labels = std::move(labels);
    return at;
}

Instruction for_vertex_properties(Value condition) {
    const Value vertex_property = make_predicate("typeOf", {Value::string("VertexProperty")});
    return make_step("or",
                     {make_steps({make_step("is", {make_predicate("not", {vertex_property})})}),
                      std::move(condition)});
}

void apply_view(StepGroups& groups, const PropertyView& view) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        view_modulators(groups[i], view);
        const std::string& name = groups[i].name();
        if (name == "properties") {
            i = put_behind(groups, i, view.condition);
        } else if (name == "values") {
            groups[i].step.name = "properties";
            std::vector<Instruction> behind = view.condition;
            behind.push_back(make_step("value"));
            i = put_behind(groups, i, behind);
        } else if (name == "valueMap" || name == "propertyMap" || name == "elementMap") {
            view_map(groups[i], view);
        }
    }
}

}  // namespace hob::gremlin
