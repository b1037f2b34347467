#include "server/wire/uuid.h"

#include <random>

#include "storage/base/bytes.h"

namespace hob::server {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

constexpr bool dash_at(std::size_t i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
}

}  // namespace

std::string uuid_text(std::string_view bytes16) {
    std::string text = to_hex(bytes16, 16);
    for (const std::size_t at : {20U, 16U, 12U, 8U})
        text.insert(at, 1, '-');
    return text;
}

std::optional<std::string> uuid_bytes(std::string_view text) {
    if (text.size() != kUuidTextBytes) return std::nullopt;
    std::string bytes;
    int high = -1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (dash_at(i)) {
            if (text[i] != '-') return std::nullopt;
            continue;
        }
        const int digit = hex_digit(text[i]);
        if (digit < 0) return std::nullopt;
        if (high < 0) {
            high = digit;
        } else {
            bytes.push_back(static_cast<char>(high * 16 + digit));
            high = -1;
        }
    }
    return bytes;
}

std::string random_uuid() {
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::string bytes;
    ByteWriter out(bytes);
    out.u64(random());
    out.u64(random());
    bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x40);
    bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
    return uuid_text(bytes);
}

}  // namespace hob::server
