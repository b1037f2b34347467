#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace hob {

/// TinkerPop's enumerations (gremlin-core), as values that a traversal carries. The numbers are
/// ours and stay inside the process; every format writes names.
enum class EnumType : std::uint8_t {
    kT,
    kDirection,
    kOrder,
    kScope,
    kPop,
    kColumn,
    kCardinality,
    kOperator,
    kPick,
    kMerge,
    kDT,
    kGType,
    kBarrier,
};

enum class T : std::uint8_t { kId, kLabel, kKey, kValue };
enum class Direction : std::uint8_t { kOut, kIn, kBoth };
enum class Order : std::uint8_t { kAsc, kDesc, kShuffle };
enum class ScopeToken : std::uint8_t { kGlobal, kLocal };
enum class Pop : std::uint8_t { kFirst, kLast, kAll, kMixed };
enum class Column : std::uint8_t { kKeys, kValues };
enum class Cardinality : std::uint8_t { kSingle, kList, kSet };
enum class Operator : std::uint8_t {
    kSum,
    kMinus,
    kMult,
    kDiv,
    kMin,
    kMax,
    kAssign,
    kAnd,
    kOr,
    kAddAll,
    kSumLong
};
enum class Pick : std::uint8_t { kAny, kNone, kUnproductive };
enum class Merge : std::uint8_t { kOnCreate, kOnMatch, kOutV, kInV };
enum class DT : std::uint8_t { kSecond, kMinute, kHour, kDay };
/// GType of 3.8 (org.apache.tinkerpop.gremlin.process.traversal.GType).
enum class GType : std::uint8_t {
    kBigDecimal,
    kBigInt,
    kBinary,
    kBoolean,
    kByte,
    kChar,
    kDateTime,
    kDouble,
    kDuration,
    kEdge,
    kFloat,
    kGraph,
    kInt,
    kList,
    kLong,
    kMap,
    kNull,
    kNumber,
    kPath,
    kProperty,
    kSet,
    kShort,
    kString,
    kTree,
    kUuid,
    kVertex,
    kVertexProperty,
};
enum class BarrierToken : std::uint8_t { kNormSack };

/// The type's name as formats write it ("T", "Direction", "Cardinality", ...).
std::string_view name_of(EnumType type);
/// The constant's name as TinkerPop spells it ("id", "OUT", "desc", "onCreate", "INT", ...); empty
/// when out of range.
std::string_view name_of(EnumType type, std::uint8_t ordinal);
/// The ordinal of a constant by its name (old spellings such as incr/decr included), or nothing.
std::optional<std::uint8_t> ordinal_of(EnumType type, std::string_view name);
/// The enumeration by its name, or nothing.
std::optional<EnumType> enum_type_of(std::string_view name);

}  // namespace hob
