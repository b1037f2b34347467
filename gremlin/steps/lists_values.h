#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/exec/op.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// Items of what Java calls an Iterable (list, set, bulk set, path); nothing for anything else.
std::optional<std::vector<Value>> items_of(const Value& value);

/// The class as java.lang.Class.toString() shows it, which TinkerPop's messages quote: "class
/// java.lang.Integer"; "null" for null.
std::string java_class(const Value& value);
/// Class.getSimpleName(): "Integer", "ArrayList".
std::string java_simple_name(const Value& value);

/// The first result of `child` for each traverser. Errors: kExecution where it has none, as
/// TraversalUtil.apply().
Status apply_child(Child& child, std::span<const Traverser> parents, std::string_view step,
                   std::vector<Value>& values);

/// Adds a key to what the query reads of vertices.
void want_property(QueryContext& context, std::string_view key);

}  // namespace hob::gremlin
