#include <catch2/catch.hpp>

#include "storage/base/bytes.h"
#include "storage/value/calendar.h"
#include "storage/value/compare.h"
#include "storage/value/extended.h"

namespace hob {
namespace {

std::string read_and_print(std::string_view text) {
    const auto v = parse_date_time(text);
    return v.ok() ? date_time_text(*v) : "error";
}

TEST_CASE("date-times are read in every form that datetime() takes") {
    CHECK(read_and_print("2018-03-22") == "2018-03-22T00:00Z");
    CHECK(read_and_print("2018-03") == "2018-03-01T00:00Z");
    CHECK(read_and_print("2018-03-22T00:35:44") == "2018-03-22T00:35:44Z");
    CHECK(read_and_print("2018-03-22T00:35") == "2018-03-22T00:35Z");
    CHECK(read_and_print("2018-03-22T00:35:44Z") == "2018-03-22T00:35:44Z");
    CHECK(read_and_print("2018-03-22t00:35:44.741z") == "2018-03-22T00:35:44.741Z");
    CHECK(read_and_print("2018-03-22T00:35:44.741+1600") == "2018-03-22T00:35:44.741+16:00");
    CHECK(read_and_print("2018-03-22T00:35:44.741+16:00") == "2018-03-22T00:35:44.741+16:00");
    CHECK(read_and_print("2018-03-22T00:35:44.741-160001") == "2018-03-22T00:35:44.741-16:00:01");
    CHECK(read_and_print("2018-03-22T00:35:44.741+16:00:00") == "2018-03-22T00:35:44.741+16:00");
    CHECK(read_and_print("2018-03-22T00:35:44.5") == "2018-03-22T00:35:44.500Z");
    CHECK(read_and_print("2018-03-22T00:35:44.123456789") == "2018-03-22T00:35:44.123456789Z");
    CHECK(read_and_print("2000-02-29") == "2000-02-29T00:00Z");
    CHECK(read_and_print("-0044-03-15") == "-0044-03-15T00:00Z");
    CHECK(read_and_print("+12018-03-22") == "+12018-03-22T00:00Z");
    CHECK(parse_date_time("1970-01-01T02:00:00+02:00")->seconds() == 0);
}

TEST_CASE("what is no date is refused with an example") {
    for (const char* text : {"", "today", "2018", "2018-13-01", "2018-02-29", "1900-02-29",
                             "2018-03-22T", "2018-03-22T24:00", "2018-03-22T00:60",
                             "2018-03-22T00:35:44.7419999999", "2018-03-22T00:35:44+19:00",
                             "2018-03-22T00:35:44Zjunk", "2018-03-22T00:35:44+", "18-03-22"}) {
        INFO(text);
        CHECK(read_and_print(text) == "error");
    }
    CHECK(parse_date_time("x").error().message.find("2018-03-22T00:35:44Z") != std::string::npos);
}

TEST_CASE("the calendar goes there and back over four centuries and before the epoch") {
    for (std::int64_t day = -200'000; day < 200'000; day += 7) {
        const CivilDate date = civil_of(day);
        REQUIRE(days_of(date) == day);
        REQUIRE(date.day <= days_in_month(date.year, date.month));
    }
    CHECK(days_of({2000, 3, 1}) == 11017);
}

TEST_CASE("durations print and read as java.time does") {
    const auto text = [](std::int64_t s, std::uint32_t n) {
        return to_text(Value::duration(s, n));
    };
    CHECK(text(0, 0) == "PT0S");
    CHECK(text(3600, 0) == "PT1H");
    CHECK(text(29172, 345'000'000) == "PT8H6M12.345S");
    CHECK(text(-1, 500'000'000) == "PT-0.5S");
    CHECK(text(-2, 500'000'000) == "PT-1.5S");
    CHECK(text(90000, 0) == "PT25H");
    for (const char* iso : {"PT0S", "PT1H2.5S", "PT-0.5S", "PT25H", "PT-1H-3M", "PT0.000000001S"}) {
        CHECK(to_text(*parse_duration(iso)) == iso);
    }
    CHECK(to_text(*parse_duration("P2DT3M")) == "PT48H3M");
    CHECK(to_text(*parse_duration("-PT1.5S")) == "PT-1.5S");
    for (const char* bad : {"", "P", "PT", "P1DT", "1H", "PT1", "PT1H1H", "PT1M1H", "PT1.5M",
                            "P99999999999999999D"}) {
        INFO(bad);
        CHECK_FALSE(parse_duration(bad).ok());
    }
}

TEST_CASE("uuids are read strictly") {
    CHECK(parse_uuid("41d2e28a-20a4-4ab0-b379-d810dede3786").ok());
    for (const char* bad :
         {"", "41d2e28a20a44ab0b379d810dede3786", "41d2e28a-20a4-4ab0-b379-d810dede378g",
          "41d2e28a-20a4-4ab0-b379-d810dede37860", "41d2e28a+20a4-4ab0-b379-d810dede3786"}) {
        CHECK_FALSE(parse_uuid(bad).ok());
    }
}

Value extended(ExtendedType type, std::string body) {
    auto* object = new ExtendedObject;
    object->type = type;
    object->body = std::move(body);
    return Value::adopt(Kind::kExtended, object);
}

TEST_CASE("extended types print as Java prints them") {
    std::string body;
    ByteWriter out(body);
    out.i32(2016);
    out.u8(12);
    out.u8(14);
    CHECK(to_text(extended(ExtendedType::kLocalDate, body)) == "2016-12-14");
    out.i64(58'440'000'000'000);
    CHECK(to_text(extended(ExtendedType::kLocalDateTime, body)) == "2016-12-14T16:14");
    out.i32(-7200);
    CHECK(to_text(extended(ExtendedType::kZonedDateTime, body)) == "2016-12-14T16:14-02:00");
    body.clear();
    out.i64(1'481'750'076);
    out.i32(295'000'000);
    CHECK(to_text(extended(ExtendedType::kInstant, body)) == "2016-12-14T21:14:36.295Z");
    CHECK(to_text(extended(ExtendedType::kInetAddress, std::string("\0\0\0\x04\x7f\0\0\x01", 8))) ==
          "/127.0.0.1");
    CHECK(to_text(extended(ExtendedType::kMonthDay, "\x01\x02")) == "--01-02");
    CHECK(to_text(extended(ExtendedType::kPeriod,
                           std::string("\0\0\0\x01\0\0\0\x06\0\0\0\x0f", 12))) == "P1Y6M15D");
    CHECK(to_text(extended(ExtendedType::kYearMonth, std::string("\0\0\x07\xe0\x06", 5))) ==
          "2016-06");
    CHECK(to_text(Value::date(1'481'750'076'295)) == "Wed Dec 14 21:14:36 UTC 2016");
    CHECK(to_text(extended(ExtendedType::kTimestamp, std::string("\0\0\0\0\0\0\0\x64", 8))) ==
          "1970-01-01 00:00:00.1");
}

TEST_CASE("extended types are read from the text that they print") {
    const std::pair<ExtendedType, const char*> texts[] = {
        {ExtendedType::kClass, "class java.lang.String"},
        {ExtendedType::kInstant, "2016-12-14T16:39:19.349Z"},
        {ExtendedType::kLocalDate, "2016-01-01"},
        {ExtendedType::kLocalDateTime, "2016-01-01T12:30"},
        {ExtendedType::kLocalTime, "12:30:45"},
        {ExtendedType::kMonthDay, "--01-01"},
        {ExtendedType::kOffsetTime, "10:15:30+01:00"},
        {ExtendedType::kPeriod, "P1Y6M15D"},
        {ExtendedType::kYear, "2016"},
        {ExtendedType::kYearMonth, "2016-06"},
        {ExtendedType::kZoneOffset, "+03:06:09"},
        {ExtendedType::kZonedDateTime, "2016-12-23T12:12:24.000000036+02:00"},
        {ExtendedType::kInetAddress, "/127.0.0.1"}};
    for (const auto& [type, text] : texts) {
        INFO(text);
        const std::string_view given(text);
        const auto v = parse_extended(type, type == ExtendedType::kClass ? given.substr(6) : given);
        REQUIRE(v.ok());
        CHECK(to_text(*v) == text);
    }
    CHECK(to_text(*parse_extended(ExtendedType::kPeriod, "-P2W")) == "P-14D");
    CHECK(to_text(*parse_extended(ExtendedType::kInetAddress, "::1")) == "/0:0:0:0:0:0:0:1");
    CHECK(to_text(*parse_extended(ExtendedType::kZonedDateTime,
                                  "2016-12-23T12:12:24+02:00[GMT+02:00]")) ==
          "2016-12-23T12:12:24+02:00");
    for (const ExtendedType type :
         {ExtendedType::kInstant, ExtendedType::kYear, ExtendedType::kPeriod,
          ExtendedType::kMonthDay, ExtendedType::kInetAddress}) {
        CHECK_FALSE(parse_extended(type, "x").ok());
        CHECK_FALSE(parse_extended(type, "").ok());
    }
}

}  // namespace
}  // namespace hob
