#include "storage/value/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "storage/value/big_number.h"
#include "storage/value/compare.h"
#include "storage/value/text_parts.h"

namespace hob {
namespace {

/// Decimal arithmetic that would need more digits than this is refused: 1E+1000000000 is 20 bytes
/// on the wire, its sum with 1 a gigabyte.
constexpr std::int64_t kDigitsMax = 100'000;

/// A number's place in the promotion lattice: width in bits (128 stands for the unbounded ones) and
/// whether it is floating.
struct NumberClass {
    int bits;
    bool floating;
};

NumberClass class_of(const Value& v) {
    switch (v.kind()) {
        case Kind::kByte:
            return {8, false};
        case Kind::kShort:
            return {16, false};
        case Kind::kInt:
            return {32, false};
        case Kind::kLong:
            return {64, false};
        case Kind::kFloat:
            return {32, true};
        case Kind::kDouble:
            return {64, true};
        case Kind::kBigInt:
            return {128, false};
        default:
            return {128, true};
    }
}

NumberClass common_class(const Value& a, const Value& b) {
    const NumberClass x = class_of(a);
    const NumberClass y = class_of(b);
    return {std::max(x.bits, y.bits), x.floating || y.floating};
}

bool is_finite(const Value& v) {
    return (v.kind() != Kind::kFloat && v.kind() != Kind::kDouble) || std::isfinite(v.as_double());
}

BigDecimal decimal_from_text(std::string_view text) {
    BigDecimal d;
    const auto parsed = big_decimal_from_text(text);
    if (parsed.ok()) {
        const auto& object = parsed->as<BigDecimalObject>();
        d = {big_int_of(object.unscaled), object.scale};
    }
    return d;
}

}  // namespace

BigDecimal decimal_of(const Value& v) {
    switch (v.kind()) {
        case Kind::kBigDecimal:
            return {big_int_of(v.as<BigDecimalObject>().unscaled), v.as<BigDecimalObject>().scale};
        case Kind::kFloat:
        case Kind::kDouble:
            // Through its shortest text, as Java does: 0.1f is 0.1 and not 0.100000001490116...
            return decimal_from_text(to_text(v));
        default:
            return {integral_of(v), 0};
    }
}

namespace {

int sign_of(const BigInt& v) {
    return v.sign();
}

/// Brings both to the larger scale.
void align(BigDecimal& a, BigDecimal& b) {
    BigDecimal& low = a.scale < b.scale ? a : b;
    const std::int64_t scale = std::max(a.scale, b.scale);
    low.unscaled *= power_of_ten(static_cast<std::uint64_t>(scale - low.scale));
    low.scale = scale;
}

std::weak_ordering order_decimals(BigDecimal a, BigDecimal b) {
    const int sign_a = sign_of(a.unscaled);
    const int sign_b = sign_of(b.unscaled);
    if (sign_a != sign_b || sign_a == 0) return sign_a <=> sign_b;
    // The place of the first digit decides unless it is the same; then the scales differ by no more
    // than the digits do.
    const std::int64_t top_a = static_cast<std::int64_t>(digits_of(a.unscaled)) - a.scale;
    const std::int64_t top_b = static_cast<std::int64_t>(digits_of(b.unscaled)) - b.scale;
    if (top_a != top_b) return sign_a > 0 ? top_a <=> top_b : top_b <=> top_a;
    align(a, b);
    return a.unscaled.compare(b.unscaled) <=> 0;
}

std::weak_ordering order_reals(double a, double b) {
    if (a < b) return std::weak_ordering::less;
    return a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

/// +1 or -1 for an infinite float or double, else 0.
int infinity_of(const Value& v) {
    if (is_finite(v)) return 0;
    return v.as_double() > 0 ? 1 : -1;
}

}  // namespace

bool is_nan(const Value& v) {
    return (v.kind() == Kind::kFloat || v.kind() == Kind::kDouble) && std::isnan(v.as_double());
}

std::weak_ordering order_numbers(const Value& a, const Value& b) {
    if (a.is_integral() && b.is_integral()) return a.as_int64() <=> b.as_int64();
    if (is_nan(a) || is_nan(b)) return is_nan(a) <=> is_nan(b);
    const NumberClass common = common_class(a, b);
    if (!common.floating) return integral_of(a).compare(integral_of(b)) <=> 0;
    if (common.bits <= 32) {
        return order_reals(static_cast<double>(static_cast<float>(to_double(a))),
                           static_cast<double>(static_cast<float>(to_double(b))));
    }
    if (common.bits <= 64) return order_reals(to_double(a), to_double(b));
    if (infinity_of(a) != 0 || infinity_of(b) != 0) return infinity_of(a) <=> infinity_of(b);
    return order_decimals(decimal_of(a), decimal_of(b));
}

namespace {

enum class Operation : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide };

Value integral_value(std::int64_t v, int bits) {
    switch (bits) {
        case 8:
            return Value::byte(static_cast<std::int8_t>(v));
        case 16:
            return Value::short_(static_cast<std::int16_t>(v));
        case 32:
            return Value::int_(static_cast<std::int32_t>(v));
        default:
            return Value::long_(v);
    }
}

/// The smallest of the widths from `bits` up that holds `v`.
int width_for(std::int64_t v, int bits) {
    while (bits < 64) {
        const std::int64_t limit = std::int64_t{1} << (bits - 1);
        if (v >= -limit && v < limit) break;
        bits *= 2;
    }
    return bits;
}

Error division_by_zero() {
    return Error::execution("/ by zero");
}

Result<Value> calculate_long(Operation operation, std::int64_t a, std::int64_t b, int bits) {
    std::int64_t r = 0;
    bool overflow = false;
    switch (operation) {
        case Operation::kAdd:
            overflow = __builtin_add_overflow(a, b, &r);
            break;
        case Operation::kSubtract:
            overflow = __builtin_sub_overflow(a, b, &r);
            break;
        case Operation::kMultiply:
            overflow = __builtin_mul_overflow(a, b, &r);
            break;
        case Operation::kDivide:
            if (b == 0) return division_by_zero();
            overflow = b == -1 && a == std::numeric_limits<std::int64_t>::min();
            if (!overflow) r = a / b;
            break;
    }
    if (overflow) return Error::execution("long overflow");
    return integral_value(r, width_for(r, bits));
}

template <typename Real>
Real calculate_real(Operation operation, Real a, Real b) {
    switch (operation) {
        case Operation::kAdd:
            return a + b;
        case Operation::kSubtract:
            return a - b;
        case Operation::kMultiply:
            return a * b;
        case Operation::kDivide:
            return a / b;
    }
    return a;
}

/// As float when that does not overflow, else as double.
Value calculate_float(Operation operation, const Value& a, const Value& b, int bits) {
    if (bits <= 32) {
        const float r = calculate_real(operation, static_cast<float>(to_double(a)),
                                       static_cast<float>(to_double(b)));
        if (!std::isinf(r)) return Value::float_(r);
    }
    return Value::double_(calculate_real(operation, to_double(a), to_double(b)));
}

Result<Value> calculate_big_int(Operation operation, const BigInt& a, const BigInt& b) {
    switch (operation) {
        case Operation::kAdd:
            return value_of(BigInt(a + b));
        case Operation::kSubtract:
            return value_of(BigInt(a - b));
        case Operation::kMultiply:
            return value_of(BigInt(a * b));
        case Operation::kDivide:
            break;
    }
    if (b.is_zero()) return Error::execution("BigInteger divide by zero");
    return value_of(BigInt(a / b));
}

/// How often `factor` divides `v`, which loses them.
std::uint64_t take_factors(BigInt& v, unsigned factor) {
    std::uint64_t n = 0;
    while (v % factor == 0) {
        v /= factor;
        ++n;
    }
    return n;
}

BigInt divide_half_up(const BigInt& a, const BigInt& b) {
    const BigInt magnitude = (abs(a) * 2 + abs(b)) / (abs(b) * 2);
    return sign_of(a) * sign_of(b) < 0 ? BigInt(-magnitude) : magnitude;
}

/// a / b with `precision` significant digits.
BigDecimal divide_to_precision(const BigDecimal& a, const BigDecimal& b, std::int64_t precision) {
    std::int64_t shift = precision - static_cast<std::int64_t>(digits_of(a.unscaled)) +
                         static_cast<std::int64_t>(digits_of(b.unscaled));
    const auto quotient = [&a, &b](std::int64_t places) {
        const BigInt up =
            power_of_ten(static_cast<std::uint64_t>(std::max<std::int64_t>(places, 0)));
        const BigInt down =
            power_of_ten(static_cast<std::uint64_t>(std::max<std::int64_t>(-places, 0)));
        return divide_half_up(BigInt(a.unscaled * up), BigInt(b.unscaled * down));
    };
    BigInt q = quotient(shift);
    if (static_cast<std::int64_t>(digits_of(q)) > precision) q = quotient(--shift);
    if (static_cast<std::int64_t>(digits_of(q)) > precision) {  // 99.9 was rounded to 100.
        q /= 10;
        --shift;
    }
    return {q, a.scale - b.scale + shift};
}

/// As NumberHelper: exact when the quotient ends, else 10 digits more than the operands have, at
/// most max(scales, 10) of them after the point.
BigDecimal divide_decimals(const BigDecimal& a, const BigDecimal& b) {
    const std::int64_t preferred = a.scale - b.scale;
    if (a.unscaled.is_zero()) return {0, preferred};
    const BigInt shared = gcd(a.unscaled, b.unscaled);
    const BigInt numerator = a.unscaled / shared;
    const BigInt denominator = b.unscaled / shared;
    BigInt rest = abs(denominator);
    const std::uint64_t twos = take_factors(rest, 2);
    const std::uint64_t fives = take_factors(rest, 5);
    if (rest == 1) {
        const std::uint64_t places = std::max(twos, fives);
        const BigInt unscaled = numerator * power_of_ten(places) / denominator;
        return {unscaled, preferred + static_cast<std::int64_t>(places)};
    }
    const auto digits = std::max(digits_of(a.unscaled), digits_of(b.unscaled));
    BigDecimal q = divide_to_precision(a, b, static_cast<std::int64_t>(digits) + 10);
    const std::int64_t scale = std::max({a.scale, b.scale, std::int64_t{10}});
    if (q.scale > scale) {
        q.unscaled =
            divide_half_up(q.unscaled, power_of_ten(static_cast<std::uint64_t>(q.scale - scale)));
        q.scale = scale;
    }
    return q;
}

Result<Value> decimal_result(const BigDecimal& d) {
    if (d.scale > std::numeric_limits<std::int32_t>::max() ||
        d.scale < std::numeric_limits<std::int32_t>::min()) {
        return Error::execution("BigDecimal scale {} is out of range", d.scale);
    }
    return value_of(d);
}

Result<Value> calculate_decimal(Operation operation, BigDecimal a, BigDecimal b) {
    switch (operation) {
        case Operation::kMultiply:
            return decimal_result({a.unscaled * b.unscaled, a.scale + b.scale});
        case Operation::kDivide:
            if (b.unscaled.is_zero()) return division_by_zero();
            return decimal_result(divide_decimals(a, b));
        case Operation::kAdd:
        case Operation::kSubtract:
            break;
    }
    if (std::abs(a.scale - b.scale) > kDigitsMax) {
        return Error::execution(
            "BigDecimal overflow: the sum of numbers with scales {} and {} needs more than {} "
            "digits",
            a.scale, b.scale, kDigitsMax);
    }
    align(a, b);
    if (operation == Operation::kSubtract) b.unscaled = -b.unscaled;
    return decimal_result({a.unscaled + b.unscaled, a.scale});
}

Result<Value> calculate(Operation operation, const Value& a, const Value& b, bool force_floating) {
    if (a.is_null() || b.is_null()) return a;
    if (!a.is_number() || !b.is_number()) {
        const Value& wrong = a.is_number() ? b : a;
        return Error::execution("'{}' ({}) is not a number", to_text(wrong).substr(0, 100),
                                type_name(wrong));
    }
    const NumberClass common = common_class(a, b);
    const bool floating = common.floating || force_floating;
    if (!floating && common.bits <= 64)
        return calculate_long(operation, a.as_int64(), b.as_int64(), common.bits);
    if (!floating) return calculate_big_int(operation, integral_of(a), integral_of(b));
    if (common.bits <= 64) return calculate_float(operation, a, b, common.bits);
    // No decimal is infinite or NaN: such a result can only be a double.
    if (!is_finite(a) || !is_finite(b))
        return Value::double_(calculate_real(operation, to_double(a), to_double(b)));
    return calculate_decimal(operation, decimal_of(a), decimal_of(b));
}

/// `v`, one of two numbers, as the class the two have in common.
Value in_class(const Value& v, NumberClass common) {
    if (!common.floating) {
        return common.bits <= 64 ? integral_value(v.as_int64(), common.bits)
                                 : value_of(integral_of(v));
    }
    if (common.bits <= 32) return Value::float_(static_cast<float>(to_double(v)));
    if (common.bits <= 64 || !is_finite(v)) return Value::double_(to_double(v));
    return value_of(decimal_of(v));
}

Value extreme_of(const Value& a, const Value& b, std::weak_ordering wanted) {
    if (a.is_null() || b.is_null()) return a.is_null() ? b : a;
    if (is_nan(a) || is_nan(b)) return is_nan(a) ? b : a;
    if (!a.is_number() || !b.is_number()) return order(a, b) == wanted ? a : b;
    const std::weak_ordering c = order_numbers(a, b);
    return in_class(c == wanted || c == std::weak_ordering::equivalent ? a : b, common_class(a, b));
}

}  // namespace

Result<Value> add(const Value& a, const Value& b) {
    return calculate(Operation::kAdd, a, b, false);
}
Result<Value> subtract(const Value& a, const Value& b) {
    return calculate(Operation::kSubtract, a, b, false);
}
Result<Value> multiply(const Value& a, const Value& b) {
    return calculate(Operation::kMultiply, a, b, false);
}
Result<Value> divide(const Value& a, const Value& b, bool force_floating) {
    return calculate(Operation::kDivide, a, b, force_floating);
}
Value min_of(const Value& a, const Value& b) {
    return extreme_of(a, b, std::weak_ordering::less);
}
Value max_of(const Value& a, const Value& b) {
    return extreme_of(a, b, std::weak_ordering::greater);
}

double to_double(const Value& v) {
    if (v.is_integral()) return static_cast<double>(v.as_int64());
    if (v.kind() == Kind::kFloat || v.kind() == Kind::kDouble) return v.as_double();
    if (!v.is_number()) return 0;
    // from_chars rounds correctly; beyond its range it says so and leaves the result to us.
    const std::string text = to_text(v);
    double r = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), r);
    if (read.ec == std::errc::result_out_of_range) {
        const BigDecimal d = decimal_of(v);
        const bool small = static_cast<std::int64_t>(digits_of(d.unscaled)) - d.scale < 0;
        r = small ? 0 : std::numeric_limits<double>::infinity();
        return d.unscaled < 0 ? -r : r;
    }
    return r;
}

std::optional<std::int64_t> to_int64(const Value& v) {
    if (v.is_integral()) return v.as_int64();
    if (v.kind() != Kind::kBigInt || v.as<BigIntObject>().twos_complement.size() > 8)
        return std::nullopt;
    return static_cast<std::int64_t>(integral_of(v));
}

}  // namespace hob
