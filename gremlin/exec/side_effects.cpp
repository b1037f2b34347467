#include "gremlin/exec/side_effects.h"

#include "storage/value/compare.h"

namespace hob::gremlin {

void SideEffects::declare(std::string_view name, Value value, std::optional<Operator> reducer) {
    Entry& entry = require(name);
    entry.value = std::move(value);
    entry.reducer = reducer;
    entry.declared = true;
}

const Value* SideEffects::find(std::string_view name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second.value;
}

SideEffects::Entry* SideEffects::entry(std::string_view name) {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
}

SideEffects::Entry& SideEffects::require(std::string_view name) {
    const auto found = entries_.find(name);
    if (found != entries_.end()) return found->second;
    return entries_.emplace(std::string(name), Entry{}).first->second;
}

Status SideEffects::add(std::string_view name, const Value& value) {
    Entry& entry = require(name);
    HOB_ASSIGN_OR_RETURN(
        entry.value, apply_operator(entry.reducer.value_or(Operator::kAssign), entry.value, value));
    return {};
}

namespace {

Result<Value> add_all(const Value& a, const Value& b) {
    if (a.is_null()) return b;
    if (b.is_null()) return a;
    if (a.kind() == Kind::kMap && b.kind() == Kind::kMap) {
        Value result = make_map();
        auto& map = result.mutate<MapObject>();
        for (const auto& [key, value] : a.as<MapObject>().entries())
            map.put(key, value);
        for (const auto& [key, value] : b.as<MapObject>().entries())
            map.put(key, value);
        return result;
    }
    if (a.kind() == Kind::kBulkSet) {
        auto* bulk_set = new BulkSetObject;
        Value result = Value::adopt(Kind::kBulkSet, bulk_set);
        for (const auto& [value, count] : a.as<BulkSetObject>().entries())
            bulk_set->add(value, count);
        if (b.kind() == Kind::kBulkSet) {
            for (const auto& [value, count] : b.as<BulkSetObject>().entries())
                bulk_set->add(value, count);
        } else if (b.is_collection()) {
            for (const Value& value : b.items())
                bulk_set->add(value, 1);
        }
        return result;
    }
    if ((a.kind() == Kind::kList || a.kind() == Kind::kSet) && b.is_collection()) {
        std::vector<Value> items(a.items().begin(), a.items().end());
        if (b.kind() == Kind::kBulkSet) {
            for (const auto& [value, count] : b.as<BulkSetObject>().entries()) {
                items.insert(items.end(), static_cast<std::size_t>(count), value);
            }
        } else {
            items.insert(items.end(), b.items().begin(), b.items().end());
        }
        return a.kind() == Kind::kSet ? Value::set(std::move(items))
                                      : Value::list(std::move(items));
    }
    return Error::execution("addAll needs two collections or two maps, found {} and {}",
                            type_name(a), type_name(b));
}

Result<Value> logical(const Value& a, const Value& b, bool conjunction) {
    if (a.kind() != Kind::kBool || b.kind() != Kind::kBool) {
        return Error::execution("{} needs two booleans, found {} and {}",
                                conjunction ? "and" : "or", type_name(a), type_name(b));
    }
    return Value::boolean(conjunction ? a.as_bool() && b.as_bool() : a.as_bool() || b.as_bool());
}

}  // namespace

Result<Value> apply_operator(Operator op, const Value& a, const Value& b) {
    switch (op) {
        case Operator::kSum:
        case Operator::kSumLong:
            return add(a, b);
        case Operator::kMinus:
            return subtract(a, b);
        case Operator::kMult:
            return multiply(a, b);
        case Operator::kDiv:
            return divide(a, b);
        case Operator::kMin:
            return min_of(a, b);
        case Operator::kMax:
            return max_of(a, b);
        case Operator::kAssign:
            return b;
        case Operator::kAnd:
            return logical(a, b, true);
        case Operator::kOr:
            return logical(a, b, false);
        case Operator::kAddAll:
            return add_all(a, b);
    }
    return Error::internal("operator {} has no rule", static_cast<int>(op));
}

}  // namespace hob::gremlin
