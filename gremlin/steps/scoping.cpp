#include "gremlin/steps/scoping.h"

#include "storage/value/compare.h"

namespace hob::gremlin {

ScopeKey scope_key(QueryContext& context, std::string_view name) {
    return ScopeKey{std::string(name), context.labels.label(name), Value::string(name)};
}

std::optional<Value> scope_value(const QueryContext& context, const Traverser& t,
                                 const ScopeKey& key, Pop pop) {
    if (t.value.kind() == Kind::kMap) {
        if (const Value* found = t.value.as<MapObject>().find(key.text)) return *found;
    }
    if (const Value* found = context.side_effects.find(key.name)) return *found;
    switch (pop) {
        case Pop::kLast: {
            const Value* newest = context.newest(t, key.label);
            if (newest == nullptr) return std::nullopt;
            return *newest;
        }
        case Pop::kFirst:
        case Pop::kAll:
        case Pop::kMixed: {
            std::vector<Value> all;
            context.labelled(t, key.label, all);
            if (all.empty()) return std::nullopt;
            if (pop == Pop::kFirst || (pop == Pop::kMixed && all.size() == 1)) return all.front();
            return Value::list(std::move(all));
        }
    }
    return std::nullopt;
}

Error no_such_key(const ScopeKey& key, std::string_view step) {
    return Error::execution("Neither the map, sideEffects, nor path has a {}-key: {}({})", key.name,
                            step, key.name);
}

namespace {

/// The label of an as() that stands alone at one end of the instructions.
std::optional<std::string> lone_label(const Instruction& instruction) {
    if (instruction.name != "as" || instruction.arguments.size() != 1 ||
        !instruction.arguments[0].is_string())
        return std::nullopt;
    return std::string(instruction.arguments[0].text());
}

/// and(a, b) as the first step of a where(): and(where(a), where(b)), so that names are values
/// there too.
void name_values_in(Instruction& first) {
    if (first.name != "and" && first.name != "or" && first.name != "not") return;
    for (Value& argument : first.arguments) {
        if (as_traversal(argument) == nullptr) continue;
        Traversal inner;
        inner.steps.push_back({"where", {argument}, first.at});
        argument = make_traversal(std::move(inner));
    }
}

}  // namespace

Result<FilterChild> FilterChild::make(Compiler& compiler, const Value& traversal,
                                      ChildLabels labels) {
    const TraversalObject* object = as_traversal(traversal);
    if (object == nullptr)
        return Error::invalid("expected a traversal, found {} ({})", to_text(traversal),
                              type_name(traversal));
    Traversal inner = object->traversal;
    FilterChild result;
    const bool named = labels == ChildLabels::kName;
    if (named && !inner.steps.empty()) {
        name_values_in(inner.steps.front());
        if (const auto start = lone_label(inner.steps.front())) {
            result.start_ = scope_key(compiler.context(), *start);
            inner.steps.erase(inner.steps.begin());
        }
    }
    if (named && !inner.steps.empty()) {
        if (const auto end = lone_label(inner.steps.back())) {
            result.end_ = scope_key(compiler.context(), *end);
            inner.steps.pop_back();
        }
    }
    HOB_ASSIGN_OR_RETURN(
        result.child_, compiler.child(make_traversal(std::move(inner)), !result.end_.has_value()));
    return result;
}

Status FilterChild::test(QueryContext& context, std::span<const Traverser> in,
                         std::vector<std::uint8_t>& passes) {
    if (!start_ && !end_) return child_.exists(in, passes);
    Batch parents(in.begin(), in.end());
    std::vector<Value> ends;
    for (Traverser& t : parents) {
        if (end_) {
            auto end = scope_value(context, t, *end_, Pop::kLast);
            if (!end) return no_such_key(*end_, "WhereEndStep");
            ends.push_back(std::move(*end));
        }
        if (start_) {
            auto start = scope_value(context, t, *start_, Pop::kLast);
            if (!start) return no_such_key(*start_, "WhereStartStep");
            t.value = std::move(*start);
        }
    }
    if (!end_) return child_.exists(parents, passes);
    passes.assign(in.size(), 0);
    child_.start(parents);
    Batch results;
    while (true) {
        results.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state, child_.next(results));
        for (const Traverser& t : results) {
            if (equal(t.value, ends[t.slot])) {
                passes[t.slot] = 1;
                child_.scope().finish(t.slot);
            }
        }
        if (state != Pull::kMore) return {};
    }
}

}  // namespace hob::gremlin
