#include <bit>
#include <cmath>

#include "storage/value/big_number.h"
#include "storage/value/calendar.h"
#include "storage/value/codec.h"
#include "storage/value/compare.h"

namespace hob {
namespace {

/// First byte of the ordered form, in TinkerPop's order of types. Stored on disk: never changed;
/// gaps are for later.
enum class Class : std::uint8_t {
    kEnd = 0x00,  ///< Ends a list; below every class, so that a shorter list comes first.
    kNull = 0x05,
    kBool = 0x10,
    kBigNegative = 0x18,  ///< Integers below a long,
    kLong = 0x19,         ///< integers that fit a long, whatever their type,
    kBigPositive = 0x1a,  ///< integers above: their bytes are in the order of their values.
    kReal = 0x1c,         ///< Float and double.
    kDecimal = 0x1e,
    kInstant = 0x20,  ///< Date and date-time by instant; the offset is not kept.
    kDuration = 0x28,
    kChar = 0x2c,
    kString = 0x30,
    kUuid = 0x38,
    kBytes = 0x40,
    kList = 0x50,
};

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
constexpr std::size_t kDepthMax = 200;

void put_class(Class c, std::string& out) {
    out.push_back(static_cast<char>(c));
}

void put_u32(std::uint32_t v, std::string& out) {
    ByteWriter(out).u32(v);
}

/// 0x00 becomes 0x00 0xff, and 0x00 0x01 ends it: a prefix sorts before whatever continues it.
void put_escaped(std::string_view bytes, std::string& out) {
    for (const char c : bytes) {
        out.push_back(c);
        if (c == '\0') out.push_back('\xff');
    }
    out.append("\0\x01", 2);
}

bool take_escaped(ByteReader& in, std::string& bytes) {
    while (in.ok()) {
        const auto c = static_cast<char>(in.u8());
        if (c == '\0') {
            const std::uint8_t next = in.u8();
            if (next == 0x01) return in.ok();
            if (next != 0xff) return false;
        }
        bytes.push_back(c);
    }
    return false;
}

/// Non-negative doubles get the sign bit set, negative ones are inverted. Zeros are one, NaNs are
/// one and come last.
std::uint64_t real_key(double v) {
    if (std::isnan(v)) return ~std::uint64_t{0};
    const auto bits = std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v);
    return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

double real_of_key(std::uint64_t key) {
    if (key == ~std::uint64_t{0}) return std::nan("");
    return std::bit_cast<double>((key & kSignBit) != 0 ? key & ~kSignBit : ~key);
}

std::string inverted(std::string bytes) {
    for (char& c : bytes) {
        c = static_cast<char>(~c);
    }
    return bytes;
}

/// Magnitude by length, then bytes; a negative one inverted so that the larger magnitude comes
/// first.
void put_big_int(const BigInt& v, std::string& out) {
    std::string magnitude = twos_complement_of(abs(v));
    if (magnitude.size() > 1 && magnitude[0] == '\0') magnitude.erase(0, 1);
    std::string body;
    put_u32(static_cast<std::uint32_t>(magnitude.size()), body);
    body += magnitude;
    put_class(v < 0 ? Class::kBigNegative : Class::kBigPositive, out);
    out += v < 0 ? inverted(std::move(body)) : body;
}

Result<Value> take_big_int(bool negative, ByteReader& in) {
    const std::uint32_t size = negative ? ~in.u32() : in.u32();
    const std::string_view taken = in.take(size);
    if (!in.ok()) return Error::corrupt("key with a big integer ends at byte {}", in.position());
    const std::string magnitude = negative ? inverted(std::string(taken)) : std::string(taken);
    const BigInt v = big_int_of('\0' + magnitude);
    return value_of(negative ? BigInt(-v) : v);
}

/// Sign byte, then for 0.d1d2d3... x 10^exponent: exponent, digits (each + 1), 0. All but the sign
/// inverted when negative. Trailing zeros are dropped, so that equal decimals of different scale
/// are one key.
void put_decimal(const BigDecimalObject& d, std::string& out) {
    const BigInt unscaled = big_int_of(d.unscaled);
    put_class(Class::kDecimal, out);
    if (unscaled.is_zero()) {
        out.push_back('\x02');
        return;
    }
    std::string digits = decimal_text(BigInt(abs(unscaled)));
    const std::int64_t exponent = static_cast<std::int64_t>(digits.size()) - d.scale;
    digits.erase(digits.find_last_not_of('0') + 1);
    std::string body;
    encode_long_key(exponent, body);
    for (const char digit : digits) {
        body.push_back(static_cast<char>(digit - '0' + 1));
    }
    body.push_back('\0');
    out.push_back(unscaled < 0 ? '\x01' : '\x03');
    out += unscaled < 0 ? inverted(std::move(body)) : body;
}

Result<Value> take_decimal(ByteReader& in) {
    const std::uint8_t sign = in.u8();
    if (sign == 0x02) return Value::big_decimal(0, std::string_view("\0", 1));
    const bool negative = sign == 0x01;
    const std::uint8_t flip = negative ? 0xff : 0x00;
    const std::uint64_t exponent_bits = negative ? ~in.u64() : in.u64();
    const auto exponent = static_cast<std::int64_t>(exponent_bits ^ kSignBit);
    std::string digits;
    while (in.ok()) {
        const auto c = static_cast<std::uint8_t>(in.u8() ^ flip);
        if (c == 0) break;
        if (c > 10) in.fail();
        digits.push_back(static_cast<char>('0' + c - 1));
    }
    if (!in.ok() || digits.empty() || (sign != 0x01 && sign != 0x03)) {
        return Error::corrupt("key with a decimal breaks at byte {}", in.position());
    }
    HOB_ASSIGN_OR_RETURN(const Value unscaled, big_int_from_text((negative ? "-" : "") + digits));
    const std::int64_t scale = static_cast<std::int64_t>(digits.size()) - exponent;
    return Value::big_decimal(static_cast<std::int32_t>(scale),
                              unscaled.as<BigIntObject>().twos_complement);
}

void put_long(std::int64_t v, std::string& out) {
    put_class(Class::kLong, out);
    encode_long_key(v, out);
}

void put_instant(Class c, std::int64_t seconds, std::uint32_t nanos, std::string& out) {
    put_class(c, out);
    encode_long_key(seconds, out);
    put_u32(nanos, out);
}

Status encode(const Value& v, std::string& out, std::size_t depth) {
    if (depth > kDepthMax) return Error::invalid("a key nests lists deeper than {}", kDepthMax);
    switch (v.kind()) {
        case Kind::kNull:
            put_class(Class::kNull, out);
            return {};
        case Kind::kBool:
            put_class(Class::kBool, out);
            out.push_back(v.as_bool() ? '\x01' : '\x00');
            return {};
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
            put_long(v.as_int64(), out);
            return {};
        case Kind::kBigInt:
            if (const auto narrow = to_int64(v)) {
                put_long(*narrow, out);
            } else {
                put_big_int(integral_of(v), out);
            }
            return {};
        case Kind::kFloat:
        case Kind::kDouble:
            put_class(Class::kReal, out);
            ByteWriter(out).u64(real_key(v.as_double()));
            return {};
        case Kind::kBigDecimal:
            put_decimal(v.as<BigDecimalObject>(), out);
            return {};
        case Kind::kDate:
            put_instant(Class::kInstant, floor_div(v.as_int64(), 1000),
                        static_cast<std::uint32_t>(floor_mod(v.as_int64(), 1000)) * 1'000'000, out);
            return {};
        case Kind::kDateTime:
            put_instant(Class::kInstant, v.seconds(), v.nanos(), out);
            return {};
        case Kind::kDuration:
            put_instant(Class::kDuration, v.seconds(), v.nanos(), out);
            return {};
        case Kind::kChar:
            put_class(Class::kChar, out);
            put_u32(static_cast<std::uint32_t>(v.as_int64()), out);
            return {};
        case Kind::kString:
            put_class(Class::kString, out);
            put_escaped(v.text(), out);
            return {};
        case Kind::kUuid: {
            put_class(Class::kUuid, out);
            const auto& bytes = v.uuid_bytes();
            out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return {};
        }
        case Kind::kBytes:
            put_class(Class::kBytes, out);
            put_escaped(v.text(), out);
            return {};
        case Kind::kList:
            put_class(Class::kList, out);
            for (const Value& item : v.items()) {
                HOB_TRY(encode(item, out, depth + 1));
            }
            put_class(Class::kEnd, out);
            return {};
        default:
            return Error::invalid("a value of type {} can't be a key: it has no order",
                                  type_name(v));
    }
}

Error broken(const ByteReader& in) {
    return Error::corrupt("key ends or breaks at byte {}", in.position());
}

Result<Value> decode(std::uint8_t class_byte, ByteReader& in, std::size_t depth);

Result<Value> take_list(ByteReader& in, std::size_t depth) {
    if (depth > kDepthMax) return Error::corrupt("key nests lists deeper than {}", kDepthMax);
    std::vector<Value> items;
    for (std::uint8_t c = in.u8(); c != static_cast<std::uint8_t>(Class::kEnd); c = in.u8()) {
        HOB_ASSIGN_OR_RETURN(Value item, decode(c, in, depth + 1));
        items.push_back(std::move(item));
    }
    if (!in.ok()) return broken(in);
    return Value::list(std::move(items));
}

Value take_uuid(ByteReader& in) {
    std::array<std::uint8_t, 16> bytes{};
    for (auto& b : bytes) {
        b = in.u8();
    }
    return Value::uuid(bytes);
}

Value take_fixed(Class c, ByteReader& in) {
    switch (c) {
        case Class::kBool:
            return Value::boolean(in.u8() != 0);
        case Class::kLong:
            return Value::long_(static_cast<std::int64_t>(in.u64() ^ kSignBit));
        case Class::kReal:
            return Value::double_(real_of_key(in.u64()));
        case Class::kInstant: {
            const auto seconds = static_cast<std::int64_t>(in.u64() ^ kSignBit);
            return Value::date_time(seconds, in.u32(), 0);
        }
        case Class::kDuration: {
            const auto seconds = static_cast<std::int64_t>(in.u64() ^ kSignBit);
            return Value::duration(seconds, in.u32());
        }
        case Class::kChar:
            return Value::char_(static_cast<char32_t>(in.u32()));
        case Class::kUuid:
            return take_uuid(in);
        default:
            return {};
    }
}

Result<Value> decode(std::uint8_t class_byte, ByteReader& in, std::size_t depth) {
    const auto c = static_cast<Class>(class_byte);
    switch (c) {
        case Class::kNull:
        case Class::kBool:
        case Class::kLong:
        case Class::kReal:
        case Class::kInstant:
        case Class::kDuration:
        case Class::kChar:
        case Class::kUuid: {
            Value v = take_fixed(c, in);
            if (!in.ok()) return broken(in);
            return v;
        }
        case Class::kString:
        case Class::kBytes: {
            std::string bytes;
            if (!take_escaped(in, bytes)) return broken(in);
            return c == Class::kString ? Value::string(bytes) : Value::bytes(bytes);
        }
        case Class::kBigNegative:
            return take_big_int(true, in);
        case Class::kBigPositive:
            return take_big_int(false, in);
        case Class::kDecimal:
            return take_decimal(in);
        case Class::kList:
            return take_list(in, depth);
        case Class::kEnd:
            break;
    }
    return Error::corrupt("key has class byte 0x{:02x} at byte {}", class_byte,
                          in.position() == 0 ? 0 : in.position() - 1);
}

}  // namespace

void encode_long_key(std::int64_t v, std::string& out) {
    ByteWriter(out).u64(static_cast<std::uint64_t>(v) ^ kSignBit);
}

std::int64_t decode_long_key(std::string_view eight_bytes) {
    return static_cast<std::int64_t>(ByteReader(eight_bytes).u64() ^ kSignBit);
}

Status encode_key(const Value& value, std::string& out) {
    return encode(value, out, 0);
}

Result<Value> decode_key(ByteReader& in) {
    const std::uint8_t c = in.u8();
    if (!in.ok()) return Error::corrupt("key is empty");
    return decode(c, in, 0);
}

}  // namespace hob
