#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hob::gremlin::java {

/// What java.lang.String, Character and commons-lang's StringUtils do, on UTF-8 text. Lengths and
/// indices count UTF-16 units, as clients of a JVM server know them; a cut through a surrogate pair
/// leaves U+FFFD. Thread-safe.

std::int32_t length(std::string_view text);
/// Units [from, to); both must lie within 0 and length(text), from <= to.
std::string substring(std::string_view text, std::int32_t from, std::int32_t to);
/// Full case mapping without a language's own rules: ß becomes SS, a final Σ becomes ς.
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);
/// Strips Character.isWhitespace() characters from the chosen ends.
std::string_view strip(std::string_view text, bool left, bool right);
/// String.trim(): strips what is not above U+0020.
std::string_view trim(std::string_view text);
/// By code points.
std::string reverse(std::string_view text);
/// Every `old_text` becomes `new_text`; unchanged when `old_text` is empty.
std::string replace(std::string_view text, std::string_view old_text, std::string_view new_text);
/// StringUtils.splitByWholeSeparator(): neighbouring separators count as one; no separator means
/// white space. An empty separator gives single characters.
std::vector<std::string> split(std::string_view text, std::optional<std::string_view> separator);

}  // namespace hob::gremlin::java
