#pragma once
#include <compare>

#include "storage/value/value.h"

namespace hob {

bool is_nan(const Value& v);
/// Two numbers by TinkerPop's promotion; NaN equals itself and comes after +Infinity.
std::weak_ordering order_numbers(const Value& a, const Value& b);

}  // namespace hob
