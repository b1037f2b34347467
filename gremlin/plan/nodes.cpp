#include "gremlin/plan/nodes.h"

#include <algorithm>
#include <functional>

#include "gremlin/language/signature.h"

namespace hob::gremlin {
namespace {

Error misplaced(const Instruction& modulator, const std::vector<Node>& nodes) {
    const std::string where =
        modulator.at.line == 0
            ? ""
            : fmt::format(" at line {}, column {}", modulator.at.line, modulator.at.column);
    if (nodes.empty()) return Error::invalid("{}() must follow a step{}", modulator.name, where);
    return Error::invalid("the {}() modulator can't follow {}(){}", modulator.name,
                          nodes.back().name, where);
}

bool takes(const std::vector<Node>& nodes, Modulator modulator) {
    if (nodes.empty()) return false;
    const StepSpec* spec = find_step(nodes.back().name);
    return spec != nullptr && (spec->modulators & modulator) != 0;
}

Result<Option> option_of(const Instruction& instruction) {
    Option option;
    const auto& args = instruction.arguments;
    if (args.empty())
        return Error::invalid("option(): expected a traversal or a token and a traversal");
    option.has_token = args.size() > 1;
    if (option.has_token) option.token = args[0];
    option.value = args[option.has_token ? 1 : 0];
    if (args.size() > 2) option.extra = args[2];
    return option;
}

/// until, emit and times: onto the repeat() before, or a new one that is still to come.
void fold_loop(const Instruction& instruction, std::vector<Node>& nodes) {
    const Value argument =
        instruction.arguments.empty() ? Value::boolean(true) : instruction.arguments[0];
    if (nodes.empty() || nodes.back().name != "repeat") {
        Node node;
        node.name = "repeat";
        node.at = instruction.at;
        nodes.push_back(std::move(node));
    }
    Node& repeat = nodes.back();
    const bool first = repeat.args.empty();
    if (instruction.name == "emit") {
        repeat.emit = argument;
        repeat.emit_first = first;
        return;
    }
    repeat.until_first = first;
    if (instruction.name == "until") {
        repeat.until = argument;
    } else {
        repeat.times = argument;
    }
}

/// True when the instruction was a modulator and has been folded.
Result<bool> fold_modulator(const Instruction& instruction, std::vector<Node>& nodes) {
    const std::string& name = instruction.name;
    if (name == "as") {
        if (nodes.empty()) {
            Node node;
            node.name = "identity";
            node.at = instruction.at;
            nodes.push_back(std::move(node));
        }
        for (const Value& label : instruction.arguments) {
            if (!label.is_string())
                return Error::invalid("as(): a step label must be a string, found {}",
                                      to_text(label));
            nodes.back().labels.emplace_back(label.text());
        }
        return true;
    }
    if (name == "by") {
        if (!takes(nodes, kBy)) return misplaced(instruction, nodes);
        nodes.back().bys.push_back(instruction.arguments);
        return true;
    }
    if (name == "option") {
        const bool merge =
            !nodes.empty() && (nodes.back().name == "mergeV" || nodes.back().name == "mergeE");
        if (!merge && !takes(nodes, kOption)) return misplaced(instruction, nodes);
        HOB_ASSIGN_OR_RETURN(Option option, option_of(instruction));
        nodes.back().options.push_back(std::move(option));
        return true;
    }
    if (name == "from" ||
        (name == "to" && !(instruction.arguments.size() >= 1 &&
                           instruction.arguments[0].is_enum(EnumType::kDirection)))) {
        if (!takes(nodes, kFromTo)) return misplaced(instruction, nodes);
        (name == "from" ? nodes.back().from : nodes.back().to) = instruction.arguments;
        return true;
    }
    if (name == "with") {
        if (nodes.empty()) return misplaced(instruction, nodes);
        if (instruction.arguments.empty()) return Error::invalid("with(): expected a key");
        nodes.back().withs.emplace_back(instruction.arguments[0], instruction.arguments.size() > 1
                                                                      ? instruction.arguments[1]
                                                                      : Value::boolean(true));
        return true;
    }
    if (name == "read" || name == "write") {
        if (nodes.empty() || nodes.back().name != "io") return misplaced(instruction, nodes);
        nodes.back().action = name;
        return true;
    }
    if (name == "until" || name == "emit" || name == "times") {
        fold_loop(instruction, nodes);
        return true;
    }
    if (name == "repeat" && !nodes.empty() && nodes.back().name == "repeat" &&
        nodes.back().args.empty()) {
        nodes.back().args = instruction.arguments;
        return true;
    }
    const auto& args = instruction.arguments;
    if (name == "property" && takes(nodes, kProperty) && (args.size() == 1 || args.size() == 2) &&
        !args[0].is_enum(EnumType::kCardinality)) {
        nodes.back().properties.push_back(args);
        return true;
    }
    return false;
}

bool is_infix(const Instruction& instruction, std::string_view name) {
    return instruction.name == name && instruction.arguments.empty();
}

/// Start steps stay in front.
std::vector<Instruction> without_infix_of(const std::vector<Instruction>& steps,
                                          std::string_view name) {
    const auto infix = std::find_if(steps.begin(), steps.end(),
                                    [name](const Instruction& i) { return is_infix(i, name); });
    if (infix == steps.end()) return name == "or" ? without_infix_of(steps, "and") : steps;
    std::vector<Instruction> result;
    auto begin = steps.begin();
    while (begin != infix && (begin->name == "V" || begin->name == "E" || begin->name == "inject" ||
                              (begin->name == "as" && begin != steps.begin())))
        result.push_back(*begin++);
    Instruction connective{std::string(name), {}, infix->at};
    for (auto at = begin;; ++at) {
        if (at != steps.end() && !is_infix(*at, name)) continue;
        Traversal part;
        part.steps.assign(begin, at);
        if (name == "or") part.steps = without_infix_of(part.steps, "and");
        connective.arguments.push_back(make_traversal(std::move(part)));
        if (at == steps.end()) break;
        begin = at + 1;
    }
    result.push_back(std::move(connective));
    return result;
}

}  // namespace

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Instruction> without_infix(const std::vector<Instruction>& steps) {
    return without_infix_of(steps, "or");
}

Result<std::vector<Node>> fold_nodes(const Traversal& traversal, bool infix) {
    std::vector<Node> nodes;
    for (const Instruction& instruction :
         infix ? without_infix(traversal.steps) : traversal.steps) {
        HOB_ASSIGN_OR_RETURN(const bool folded, fold_modulator(instruction, nodes));
        if (folded) continue;
        if (find_step(instruction.name) == nullptr) {
            if (find_signature(instruction.name) != nullptr)
                return Error::unsupported("step {}() is not executed yet", instruction.name);
            return Error::invalid("there is no step {}()", instruction.name);
        }
        Node node;
        node.name = instruction.name;
        node.args = instruction.arguments;
        node.at = instruction.at;
        nodes.push_back(std::move(node));
    }
    return nodes;
}

namespace {

/// Calls `visit` for the traversal and every traversal nested in arguments.
void walk(const Traversal& traversal, bool nested,
          const std::function<void(const Instruction&, bool)>& visit) {
    const std::function<void(const Value&)> inner = [&](const Value& value) {
        if (const TraversalObject* child = as_traversal(value)) {
            walk(child->traversal, true, visit);
        } else if (value.kind() == Kind::kList || value.kind() == Kind::kSet) {
            for (const Value& item : value.items())
                inner(item);
        } else if (value.kind() == Kind::kMap) {
            for (const auto& [key, item] : value.as<MapObject>().entries())
                inner(item);
        }
    };
    for (const Instruction& instruction : traversal.steps) {
        visit(instruction, nested);
        for (const Value& argument : instruction.arguments)
            inner(argument);
    }
}

/// Adds the property keys that an instruction reads.
void add_keys(const Instruction& instruction, Needs& needs) {
    const auto& args = instruction.arguments;
    const std::string& name = instruction.name;
    const auto add = [&needs](const Value& key) {
        if (key.is_string()) needs.keys.emplace_back(key.text());
    };
    if (is_any(name, {"values", "properties", "valueMap", "propertyMap", "elementMap"})) {
        bool any = false;
        for (const Value& arg : args) {
            add(arg);
            any = any || arg.is_string();
        }
        if (!any) needs.all_properties = true;
    } else if (name == "has") {
        add(args.size() == 3 ? args[1] : args.empty() ? Value() : args[0]);
    } else if (is_any(name, {"hasNot", "by", "math"})) {
        if (!args.empty()) add(args[0]);
    } else if (is_any(name, {"format", "mergeV", "mergeE", "subgraph", "property"})) {
        needs.all_properties = true;
    }
}

void add_strings(const Value& value, std::vector<std::string>& out) {
    if (value.is_string()) {
        out.emplace_back(value.text());
    } else if (value.kind() == Kind::kList || value.kind() == Kind::kSet) {
        for (const Value& item : value.items())
            add_strings(item, out);
    } else if (const PredicateObject* predicate = as_predicate(value)) {
        for (const Value& operand : predicate->operands)
            add_strings(operand, out);
    }
}

bool fills_side_effect(const Instruction& instruction) {
    return is_any(instruction.name, {"aggregate", "group", "groupCount", "tree", "subgraph"});
}

/// Whether everything behind the first step only drops or reorders what it gave.
bool passes_elements(const Traversal& traversal) {
    if (traversal.steps.empty() || !is_any(traversal.steps[0].name, {"V", "E"})) return false;
    return std::all_of(traversal.steps.begin() + 1, traversal.steps.end(),
                       [](const Instruction& instruction) {
                           const StepSpec* spec = find_step(instruction.name);
                           return (spec != nullptr && spec->filter) ||
                                  is_any(instruction.name, {"as", "by", "order", "barrier"});
                       });
}

void sort_distinct(std::vector<std::string>& names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
}

/// Steps through which otherV() still knows how the edge was met.
bool keeps_edge(std::string_view name) {
    const StepSpec* spec = find_step(name);
    return (spec != nullptr && spec->filter) ||
           is_any(name, {"as", "by", "order", "outE", "inE", "bothE", "barrier", "sample", "tail",
                         "aggregate"});
}

bool other_vertex_needs_path(const Traversal& traversal) {
    for (std::size_t i = 0; i < traversal.steps.size(); ++i) {
        if (traversal.steps[i].name != "otherV") continue;
        bool near = false;
        for (std::size_t k = i; k-- > 0 && keeps_edge(traversal.steps[k].name);) {
            if (is_any(traversal.steps[k].name, {"outE", "inE", "bothE"})) {
                near = true;
                break;
            }
        }
        // In a child traversal that begins with otherV() the edge came from the parent.
        if (!near && i != 0) return true;
    }
    return false;
}

}  // namespace

Needs needs_of(const Traversal& traversal) {
    Needs needs;
    needs.passes_elements = passes_elements(traversal);
    if (other_vertex_needs_path(traversal)) needs.path = PathMode::kFull;
    walk(traversal, false, [&needs](const Instruction& instruction, bool nested) {
        const std::string& name = instruction.name;
        if (is_any(name, {"path", "simplePath", "cyclicPath", "tree"}))
            needs.path = PathMode::kFull;
        if (is_any(name, {"as", "match"}) && needs.path == PathMode::kNone)
            needs.path = PathMode::kLabels;
        for (const Value& argument : instruction.arguments) {
            const TraversalObject* child = as_traversal(argument);
            if (child != nullptr && other_vertex_needs_path(child->traversal))
                needs.path = PathMode::kFull;
        }
        if (name == "sack") needs.sacks = true;
        if (nested &&
            is_any(name, {"aggregate", "addV", "addE", "mergeV", "mergeE", "subgraph", "fail"}))
            needs.nested_side_effects = true;
        if (nested && is_any(name, {"group", "groupCount", "tree"}) &&
            !instruction.arguments.empty() && instruction.arguments[0].is_string()) {
            needs.nested_side_effects = true;
        }
        add_keys(instruction, needs);
        // A cap() of the main line waits until all is there.
        if (!fills_side_effect(instruction) && (nested || name != "cap")) {
            for (const Value& argument : instruction.arguments)
                add_strings(argument, needs.mentioned);
        }
    });
    sort_distinct(needs.keys);
    sort_distinct(needs.mentioned);
    return needs;
}

bool contains_barrier(const Traversal& traversal) {
    bool found = false;
    walk(traversal, false, [&found](const Instruction& instruction, bool) {
        const StepSpec* spec = find_step(instruction.name);
        const bool local = !instruction.arguments.empty() &&
                           instruction.arguments[0].is_enum(EnumType::kScope) &&
                           instruction.arguments[0].enum_ordinal() ==
                               static_cast<std::uint8_t>(ScopeToken::kLocal);
        if (spec != nullptr && spec->barrier && !local) found = true;
        if (is_any(instruction.name, {"limit", "range", "skip", "dedup"})) found = found || !local;
    });
    return found;
}

bool contains_visible(const Node& node) {
    const StepSpec* spec = find_step(node.name);
    if (spec != nullptr && spec->visible) return true;
    bool found = false;
    Traversal holder;
    holder.steps.push_back({node.name, node.args, node.at});
    walk(holder, false, [&found](const Instruction& instruction, bool nested) {
        const StepSpec* inner = find_step(instruction.name);
        if (inner != nullptr && inner->visible) found = true;
        if (nested && is_any(instruction.name, {"aggregate", "group", "groupCount"}) &&
            !instruction.arguments.empty() && instruction.arguments[0].is_string()) {
            found = true;
        }
    });
    return found;
}

bool writes_seen_side_effects(const Node& node, const std::vector<std::string>& mentioned) {
    if (!is_any(node.name, {"local", "map", "flatMap", "sideEffect", "optional", "coalesce"}))
        return false;
    bool found = false;
    Traversal holder;
    holder.steps.push_back({node.name, node.args, node.at});
    walk(holder, false, [&](const Instruction& instruction, bool nested) {
        if (!nested || !fills_side_effect(instruction)) return;
        for (const Value& argument : instruction.arguments) {
            if (argument.is_string() &&
                std::binary_search(mentioned.begin(), mentioned.end(), argument.text()))
                found = true;
        }
    });
    return found;
}

}  // namespace hob::gremlin
