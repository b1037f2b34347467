// ElementIdStrategy: what a traversal says of ids is meant of a property, for graphs whose own ids
// can't be chosen.
#include "gremlin/language/literals.h"
#include "gremlin/plan/rewrite.h"
#include "gremlin/plan/strategies.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

bool is_id(const Value& value) {
    return value.is_enum(EnumType::kT) && value.enum_ordinal() == static_cast<std::uint8_t>(T::kId);
}

void flatten(const std::vector<Value>& ids, std::vector<Value>& out) {
    for (const Value& id : ids) {
        if (id.kind() == Kind::kList || id.kind() == Kind::kSet) {
            flatten({id.items().begin(), id.items().end()}, out);
        } else {
            out.push_back(id);
        }
    }
}

/// The condition that a property is one of these ids, or what their predicate says.
Instruction has_id(const Value& key, const std::vector<Value>& ids) {
    if (ids.size() == 1 && as_predicate(ids[0]) != nullptr) return make_step("has", {key, ids[0]});
    std::vector<Value> flat;
    flatten(ids, flat);
    return make_step("has", {key, make_predicate("within", std::move(flat))});
}

/// A new element's id goes into the property; one without an id gets a random one.
void set_id(const Value& key, StepGroup& group) {
    bool given = false;
    for (Instruction& modulator : group.modulators) {
        auto& args = modulator.arguments;
        if (modulator.name != "property" || args.size() < 2) continue;
        if (is_id(args[0])) args[0] = key;
        given = given || (args[0].is_string() && args[0].text() == key.text());
    }
    if (given) return;
    group.modulators.push_back(make_step("property", {key, Value::string(to_text(random_uuid()))}));
}

void rewrite_level(const Value& key, StepGroups& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Instruction& step = groups[i].step;
        auto& args = step.arguments;
        if (step.name == "hasId") {
            step = has_id(key, args);
        } else if (step.name == "has" && args.size() == 2 && is_id(args[0])) {
            args[0] = key;
        } else if (step.name == "id") {
            step = make_step("values", {key});
        } else if (step.name == "addV" || step.name == "addE") {
            set_id(key, groups[i]);
        } else if (i == 0 && (step.name == "V" || step.name == "E") && !args.empty() &&
                   !args[0].is_element()) {
            const Instruction condition = has_id(key, args);
            args.clear();
            i = put_behind(groups, i, {condition});
        }
    }
}

}  // namespace

Status apply_element_ids(const StrategyObject& strategy, Traversal& traversal,
                         QueryContext& context) {
    HOB_ASSIGN_OR_RETURN(const std::vector<std::string> given,
                         strings_setting(strategy, "idPropertyKey"));
    const Value key = Value::string(given.empty() ? std::string("__id") : given[0]);
    return rewrite_levels(traversal, context.infix, [&key](StepGroups& groups) {
        rewrite_level(key, groups);
        return Status();
    });
}

}  // namespace hob::gremlin
