#pragma once
#include <cstdint>

namespace hob {

/// Proleptic Gregorian calendar, as java.time's ISO chronology.
struct CivilDate {
    std::int64_t year = 1970;
    unsigned month = 1;  ///< 1-12
    unsigned day = 1;    ///< 1-31
};

/// Days since 1970-01-01 and back (Howard Hinnant's algorithms, eras of 400 years).
constexpr std::int64_t days_of(const CivilDate& date) {
    const std::int64_t y = date.year - (date.month <= 2 ? 1 : 0);
    const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
    const std::int64_t year_of_era = y - era * 400;
    const std::int64_t shifted_month = (static_cast<std::int64_t>(date.month) + 9) % 12;
    const std::int64_t day_of_year =
        (153 * shifted_month + 2) / 5 + static_cast<std::int64_t>(date.day) - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

constexpr CivilDate civil_of(std::int64_t days) {
    const std::int64_t z = days + 719468;
    const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    const std::int64_t day_of_era = z - era * 146097;
    const std::int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const std::int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
    CivilDate date;
    date.day = static_cast<unsigned>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
    date.month = static_cast<unsigned>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
    date.year = year_of_era + era * 400 + (date.month <= 2 ? 1 : 0);
    return date;
}

constexpr bool is_leap_year(std::int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr unsigned days_in_month(std::int64_t year, unsigned month) {
    if (month == 2) return is_leap_year(year) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// Division that rounds down, so that times before 1970 fall into the right day.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
    return a - floor_div(a, b) * b;
}

}  // namespace hob
