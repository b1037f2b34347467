#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hob::server {

inline constexpr std::size_t kUuidTextBytes = 36;
inline constexpr std::string_view kNilUuid = "00000000-0000-0000-0000-000000000000";

/// 16 bytes as lower-case text with dashes.
std::string uuid_text(std::string_view bytes16);
/// The 16 bytes of a UUID's text, or nothing.
std::optional<std::string> uuid_bytes(std::string_view text);
/// A fresh random (version 4) UUID's text. Thread-safe.
std::string random_uuid();

}  // namespace hob::server
