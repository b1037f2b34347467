#include "gremlin/language/literals.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <random>

#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Digits with their radix: sign, prefix, underscores and suffix taken off.
struct Digits {
    std::string text;
    int radix = 10;
    char suffix = '\0';
};

Digits split_integer(std::string_view text) {
    Digits digits;
    const bool hexadecimal = text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x';
    const char last = lower(text.back());
    if (!is_digit(last) && last != '_' && (!hexadecimal || last > 'f')) {
        digits.suffix = last;
        text.remove_suffix(1);
    }
    if (hexadecimal) {
        digits.radix = 16;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
        digits.radix = 8;
        text.remove_prefix(1);
    }
    for (const char c : text) {
        if (c != '_') digits.text += c;
    }
    return digits;
}

/// The digits as decimal text: what the big number reader takes. Schoolbook; the text is bounded by
/// the script.
std::string to_decimal(const Digits& digits) {
    if (digits.radix == 10) return digits.text;
    std::string decimal = "0";  // Little end first.
    for (const char c : digits.text) {
        int carry = is_digit(c) ? c - '0' : lower(c) - 'a' + 10;
        for (char& d : decimal) {
            const int n = (d - '0') * digits.radix + carry;
            d = static_cast<char>('0' + n % 10);
            carry = n / 10;
        }
        for (; carry > 0; carry /= 10)
            decimal += static_cast<char>('0' + carry % 10);
    }
    return {decimal.rbegin(), decimal.rend()};
}

/// The longest big number: reading one takes time that grows with the square of its length.
constexpr std::size_t kDigitsMax = 1024;

Error too_long(std::string_view text) {
    return Error::parse("the number {}... has more than {} digits", text.substr(0, 20), kDigitsMax);
}

Result<Value> big_integer(const Digits& digits, bool negative) {
    if (digits.text.size() > kDigitsMax) return too_long(digits.text);
    return big_int_from_text((negative ? "-" : "") + to_decimal(digits));
}

std::optional<std::int64_t> small_integer(const Digits& digits, bool negative) {
    std::uint64_t magnitude = 0;
    const char* end = digits.text.data() + digits.text.size();
    const auto [at, error] = std::from_chars(digits.text.data(), end, magnitude, digits.radix);
    if (error != std::errc{} || at != end) return std::nullopt;
    const std::uint64_t limit = std::uint64_t{1} << 63U;
    if (negative ? magnitude > limit : magnitude >= limit) return std::nullopt;
    return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

template <typename Integer>
bool fits(std::int64_t v) {
    return v >= std::numeric_limits<Integer>::min() && v <= std::numeric_limits<Integer>::max();
}

Result<Value> integer_value(std::string_view text, bool negative) {
    const Digits digits = split_integer(text);
    const std::string_view sign = negative ? "-" : "";
    if (digits.text.empty() || text.back() == '_') {
        return Error::parse("'{}' is not a number", text);
    }
    if (digits.radix == 8 && digits.text.find_first_of("89") != std::string::npos) {
        return Error::parse("'{}' starts with 0, so it is octal and takes the digits 0 to 7", text);
    }
    if (digits.suffix == 'n') return big_integer(digits, negative);
    const std::optional<std::int64_t> v = small_integer(digits, negative);
    switch (digits.suffix) {
        case 'b':
            if (v && fits<std::int8_t>(*v)) return Value::byte(static_cast<std::int8_t>(*v));
            return Error::parse("{}{} does not fit into a byte (-128 to 127)", sign, text);
        case 's':
            if (v && fits<std::int16_t>(*v)) return Value::short_(static_cast<std::int16_t>(*v));
            return Error::parse("{}{} does not fit into a short (-32768 to 32767)", sign, text);
        case 'i':
            if (v && fits<std::int32_t>(*v)) return Value::int_(static_cast<std::int32_t>(*v));
            return Error::parse("{}{} does not fit into an int (write it with L, or N)", sign,
                                text);
        case 'l':
            if (v) return Value::long_(*v);
            return Error::parse("{}{} does not fit into a long (write it with N)", sign, text);
        default:
            break;
    }
    if (!v) return big_integer(digits, negative);
    if (fits<std::int32_t>(*v)) return Value::int_(static_cast<std::int32_t>(*v));
    return Value::long_(*v);
}

/// Correctly rounded; too large becomes infinite and too small zero, as in Java.
template <typename Real>
Real to_real(const std::string& text) {
    Real v = 0;
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    static_cast<void>(at);
    if (error == std::errc::result_out_of_range) {
        if constexpr (std::is_same_v<Real, float>) return std::strtof(text.c_str(), nullptr);
        return static_cast<Real>(std::strtod(text.c_str(), nullptr));
    }
    return v;
}

Result<Value> real_value(std::string_view token, bool negative) {
    std::string text = negative ? "-" : "";
    char suffix = '\0';
    for (const char c : token) {
        if (c == '_') continue;
        const char l = lower(c);
        if (l == 'f' || l == 'd' || l == 'm') {
            suffix = l;
        } else {
            text += c;
        }
    }
    if (suffix == 'm') {
        if (text.size() > kDigitsMax) return too_long(text);
        return big_decimal_from_text(text);
    }
    if (suffix == 'f') return Value::float_(to_real<float>(text));
    return Value::double_(to_real<double>(text));
}

void append_utf8(std::uint32_t code, std::string& out) {
    const auto byte = [&out](std::uint32_t b) { out += static_cast<char>(b); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0 | code >> 6U);
        byte(0x80 | (code & 0x3FU));
    } else if (code < 0x10000) {
        byte(0xE0 | code >> 12U);
        byte(0x80 | (code >> 6U & 0x3FU));
        byte(0x80 | (code & 0x3FU));
    } else {
        byte(0xF0 | code >> 18U);
        byte(0x80 | (code >> 12U & 0x3FU));
        byte(0x80 | (code >> 6U & 0x3FU));
        byte(0x80 | (code & 0x3FU));
    }
}

/// Resolves the escapes of one string; `at_` stands behind the backslash when an escape is read.
class Unescaper {
  public:
    explicit Unescaper(std::string_view body) : body_(body) {}

    Result<Value> run() {
        std::string out;
        out.reserve(body_.size());
        while (at_ < body_.size()) {
            const std::size_t backslash = std::min(body_.find('\\', at_), body_.size());
            out.append(body_.substr(at_, backslash - at_));
            at_ = backslash + 1;
            if (at_ < body_.size()) HOB_TRY(escape(out));
        }
        return Value::string(out);
    }

  private:
    Status escape(std::string& out) {
        static constexpr std::string_view kNames = "ntbfr'\"\\$\n";
        static constexpr std::string_view kMeanings = "\n\t\b\f\r'\"\\$";
        const char c = body_[at_];
        if (c == 'u') return unicode(out);
        if (c >= '0' && c <= '7') {
            octal(out);
            return {};
        }
        ++at_;
        if (c == '\r' && at_ < body_.size() && body_[at_] == '\n') {
            ++at_;
            return {};
        }
        const std::size_t which = kNames.find(c);
        if (which == std::string_view::npos) {
            return Error::parse(
                "unknown escape \\{} in a string; a backslash itself is written \\\\", c);
        }
        if (which < kMeanings.size()) out += kMeanings[which];
        return {};
    }

    void octal(std::string& out) {
        const std::size_t digits_max = body_[at_] <= '3' ? 3 : 2;
        std::uint32_t code = 0;
        for (std::size_t i = 0; i < digits_max && at_ < body_.size(); ++i, ++at_) {
            if (body_[at_] < '0' || body_[at_] > '7') break;
            code = code * 8 + static_cast<std::uint32_t>(body_[at_] - '0');
        }
        append_utf8(code, out);
    }

    /// The four digits behind `u`, `uu` ...; nothing when they are not there.
    std::optional<std::uint32_t> code_unit() {
        while (at_ < body_.size() && body_[at_] == 'u')
            ++at_;
        if (at_ + 4 > body_.size()) return std::nullopt;
        std::uint32_t unit = 0;
        const char* begin = body_.data() + at_;
        const auto [end, error] = std::from_chars(begin, begin + 4, unit, 16);
        if (error != std::errc{} || end != begin + 4) return std::nullopt;
        at_ += 4;
        return unit;
    }

    Status unicode(std::string& out) {
        static constexpr std::uint32_t kReplacement = 0xFFFD;
        static constexpr std::string_view kWanted = "\\u in a string takes four hexadecimal digits";
        const std::optional<std::uint32_t> first = code_unit();
        if (!first) return Error::parse("{}", kWanted);
        std::uint32_t code = *first;
        if (code >= 0xD800 && code < 0xDC00 && body_.substr(at_, 2) == "\\u") {
            const std::size_t back = at_;
            ++at_;
            const std::optional<std::uint32_t> second = code_unit();
            if (!second) return Error::parse("{}", kWanted);
            if (*second >= 0xDC00 && *second < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10U) + (*second - 0xDC00);
            } else {
                at_ = back;
            }
        }
        if (code >= 0xD800 && code < 0xE000) code = kReplacement;
        append_utf8(code, out);
        return {};
    }

    std::string_view body_;
    std::size_t at_ = 0;
};

}  // namespace

Result<Value> number_value(const Token& token, bool negative) {
    if (token.kind == TokenKind::kInteger) return integer_value(token.text, negative);
    return real_value(token.text, negative);
}

Result<Value> string_value(const Token& token) {
    std::string_view body = token.text;
    const std::size_t quotes = body.size() >= 6 && body[1] == body[0] && body[2] == body[0] ? 3 : 1;
    body = body.substr(quotes, body.size() - 2 * quotes);
    if (body.find('\\') == std::string_view::npos) return Value::string(body);
    return Unescaper(body).run();
}

Value random_uuid() {
    thread_local std::random_device entropy;
    std::array<std::uint8_t, 16> bytes{};
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(entropy());
    bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0FU) | 0x40U);
    bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3FU) | 0x80U);
    return Value::uuid(bytes);
}

}  // namespace hob::gremlin
