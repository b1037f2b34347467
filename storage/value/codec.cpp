#include "storage/value/codec.h"

#include <algorithm>

namespace hob {
namespace {

/// First byte of the plain form. Stored on disk: numbers are never reused or changed.
enum class Tag : std::uint8_t {
    kNull = 0,
    kFalse = 1,
    kTrue = 2,
    kByte = 3,
    kShort = 4,
    kInt = 5,
    kLong = 6,
    kFloat = 7,
    kDouble = 8,
    kChar = 9,
    kDate = 10,
    kDateTime = 11,
    kDuration = 12,
    kEnum = 13,
    kBigInt = 14,
    kBigDecimal = 15,
    kString = 16,
    kUuid = 17,
    kBytes = 18,
    kExtended = 19,
    kList = 20,
    kSet = 21,
    kMap = 22,
};

/// Collections in collections, beyond which a value is refused: far more than data has, far less
/// than the stack holds.
constexpr std::size_t kDepthMax = 200;
/// Room made before items are seen: nested lists may each claim to be as long as what is left.
constexpr std::size_t kReserveMax = 1024;

std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
std::int64_t unzigzag(std::uint64_t v) {
    return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
}

void put_tag(Tag tag, ByteWriter& out) {
    out.u8(static_cast<std::uint8_t>(tag));
}

void put_sized(std::string_view bytes, ByteWriter& out) {
    out.varint(bytes.size());
    out.raw(bytes);
}

void put_integral(Tag tag, const Value& v, ByteWriter& out) {
    put_tag(tag, out);
    out.varint(zigzag(v.as_int64()));
}

Status encode(const Value& v, ByteWriter& out, std::size_t depth);

Status encode_items(Tag tag, const Value& v, ByteWriter& out, std::size_t depth) {
    put_tag(tag, out);
    out.varint(v.items().size());
    for (const Value& item : v.items()) {
        HOB_TRY(encode(item, out, depth + 1));
    }
    return {};
}

Status encode_map(const MapObject& map, ByteWriter& out, std::size_t depth) {
    put_tag(Tag::kMap, out);
    out.varint(map.size());
    for (const auto& [key, value] : map.entries()) {
        HOB_TRY(encode(key, out, depth + 1));
        HOB_TRY(encode(value, out, depth + 1));
    }
    return {};
}

Status encode(const Value& v, ByteWriter& out, std::size_t depth) {
    if (depth > kDepthMax) {
        return Error::invalid("a value nests collections deeper than {}, which can't be stored",
                              kDepthMax);
    }
    switch (v.kind()) {
        case Kind::kNull:
            put_tag(Tag::kNull, out);
            return {};
        case Kind::kBool:
            put_tag(v.as_bool() ? Tag::kTrue : Tag::kFalse, out);
            return {};
        case Kind::kByte:
            put_integral(Tag::kByte, v, out);
            return {};
        case Kind::kShort:
            put_integral(Tag::kShort, v, out);
            return {};
        case Kind::kInt:
            put_integral(Tag::kInt, v, out);
            return {};
        case Kind::kLong:
            put_integral(Tag::kLong, v, out);
            return {};
        case Kind::kChar:
            put_integral(Tag::kChar, v, out);
            return {};
        case Kind::kDate:
            put_integral(Tag::kDate, v, out);
            return {};
        case Kind::kFloat:
            put_tag(Tag::kFloat, out);
            out.f32(static_cast<float>(v.as_double()));
            return {};
        case Kind::kDouble:
            put_tag(Tag::kDouble, out);
            out.f64(v.as_double());
            return {};
        case Kind::kDateTime:
            put_tag(Tag::kDateTime, out);
            out.varint(zigzag(v.seconds()));
            out.varint(v.nanos());
            out.varint(zigzag(v.offset_seconds()));
            return {};
        case Kind::kDuration:
            put_tag(Tag::kDuration, out);
            out.varint(zigzag(v.seconds()));
            out.varint(v.nanos());
            return {};
        case Kind::kEnum:
            // By name: our ordinals may change, what is stored may not.
            put_tag(Tag::kEnum, out);
            put_sized(name_of(v.enum_type()), out);
            put_sized(name_of(v.enum_type(), v.enum_ordinal()), out);
            return {};
        case Kind::kBigInt:
            put_tag(Tag::kBigInt, out);
            put_sized(v.as<BigIntObject>().twos_complement, out);
            return {};
        case Kind::kBigDecimal:
            put_tag(Tag::kBigDecimal, out);
            out.varint(zigzag(v.as<BigDecimalObject>().scale));
            put_sized(v.as<BigDecimalObject>().unscaled, out);
            return {};
        case Kind::kString:
            put_tag(Tag::kString, out);
            put_sized(v.text(), out);
            return {};
        case Kind::kUuid: {
            put_tag(Tag::kUuid, out);
            const auto& bytes = v.uuid_bytes();
            out.raw({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            return {};
        }
        case Kind::kBytes:
            put_tag(Tag::kBytes, out);
            put_sized(v.text(), out);
            return {};
        case Kind::kExtended:
            put_tag(Tag::kExtended, out);
            out.u8(static_cast<std::uint8_t>(v.as<ExtendedObject>().type));
            put_sized(v.as<ExtendedObject>().body, out);
            return {};
        case Kind::kList:
            return encode_items(Tag::kList, v, out, depth);
        case Kind::kSet:
            return encode_items(Tag::kSet, v, out, depth);
        case Kind::kMap:
            return encode_map(v.as<MapObject>(), out, depth);
        case Kind::kMapEntry:
        case Kind::kBulkSet:
        case Kind::kTree:
        case Kind::kVertex:
        case Kind::kEdge:
        case Kind::kVertexProperty:
        case Kind::kProperty:
        case Kind::kPath:
        case Kind::kGraph:
        case Kind::kTraverser:
        case Kind::kMetrics:
        case Kind::kTraversalMetrics:
        case Kind::kForeign:
            break;
    }
    return Error::invalid("a value of type {} can't be stored in a property: {}", type_name(v),
                          to_text(v).substr(0, 100));
}

Error cut_short(const ByteReader& in) {
    return Error::corrupt("stored value ends or breaks at byte {}", in.position());
}

Result<Value> decode(ByteReader& in, std::size_t depth);

std::string_view take_sized(ByteReader& in) {
    const std::uint64_t size = in.varint();
    return in.take(size);
}

/// A count of things of at least `bytes_each` bytes; a count that can't fit into what is left fails
/// before anything is allocated for it.
std::size_t take_count(ByteReader& in, std::size_t bytes_each) {
    const std::uint64_t count = in.varint();
    if (count > in.remaining() / bytes_each) {
        in.fail();
        return 0;
    }
    return count;
}

Result<Value> decode_items(Kind kind, ByteReader& in, std::size_t depth) {
    const std::size_t count = take_count(in, 1);
    auto* list = new ListObject;
    Value v = Value::adopt(kind, list);
    list->items.reserve(std::min(count, kReserveMax));
    for (std::size_t i = 0; i < count; ++i) {
        HOB_ASSIGN_OR_RETURN(Value item, decode(in, depth + 1));
        list->items.push_back(std::move(item));
    }
    if (!in.ok()) return cut_short(in);
    return v;
}

Result<Value> decode_map(ByteReader& in, std::size_t depth) {
    const std::size_t count = take_count(in, 2);
    Value v = make_map();
    auto& map = v.mutate<MapObject>();
    for (std::size_t i = 0; i < count; ++i) {
        HOB_ASSIGN_OR_RETURN(Value key, decode(in, depth + 1));
        HOB_ASSIGN_OR_RETURN(Value value, decode(in, depth + 1));
        map.put(std::move(key), std::move(value));
    }
    if (!in.ok()) return cut_short(in);
    return v;
}

Result<Value> decode_enum(ByteReader& in) {
    const std::string_view type_text = take_sized(in);
    const std::string_view name = take_sized(in);
    const auto type = enum_type_of(type_text);
    const auto ordinal = type ? ordinal_of(*type, name) : std::nullopt;
    if (!in.ok() || !ordinal) return cut_short(in);
    return Value::enumeration(*type, *ordinal);
}

Result<Value> decode_extended(ByteReader& in) {
    const std::uint8_t type = in.u8();
    const std::string_view body = take_sized(in);
    if (!in.ok() || type > static_cast<std::uint8_t>(ExtendedType::kZoneOffset))
        return cut_short(in);
    auto* object = new ExtendedObject;
    object->type = static_cast<ExtendedType>(type);
    object->body = body;
    return Value::adopt(Kind::kExtended, object);
}

Value take_uuid(ByteReader& in) {
    std::array<std::uint8_t, 16> bytes{};
    for (auto& b : bytes) {
        b = in.u8();
    }
    return Value::uuid(bytes);
}

/// Everything whose body can't fail but by being too short.
Value decode_simple(Tag tag, ByteReader& in) {
    switch (tag) {
        case Tag::kFalse:
            return Value::boolean(false);
        case Tag::kTrue:
            return Value::boolean(true);
        case Tag::kByte:
            return Value::byte(static_cast<std::int8_t>(unzigzag(in.varint())));
        case Tag::kShort:
            return Value::short_(static_cast<std::int16_t>(unzigzag(in.varint())));
        case Tag::kInt:
            return Value::int_(static_cast<std::int32_t>(unzigzag(in.varint())));
        case Tag::kLong:
            return Value::long_(unzigzag(in.varint()));
        case Tag::kChar:
            return Value::char_(static_cast<char32_t>(unzigzag(in.varint())));
        case Tag::kDate:
            return Value::date(unzigzag(in.varint()));
        case Tag::kFloat:
            return Value::float_(in.f32());
        case Tag::kDouble:
            return Value::double_(in.f64());
        case Tag::kDateTime: {
            const std::int64_t seconds = unzigzag(in.varint());
            const auto nanos = static_cast<std::uint32_t>(in.varint());
            return Value::date_time(seconds, nanos,
                                    static_cast<std::int32_t>(unzigzag(in.varint())));
        }
        case Tag::kDuration: {
            const std::int64_t seconds = unzigzag(in.varint());
            return Value::duration(seconds, static_cast<std::uint32_t>(in.varint()));
        }
        case Tag::kBigInt:
            return Value::big_int(take_sized(in));
        case Tag::kBigDecimal: {
            const auto scale = static_cast<std::int32_t>(unzigzag(in.varint()));
            return Value::big_decimal(scale, take_sized(in));
        }
        case Tag::kString:
            return Value::string(take_sized(in));
        case Tag::kUuid:
            return take_uuid(in);
        case Tag::kBytes:
            return Value::bytes(take_sized(in));
        default:
            return {};
    }
}

Result<Value> decode(ByteReader& in, std::size_t depth) {
    if (depth > kDepthMax) return Error::corrupt("stored value nests deeper than {}", kDepthMax);
    const std::uint8_t tag = in.u8();
    if (tag > static_cast<std::uint8_t>(Tag::kMap)) {
        return Error::corrupt("stored value has type byte {} at byte {}, known are 0 to {}", tag,
                              in.position() - 1, static_cast<int>(Tag::kMap));
    }
    switch (static_cast<Tag>(tag)) {
        case Tag::kList:
            return decode_items(Kind::kList, in, depth);
        case Tag::kSet:
            return decode_items(Kind::kSet, in, depth);
        case Tag::kMap:
            return decode_map(in, depth);
        case Tag::kEnum:
            return decode_enum(in);
        case Tag::kExtended:
            return decode_extended(in);
        default:
            break;
    }
    Value v = decode_simple(static_cast<Tag>(tag), in);
    if (!in.ok()) return cut_short(in);
    return v;
}

}  // namespace

Status encode_value(const Value& value, std::string& out) {
    ByteWriter writer(out);
    return encode(value, writer, 0);
}

Result<Value> decode_value(ByteReader& in) {
    return decode(in, 0);
}

}  // namespace hob
