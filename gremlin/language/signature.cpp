#include "gremlin/language/signature.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>

#include "gremlin/language/printer.h"
#include "gremlin/language/script.h"
#include "gremlin/language/signature_table.h"
#include "gremlin/language/words.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

enum class Type : std::uint8_t {
    kAny,
    kString,
    kBoolean,
    kMap,
    kDate,
    kInt,
    kLong,
    kNumber,
    kVertex,
    kPredicate,
    kTraversal,
    kStrategy,
    kFunction,
    kEnum,
};

struct TypeWord {
    std::string_view word;
    Type type;
    std::string_view phrase;  ///< In messages, after "a".
};

constexpr auto kTypeWords = std::to_array<TypeWord>({
    {"any", Type::kAny, "a value"},
    {"string", Type::kString, "a string"},
    {"boolean", Type::kBoolean, "true or false"},
    {"map", Type::kMap, "a map"},
    {"date", Type::kDate, "a date"},
    {"int", Type::kInt, "an int"},
    {"long", Type::kLong, "a long"},
    {"number", Type::kNumber, "a number"},
    {"vertex", Type::kVertex, "a vertex"},
    {"P", Type::kPredicate, "a predicate such as gt(1)"},
    {"traversal", Type::kTraversal, "a traversal such as __.out()"},
    {"strategy", Type::kStrategy, "a strategy"},
    {"function", Type::kFunction, "a T or Column"},
});

struct Parameter {
    std::string_view name;  ///< Empty when the signature gives none.
    std::string_view word;  ///< Of its type.
    Type type = Type::kAny;
    EnumType enumeration{};
    bool nullable = false;
    bool repeated = false;
};

struct Overload {
    std::vector<Parameter> parameters;
    [[nodiscard]] bool variadic() const {
        return !parameters.empty() && parameters.back().repeated;
    }
    /// The parameter that takes argument `i`, or null.
    [[nodiscard]] const Parameter* at(std::size_t i) const {
        if (i < parameters.size()) return &parameters[i];
        return variadic() ? &parameters.back() : nullptr;
    }
    [[nodiscard]] std::size_t least() const { return parameters.size() - (variadic() ? 1 : 0); }
};

bool take_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

Parameter parse_parameter(std::string_view text) {
    Parameter parameter;
    if (const std::size_t colon = text.find(": "); colon != std::string_view::npos) {
        parameter.name = text.substr(0, colon);
        text.remove_prefix(colon + 2);
    }
    parameter.repeated = take_suffix(text, "...");
    parameter.nullable = take_suffix(text, "?");
    parameter.word = text;
    const auto* const word = std::find_if(kTypeWords.begin(), kTypeWords.end(),
                                          [text](const TypeWord& w) { return w.word == text; });
    if (word != kTypeWords.end()) {
        parameter.type = word->type;
    } else {
        parameter.type = Type::kEnum;
        parameter.enumeration = enum_type_of(text).value();
    }
    return parameter;
}

Overload parse_overload(std::string_view text) {
    Overload overload;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(", "), text.size());
        overload.parameters.push_back(parse_parameter(text.substr(0, comma)));
        text.remove_prefix(std::min(comma + 2, text.size()));
    }
    return overload;
}

/// The table, read once: texts for people and parsed overloads for check_signature().
class Signatures {
  public:
    Signatures() {
        for (const SignatureRow& row : signature_rows()) {
            texts_.push_back(split(row.overloads));
            std::vector<Overload> overloads;
            for (const std::string_view text : texts_.back()) {
                overloads.push_back(parse_overload(text));
            }
            parsed_.push_back(std::move(overloads));
            signatures_.push_back({row.name, row.kind, row.spawns, {}});
        }
        for (std::size_t i = 0; i < signatures_.size(); ++i) {
            signatures_[i].overloads = texts_[i];
            by_name_.emplace(signatures_[i].name, i);
        }
    }
    [[nodiscard]] std::span<const Signature> all() const { return signatures_; }
    [[nodiscard]] const Signature* find(std::string_view name) const {
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : &signatures_[found->second];
    }
    [[nodiscard]] std::span<const Overload> overloads(const Signature& signature) const {
        return parsed_[static_cast<std::size_t>(&signature - signatures_.data())];
    }

  private:
    static std::vector<std::string_view> split(std::string_view text) {
        static constexpr std::string_view kSeparator = " | ";
        std::vector<std::string_view> parts;
        for (std::size_t bar = text.find(kSeparator); bar != std::string_view::npos;
             bar = text.find(kSeparator)) {
            parts.push_back(text.substr(0, bar));
            text.remove_prefix(bar + kSeparator.size());
        }
        parts.push_back(text);
        return parts;
    }

    std::vector<Signature> signatures_;
    std::vector<std::vector<std::string_view>> texts_;
    std::vector<std::vector<Overload>> parsed_;
    std::unordered_map<std::string_view, std::size_t> by_name_;
};

const Signatures& signatures() {
    static const Signatures table;
    return table;
}

bool matches_any(const Value& v) {
    return v.kind() != Kind::kForeign || as_traversal(v) != nullptr;
}

bool matches(const Parameter& parameter, const Value& v) {
    if (const BindingObject* binding = as_binding(v)) {
        return !binding->bound || matches(parameter, binding->value);
    }
    if (v.is_null()) return parameter.nullable;
    switch (parameter.type) {
        case Type::kAny:
            return matches_any(v);
        case Type::kString:
            return v.is_string();
        case Type::kBoolean:
            return v.kind() == Kind::kBool;
        case Type::kMap:
            return v.kind() == Kind::kMap;
        case Type::kDate:
            return v.kind() == Kind::kDate || v.kind() == Kind::kDateTime;
        case Type::kInt:
            return v.is_integral() && v.as_int64() >= std::numeric_limits<std::int32_t>::min() &&
                   v.as_int64() <= std::numeric_limits<std::int32_t>::max();
        case Type::kLong:
            return v.is_integral();
        case Type::kNumber:
            return v.is_number();
        case Type::kVertex:
            return v.kind() == Kind::kVertex;
        case Type::kPredicate:
            return as_predicate(v) != nullptr;
        case Type::kTraversal:
            return as_traversal(v) != nullptr;
        case Type::kStrategy:
            return as_strategy(v) != nullptr;
        case Type::kFunction:
            return v.is_enum(EnumType::kT) || v.is_enum(EnumType::kColumn);
        case Type::kEnum:
            return v.is_enum(parameter.enumeration);
    }
    return false;
}

/// How many arguments from the first on fit; all of them and no parameter left over when the
/// overload takes the call.
std::size_t fitting(const Overload& overload, std::span<const Value> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Parameter* parameter = overload.at(i);
        if (parameter == nullptr || !matches(*parameter, arguments[i])) return i;
    }
    return arguments.size();
}

std::string phrase(const Parameter& parameter) {
    if (parameter.type == Type::kEnum) {
        const std::string_view first = name_of(parameter.enumeration, 0);
        const std::string_view an = parameter.word.front() == 'O' ? "an" : "a";
        return fmt::format("{} {} such as {}.{}", an, parameter.word, parameter.word, first);
    }
    if (!parameter.name.empty() && parameter.type != Type::kAny) {
        return fmt::format("{} ({})", parameter.name, parameter.word);
    }
    for (const TypeWord& word : kTypeWords) {
        if (word.type == parameter.type) return std::string(word.phrase);
    }
    return std::string(parameter.word);
}

std::string article(std::string text) {
    const std::size_t kind = text.find(" (");
    if (kind == std::string::npos || text[kind - 1] == 's') return text;  // Plural.
    const bool vowel = std::string_view("aeiou").find(text.front()) != std::string_view::npos;
    return (vowel ? "an " : "a ") + text;
}

std::string place(SourcePosition at) {
    return at.line == 0 ? "" : fmt::format(" at line {}, column {}", at.line, at.column);
}

std::string shortened(const Value& v) {
    static constexpr std::size_t kBytesMax = 80;
    std::string text = print_value(v);
    if (text.size() > kBytesMax) {
        std::size_t end = kBytesMax;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
            --end;
        text.resize(end);
        text += "...";
    }
    return text;
}

std::string_view kind_name(const Value& v) {
    if (v.kind() != Kind::kForeign) return type_name(v);
    switch (v.as<ForeignObject>().foreign_class()) {
        case ForeignObject::Class::kPredicate:
            return "P";
        case ForeignObject::Class::kTraversal:
            return "Traversal";
        case ForeignObject::Class::kStrategy:
            return "TraversalStrategy";
        case ForeignObject::Class::kBinding:
            return "Binding";
        case ForeignObject::Class::kLambda:
            return "Lambda";
        case ForeignObject::Class::kOther:
            return "Object";
    }
    return "Object";
}

/// The error of a call that no overload takes: about the first argument that the best overload
/// refuses.
Error refusal(const Instruction& instruction, const Signature& signature) {
    const std::span<const Overload> overloads = signatures().overloads(signature);
    const std::span<const Value> arguments = instruction.arguments;
    std::size_t best = 0;
    for (const Overload& overload : overloads)
        best = std::max(best, fitting(overload, arguments));
    std::vector<std::string> expected;
    for (const Overload& overload : overloads) {
        const Parameter* parameter = overload.at(best);
        if (parameter == nullptr || fitting(overload, arguments) < best) continue;
        std::string text = article(phrase(*parameter));
        if (std::find(expected.begin(), expected.end(), text) == expected.end()) {
            expected.push_back(std::move(text));
        }
    }
    if (best == arguments.size() || expected.empty()) {
        std::string forms;
        for (const std::string_view overload : signature.overloads) {
            if (!forms.empty()) forms += " or ";
            forms.append(signature.name).append(overload);
        }
        return Error::invalid("{}(): got {} argument{}, expected {}{}", instruction.name,
                              arguments.size(), arguments.size() == 1 ? "" : "s", forms,
                              place(instruction.at));
    }
    std::string choices;
    for (const std::string& text : expected) {
        if (!choices.empty()) choices += " or ";
        choices += text;
    }
    return Error::invalid("{}(): argument {} is {} ({}), expected {}{}", instruction.name, best + 1,
                          shortened(arguments[best]), kind_name(arguments[best]), choices,
                          place(instruction.at));
}

}  // namespace

const Signature* find_signature(std::string_view name) {
    return signatures().find(name);
}

std::span<const Signature> all_signatures() {
    return signatures().all();
}

Status check_signature(const Instruction& instruction) {
    const Signature* signature = find_signature(instruction.name);
    if (signature == nullptr) {
        return Error::invalid("there is no step {}(){}", instruction.name, place(instruction.at));
    }
    for (const Value& argument : instruction.arguments) {
        if (const LambdaObject* lambda = as_lambda(argument)) {
            return Error::unsupported(
                "{}(): code of a client ({}) is never run here; say it with steps, for example "
                "filter(__.has('age', P.gt(30))) or map(__.values('name')){}",
                instruction.name, lambda->language, place(instruction.at));
        }
        const PredicateObject* predicate = as_predicate(argument);
        if (predicate == nullptr) continue;
        if (const Status fine = check_predicate(*predicate); !fine.ok()) {
            return Error::invalid("{}(): {}{}", instruction.name, fine.error().message,
                                  place(instruction.at));
        }
    }
    const std::span<const Value> arguments = instruction.arguments;
    for (const Overload& overload : signatures().overloads(*signature)) {
        if (arguments.size() >= overload.least() &&
            fitting(overload, arguments) == arguments.size()) {
            return {};
        }
    }
    return refusal(instruction, *signature);
}

}  // namespace hob::gremlin
