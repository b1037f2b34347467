#include "storage/value/extended.h"

#include <arpa/inet.h>

#include <charconv>

#include "storage/base/bytes.h"
#include "storage/value/calendar.h"
#include "storage/value/compare.h"

namespace hob {
namespace {

/// A date-time text cut into the numbers that the formats store.
struct Pieces {
    CivilDate date;
    std::int64_t nanos_of_day = 0;
    std::int32_t offset = 0;
    std::int64_t epoch_s = 0;
    std::uint32_t nanos = 0;
};

Result<Pieces> pieces_of(const std::string& text) {
    HOB_ASSIGN_OR_RETURN(const Value v, parse_date_time(text));
    const std::int64_t local = v.seconds() + v.offset_seconds();
    Pieces p;
    p.date = civil_of(floor_div(local, kSecondsPerDay));
    p.nanos_of_day = floor_mod(local, kSecondsPerDay) * kNanosPerSecond + v.nanos();
    p.offset = v.offset_seconds();
    p.epoch_s = v.seconds();
    p.nanos = v.nanos();
    return p;
}

void put_date(const CivilDate& date, ByteWriter& out) {
    out.i32(static_cast<std::int32_t>(date.year));
    out.u8(static_cast<std::uint8_t>(date.month));
    out.u8(static_cast<std::uint8_t>(date.day));
}

bool take_int(std::string_view& text, std::int32_t& v) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), v);
    if (read.ec != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return true;
}

/// "P1Y6M15D": years, months, weeks and days, each at most once and in this order.
bool put_period(std::string_view text, ByteWriter& out) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (!text.starts_with('P') || text.size() < 3) return false;
    text.remove_prefix(1);
    std::int64_t counts[4] = {};
    static constexpr std::string_view kUnits = "YMWD";
    std::size_t next = 0;
    while (!text.empty()) {
        std::int32_t count = 0;
        if (!take_int(text, count) || text.empty()) return false;
        const std::size_t unit = kUnits.find(text[0], next);
        if (unit == std::string_view::npos) return false;
        counts[unit] = negative ? -std::int64_t{count} : count;
        next = unit + 1;
        text.remove_prefix(1);
    }
    out.i32(static_cast<std::int32_t>(counts[0]));
    out.i32(static_cast<std::int32_t>(counts[1]));
    out.i32(static_cast<std::int32_t>(counts[3] + 7 * counts[2]));
    return true;
}

bool put_address(std::string_view text, ByteWriter& out) {
    const std::string address(text.substr(text.rfind('/') + 1));
    unsigned char bytes[16] = {};
    std::uint32_t size = 0;
    if (inet_pton(AF_INET, address.c_str(), bytes) == 1) size = 4;
    if (size == 0 && inet_pton(AF_INET6, address.c_str(), bytes) == 1) size = 16;
    out.u32(size);
    out.raw({reinterpret_cast<const char*>(bytes), size});
    return size != 0;
}

/// What a type's text lacks to be a whole date-time.
std::string whole_date_time(ExtendedType type, std::string_view text) {
    std::string whole(text);
    switch (type) {
        case ExtendedType::kLocalTime:
        case ExtendedType::kOffsetTime:
            return "1970-01-01T" + whole;
        case ExtendedType::kZoneOffset:
            return "1970-01-01T00:00" + whole;
        case ExtendedType::kMonthDay:
            return whole.starts_with("--") ? "2000-" + whole.substr(2) : "";
        case ExtendedType::kZonedDateTime:
            return whole.substr(0, whole.find('['));
        default:
            return whole;
    }
}

Status put_time(ExtendedType type, std::string_view text, ByteWriter& out) {
    HOB_ASSIGN_OR_RETURN(const Pieces p, pieces_of(whole_date_time(type, text)));
    switch (type) {
        case ExtendedType::kTimestamp:
            out.i64(p.epoch_s * 1000 + p.nanos / 1'000'000);
            break;
        case ExtendedType::kInstant:
            out.i64(p.epoch_s);
            out.u32(p.nanos);
            break;
        case ExtendedType::kLocalDate:
            put_date(p.date, out);
            break;
        case ExtendedType::kLocalDateTime:
            put_date(p.date, out);
            out.i64(p.nanos_of_day);
            break;
        case ExtendedType::kLocalTime:
            out.i64(p.nanos_of_day);
            break;
        case ExtendedType::kMonthDay:
            out.u8(static_cast<std::uint8_t>(p.date.month));
            out.u8(static_cast<std::uint8_t>(p.date.day));
            break;
        case ExtendedType::kOffsetTime:
            out.i64(p.nanos_of_day);
            out.i32(p.offset);
            break;
        case ExtendedType::kYearMonth:
            out.i32(static_cast<std::int32_t>(p.date.year));
            out.u8(static_cast<std::uint8_t>(p.date.month));
            break;
        case ExtendedType::kZonedDateTime:
            put_date(p.date, out);
            out.i64(p.nanos_of_day);
            out.i32(p.offset);
            break;
        default:
            out.i32(p.offset);
    }
    return {};
}

Status put_body(ExtendedType type, std::string_view text, ByteWriter& out) {
    bool ok = true;
    switch (type) {
        case ExtendedType::kClass:
            out.u32(static_cast<std::uint32_t>(text.size()));
            out.raw(text);
            break;
        case ExtendedType::kInetAddress:
            ok = put_address(text, out);
            break;
        case ExtendedType::kPeriod:
            ok = put_period(text, out);
            break;
        case ExtendedType::kYear: {
            std::int32_t year = 0;
            std::string_view rest = text;
            ok = take_int(rest, year) && rest.empty();
            out.i32(year);
            break;
        }
        default:
            return put_time(type, text, out);
    }
    if (!ok) return Error::parse("'{}' is no {}", text.substr(0, 100), name_of(type));
    return {};
}

}  // namespace

std::string_view name_of(ExtendedType type) {
    switch (type) {
        case ExtendedType::kClass:
            return "Class";
        case ExtendedType::kTimestamp:
            return "Timestamp";
        case ExtendedType::kInetAddress:
            return "InetAddress";
        case ExtendedType::kInstant:
            return "Instant";
        case ExtendedType::kLocalDate:
            return "LocalDate";
        case ExtendedType::kLocalDateTime:
            return "LocalDateTime";
        case ExtendedType::kLocalTime:
            return "LocalTime";
        case ExtendedType::kMonthDay:
            return "MonthDay";
        case ExtendedType::kOffsetTime:
            return "OffsetTime";
        case ExtendedType::kPeriod:
            return "Period";
        case ExtendedType::kYear:
            return "Year";
        case ExtendedType::kYearMonth:
            return "YearMonth";
        case ExtendedType::kZonedDateTime:
            return "ZonedDateTime";
        case ExtendedType::kZoneOffset:
            return "ZoneOffset";
    }
    return "Object";
}

Result<Value> parse_extended(ExtendedType type, std::string_view text) {
    std::string body;
    ByteWriter out(body);
    HOB_TRY(put_body(type, text, out));
    auto* object = new ExtendedObject;
    object->type = type;
    object->body = std::move(body);
    return Value::adopt(Kind::kExtended, object);
}

}  // namespace hob
