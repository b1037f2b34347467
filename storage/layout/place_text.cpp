#include <charconv>

#include "storage/layout/cells.h"

namespace hob::layout {
namespace {

constexpr char kSeparator = '-';
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void append_hex(char c, std::string& out) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(kHexDigits[byte >> 4]);
    out.push_back(kHexDigits[byte & 15]);
}

int hex_digit(char c) {
    const auto at = kHexDigits.find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::optional<char> read_hex(std::string_view two_digits) {
    if (two_digits.size() < 2) return std::nullopt;
    const int high = hex_digit(two_digits[0]);
    const int low = hex_digit(two_digits[1]);
    if (high < 0 || low < 0) return std::nullopt;
    return static_cast<char>(high * 16 + low);
}

void append_id(const IdCodec& ids, const Value& id, std::string& out) {
    if (id.kind() == Kind::kLong) {
        const std::int64_t number = id.as_int64();
        if (number < 0) {
            out.push_back('n');
            out += std::to_string(~static_cast<std::uint64_t>(number) + 1);
        } else {
            out += std::to_string(number);
        }
    } else if (id.is_string()) {
        out.push_back('s');
        for (const char c : id.text()) {
            if (is_plain(c)) {
                out.push_back(c);
            } else {
                out.push_back('%');
                append_hex(c, out);
            }
        }
    } else {
        out.push_back('x');
        std::string bytes;
        ids.append(id, bytes);
        for (const char c : bytes) {
            append_hex(c, out);
        }
    }
}

template <typename Number>
std::optional<Number> read_number(std::string_view digits) {
    Number number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty())
        return std::nullopt;
    if (digits.size() > 1 && digits[0] == '0') return std::nullopt;  // One place has one text.
    return number;
}

std::optional<Value> read_string_id(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            if (!is_plain(text[i])) return std::nullopt;
            plain.push_back(text[i]);
            continue;
        }
        const auto byte = read_hex(text.substr(i + 1));
        if (!byte.has_value()) return std::nullopt;
        plain.push_back(*byte);
        i += 2;
    }
    return Value::string(plain);
}

std::optional<Value> read_bytes_id(const IdCodec& ids, std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const auto byte = read_hex(text.substr(i));
        if (!byte.has_value()) return std::nullopt;
        bytes.push_back(*byte);
    }
    std::string_view rest = bytes;
    auto id = ids.read(rest);
    if (!id || !rest.empty()) return std::nullopt;
    return std::move(*id);
}

std::optional<Value> read_id(const IdCodec& ids, std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::optional<Value> id;
    if (text[0] == 's') {
        id = read_string_id(text.substr(1));
    } else if (text[0] == 'x') {
        id = read_bytes_id(ids, text.substr(1));
    } else if (text[0] == 'n') {
        const auto number = read_number<std::uint64_t>(text.substr(1));
        if (number.has_value()) id = Value::long_(static_cast<std::int64_t>(~*number + 1));
    } else if (const auto number = read_number<std::int64_t>(text);
               number.has_value() && *number >= 0) {
        id = Value::long_(*number);
    }
    if (!id.has_value()) return std::nullopt;
    // "1" must not become the long 1 of a graph whose ids are strings, nor the other way round.
    const auto kept = ids.normal(*id);
    if (!kept.has_value() || kept->kind() != id->kind()) return std::nullopt;
    return kept;
}

std::string_view next_part(std::string_view& text) {
    const auto at = text.find(kSeparator);
    const std::string_view part = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
    return part;
}

}  // namespace

std::string place_text(const IdCodec& ids, const EdgePlace& place) {
    std::string out;
    out.reserve(24);
    append_id(ids, place.out, out);
    out.push_back(kSeparator);
    out += std::to_string(place.label);
    out.push_back(kSeparator);
    append_id(ids, place.in, out);
    if (place.parallel != 0) {
        out.push_back(kSeparator);
        out += std::to_string(place.parallel);
    }
    return out;
}

std::optional<EdgePlace> parse_place(const IdCodec& ids, std::string_view text) {
    if (text.empty() || text.back() == kSeparator) return std::nullopt;
    const auto out = read_id(ids, next_part(text));
    if (!out.has_value()) return std::nullopt;
    const auto label = read_number<std::uint16_t>(next_part(text));
    if (!label.has_value()) return std::nullopt;
    const auto in = read_id(ids, next_part(text));
    if (!in.has_value()) return std::nullopt;
    EdgePlace place{.out = *out, .label = *label, .in = *in, .parallel = 0};
    if (text.empty()) return place;
    const auto parallel = read_number<std::uint64_t>(text);
    if (!parallel.has_value() || *parallel == 0) return std::nullopt;
    place.parallel = *parallel;
    return place;
}

}  // namespace hob::layout
