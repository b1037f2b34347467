#include "storage/value/big_number.h"

#include <algorithm>
#include <iterator>

namespace hob {

BigInt big_int_of(std::string_view twos_complement) {
    BigInt v;
    boost::multiprecision::import_bits(v, twos_complement.begin(), twos_complement.end(), 8, true);
    const bool negative =
        !twos_complement.empty() && (static_cast<unsigned char>(twos_complement[0]) & 0x80) != 0;
    if (negative) v -= BigInt(1) << (8 * twos_complement.size());
    return v;
}

std::string twos_complement_of(const BigInt& v) {
    if (v.is_zero()) return std::string(1, '\0');
    // A negative number of n bits is 2^(8 * bytes) + v; one spare bit holds the sign.
    const BigInt magnitude = v < 0 ? BigInt(-v - 1) : v;
    const std::size_t bits = magnitude.is_zero() ? 0 : msb(magnitude) + 1;
    const std::size_t bytes = bits / 8 + 1;
    const BigInt pattern = v < 0 ? BigInt(v + (BigInt(1) << (8 * bytes))) : v;
    std::string out;
    boost::multiprecision::export_bits(pattern, std::back_inserter(out), 8, true);
    return std::string(bytes - out.size(), '\0') + out;
}

Value value_of(const BigInt& v) {
    return Value::big_int(twos_complement_of(v));
}

Value value_of(const BigDecimal& v) {
    return Value::big_decimal(static_cast<std::int32_t>(v.scale), twos_complement_of(v.unscaled));
}

BigInt integral_of(const Value& v) {
    return v.kind() == Kind::kBigInt ? big_int_of(v.as<BigIntObject>().twos_complement)
                                     : BigInt(v.as_int64());
}

BigInt power_of_ten(std::uint64_t exponent) {
    return boost::multiprecision::pow(BigInt(10), static_cast<unsigned>(exponent));
}

std::string decimal_text(const BigInt& v) {
    return v.str();
}

std::size_t digits_of(const BigInt& v) {
    const std::string text = v.str();
    return text.size() - (v < 0 ? 1 : 0);
}

std::string decimal_text(const BigDecimal& v) {
    std::string digits = BigInt(abs(v.unscaled)).str();
    const std::string sign = v.unscaled < 0 ? "-" : "";
    if (v.scale == 0) return sign + digits;
    const std::int64_t adjusted = static_cast<std::int64_t>(digits.size()) - 1 - v.scale;
    if (v.scale > 0 && adjusted >= -6) {
        const auto places = static_cast<std::size_t>(v.scale);
        if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
        return sign + digits.insert(digits.size() - places, ".");
    }
    if (digits.size() > 1) digits.insert(1, ".");
    return sign + digits + 'E' + (adjusted >= 0 ? "+" : "") + std::to_string(adjusted);
}

}  // namespace hob
