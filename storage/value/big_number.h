#pragma once
#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/value/value.h"

namespace hob {

/// Inside this room's sources only (Boost): arithmetic on java.math's numbers.
using BigInt = boost::multiprecision::cpp_int;

/// `unscaled` times 10 to the minus `scale`.
struct BigDecimal {
    BigInt unscaled;
    std::int64_t scale = 0;
};

BigInt big_int_of(std::string_view twos_complement);
std::string twos_complement_of(const BigInt& v);
Value value_of(const BigInt& v);
Value value_of(const BigDecimal& v);
/// Any integral kind, kBigInt included.
BigInt integral_of(const Value& v);
/// Any finite number.
BigDecimal decimal_of(const Value& v);

BigInt power_of_ten(std::uint64_t exponent);
/// Decimal digits of |v|; 1 for zero.
std::size_t digits_of(const BigInt& v);

std::string decimal_text(const BigInt& v);
/// As java.math.BigDecimal.toString().
std::string decimal_text(const BigDecimal& v);

}  // namespace hob
