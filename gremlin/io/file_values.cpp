#include "gremlin/io/file_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gremlin/io/utf8.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

struct TypeName {
    std::string_view name;
    FileType type;
};
constexpr std::array<TypeName, 17> kTypeNames{{
    {"bool", FileType::kBool},
    {"boolean", FileType::kBool},
    {"byte", FileType::kByte},
    {"short", FileType::kShort},
    {"int", FileType::kInt},
    {"integer", FileType::kInt},
    {"long", FileType::kLong},
    {"float", FileType::kFloat},
    {"double", FileType::kDouble},
    {"string", FileType::kString},
    {"date", FileType::kDateTime},
    {"datetime", FileType::kDateTime},
    {"uuid", FileType::kUuid},
    {"biginteger", FileType::kBigInteger},
    {"bigint", FileType::kBigInteger},
    {"bigdecimal", FileType::kBigDecimal},
    {"decimal", FileType::kBigDecimal},
}};

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n' ||
                             text.front() == '\r')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n' ||
                             text.back() == '\r')) {
        text.remove_suffix(1);
    }
    return text;
}

Error no_such(std::string_view text, std::string_view type) {
    return Error::parse("'{}' is no {}", text.substr(0, 100), type);
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    Number v{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), v);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return v;
}

Result<Value> bool_of(std::string_view text) {
    const std::string word = lower(trimmed(text));
    if (word != "true" && word != "false") return no_such(text, "Bool");
    return Value::boolean(word == "true");
}

}  // namespace

std::optional<FileType> file_type_of(std::string_view name) {
    const std::string wanted = lower(name);
    const auto* found = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                     [&](const TypeName& t) { return t.name == wanted; });
    if (found == kTypeNames.end()) return std::nullopt;
    return found->type;
}

Result<Value> file_value(FileType type, std::string_view text) {
    switch (type) {
        case FileType::kBool:
            return bool_of(text);
        case FileType::kByte:
            if (const auto v = number_of<std::int8_t>(text)) return Value::byte(*v);
            return no_such(text, "Byte");
        case FileType::kShort:
            if (const auto v = number_of<std::int16_t>(text)) return Value::short_(*v);
            return no_such(text, "Short");
        case FileType::kInt:
            if (const auto v = number_of<std::int32_t>(text)) return Value::int_(*v);
            return no_such(text, "Int");
        case FileType::kLong:
            if (const auto v = number_of<std::int64_t>(text)) return Value::long_(*v);
            return no_such(text, "Long");
        case FileType::kFloat:
            if (const auto v = number_of<float>(text)) return Value::float_(*v);
            return no_such(text, "Float");
        case FileType::kDouble:
            if (const auto v = number_of<double>(text)) return Value::double_(*v);
            return no_such(text, "Double");
        case FileType::kString:
            if (is_utf8(text)) return Value::string(text);
            return Error::parse("a text is not UTF-8");
        case FileType::kDateTime:
            return parse_date_time(trimmed(text));
        case FileType::kUuid:
            return parse_uuid(trimmed(text));
        case FileType::kBigInteger:
            return big_int_from_text(trimmed(text));
        case FileType::kBigDecimal:
            return big_decimal_from_text(trimmed(text));
    }
    return no_such(text, "value");
}

Result<Value> file_id(IdForm form, std::string_view text) {
    if (text.empty()) return Error::parse("an id is empty");
    if (form != IdForm::kText) {
        // "+5", "05" and " 5" stay text under kAuto: two different ids must not become one.
        const auto v = number_of<std::int64_t>(text);
        if (v && (form == IdForm::kLong || std::to_string(*v) == text)) return Value::long_(*v);
        if (form == IdForm::kLong)
            return Error::parse("id '{}' is no whole number", text.substr(0, 100));
    }
    return file_value(FileType::kString, text);
}

}  // namespace hob::gremlin
