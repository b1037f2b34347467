#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// An argument that is a constant or a traversal, asked for a whole batch at once.
class ValueArgument {
  public:
    static Result<ValueArgument> make(Compiler& compiler, const Value& argument);
    /// `found[i]` is 0 where the traversal gives nothing.
    Status resolve(std::span<const Traverser> in, std::vector<Value>& values,
                   std::vector<std::uint8_t>& found);
    [[nodiscard]] bool constant() const { return !child_.valid(); }
    [[nodiscard]] const Value& value() const { return value_; }

  private:
    Value value_;
    Child child_;
};

/// Cardinality.set(x) as drivers send it (a traversal whose only source is
/// CardinalityValueTraversal): its cardinality and value; nothing for anything else.
std::optional<std::pair<Cardinality, Value>> cardinality_value(const Value& argument);

/// One property() with its arguments taken apart.
struct PropertyArguments {
    std::optional<Cardinality> cardinality;
    std::optional<ValueArgument> map;  ///< property(map)
    std::optional<T> token;            ///< property(T.id, ...)
    std::optional<ValueArgument> key;
    std::optional<ValueArgument> value;
    std::vector<std::pair<std::string, ValueArgument>> meta;
};
Result<PropertyArguments> property_arguments(Compiler& compiler, const std::vector<Value>& args);

/// The same for a batch, resolved: what to write for each traverser.
struct ResolvedProperties {
    std::vector<std::vector<graph::PropertyWrite>> writes;  ///< By traverser.
    std::vector<Value> ids;                                 ///< T.id, null where not given.
    std::vector<Value> labels;                              ///< T.label
};
Status resolve_properties(std::vector<PropertyArguments>& properties, std::span<const Traverser> in,
                          ResolvedProperties& out);

/// The input, or for a start step (no input) an operator that gives one empty traverser, from which
/// arguments are resolved.
Op* or_start(Compiler& compiler, Op* input);

}  // namespace hob::gremlin
