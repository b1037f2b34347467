#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "storage/value/big_number.h"
#include "storage/value/compare.h"
#include "storage/value/number.h"

namespace hob {
namespace {

/// A decimal whose whole part has more digits than this is not made into an integer.
constexpr std::int64_t kDigitsMax = 100'000;
/// Longer texts are no numbers that anybody typed.
constexpr std::size_t kTextMax = 100'000;

std::string_view name_of_number(Kind kind) {
    switch (kind) {
        case Kind::kByte:
            return "Byte";
        case Kind::kShort:
            return "Short";
        case Kind::kInt:
            return "Integer";
        case Kind::kLong:
            return "Long";
        case Kind::kFloat:
            return "Float";
        case Kind::kDouble:
            return "Double";
        case Kind::kBigInt:
            return "BigInteger";
        default:
            return "BigDecimal";
    }
}

Error overflow(const Value& v, Kind to, std::string_view what = "overflow") {
    return Error::execution("Can't convert number of type {} to {} due to {}.", type_name(v),
                            name_of_number(to), what);
}

bool is_real(const Value& v) {
    return v.kind() == Kind::kFloat || v.kind() == Kind::kDouble;
}

/// The whole part of a decimal; nothing when it is absurdly long.
std::optional<BigInt> whole_of(const BigDecimal& d) {
    if (d.scale < -kDigitsMax) return std::nullopt;
    if (d.scale <= 0)
        return BigInt(d.unscaled * power_of_ten(static_cast<std::uint64_t>(-d.scale)));
    if (d.scale > static_cast<std::int64_t>(digits_of(d.unscaled))) return BigInt(0);
    return BigInt(d.unscaled / power_of_ten(static_cast<std::uint64_t>(d.scale)));
}

Result<std::int64_t> long_of_real(const Value& v, Kind to) {
    constexpr double kLimit = 9223372036854775808.0;  // 2^63
    const double d = v.as_double();
    if (std::isnan(d)) return Error::execution("Can't convert NaN to {}.", name_of_number(to));
    if (std::isinf(d))
        return Error::execution("Can't convert floating point infinity to {}.", name_of_number(to));
    if (d > kLimit) return overflow(v, to);
    if (d < -kLimit) return overflow(v, to, "underflow");
    return d == kLimit ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(d);
}

/// Truncated towards zero.
Result<std::int64_t> long_of(const Value& v, Kind to) {
    if (v.is_integral()) return v.as_int64();
    if (is_real(v)) return long_of_real(v, to);
    const auto whole =
        v.kind() == Kind::kBigInt ? std::optional(integral_of(v)) : whole_of(decimal_of(v));
    const auto narrow = whole ? to_int64(value_of(*whole)) : std::nullopt;
    if (!narrow) return overflow(v, to);
    return *narrow;
}

template <typename Narrow>
Result<Narrow> narrow_of(const Value& v, Kind to) {
    HOB_ASSIGN_OR_RETURN(const std::int64_t wide, long_of(v, to));
    if (wide < std::numeric_limits<Narrow>::min() || wide > std::numeric_limits<Narrow>::max()) {
        return overflow(v, to);
    }
    return static_cast<Narrow>(wide);
}

Result<Value> float_of(const Value& v) {
    const double d = to_double(v);
    if (!is_real(v) || std::isfinite(d)) {
        constexpr double kMax = static_cast<double>(std::numeric_limits<float>::max());
        if (d < -kMax || d > kMax) return overflow(v, Kind::kFloat);
    }
    return Value::float_(static_cast<float>(d));
}

Result<Value> double_of(const Value& v) {
    if (v.kind() == Kind::kFloat && std::isfinite(v.as_double())) {
        // Through the text, so that 3.14f becomes 3.14 and not 3.140000104904175.
        const std::string text = to_text(v);
        double d = 0;
        std::from_chars(text.data(), text.data() + text.size(), d);
        return Value::double_(d);
    }
    const double d = to_double(v);
    if (!is_real(v) && std::isinf(d)) return overflow(v, Kind::kDouble);
    return Value::double_(d);
}

Result<Value> big_of(const Value& v, Kind to) {
    if (is_real(v) && !std::isfinite(v.as_double())) {
        return Error::execution("Can't convert {} to {}.",
                                std::isnan(v.as_double()) ? "NaN" : "floating point infinity",
                                name_of_number(to));
    }
    if (to == Kind::kBigDecimal) return value_of(decimal_of(v));
    if (v.is_integral()) return value_of(integral_of(v));
    const auto whole = whole_of(decimal_of(v));
    if (!whole) return overflow(v, to);
    return value_of(*whole);
}

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The pieces of a decimal literal: sign, digits before and after the point, exponent.
struct Literal {
    bool negative = false;
    std::string_view whole;
    std::string_view fraction;
    std::string_view exponent;  ///< With its sign.
    bool point = false;
    bool has_exponent = false;
};

std::optional<Literal> literal_of(std::string_view text) {
    Literal l;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        l.negative = text[0] == '-';
        text.remove_prefix(1);
    }
    if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
        l.exponent = text.substr(e + 1);
        l.has_exponent = true;
        text = text.substr(0, e);
        std::string_view digits = l.exponent;
        if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
        if (!all_digits(digits)) return std::nullopt;
        if (l.exponent[0] == '+') l.exponent.remove_prefix(1);
    }
    if (const std::size_t dot = text.find('.'); dot != std::string_view::npos) {
        l.point = true;
        l.fraction = text.substr(dot + 1);
        text = text.substr(0, dot);
    }
    l.whole = text;
    const bool digits =
        (l.whole.empty() || all_digits(l.whole)) && (l.fraction.empty() || all_digits(l.fraction));
    if (!digits || (l.whole.empty() && l.fraction.empty())) return std::nullopt;
    return l;
}

/// The narrowest of Integer, Long, BigInteger.
Value integral_of_big(const BigInt& v) {
    const Value big = value_of(v);
    const auto narrow = to_int64(big);
    if (!narrow) return big;
    const bool fits_int = *narrow >= std::numeric_limits<std::int32_t>::min() &&
                          *narrow <= std::numeric_limits<std::int32_t>::max();
    return fits_int ? Value::int_(static_cast<std::int32_t>(*narrow)) : Value::long_(*narrow);
}

/// Digits of base 8 or 16 after their prefix; nothing when one is none.
std::optional<BigInt> digits_in_base(std::string_view digits, unsigned base) {
    if (digits.empty()) return std::nullopt;
    BigInt v = 0;
    for (const char c : digits) {
        unsigned digit = 0;
        const auto read = std::from_chars(&c, &c + 1, digit, static_cast<int>(base));
        if (read.ptr != &c + 1) return std::nullopt;
        v = v * base + digit;
    }
    return v;
}

/// 0x1F, #1F, 017: an integer in another base; nothing when the text is no such thing.
std::optional<Value> parse_based(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
    std::optional<BigInt> v;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        v = digits_in_base(text.substr(2), 16);
    } else if (text.starts_with("#")) {
        v = digits_in_base(text.substr(1), 16);
    } else if (text.size() > 1 && text[0] == '0' && all_digits(text)) {
        v = digits_in_base(text.substr(1), 8);
    }
    if (!v) return std::nullopt;
    return integral_of_big(negative ? BigInt(-*v) : *v);
}

Error not_a_number(std::string_view text) {
    return Error::execution("Can't parse string '{}' as number.", text.substr(0, 200));
}

Result<Value> decimal_of_literal(const Literal& l) {
    std::int64_t exponent = 0;
    if (l.has_exponent) {
        const auto read =
            std::from_chars(l.exponent.data(), l.exponent.data() + l.exponent.size(), exponent);
        if (read.ec != std::errc{} || exponent > std::numeric_limits<std::int32_t>::max() ||
            exponent < std::numeric_limits<std::int32_t>::min()) {
            return Error::parse("exponent {} is out of range", l.exponent.substr(0, 30));
        }
    }
    std::string digits(l.whole);
    digits += l.fraction;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    BigInt unscaled(digits);
    if (l.negative) unscaled = -unscaled;
    const std::int64_t scale = static_cast<std::int64_t>(l.fraction.size()) - exponent;
    if (scale > std::numeric_limits<std::int32_t>::max())
        return Error::parse("decimal scale {} is out of range", scale);
    return value_of(BigDecimal{unscaled, scale});
}

/// The narrowest of Float, Double, BigDecimal that says the same, as commons-lang's createNumber.
Result<Value> parse_fraction(std::string_view text, const Literal& l) {
    HOB_ASSIGN_OR_RETURN(const Value exact, decimal_of_literal(l));
    const bool zero = exact.as<BigDecimalObject>().unscaled == std::string_view("\0", 1);
    std::string plain(text.substr(text[0] == '+' ? 1 : 0));
    const double d = to_double(exact);
    float f = 0;
    const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), f);
    const bool float_usable = read.ec == std::errc{} && std::isfinite(f) && (f != 0 || zero);
    if (float_usable && to_text(Value::float_(f)) == to_text(Value::double_(d)))
        return Value::float_(f);
    const Value as_double = Value::double_(d);
    if (std::isfinite(d) && (d != 0 || zero) &&
        order_numbers(exact, as_double) == std::weak_ordering::equivalent) {
        return as_double;
    }
    return exact;
}

/// A literal whose last letter names its type (1L, 2.5f, 3d); nothing when it does not.
std::optional<Result<Value>> parse_suffixed(std::string_view text) {
    const char suffix = static_cast<char>(std::tolower(static_cast<unsigned char>(text.back())));
    if (suffix != 'l' && suffix != 'f' && suffix != 'd') return std::nullopt;
    const std::string_view body = text.substr(0, text.size() - 1);
    const auto l = literal_of(body);
    if (!l) return std::nullopt;
    if (suffix == 'l') {
        if (l->point || l->has_exponent) return std::nullopt;
        const auto big = big_int_from_text(body[0] == '+' ? body.substr(1) : body);
        if (!big.ok()) return std::nullopt;
        const auto narrow = to_int64(*big);
        return narrow ? Value::long_(*narrow) : *big;
    }
    auto exact = decimal_of_literal(*l);
    if (!exact.ok()) return exact;
    return convert_number(*exact, suffix == 'f' ? Kind::kFloat : Kind::kDouble);
}

}  // namespace

Result<Value> convert_number(const Value& v, Kind to) {
    if (!v.is_number()) return Error::execution("Can't parse type {} as number.", type_name(v));
    if (v.kind() == to) return v;
    switch (to) {
        case Kind::kByte: {
            HOB_ASSIGN_OR_RETURN(const auto n, narrow_of<std::int8_t>(v, to));
            return Value::byte(n);
        }
        case Kind::kShort: {
            HOB_ASSIGN_OR_RETURN(const auto n, narrow_of<std::int16_t>(v, to));
            return Value::short_(n);
        }
        case Kind::kInt: {
            HOB_ASSIGN_OR_RETURN(const auto n, narrow_of<std::int32_t>(v, to));
            return Value::int_(n);
        }
        case Kind::kLong: {
            HOB_ASSIGN_OR_RETURN(const auto n, long_of(v, to));
            return Value::long_(n);
        }
        case Kind::kFloat:
            return float_of(v);
        case Kind::kDouble:
            return double_of(v);
        case Kind::kBigInt:
        case Kind::kBigDecimal:
            return big_of(v, to);
        default:
            return Error::invalid("a number can't be converted to something that is no number");
    }
}

Result<Value> parse_number(std::string_view text) {
    const std::string_view body = trimmed(text);
    if (body.empty() || body.size() > kTextMax) return not_a_number(text);
    if (const auto based = parse_based(body)) return *based;
    if (auto suffixed = parse_suffixed(body)) return *suffixed;
    const auto l = literal_of(body);
    // "09" is neither octal nor decimal to Java.
    if (!l || (!l->point && !l->has_exponent && l->whole.size() > 1 && l->whole[0] == '0'))
        return not_a_number(text);
    if (l->point || l->has_exponent) {
        auto parsed = parse_fraction(body, *l);
        return parsed.ok() ? std::move(parsed) : Result<Value>(not_a_number(text));
    }
    return integral_of_big(l->negative ? BigInt(-BigInt(std::string(l->whole)))
                                       : BigInt(std::string(l->whole)));
}

Result<Value> big_int_from_text(std::string_view decimal) {
    const bool negative = decimal.starts_with('-');
    const std::string_view digits =
        negative || decimal.starts_with('+') ? decimal.substr(1) : decimal;
    if (!all_digits(digits) || digits.size() > kTextMax) {
        return Error::parse("'{}' is not a whole number", decimal.substr(0, 100));
    }
    // Boost reads a leading zero as octal.
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    const BigInt v(std::string(digits.substr(first)));
    return value_of(negative ? BigInt(-v) : v);
}

Result<Value> big_decimal_from_text(std::string_view decimal) {
    const auto l = literal_of(decimal);
    if (!l || decimal.size() > kTextMax)
        return Error::parse("'{}' is not a decimal number", decimal.substr(0, 100));
    return decimal_of_literal(*l);
}

}  // namespace hob
