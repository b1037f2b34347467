#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "storage/value/compare.h"

namespace hob {
namespace {

constexpr std::int64_t kLongMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLongMin = std::numeric_limits<std::int64_t>::min();

/// "type:text", or the error's message.
std::string shown(const Result<Value>& v) {
    return v.ok() ? std::string(type_name(*v)) + ":" + to_text(*v) : v.error().message;
}
Value dec(std::string_view text) {
    return *big_decimal_from_text(text);
}
Value big(std::string_view text) {
    return *big_int_from_text(text);
}

TEST_CASE("results have the wider type of the two") {
    CHECK(shown(add(Value::byte(1), Value::byte(2))) == "Byte:3");
    CHECK(shown(add(Value::byte(1), Value::short_(2))) == "Short:3");
    CHECK(shown(add(Value::int_(1), Value::long_(2))) == "Long:3");
    CHECK(shown(add(Value::int_(1), Value::float_(2))) == "Float:3.0");
    CHECK(shown(add(Value::long_(1), Value::float_(2))) == "Double:3.0");
    CHECK(shown(add(Value::int_(1), big("2"))) == "BigInteger:3");
    CHECK(shown(add(big("1"), Value::float_(0.5f))) == "BigDecimal:1.5");
    CHECK(shown(add(Value::double_(0.1), dec("0.20"))) == "BigDecimal:0.30");
    CHECK(shown(subtract(Value::int_(1), Value::double_(0.5))) == "Double:0.5");
    CHECK(shown(multiply(dec("1.50"), Value::int_(2))) == "BigDecimal:3.00");
}

TEST_CASE("integral overflow widens up to long, then it is an error") {
    CHECK(shown(add(Value::byte(127), Value::byte(1))) == "Short:128");
    CHECK(shown(multiply(Value::byte(-128), Value::byte(-128))) == "Short:16384");
    CHECK(shown(multiply(Value::short_(32767), Value::short_(32767))) == "Integer:1073676289");
    CHECK(shown(add(Value::int_(2147483647), Value::int_(1))) == "Long:2147483648");
    CHECK(shown(divide(Value::byte(-128), Value::byte(-1))) == "Short:128");
    CHECK(shown(add(Value::long_(kLongMax), Value::int_(1))) == "long overflow");
    CHECK(shown(multiply(Value::long_(kLongMin), Value::int_(-1))) == "long overflow");
    CHECK(shown(divide(Value::long_(kLongMin), Value::long_(-1))) == "long overflow");
    CHECK(add(Value::long_(kLongMax), Value::int_(1)).error().code == Code::kExecution);
}

TEST_CASE("floating overflow goes to double, then to infinity") {
    CHECK(shown(multiply(Value::float_(3e38f), Value::float_(10))) ==
          "Double:3.000000005497756E39");
    CHECK(shown(multiply(Value::double_(1e308), Value::int_(10))) == "Double:Infinity");
}

TEST_CASE("division") {
    CHECK(shown(divide(Value::int_(7), Value::int_(2))) == "Integer:3");
    CHECK(shown(divide(Value::int_(7), Value::int_(2), true)) == "Float:3.5");
    CHECK(shown(divide(Value::long_(7), Value::int_(2), true)) == "Double:3.5");
    CHECK(shown(divide(Value::int_(1), Value::int_(0))) == "/ by zero");
    CHECK(shown(divide(Value::double_(1), Value::int_(0))) == "Double:Infinity");
    CHECK(shown(divide(big("7"), Value::int_(2))) == "BigInteger:3");
    CHECK(shown(divide(big("7"), Value::int_(0))) == "BigInteger divide by zero");
    CHECK(shown(divide(dec("1"), dec("8"))) == "BigDecimal:0.125");
    CHECK(shown(divide(dec("10"), dec("2.5"))) == "BigDecimal:4");
    CHECK(shown(divide(dec("1"), dec("3"))) == "BigDecimal:0.3333333333");
    CHECK(shown(divide(dec("2"), dec("3"))) == "BigDecimal:0.6666666667");
    CHECK(shown(divide(dec("-200"), dec("3"))) == "BigDecimal:-66.6666666667");
    CHECK(shown(divide(dec("1"), dec("0"))) == "/ by zero");
}

TEST_CASE("a missing number leaves the first, a wrong one is named") {
    CHECK(shown(add(Value(), Value::int_(1))) == "null:null");
    CHECK(shown(add(Value::int_(1), Value())) == "Integer:1");
    CHECK(shown(add(Value::int_(1), Value::string("x"))) == "'x' (String) is not a number");
}

TEST_CASE("decimal sums that would fill the memory are refused") {
    CHECK_FALSE(add(dec("1E+2000000000"), Value::int_(1)).ok());
    CHECK(shown(multiply(dec("1E+2000000000"), dec("1E+2000000000"))).find("out of range") !=
          std::string::npos);
    CHECK_FALSE(convert_number(dec("1E+2000000000"), Kind::kBigInt).ok());
    CHECK(to_double(dec("-1E+2000000000")) == -std::numeric_limits<double>::infinity());
    CHECK(to_double(dec("1E-2000000000")) == 0);
}

TEST_CASE("smallest and largest") {
    CHECK(shown(min_of(Value::int_(1), Value::double_(2))) == "Double:1.0");
    CHECK(shown(max_of(Value::byte(1), Value::int_(1))) == "Integer:1");
    CHECK(shown(min_of(Value(), Value::int_(1))) == "Integer:1");
    CHECK(shown(max_of(Value::int_(1), Value())) == "Integer:1");
    CHECK(shown(min_of(Value::double_(NAN), Value::int_(1))) == "Integer:1");
    CHECK(shown(max_of(Value::string("a"), Value::string("b"))) == "String:b");
    CHECK(shown(min_of(big("5"), dec("5.5"))) == "BigDecimal:5");
}

TEST_CASE("conversion between number types") {
    CHECK(shown(convert_number(Value::double_(5.67), Kind::kInt)) == "Integer:5");
    CHECK(shown(convert_number(dec("-3.14"), Kind::kLong)) == "Long:-3");
    CHECK(shown(convert_number(Value::int_(12), Kind::kByte)) == "Byte:12");
    CHECK(shown(convert_number(Value::int_(300), Kind::kByte)) ==
          "Can't convert number of type Integer to Byte due to overflow.");
    CHECK(shown(convert_number(Value::int_(32768), Kind::kShort)) ==
          "Can't convert number of type Integer to Short due to overflow.");
    CHECK(shown(convert_number(Value::double_(1e300), Kind::kLong)) ==
          "Can't convert number of type Double to Long due to overflow.");
    CHECK(shown(convert_number(Value::double_(-1e300), Kind::kLong)) ==
          "Can't convert number of type Double to Long due to underflow.");
    CHECK(shown(convert_number(Value::double_(1e300), Kind::kFloat)) ==
          "Can't convert number of type Double to Float due to overflow.");
    CHECK(shown(convert_number(Value::double_(NAN), Kind::kInt)) ==
          "Can't convert NaN to Integer.");
    CHECK(shown(convert_number(Value::float_(3.14f), Kind::kDouble)) == "Double:3.14");
    CHECK(shown(convert_number(Value::float_(3.14f), Kind::kBigDecimal)) == "BigDecimal:3.14");
    CHECK(shown(convert_number(Value::double_(1e21), Kind::kBigInt)) ==
          "BigInteger:1000000000000000000000");
    CHECK(shown(convert_number(dec("0.99"), Kind::kBigInt)) == "BigInteger:0");
    CHECK(shown(convert_number(big("99999999999999999999"), Kind::kLong)) ==
          "Can't convert number of type BigInteger to Long due to overflow.");
    CHECK(shown(convert_number(Value::double_(std::numeric_limits<double>::infinity()),
                               Kind::kFloat)) == "Float:Infinity");
    CHECK_FALSE(convert_number(Value::string("1"), Kind::kInt).ok());
}

TEST_CASE("texts become the narrowest number that says the same") {
    CHECK(shown(parse_number("5")) == "Integer:5");
    CHECK(shown(parse_number(" -2147483649 ")) == "Long:-2147483649");
    CHECK(shown(parse_number("99999999999999999999")) == "BigInteger:99999999999999999999");
    CHECK(shown(parse_number("5.43")) == "Float:5.43");
    CHECK(shown(parse_number("123.")) == "Float:123.0");
    CHECK(shown(parse_number("3.141592653589793")) == "Double:3.141592653589793");
    CHECK(shown(parse_number("1.23e100")) == "Double:1.23E100");
    CHECK(shown(parse_number("123456789012345678901234567890.123456789")) ==
          "BigDecimal:123456789012345678901234567890.123456789");
    CHECK(shown(parse_number("0.0")) == "Float:0.0");
    CHECK(shown(parse_number("0x123")) == "Integer:291");
    CHECK(shown(parse_number("-0x5")) == "Integer:-5");
    CHECK(shown(parse_number("0123")) == "Integer:83");
    CHECK(shown(parse_number("7L")) == "Long:7");
    CHECK(shown(parse_number("2.5d")) == "Double:2.5");
    CHECK(shown(parse_number("2.5f")) == "Float:2.5");
    for (const char* bad : {"", "test", "128abc", "1,000", "--1", "1e", "1.2.3", "0x", "09",
                            "1e99999999999999999999", "."}) {
        INFO(bad);
        CHECK_FALSE(parse_number(bad).ok());
    }
    CHECK(shown(parse_number("test")) == "Can't parse string 'test' as number.");
}

TEST_CASE("big integers go there and back") {
    for (const char* text :
         {"0", "-1", "127", "128", "-128", "-129", "255", "256", "-32768", "-32769",
          "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890"}) {
        CHECK(to_text(big(text)) == text);
    }
    CHECK(to_int64(big("-9223372036854775808")) == kLongMin);
    CHECK(to_int64(big("9223372036854775808")) == std::nullopt);
    CHECK(to_int64(Value::double_(1)) == std::nullopt);
    CHECK(to_double(big("1000000000000000000000")) == 1e21);
}

}  // namespace
}  // namespace hob
