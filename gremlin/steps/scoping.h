#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// Where select(), where() and their like find a name (TinkerPop's Scoping): in the traverser's
/// map, then the side effects, then the path.
struct ScopeKey {
    std::string name;
    std::uint32_t label = 0;
    Value text;
};
ScopeKey scope_key(QueryContext& context, std::string_view name);
/// Nothing when no place knows the name.
std::optional<Value> scope_value(const QueryContext& context, const Traverser& t,
                                 const ScopeKey& key, Pop pop);

/// What where() and its like say of a name that no place knows, in TinkerPop's words.
Error no_such_key(const ScopeKey& key, std::string_view step);

/// Whether as()-labels at the ends of a filtering child stand for values known by name. In where()
/// they do; in filter(), and(), or(), not(), until() and emit() they only label.
enum class ChildLabels : std::uint8_t { kLabel, kName };

/// A filtering child traversal. With ChildLabels::kName its leading and trailing as()-labels stand
/// for values: where(as('a').out().as('b')); so do those of the children of an and(), or() or not()
/// that it begins with. Without such labels it just runs on the traverser.
class FilterChild {
  public:
    static Result<FilterChild> make(Compiler& compiler, const Value& traversal, ChildLabels labels);
    /// Whether each traverser passes. Errors: kExecution for a label that nothing has.
    Status test(QueryContext& context, std::span<const Traverser> in,
                std::vector<std::uint8_t>& passes);

  private:
    Child child_;
    std::optional<ScopeKey> start_;
    std::optional<ScopeKey> end_;
};

}  // namespace hob::gremlin
