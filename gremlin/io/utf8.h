#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hob::gremlin {

/// One decoded character; `size` 0 when the bytes are no UTF-8 (overlong forms and surrogates
/// included).
struct Utf8Character {
    char32_t code_point = 0;
    std::size_t size = 0;
};
Utf8Character decode_utf8(std::string_view bytes);

bool is_utf8(std::string_view bytes);

}  // namespace hob::gremlin
