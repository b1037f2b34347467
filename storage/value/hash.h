#pragma once
#include <cstddef>
#include <string_view>

namespace hob {

/// What `hash_of` gives for a kString of these bytes; lets a map be asked by text without making a
/// value.
std::size_t hash_of_string(std::string_view utf8);

}  // namespace hob
