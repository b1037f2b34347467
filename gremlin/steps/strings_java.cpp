#include "gremlin/steps/strings_java.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

namespace hob::gremlin::java {
namespace {

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

icu::UnicodeString utf16(std::string_view text) {
    return icu::UnicodeString::fromUTF8(
        icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

std::string utf8(const icu::UnicodeString& text) {
    std::string out;
    text.toUTF8String(out);
    return out;
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

/// Bytes of the code point that starts at `at`.
std::size_t width_at(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && is_continuation(text[end]))
        ++end;
    return end - at;
}

/// Bytes of the code point that ends before `end`.
std::size_t width_before(std::string_view text, std::size_t end) {
    std::size_t at = end - 1;
    while (at > 0 && is_continuation(text[at]))
        --at;
    return end - at;
}

bool is_whitespace(std::string_view code_point) {
    if (code_point.size() == 1) {
        const char c = code_point[0];
        return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
    }
    return u_isWhitespace(utf16(code_point).char32At(0)) != 0;
}

std::vector<std::string> characters(std::string_view text) {
    if (text.empty()) return {""};
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t width = width_at(text, at);
        parts.emplace_back(text.substr(at, width));
        at += width;
    }
    return parts;
}

std::vector<std::string> split_at_whitespace(std::string_view text) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t width = width_at(text, at);
        if (is_whitespace(text.substr(at, width))) {
            if (at > begin) parts.emplace_back(text.substr(begin, at - begin));
            begin = at + width;
        }
        at += width;
    }
    if (begin < text.size()) parts.emplace_back(text.substr(begin));
    return parts;
}

}  // namespace

std::int32_t length(std::string_view text) {
    std::size_t units = 0;
    for (const char c : text) {
        if (!is_continuation(c)) ++units;
        // Four bytes of UTF-8 are a surrogate pair.
        if (static_cast<unsigned char>(c) >= 0xf0) ++units;
    }
    return static_cast<std::int32_t>(units);
}

std::string substring(std::string_view text, std::int32_t from, std::int32_t to) {
    if (is_ascii(text)) {
        return std::string(
            text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
    }
    return utf8(utf16(text).tempSubStringBetween(from, to));
}

std::string to_lower(std::string_view text) {
    if (!is_ascii(text)) return utf8(utf16(text).toLower(icu::Locale::getRoot()));
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string to_upper(std::string_view text) {
    if (!is_ascii(text)) return utf8(utf16(text).toUpper(icu::Locale::getRoot()));
    std::string out(text);
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

std::string_view strip(std::string_view text, bool left, bool right) {
    while (left && !text.empty()) {
        const std::size_t width = width_at(text, 0);
        if (!is_whitespace(text.substr(0, width))) break;
        text.remove_prefix(width);
    }
    while (right && !text.empty()) {
        const std::size_t width = width_before(text, text.size());
        if (!is_whitespace(text.substr(text.size() - width))) break;
        text.remove_suffix(width);
    }
    return text;
}

std::string_view trim(std::string_view text) {
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string reverse(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t end = text.size(); end > 0;) {
        const std::size_t width = width_before(text, end);
        end -= width;
        out.append(text.substr(end, width));
    }
    return out;
}

std::string replace(std::string_view text, std::string_view old_text, std::string_view new_text) {
    if (old_text.empty()) return std::string(text);
    std::string out;
    std::size_t begin = 0;
    while (true) {
        const std::size_t found = text.find(old_text, begin);
        if (found == std::string_view::npos) break;
        out.append(text.substr(begin, found - begin)).append(new_text);
        begin = found + old_text.size();
    }
    out.append(text.substr(begin));
    return out;
}

std::vector<std::string> split(std::string_view text, std::optional<std::string_view> separator) {
    if (separator && separator->empty()) return characters(text);
    if (text.empty()) return {};
    if (!separator) return split_at_whitespace(text);
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t found = text.find(*separator, begin);
        if (found == std::string_view::npos) break;
        if (found > begin) parts.emplace_back(text.substr(begin, found - begin));
        begin = found + separator->size();
    }
    // What follows the last separator counts even when it is empty.
    parts.emplace_back(text.substr(begin));
    return parts;
}

}  // namespace hob::gremlin::java
