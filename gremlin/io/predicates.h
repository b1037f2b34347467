#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// A predicate from what a format carries: its name and its arguments. Members of within() and
/// without() that came as one collection are spread out; several arguments of eq() and the like are
/// one list again (drivers write P.eq([1, 2]) so). Errors: kParse for an unknown name, a wrong
/// number of arguments, or and()/or()/not() of what is no predicate.
Result<Value> predicate_of(std::string name, std::vector<Value> arguments);

/// Whether the predicate of that name is one of TextP's, which formats keep apart.
bool is_text_predicate(std::string_view name);

/// The last part of a Java class name: "org.x.SubgraphStrategy" gives "SubgraphStrategy".
std::string_view simple_class_name(std::string_view name);

/// The full Java name of TinkerPop's strategy of that simple name.
std::string full_strategy_name(std::string_view simple);

}  // namespace hob::gremlin
