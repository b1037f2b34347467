#pragma once
#include <string>

#include "gremlin/language/traversal.h"

namespace hob::gremlin {

/// Canonical text of a predicate, strategy, nested traversal, variable or lambda, as print_value()
/// gives it.
std::string print_object(const ForeignObject& object);

}  // namespace hob::gremlin
