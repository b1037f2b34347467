#include <absl/hash/hash.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "storage/value/hash.h"
#include "storage/value/value.h"

namespace hob {
namespace {

/// One 64 x 64 -> 128 bit multiplication, folded (as in wyhash): enough for hash tables, a few
/// cycles.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// The multiplication leaves a pattern in the low bits of neighbouring ids; the last steps spread
/// it (as in splitmix).
std::uint64_t salted(Kind kind, std::uint64_t content) {
    std::uint64_t h = mix(content, 0xa0761d6478bd642fu * (static_cast<std::uint64_t>(kind) + 1));
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

/// All NaNs are one, as in Double.equals(); 0.0 and -0.0 are two.
std::uint64_t real_bits(double v) {
    return std::isnan(v) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(v);
}

std::uint64_t hash_bytes(std::string_view bytes) {
    return absl::HashOf(bytes);
}

std::uint64_t hash_in_order(std::uint64_t seed, std::span<const Value> items) {
    for (const Value& item : items) {
        seed = mix(seed, hash_of(item));
    }
    return seed;
}

template <typename Entries>
std::uint64_t hash_entries(const Entries& entries) {
    std::uint64_t sum = entries.size();
    for (const auto& [key, value] : entries) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Value>) {
            sum += mix(hash_of(key), hash_of(value));
        } else {
            sum += mix(hash_of(key), static_cast<std::uint64_t>(value));
        }
    }
    return sum;
}

bool identical_in_order(std::span<const Value> a, std::span<const Value> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), identical);
}

bool identical_maps(const MapObject& a, const MapObject& b) {
    if (a.size() != b.size()) return false;
    return std::all_of(a.entries().begin(), a.entries().end(), [&b](const auto& entry) {
        const Value* other = b.find(entry.first);
        return other != nullptr && identical(entry.second, *other);
    });
}

bool identical_sets(std::span<const Value> a, std::span<const Value> b) {
    if (a.size() != b.size()) return false;
    if (identical_in_order(a, b)) return true;
    MapObject members;
    for (const Value& item : b) {
        members.put(item, Value());
    }
    return std::all_of(a.begin(), a.end(),
                       [&members](const Value& item) { return members.find(item) != nullptr; });
}

bool identical_bulk_sets(const BulkSetObject& a, const BulkSetObject& b) {
    if (a.size() != b.size() || a.entries().size() != b.entries().size()) return false;
    MapObject counts;
    for (const auto& [value, count] : b.entries()) {
        counts.put(value, Value::long_(count));
    }
    return std::all_of(a.entries().begin(), a.entries().end(), [&counts](const auto& entry) {
        const Value* count = counts.find(entry.first);
        return count != nullptr && count->as_int64() == entry.second;
    });
}

/// Labels are sets in TinkerPop: compared without regard to order.
bool identical_paths(const PathObject& a, const PathObject& b) {
    if (!identical_in_order(a.objects, b.objects)) return false;
    const std::size_t places = a.objects.size();
    for (std::size_t i = 0; i < places; ++i) {
        const auto labels = [i](const PathObject& p) {
            return i < p.labels.size() ? std::span<const Value>(p.labels[i])
                                       : std::span<const Value>();
        };
        if (!identical_sets(labels(a), labels(b))) return false;
    }
    return true;
}

/// Elements are equal by id; one that came without an id (a client's detached property) by what it
/// says.
bool identical_vertex_properties(const VertexPropertyObject& a, const VertexPropertyObject& b) {
    if (!a.id.is_null() || !b.id.is_null()) return identical(a.id, b.id);
    return identical(a.key, b.key) && identical(a.value, b.value) && identical(a.vertex, b.vertex);
}

bool identical_objects(const Value& a, const Value& b) {
    switch (a.kind()) {
        case Kind::kString:
        case Kind::kBytes:
            return a.text() == b.text();
        case Kind::kBigInt:
            return a.as<BigIntObject>().twos_complement == b.as<BigIntObject>().twos_complement;
        case Kind::kBigDecimal:
            return a.as<BigDecimalObject>().scale == b.as<BigDecimalObject>().scale &&
                   a.as<BigDecimalObject>().unscaled == b.as<BigDecimalObject>().unscaled;
        case Kind::kUuid:
            return a.uuid_bytes() == b.uuid_bytes();
        case Kind::kExtended:
            return a.as<ExtendedObject>().type == b.as<ExtendedObject>().type &&
                   a.as<ExtendedObject>().body == b.as<ExtendedObject>().body;
        case Kind::kList:
            return identical_in_order(a.items(), b.items());
        case Kind::kSet:
            return identical_sets(a.items(), b.items());
        case Kind::kMap:
            return identical_maps(a.as<MapObject>(), b.as<MapObject>());
        case Kind::kMapEntry:
            return identical(a.as<MapEntryObject>().key, b.as<MapEntryObject>().key) &&
                   identical(a.as<MapEntryObject>().value, b.as<MapEntryObject>().value);
        case Kind::kBulkSet:
            return identical_bulk_sets(a.as<BulkSetObject>(), b.as<BulkSetObject>());
        case Kind::kTree:
            return identical_maps(a.as<TreeObject>().children, b.as<TreeObject>().children);
        case Kind::kEdge:
            return identical(a.as<EdgeObject>().id, b.as<EdgeObject>().id);
        case Kind::kVertexProperty:
            return identical_vertex_properties(a.as<VertexPropertyObject>(),
                                               b.as<VertexPropertyObject>());
        case Kind::kProperty:
            return identical(a.as<PropertyObject>().key, b.as<PropertyObject>().key) &&
                   identical(a.as<PropertyObject>().value, b.as<PropertyObject>().value);
        case Kind::kPath:
            return identical_paths(a.as<PathObject>(), b.as<PathObject>());
        case Kind::kTraverser:
            return identical(a.as<TraverserObject>().value, b.as<TraverserObject>().value);
        case Kind::kForeign:
            return a.as<ForeignObject>().foreign_class() == b.as<ForeignObject>().foreign_class() &&
                   a.as<ForeignObject>().same_as(b.as<ForeignObject>());
        default:
            return false;  // Graphs and metrics are themselves only.
    }
}

std::uint64_t hash_object(const Value& v) {
    switch (v.kind()) {
        case Kind::kBytes:
            return hash_bytes(v.text());
        case Kind::kBigInt:
            return hash_bytes(v.as<BigIntObject>().twos_complement);
        case Kind::kBigDecimal:
            return mix(hash_bytes(v.as<BigDecimalObject>().unscaled),
                       static_cast<std::uint64_t>(v.as<BigDecimalObject>().scale));
        case Kind::kUuid: {
            const auto& bytes = v.uuid_bytes();
            return hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        case Kind::kExtended:
            return hash_bytes(v.as<ExtendedObject>().body);
        case Kind::kList:
            return hash_in_order(v.items().size(), v.items());
        case Kind::kSet: {
            std::uint64_t sum = v.items().size();
            for (const Value& item : v.items()) {
                sum += hash_of(item);
            }
            return sum;
        }
        case Kind::kMap:
            return hash_entries(v.as<MapObject>().entries());
        case Kind::kMapEntry:
            return mix(hash_of(v.as<MapEntryObject>().key), hash_of(v.as<MapEntryObject>().value));
        case Kind::kBulkSet:
            return hash_entries(v.as<BulkSetObject>().entries());
        case Kind::kTree:
            return hash_entries(v.as<TreeObject>().children.entries());
        case Kind::kEdge:
            return hash_of(v.as<EdgeObject>().id);
        case Kind::kVertexProperty: {
            const auto& p = v.as<VertexPropertyObject>();
            return p.id.is_null() ? mix(hash_of(p.key), hash_of(p.value)) : hash_of(p.id);
        }
        case Kind::kProperty:
            return mix(hash_of(v.as<PropertyObject>().key), hash_of(v.as<PropertyObject>().value));
        case Kind::kPath:
            return hash_in_order(0, v.as<PathObject>().objects);
        case Kind::kTraverser:
            return hash_of(v.as<TraverserObject>().value);
        case Kind::kForeign:
            return v.as<ForeignObject>().hash();
        default:
            return reinterpret_cast<std::uintptr_t>(v.object());
    }
}

}  // namespace

std::size_t hash_of_string(std::string_view utf8) {
    return salted(Kind::kString, hash_bytes(utf8));
}

std::size_t hash_of(const Value& v) {
    switch (v.kind()) {
        case Kind::kNull:
            return salted(Kind::kNull, 0);
        case Kind::kBool:
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
        case Kind::kChar:
        case Kind::kDate:
            return salted(v.kind(), static_cast<std::uint64_t>(v.as_int64()));
        case Kind::kFloat:
        case Kind::kDouble:
            return salted(v.kind(), real_bits(v.as_double()));
        case Kind::kDateTime:
        case Kind::kDuration:
            return salted(v.kind(), mix(static_cast<std::uint64_t>(v.seconds()), v.nanos()));
        case Kind::kEnum:
            return salted(Kind::kEnum,
                          static_cast<std::uint64_t>(v.enum_type()) * 256 + v.enum_ordinal());
        case Kind::kString:
            return hash_of_string(v.text());
        case Kind::kVertex:
            return salted(Kind::kVertex, v.vertex_id_is_long()
                                             ? static_cast<std::uint64_t>(v.as_int64())
                                             : hash_of(v.vertex_id()));
        default:
            return salted(v.kind(), hash_object(v));
    }
}

bool identical(const Value& a, const Value& b) {
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
        case Kind::kNull:
            return true;
        case Kind::kBool:
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
        case Kind::kChar:
        case Kind::kDate:
            return a.as_int64() == b.as_int64();
        case Kind::kFloat:
        case Kind::kDouble:
            return real_bits(a.as_double()) == real_bits(b.as_double());
        case Kind::kDateTime:
            return a.seconds() == b.seconds() && a.nanos() == b.nanos() &&
                   a.offset_seconds() == b.offset_seconds();
        case Kind::kDuration:
            return a.seconds() == b.seconds() && a.nanos() == b.nanos();
        case Kind::kEnum:
            return a.enum_type() == b.enum_type() && a.enum_ordinal() == b.enum_ordinal();
        case Kind::kVertex:
            if (a.vertex_id_is_long() != b.vertex_id_is_long()) return false;
            return a.vertex_id_is_long() ? a.as_int64() == b.as_int64()
                                         : identical(a.vertex_id(), b.vertex_id());
        default:
            return a.object() == b.object() || identical_objects(a, b);
    }
}

}  // namespace hob
