#include "storage/value/value.h"

#include <absl/container/flat_hash_set.h>

#include <new>

namespace hob {
namespace {

/// A vertex id that is neither a long nor a heap object (a double, a date ...).
struct BoxedIdObject final : Object {
    explicit BoxedIdObject(const Value& v) : id(v) {}
    Value id;
};

/// Drops leading bytes that only repeat the sign, as BigInteger.toByteArray() never has them.
std::string_view shortest(std::string_view twos_complement) {
    if (twos_complement.empty()) return std::string_view("\0", 1);
    while (twos_complement.size() > 1) {
        const auto first = static_cast<unsigned char>(twos_complement[0]);
        const bool next_negative = (static_cast<unsigned char>(twos_complement[1]) & 0x80) != 0;
        if (!((first == 0x00 && !next_negative) || (first == 0xff && next_negative))) break;
        twos_complement.remove_prefix(1);
    }
    return twos_complement;
}

/// Below this many items comparing each with each is cheaper than hashing.
constexpr std::size_t kSetScanMax = 8;

std::vector<Value> without_repeats(std::vector<Value> items) {
    std::vector<Value> kept;
    kept.reserve(items.size());
    if (items.size() <= kSetScanMax) {
        for (Value& item : items) {
            bool seen = false;
            for (const Value& k : kept) {
                seen = seen || identical(k, item);
            }
            if (!seen) kept.push_back(std::move(item));
        }
        return kept;
    }
    absl::flat_hash_set<Value, ValueHash, ValueIdentical> seen;
    seen.reserve(items.size());
    for (Value& item : items) {
        if (seen.insert(item).second) kept.push_back(std::move(item));
    }
    return kept;
}

}  // namespace

StringObject* StringObject::make(std::string_view bytes) {
    void* memory = ::operator new(sizeof(StringObject) + bytes.size());
    auto* object = ::new (memory) StringObject(bytes.size());
    char* to = object->bytes_;
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return object;
}

Value Value::date_time(std::int64_t epoch_s, std::uint32_t nanos, std::int32_t offset_s) {
    Value r = inline_of(Kind::kDateTime, epoch_s);
    const auto bits = static_cast<std::uint32_t>(offset_s);
    r.aux_ = nanos;
    r.sub_ = static_cast<std::uint8_t>(bits);
    r.half_ = static_cast<std::uint16_t>(bits >> 8);
    return r;
}

std::int32_t Value::offset_seconds() const {
    // 24 bits, the sign among them: shifted up and arithmetically down again.
    const std::uint32_t bits = (static_cast<std::uint32_t>(half_) << 8) | sub_;
    return static_cast<std::int32_t>(bits << 8) >> 8;
}

Value Value::duration(std::int64_t seconds, std::uint32_t nanos) {
    Value r = inline_of(Kind::kDuration, seconds);
    r.aux_ = nanos;
    return r;
}

Value Value::string(std::string_view utf8) {
    return adopt(Kind::kString, StringObject::make(utf8));
}

Value Value::bytes(std::string_view raw) {
    return adopt(Kind::kBytes, StringObject::make(raw));
}

Value Value::uuid(const std::array<std::uint8_t, 16>& bytes) {
    auto* object = new UuidObject;
    object->bytes = bytes;
    return adopt(Kind::kUuid, object);
}

Value Value::big_int(std::string_view twos_complement) {
    auto* object = new BigIntObject;
    object->twos_complement = shortest(twos_complement);
    return adopt(Kind::kBigInt, object);
}

Value Value::big_decimal(std::int32_t scale, std::string_view unscaled_twos_complement) {
    auto* object = new BigDecimalObject;
    object->scale = scale;
    object->unscaled = shortest(unscaled_twos_complement);
    return adopt(Kind::kBigDecimal, object);
}

Value Value::list(std::vector<Value> items) {
    auto* object = new ListObject;
    object->items = std::move(items);
    return adopt(Kind::kList, object);
}

Value Value::set(std::vector<Value> items) {
    auto* object = new ListObject;
    object->items = without_repeats(std::move(items));
    return adopt(Kind::kSet, object);
}

Value Value::map_entry(Value key, Value value) {
    auto* object = new MapEntryObject;
    object->key = std::move(key);
    object->value = std::move(value);
    return adopt(Kind::kMapEntry, object);
}

Value Value::vertex(const Value& id) {
    Value r;
    r.kind_ = Kind::kVertex;
    if (id.is_integral()) {
        // Any width: drivers send the id of a long back as an int when it fits.
        r.sub_ = static_cast<std::uint8_t>(Kind::kLong);
        r.payload_.integer = id.as_int64();
        return r;
    }
    r.sub_ = static_cast<std::uint8_t>(id.kind_);
    if (id.kind_ > Kind::kEnum && id.kind_ != Kind::kVertex) {
        id.payload_.object->retain();
        r.payload_.object = id.payload_.object;
    } else {
        r.payload_.object = new BoxedIdObject(id);
    }
    return r;
}

Value Value::vertex_id() const {
    const auto id_kind = static_cast<Kind>(sub_);
    if (id_kind == Kind::kLong) return long_(payload_.integer);
    if (id_kind > Kind::kEnum && id_kind != Kind::kVertex) {
        payload_.object->retain();
        return adopt(id_kind, payload_.object);
    }
    return static_cast<const BoxedIdObject*>(payload_.object)->id;
}

Value Value::traverser(Value value, std::int64_t bulk) {
    auto* object = new TraverserObject;
    object->value = std::move(value);
    object->bulk = bulk;
    return adopt(Kind::kTraverser, object);
}

std::string_view Value::text() const {
    return static_cast<const StringObject*>(payload_.object)->view();
}

const std::array<std::uint8_t, 16>& Value::uuid_bytes() const {
    return static_cast<const UuidObject*>(payload_.object)->bytes;
}

std::span<const Value> Value::items() const {
    return static_cast<const ListObject*>(payload_.object)->items;
}

}  // namespace hob
