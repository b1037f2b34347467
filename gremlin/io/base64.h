#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace hob::gremlin {

/// RFC 4648 with padding.
void append_base64(std::string_view bytes, std::string& out);
/// Nothing when the text is no base64; missing padding is forgiven.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace hob::gremlin
