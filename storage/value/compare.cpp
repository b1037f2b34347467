#include "storage/value/compare.h"

#include <algorithm>

#include "storage/value/calendar.h"
#include "storage/value/number.h"

namespace hob {
namespace {

using Ordering = std::weak_ordering;
using Maybe = std::optional<Ordering>;

/// TinkerPop's type spaces in the order of order().
enum class Space : std::uint8_t {
    kNull,
    kBool,
    kNumber,
    kDate,
    kString,
    kUuid,
    kVertex,
    kEdge,
    kVertexProperty,
    kProperty,
    kPath,
    kSet,
    kList,
    kMap,
    kMapEntry,
    kUnknown,
};

Space space_of(const Value& v) {
    switch (v.kind()) {
        case Kind::kNull:
            return Space::kNull;
        case Kind::kBool:
            return Space::kBool;
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
        case Kind::kFloat:
        case Kind::kDouble:
        case Kind::kBigInt:
        case Kind::kBigDecimal:
            return Space::kNumber;
        case Kind::kDate:
        case Kind::kDateTime:
            return Space::kDate;
        case Kind::kString:
            return Space::kString;
        case Kind::kUuid:
            return Space::kUuid;
        case Kind::kVertex:
            return Space::kVertex;
        case Kind::kEdge:
            return Space::kEdge;
        case Kind::kVertexProperty:
            return Space::kVertexProperty;
        case Kind::kProperty:
            return Space::kProperty;
        case Kind::kPath:
            return Space::kPath;
        case Kind::kSet:
        case Kind::kBulkSet:
            return Space::kSet;
        case Kind::kList:
            return Space::kList;
        case Kind::kMap:
        case Kind::kTree:
            return Space::kMap;
        case Kind::kMapEntry:
            return Space::kMapEntry;
        case Kind::kChar:
        case Kind::kDuration:
        case Kind::kEnum:
        case Kind::kBytes:
        case Kind::kExtended:
        case Kind::kGraph:
        case Kind::kTraverser:
        case Kind::kMetrics:
        case Kind::kTraversalMetrics:
        case Kind::kForeign:
            break;
    }
    return Space::kUnknown;
}

/// `kTotal` is orderability (never nothing), `kPartial` is comparability.
enum class Mode : std::uint8_t { kPartial, kTotal };

Maybe compare_values(const Value& a, const Value& b, Mode mode);

Maybe compare_items(std::span<const Value> a, std::span<const Value> b, Mode mode) {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) {
        const Maybe c = compare_values(a[i], b[i], mode);
        if (!c || *c != Ordering::equivalent) return c;
    }
    return a.size() <=> b.size();
}

std::vector<Value> sorted(std::vector<Value> items) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Value& x, const Value& y) { return order(x, y) == Ordering::less; });
    return items;
}

/// A value and how often it comes.
using Run = std::pair<Value, std::int64_t>;

/// A set's items in order; those of a bulk set as often as they were added (counted, not repeated:
/// counts can be huge).
std::vector<Run> sorted_runs(const Value& set) {
    std::vector<Run> runs;
    if (set.kind() == Kind::kBulkSet) {
        runs = set.as<BulkSetObject>().entries();
    } else {
        for (const Value& item : set.items()) {
            runs.emplace_back(item, 1);
        }
    }
    std::stable_sort(runs.begin(), runs.end(), [](const Run& x, const Run& y) {
        return order(x.first, y.first) == Ordering::less;
    });
    return runs;
}

Maybe compare_sets(const Value& a, const Value& b, Mode mode) {
    std::vector<Run> runs_a = sorted_runs(a);
    std::vector<Run> runs_b = sorted_runs(b);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < runs_a.size() && j < runs_b.size()) {
        const Maybe c = compare_values(runs_a[i].first, runs_b[j].first, mode);
        if (!c || *c != Ordering::equivalent) return c;
        const std::int64_t shared = std::min(runs_a[i].second, runs_b[j].second);
        if ((runs_a[i].second -= shared) <= 0) ++i;
        if ((runs_b[j].second -= shared) <= 0) ++j;
    }
    return (i < runs_a.size()) <=> (j < runs_b.size());
}

std::vector<Value> sorted_entries(const Value& v) {
    const MapObject& map =
        v.kind() == Kind::kTree ? v.as<TreeObject>().children : v.as<MapObject>();
    std::vector<Value> entries;
    entries.reserve(map.size());
    for (const auto& [key, value] : map.entries()) {
        entries.push_back(Value::map_entry(key, value));
    }
    return sorted(std::move(entries));
}

Maybe compare_pairs(const Value& first_a, const Value& second_a, const Value& first_b,
                    const Value& second_b, Mode mode) {
    const Maybe first = compare_values(first_a, first_b, mode);
    if (!first || *first != Ordering::equivalent) return first;
    return compare_values(second_a, second_b, mode);
}

struct Instant {
    std::int64_t seconds;
    std::int64_t nanos;
    auto operator<=>(const Instant&) const = default;
};

Instant instant_of(const Value& v) {
    if (v.kind() == Kind::kDateTime || v.kind() == Kind::kDuration) return {v.seconds(), v.nanos()};
    return {floor_div(v.as_int64(), 1000), floor_mod(v.as_int64(), 1000) * 1'000'000};
}

/// Types with an order of their own that TinkerPop does not name: only among themselves.
Maybe compare_unknown(const Value& a, const Value& b, Mode mode) {
    if (a.kind() == b.kind()) {
        switch (a.kind()) {
            case Kind::kChar:
                return a.as_int64() <=> b.as_int64();
            case Kind::kDuration:
                return instant_of(a) <=> instant_of(b);
            case Kind::kBytes:
                return a.text() <=> b.text();
            case Kind::kEnum:
                if (a.enum_type() == b.enum_type()) return a.enum_ordinal() <=> b.enum_ordinal();
                break;
            case Kind::kExtended:
                if (a.as<ExtendedObject>().type == b.as<ExtendedObject>().type) {
                    return a.as<ExtendedObject>().body <=> b.as<ExtendedObject>().body;
                }
                break;
            default:
                break;
        }
        if (identical(a, b)) return Ordering::equivalent;
    }
    if (mode == Mode::kPartial) return std::nullopt;
    const Ordering by_type = type_name(a) <=> type_name(b);
    return by_type != Ordering::equivalent ? by_type : Ordering(to_text(a) <=> to_text(b));
}

Maybe compare_in(Space space, const Value& a, const Value& b, Mode mode) {
    switch (space) {
        case Space::kNull:
            return Ordering::equivalent;
        case Space::kBool:
            return a.as_bool() <=> b.as_bool();
        case Space::kNumber:
            if (mode == Mode::kPartial && (is_nan(a) || is_nan(b))) return std::nullopt;
            return order_numbers(a, b);
        case Space::kDate:
            return instant_of(a) <=> instant_of(b);
        case Space::kString:
            return a.text() <=> b.text();
        case Space::kUuid:
            return a.uuid_bytes() <=> b.uuid_bytes();
        case Space::kVertex:
            if (a.vertex_id_is_long() && b.vertex_id_is_long())
                return a.as_int64() <=> b.as_int64();
            return compare_values(a.vertex_id(), b.vertex_id(), mode);
        case Space::kEdge:
            return compare_values(a.as<EdgeObject>().id, b.as<EdgeObject>().id, mode);
        case Space::kVertexProperty:
            return compare_values(a.as<VertexPropertyObject>().id, b.as<VertexPropertyObject>().id,
                                  mode);
        case Space::kProperty: {
            const auto& p = a.as<PropertyObject>();
            const auto& q = b.as<PropertyObject>();
            return compare_pairs(p.key, p.value, q.key, q.value, mode);
        }
        case Space::kPath:
            return compare_items(a.as<PathObject>().objects, b.as<PathObject>().objects, mode);
        case Space::kSet:
            return compare_sets(a, b, mode);
        case Space::kList:
            return compare_items(a.items(), b.items(), mode);
        case Space::kMap:
            return compare_items(sorted_entries(a), sorted_entries(b), mode);
        case Space::kMapEntry: {
            const auto& e = a.as<MapEntryObject>();
            const auto& f = b.as<MapEntryObject>();
            return compare_pairs(e.key, e.value, f.key, f.value, mode);
        }
        case Space::kUnknown:
            break;
    }
    return compare_unknown(a, b, mode);
}

Maybe compare_values(const Value& a, const Value& b, Mode mode) {
    const Space space_a = space_of(a);
    const Space space_b = space_of(b);
    if (space_a != space_b) {
        return mode == Mode::kPartial ? std::nullopt : Maybe(space_a <=> space_b);
    }
    return compare_in(space_a, a, b, mode);
}

bool different_sizes(const Value& a, const Value& b) {
    const auto size_of = [](const Value& v) {
        switch (v.kind()) {
            case Kind::kList:
            case Kind::kSet:
                return v.items().size();
            case Kind::kMap:
                return v.as<MapObject>().size();
            case Kind::kPath:
                return v.as<PathObject>().objects.size();
            default:
                return std::size_t{0};
        }
    };
    return a.kind() == b.kind() && size_of(a) != size_of(b);
}

}  // namespace

bool equal(const Value& a, const Value& b) {
    if (a.is_integral() && b.is_integral()) return a.as_int64() == b.as_int64();
    if (a.is_string() && b.is_string()) return a.text() == b.text();
    if (different_sizes(a, b)) return false;
    return compare_values(a, b, Mode::kPartial) == Maybe(Ordering::equivalent);
}

std::optional<std::weak_ordering> compare(const Value& a, const Value& b) {
    return compare_values(a, b, Mode::kPartial);
}

std::weak_ordering order(const Value& a, const Value& b) {
    // Tokens sort among strings by their names: the keys of an elementMap() are both.
    if (a.is_enum(EnumType::kT))
        return order(Value::string(name_of(EnumType::kT, a.enum_ordinal())), b);
    if (b.is_enum(EnumType::kT))
        return order(a, Value::string(name_of(EnumType::kT, b.enum_ordinal())));
    return *compare_values(a, b, Mode::kTotal);
}

}  // namespace hob
