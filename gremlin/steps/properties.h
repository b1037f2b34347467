#pragma once
#include "storage/value/value.h"

namespace hob::gremlin {

/// A property of an edge or a meta-property of a vertex property (kProperty).
Value make_property(const Value& key, const Value& value, const Value& element);

}  // namespace hob::gremlin
