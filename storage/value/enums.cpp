#include "storage/value/enums.h"

#include <array>
#include <span>

namespace hob {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> kTNames{"id", "label", "key", "value"};
constexpr std::array<std::string_view, 3> kDirectionNames{"OUT", "IN", "BOTH"};
constexpr std::array<std::string_view, 3> kOrderNames{"asc", "desc", "shuffle"};
constexpr std::array<std::string_view, 2> kScopeNames{"global", "local"};
constexpr std::array<std::string_view, 4> kPopNames{"first", "last", "all", "mixed"};
constexpr std::array<std::string_view, 2> kColumnNames{"keys", "values"};
constexpr std::array<std::string_view, 3> kCardinalityNames{"single", "list", "set"};
constexpr std::array<std::string_view, 11> kOperatorNames{
    "sum", "minus", "mult", "div", "min", "max", "assign", "and", "or", "addAll", "sumLong"};
constexpr std::array<std::string_view, 3> kPickNames{"any", "none", "unproductive"};
constexpr std::array<std::string_view, 4> kMergeNames{"onCreate", "onMatch", "outV", "inV"};
constexpr std::array<std::string_view, 4> kDTNames{"second", "minute", "hour", "day"};
constexpr std::array<std::string_view, 27> kGTypeNames{
    "BIGDECIMAL", "BIGINT",   "BINARY", "BOOLEAN", "BYTE",   "CHAR",     "DATETIME",
    "DOUBLE",     "DURATION", "EDGE",   "FLOAT",   "GRAPH",  "INT",      "LIST",
    "LONG",       "MAP",      "NULL",   "NUMBER",  "PATH",   "PROPERTY", "SET",
    "SHORT",      "STRING",   "TREE",   "UUID",    "VERTEX", "VPROPERTY"};
constexpr std::array<std::string_view, 1> kBarrierNames{"normSack"};

struct Enumeration {
    std::string_view name;
    Names constants;
};

/// By EnumType.
constexpr std::array<Enumeration, 13> kEnumerations{{
    {"T", kTNames},
    {"Direction", kDirectionNames},
    {"Order", kOrderNames},
    {"Scope", kScopeNames},
    {"Pop", kPopNames},
    {"Column", kColumnNames},
    {"Cardinality", kCardinalityNames},
    {"Operator", kOperatorNames},
    {"Pick", kPickNames},
    {"Merge", kMergeNames},
    {"DT", kDTNames},
    {"GType", kGTypeNames},
    {"Barrier", kBarrierNames},
}};

struct Alias {
    EnumType type;
    std::string_view old_name;
    std::string_view name;
};

/// Spellings that older clients and scripts use.
constexpr std::array<Alias, 7> kAliases{{
    {EnumType::kOrder, "incr", "asc"},
    {EnumType::kOrder, "decr", "desc"},
    {EnumType::kDirection, "from", "OUT"},
    {EnumType::kDirection, "to", "IN"},
    {EnumType::kDirection, "out", "OUT"},
    {EnumType::kDirection, "in", "IN"},
    {EnumType::kDirection, "both", "BOTH"},
}};

const Enumeration& of(EnumType type) {
    return kEnumerations[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view name_of(EnumType type) {
    return of(type).name;
}

std::string_view name_of(EnumType type, std::uint8_t ordinal) {
    const Names names = of(type).constants;
    return ordinal < names.size() ? names[ordinal] : std::string_view{};
}

std::optional<std::uint8_t> ordinal_of(EnumType type, std::string_view name) {
    for (const Alias& alias : kAliases) {
        if (alias.type == type && alias.old_name == name) name = alias.name;
    }
    const Names names = of(type).constants;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<std::uint8_t>(i);
    }
    return std::nullopt;
}

std::optional<EnumType> enum_type_of(std::string_view name) {
    for (std::size_t i = 0; i < kEnumerations.size(); ++i) {
        if (kEnumerations[i].name == name) return static_cast<EnumType>(i);
    }
    return std::nullopt;
}

}  // namespace hob
