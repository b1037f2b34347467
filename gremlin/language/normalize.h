#pragma once
#include <functional>
#include <string_view>

#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// Makes the traversals of texts and of every driver's bytecode one, nested ones included.
/// parse_script() has done it already; readers of bytecode call it once. Rules:
///  1. A driver's Binding (name and value) becomes its value; a variable of a text stays.
///  2. none() without argument (3.7) becomes discard().
///  3. with(key) becomes with(key, true).
///  4. OptionsStrategy in withStrategies(...) becomes one with(key, value) for each entry, before
///  the other strategies;
///     withComputer() becomes withStrategies(VertexProgramStrategy).
///  5. Strategies carry the simple class name; withoutStrategies() gets strategies whether a class,
///  a strategy or a name came.
///  6. within/without with one list or set as operand get its members as operands.
///  7. and/or of predicates are flat: and(and(a, b), c) becomes and(a, b, c); one operand stands
///  for itself.
///  8. aggregate(Scope.global, key) becomes aggregate(key), aggregate(Scope.local, key) becomes
///  local(__.aggregate(key)) (3.8's form).
/// Errors: kInvalidArgument for an operand-less and/or.
Status normalize(Traversal& traversal);

/// The value of a variable, or null when it has none.
using VariableLookup = std::function<const Value*(std::string_view name)>;

/// Puts values in place of a text's variables, then normalizes and checks the calls that had one.
/// Errors: kInvalidArgument for a variable without a value (name, line and column) or a value that
/// the step does not take.
Status bind_variables(Traversal& traversal, const VariableLookup& value_of);

/// check_signature() for every call, nested traversals included.
Status check_signatures(const Traversal& traversal);

}  // namespace hob::gremlin
