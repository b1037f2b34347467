#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace hob::layout {

/// MD5 (RFC 1321) as a spreader of keys, not for security. Our own, since OpenSSL's costs ten times
/// as much for the 8 bytes of an id, and it is computed for every row that is asked for.
std::array<std::uint8_t, 16> md5(std::string_view bytes);

/// The first byte of the digest: a row key's salt.
std::uint8_t salt_of(std::string_view bytes);

/// The first 8 bytes of the digest, big-endian.
std::uint64_t md5_head(std::string_view bytes);

}  // namespace hob::layout
