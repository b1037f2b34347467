#include <fmt/format.h>

#include "storage/base/bytes.h"
#include "storage/value/calendar.h"
#include "storage/value/compare.h"
#include "storage/value/text_parts.h"

namespace hob {
namespace {

constexpr std::int32_t kOffsetSecondsMax = 18 * 3600;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Walks over a text; a piece that is not there makes `ok` false.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] bool ok() const { return ok_; }
    /// Takes `c`, in either case, if it comes next.
    bool accept(char c) {
        if (at_end() || upper(text_[at_]) != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) { ok_ = accept(c) && ok_; }
    [[nodiscard]] std::size_t digits_ahead() const {
        std::size_t n = 0;
        while (at_ + n < text_.size() && is_digit(text_[at_ + n])) {
            ++n;
        }
        return n;
    }
    /// A number of `min` to `max` digits.
    std::int64_t number(std::size_t min, std::size_t max) {
        const std::size_t n = digits_ahead();
        if (n < min || n > max) {
            ok_ = false;
            return 0;
        }
        std::int64_t v = 0;
        for (std::size_t i = 0; i < n; ++i) {
            v = v * 10 + (text_[at_ + i] - '0');
        }
        at_ += n;
        return v;
    }
    /// Exactly two digits, at most `max`.
    std::int64_t two_digits(std::int64_t max) {
        if (digits_ahead() < 2) {
            ok_ = false;
            return 0;
        }
        const std::int64_t v = (text_[at_] - '0') * 10 + (text_[at_ + 1] - '0');
        at_ += 2;
        ok_ = ok_ && v <= max;
        return v;
    }
    /// Digits of a fraction as nanoseconds.
    std::uint32_t fraction() {
        const std::size_t n = digits_ahead();
        if (n > 9) {
            ok_ = false;
            return 0;
        }
        auto v = static_cast<std::uint32_t>(number(0, 9));
        for (std::size_t i = n; i < 9; ++i) {
            v *= 10;
        }
        return v;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

std::int64_t read_year(Cursor& in) {
    if (in.accept('-')) return -in.number(4, 9);
    if (in.accept('+')) return in.number(5, 9);
    return in.number(4, 4);
}

std::int32_t read_offset(Cursor& in) {
    if (in.at_end() || in.accept('Z')) return 0;
    const std::int32_t sign = in.accept('-') ? -1 : 1;
    if (sign == 1) in.expect('+');
    std::int64_t seconds = in.two_digits(18) * 3600;
    const bool colons = in.accept(':');
    seconds += in.two_digits(59) * 60;
    if (!in.at_end()) {
        if (colons) in.expect(':');
        seconds += in.two_digits(59);
    }
    return sign * static_cast<std::int32_t>(seconds);
}

Error not_a_date(std::string_view text) {
    return Error::parse(
        "'{}' is not an ISO-8601 date or date-time, expected for example 2018-03-22, "
        "2018-03-22T00:35:44Z or "
        "2018-03-22T00:35:44.741+02:00",
        text.substr(0, 100));
}

std::string year_text(std::int64_t year) {
    if (year > 9999) return fmt::format("+{}", year);
    return year < 0 ? fmt::format("-{:04}", -year) : fmt::format("{:04}", year);
}

std::string day_text(const CivilDate& date) {
    return fmt::format("{}-{:02}-{:02}", year_text(date.year), date.month, date.day);
}

/// ".5" never: java.time prints 3, 6 or 9 digits.
std::string fraction_text(std::int64_t nanos) {
    if (nanos == 0) return "";
    if (nanos % 1'000'000 == 0) return fmt::format(".{:03}", nanos / 1'000'000);
    if (nanos % 1'000 == 0) return fmt::format(".{:06}", nanos / 1'000);
    return fmt::format(".{:09}", nanos);
}

/// LocalTime.toString(): seconds only when there are any.
std::string time_text(std::int64_t nanos_of_day) {
    const std::int64_t seconds = nanos_of_day / kNanosPerSecond;
    const std::int64_t nanos = nanos_of_day % kNanosPerSecond;
    std::string out = fmt::format("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if (seconds % 60 != 0 || nanos != 0) {
        out += fmt::format(":{:02}", seconds % 60) + fraction_text(nanos);
    }
    return out;
}

std::string offset_text(std::int32_t offset) {
    if (offset == 0) return "Z";
    const std::int32_t seconds = offset < 0 ? -offset : offset;
    std::string out =
        fmt::format("{}{:02}:{:02}", offset < 0 ? '-' : '+', seconds / 3600, seconds / 60 % 60);
    if (seconds % 60 != 0) out += fmt::format(":{:02}", seconds % 60);
    return out;
}

CivilDate read_local_date(ByteReader& in) {
    CivilDate date;
    date.year = in.i32();
    date.month = in.u8();
    date.day = in.u8();
    return date;
}

/// Instant.toString(): always with seconds.
std::string instant_text(std::int64_t epoch_s, std::int64_t nanos) {
    const CivilDate date = civil_of(floor_div(epoch_s, kSecondsPerDay));
    const std::int64_t s = floor_mod(epoch_s, kSecondsPerDay);
    return fmt::format("{}T{:02}:{:02}:{:02}{}Z", day_text(date), s / 3600, s / 60 % 60, s % 60,
                       fraction_text(nanos));
}

std::string timestamp_text(std::int64_t epoch_ms) {
    const std::int64_t epoch_s = floor_div(epoch_ms, 1000);
    const std::int64_t s = floor_mod(epoch_s, kSecondsPerDay);
    const std::string fraction = fmt::format("{:03}", floor_mod(epoch_ms, 1000));
    const std::size_t last = fraction.find_last_not_of('0');
    return fmt::format(
        "{} {:02}:{:02}:{:02}.{}", day_text(civil_of(floor_div(epoch_s, kSecondsPerDay))), s / 3600,
        s / 60 % 60, s % 60, last == std::string::npos ? "0" : fraction.substr(0, last + 1));
}

std::string address_text(std::string_view bytes) {
    std::string out = "/";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto b = static_cast<unsigned char>(bytes[i]);
        if (bytes.size() == 4) {
            out += fmt::format("{}{}", i == 0 ? "" : ".", b);
        } else if (i % 2 == 1) {
            const auto high = static_cast<unsigned char>(bytes[i - 1]);
            out += fmt::format("{}{:x}", i == 1 ? "" : ":", high * 256 + b);
        }
    }
    return out;
}

std::string period_text(std::int32_t years, std::int32_t months, std::int32_t days) {
    std::string out = "P";
    if (years != 0) out += fmt::format("{}Y", years);
    if (months != 0) out += fmt::format("{}M", months);
    if (days != 0) out += fmt::format("{}D", days);
    return out.size() == 1 ? "P0D" : out;
}

/// One signed count of a duration; `present` when its letter follows.
struct DurationPart {
    bool negative = false;
    std::int64_t amount = 0;
    std::uint32_t nanos = 0;
};

DurationPart read_part(Cursor& in) {
    DurationPart part;
    part.negative = in.accept('-');
    if (!part.negative) in.accept('+');
    part.amount = in.number(1, 18);
    return part;
}

/// The letters of a duration in their order, with their seconds.
struct DurationUnit {
    char letter;
    std::int64_t seconds;
    bool after_t;
};
constexpr DurationUnit kDurationUnits[] = {
    {'D', kSecondsPerDay, false}, {'H', 3600, true}, {'M', 60, true}, {'S', 1, true}};

/// Signed nanoseconds would overflow a long; seconds and nanoseconds are added up apart.
struct DurationSum {
    std::int64_t seconds = 0;
    std::int64_t nanos = 0;
    bool overflow = false;
    void add(const DurationPart& part, std::int64_t unit_seconds) {
        std::int64_t s = 0;
        overflow = overflow || __builtin_mul_overflow(part.amount, unit_seconds, &s);
        overflow = overflow || __builtin_add_overflow(seconds, part.negative ? -s : s, &seconds);
        nanos += part.negative ? -static_cast<std::int64_t>(part.nanos) : part.nanos;
    }
};

bool read_duration_parts(Cursor& in, DurationSum& sum) {
    bool after_t = false;
    bool any = false;
    std::size_t next_unit = 0;
    while (!in.at_end()) {
        if (!after_t && in.accept('T')) {
            after_t = true;
            any = false;  // "P1DT" needs something after the T.
            continue;
        }
        DurationPart part = read_part(in);
        const bool fraction = in.accept('.') || in.accept(',');
        if (fraction) part.nanos = in.fraction();
        while (next_unit < std::size(kDurationUnits) &&
               (kDurationUnits[next_unit].after_t != after_t ||
                !in.accept(kDurationUnits[next_unit].letter))) {
            ++next_unit;
        }
        if (!in.ok() || next_unit == std::size(kDurationUnits)) return false;
        const DurationUnit& unit = kDurationUnits[next_unit++];
        if (fraction && unit.letter != 'S') return false;
        sum.add(part, unit.seconds);
        any = true;
    }
    return any && in.ok();
}

}  // namespace

Result<Value> parse_date_time(std::string_view text) {
    Cursor in(text);
    CivilDate date;
    date.year = read_year(in);
    in.expect('-');
    date.month = static_cast<unsigned>(in.number(1, 2));
    if (!in.ok() || date.month < 1 || date.month > 12) return not_a_date(text);
    if (!in.at_end()) {
        in.expect('-');
        date.day = static_cast<unsigned>(in.two_digits(31));
    }
    if (!in.ok() || date.day < 1 || date.day > days_in_month(date.year, date.month)) {
        return not_a_date(text);
    }
    std::int64_t seconds = days_of(date) * kSecondsPerDay;
    if (in.at_end()) return Value::date_time(seconds, 0, 0);
    in.expect('T');
    seconds += in.two_digits(23) * 3600;
    in.expect(':');
    seconds += in.two_digits(59) * 60;
    std::uint32_t nanos = 0;
    if (in.accept(':')) {
        seconds += in.two_digits(59);
        if (in.accept('.')) nanos = in.fraction();
    }
    if (!in.ok()) return not_a_date(text);
    const std::int32_t offset = read_offset(in);
    if (!in.ok() || !in.at_end() || offset > kOffsetSecondsMax || offset < -kOffsetSecondsMax) {
        return not_a_date(text);
    }
    return Value::date_time(seconds - offset, nanos, offset);
}

void append_date_time_text(const Value& v, std::string& out) {
    const std::int64_t local = v.seconds() + v.offset_seconds();
    out += day_text(civil_of(floor_div(local, kSecondsPerDay)));
    out += 'T';
    out += time_text(floor_mod(local, kSecondsPerDay) * kNanosPerSecond + v.nanos());
    out += offset_text(v.offset_seconds());
}

std::string date_time_text(const Value& v) {
    std::string out;
    append_date_time_text(v, out);
    return out;
}

void append_date_text(std::int64_t epoch_ms, std::string& out) {
    static constexpr std::string_view kDays[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::int64_t epoch_s = floor_div(epoch_ms, 1000);
    const std::int64_t day = floor_div(epoch_s, kSecondsPerDay);
    const std::int64_t s = floor_mod(epoch_s, kSecondsPerDay);
    const CivilDate date = civil_of(day);
    out += fmt::format("{} {} {:02} {:02}:{:02}:{:02} UTC {:04}", kDays[floor_mod(day, 7)],
                       kMonths[date.month - 1], date.day, s / 3600, s / 60 % 60, s % 60, date.year);
}

void append_duration_text(const Value& v, std::string& out) {
    // Nanoseconds always count upwards, so -0.5 s is second -1 plus 500,000,000.
    const bool borrowed = v.seconds() < 0 && v.nanos() > 0;
    const std::int64_t total = v.seconds() + (borrowed ? 1 : 0);
    const std::int64_t hours = total / 3600;
    const std::int64_t minutes = total % 3600 / 60;
    const std::int64_t seconds = total % 60;
    out += "PT";
    if (hours != 0) out += fmt::format("{}H", hours);
    if (minutes != 0) out += fmt::format("{}M", minutes);
    if (seconds == 0 && v.nanos() == 0 && (hours != 0 || minutes != 0)) return;
    out += seconds == 0 && borrowed ? "-0" : std::to_string(seconds);
    if (v.nanos() > 0) {
        const std::int64_t nanos = borrowed ? kNanosPerSecond - v.nanos() : v.nanos();
        std::string fraction = fmt::format("{:09}", nanos);
        fraction.erase(fraction.find_last_not_of('0') + 1);
        out += '.' + fraction;
    }
    out += 'S';
}

Result<Value> parse_duration(std::string_view text) {
    Cursor in(text);
    const bool negative = in.accept('-');
    if (!negative) in.accept('+');
    in.expect('P');
    DurationSum sum;
    if (!in.ok() || !read_duration_parts(in, sum) || sum.overflow) {
        return Error::parse(
            "'{}' is not an ISO-8601 duration, expected for example PT1H2.5S or P2DT3M",
            text.substr(0, 100));
    }
    if (negative) {
        sum.seconds = -sum.seconds;
        sum.nanos = -sum.nanos;
    }
    const std::int64_t seconds = sum.seconds + floor_div(sum.nanos, kNanosPerSecond);
    return Value::duration(seconds,
                           static_cast<std::uint32_t>(floor_mod(sum.nanos, kNanosPerSecond)));
}

void append_extended_text(const ExtendedObject& v, std::string& out) {
    ByteReader in(v.body);
    switch (v.type) {
        case ExtendedType::kClass:
            out += "class ";
            in.u32();
            out += in.rest();
            break;
        case ExtendedType::kTimestamp:
            out += timestamp_text(in.i64());
            break;
        case ExtendedType::kInetAddress:
            in.u32();
            out += address_text(in.rest());
            break;
        case ExtendedType::kInstant: {
            const std::int64_t epoch_s = in.i64();
            out += instant_text(epoch_s, in.i32());
            break;
        }
        case ExtendedType::kLocalDate:
            out += day_text(read_local_date(in));
            break;
        case ExtendedType::kLocalDateTime:
            out += day_text(read_local_date(in));
            out += 'T';
            out += time_text(in.i64());
            break;
        case ExtendedType::kLocalTime:
            out += time_text(in.i64());
            break;
        case ExtendedType::kMonthDay: {
            const unsigned month = in.u8();
            out += fmt::format("--{:02}-{:02}", month, in.u8());
            break;
        }
        case ExtendedType::kOffsetTime:
            out += time_text(in.i64());
            out += offset_text(in.i32());
            break;
        case ExtendedType::kPeriod: {
            const std::int32_t years = in.i32();
            const std::int32_t months = in.i32();
            out += period_text(years, months, in.i32());
            break;
        }
        case ExtendedType::kYear:
            out += std::to_string(in.i32());
            break;
        case ExtendedType::kYearMonth: {
            const std::int32_t year = in.i32();
            out += fmt::format("{}-{:02}", year_text(year), in.u8());
            break;
        }
        case ExtendedType::kZonedDateTime: {
            out += day_text(read_local_date(in));
            out += 'T';
            out += time_text(in.i64());
            out += offset_text(in.i32());
            break;
        }
        case ExtendedType::kZoneOffset:
            out += offset_text(in.i32());
            break;
    }
}

}  // namespace hob
