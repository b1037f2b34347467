#include "storage/value/compare.h"

namespace hob {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

constexpr bool dash_after(std::size_t byte) {
    return byte == 3 || byte == 5 || byte == 7 || byte == 9;
}

}  // namespace

Result<Value> parse_uuid(std::string_view text) {
    std::array<std::uint8_t, 16> bytes{};
    std::size_t at = 0;
    bool ok = text.size() == 36;
    for (std::size_t i = 0; ok && i < bytes.size(); ++i) {
        const int high = hex_digit(text[at]);
        const int low = hex_digit(text[at + 1]);
        at += 2;
        ok = high >= 0 && low >= 0;
        bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
        if (ok && dash_after(i)) ok = text[at++] == '-';
    }
    if (!ok) {
        return Error::parse(
            "'{}' is not a UUID, expected for example 41d2e28a-20a4-4ab0-b379-d810dede3786",
            text.substr(0, 100));
    }
    return Value::uuid(bytes);
}

std::string uuid_text(const Value& v) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    out.reserve(36);
    const auto& bytes = v.uuid_bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        out += kDigits[bytes[i] >> 4];
        out += kDigits[bytes[i] & 15];
        if (dash_after(i)) out += '-';
    }
    return out;
}

}  // namespace hob
