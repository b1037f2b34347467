#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// A query's named side effects (withSideEffect, aggregate, group, subgraph ...). Used by one
/// thread at a time.
class SideEffects {
  public:
    struct Entry {
        Value value;
        std::optional<Operator> reducer;  ///< withSideEffect's third argument: how new values join.
        bool declared = false;            ///< By withSideEffect.
    };

    void declare(std::string_view name, Value value, std::optional<Operator> reducer);
    [[nodiscard]] bool contains(std::string_view name) const {
        return entries_.find(name) != entries_.end();
    }
    /// Null when there is none.
    [[nodiscard]] const Value* find(std::string_view name) const;
    [[nodiscard]] Entry* entry(std::string_view name);
    /// The entry, made with a null value when it is new.
    Entry& require(std::string_view name);
    void set(std::string_view name, Value value) { require(name).value = std::move(value); }
    /// Joins `value` to the entry by its reducer (assign when it has none).
    Status add(std::string_view name, const Value& value);
    [[nodiscard]] const std::map<std::string, Entry, std::less<>>& all() const { return entries_; }

  private:
    std::map<std::string, Entry, std::less<>> entries_;
};

/// Applies one of TinkerPop's operators to two values (Operator.java): sum, minus, mult, div, min,
/// max, assign, and, or, addAll, sumLong.
Result<Value> apply_operator(Operator op, const Value& a, const Value& b);

}  // namespace hob::gremlin
