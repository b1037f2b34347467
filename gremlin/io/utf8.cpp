#include "gremlin/io/utf8.h"

#include <cstring>

namespace hob::gremlin {

Utf8Character decode_utf8(std::string_view bytes) {
    if (bytes.empty()) return {};
    const auto first = static_cast<unsigned char>(bytes[0]);
    if (first < 0x80) return {first, 1};
    const std::size_t size = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
    if (first < 0xc2 || first > 0xf4 || bytes.size() < size) return {};
    auto code_point = static_cast<char32_t>(first & (0xff >> (size + 1)));
    for (std::size_t i = 1; i < size; ++i) {
        const auto c = static_cast<unsigned char>(bytes[i]);
        if ((c & 0xc0) != 0x80) return {};
        code_point = (code_point << 6) | (c & 0x3f);
    }
    static constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
    if (code_point < kSmallest[size] || code_point > 0x10ffff || surrogate) return {};
    return {code_point, size};
}

bool is_utf8(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        // Eight plain characters at a time: nearly all text is ASCII.
        if (bytes.size() - at >= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, 8);
            if ((word & 0x8080808080808080u) == 0) {
                at += 8;
                continue;
            }
        }
        const std::size_t size = decode_utf8(bytes.substr(at, 4)).size;
        if (size == 0) return false;
        at += size;
    }
    return true;
}

}  // namespace hob::gremlin
