#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "storage/value/value.h"

namespace hob::gremlin::java {

/// hashCode() of a string, number of up to 64 bits or boolean; nothing for values whose hash code
/// is not specified. Thread-safe.
std::optional<std::int32_t> hash_code(const Value& value);

/// The order in which a java.util.HashMap filled with these (distinct) keys goes over them: indexes
/// of `keys`. Keys without a hash code of their own come last, in the order given. Thread-safe.
std::vector<std::uint32_t> hash_map_order(std::span<const Value> keys);

}  // namespace hob::gremlin::java
