#include "gremlin/steps/strings_java.h"

#include <catch2/catch.hpp>

namespace hob::gremlin::java {
namespace {

using Parts = std::vector<std::string>;

constexpr std::string_view kGrin = "\xf0\x9f\x98\x80";  // U+1F600, a surrogate pair in UTF-16

TEST_CASE("lengths count UTF-16 units") {
    CHECK(length("") == 0);
    CHECK(length("abc") == 3);
    CHECK(length("\xc3\x9f\xe2\x82\xac") == 2);
    CHECK(length(kGrin) == 2);
}

TEST_CASE("substrings are cut at UTF-16 units") {
    CHECK(substring("hello", 1, 3) == "el");
    CHECK(substring("a\xc3\x9f"
                    "c",
                    1, 2) == "\xc3\x9f");
    CHECK(substring(std::string("a") + std::string(kGrin) + "b", 3, 4) == "b");
    // Half a pair can't be written down.
    CHECK(substring(kGrin, 0, 1) == "\xef\xbf\xbd");
}

TEST_CASE("case mapping is the full one") {
    CHECK(to_upper("stra\xc3\x9f"
                   "e") == "STRASSE");
    CHECK(to_lower("\xce\x9f\xce\x94\xce\x9f\xce\xa3") == "\xce\xbf\xce\xb4\xce\xbf\xcf\x82");
    CHECK(to_upper("\xef\xac\x81") == "FI");
    CHECK(to_lower("ABC-z9") == "abc-z9");
    CHECK(to_upper("abc-Z9") == "ABC-Z9");
}

TEST_CASE("white space is what Character.isWhitespace says") {
    CHECK(strip(" \t\n\v\f\r\x1c x \x1f", true, true) == "x");
    CHECK(strip("\xe3\x80\x80x\xe2\x80\xa8", true, true) == "x");
    // Not the no-break space.
    CHECK(strip("\xc2\xa0x", true, true) == "\xc2\xa0x");
    CHECK(strip("  x  ", true, false) == "x  ");
    CHECK(strip("  x  ", false, true) == "  x");
    CHECK(strip(" \t ", true, true).empty());
    CHECK(trim("\x01 x\x02") == "x");
}

TEST_CASE("reversing keeps code points whole") {
    CHECK(reverse("abc") == "cba");
    CHECK(reverse(std::string("a") + std::string(kGrin)) == std::string(kGrin) + "a");
    CHECK(reverse("").empty());
}

TEST_CASE("replacing takes every occurrence") {
    CHECK(replace("aXbX", "X", "yy") == "ayybyy");
    CHECK(replace("aaa", "aa", "b") == "ba");
    CHECK(replace("abc", "", "x") == "abc");
    CHECK(replace("abc", "b", "") == "ac");
}

TEST_CASE("splitting follows StringUtils.splitByWholeSeparator") {
    CHECK(split("a,b,,c", ",") == Parts{"a", "b", "c"});
    CHECK(split(",a", ",") == Parts{"a"});
    CHECK(split("a,", ",") == Parts{"a", ""});
    CHECK(split("", ",").empty());
    CHECK(split("a--b", "--") == Parts{"a", "b"});
    CHECK(split(" hello  world\t", std::nullopt) == Parts{"hello", "world"});
    CHECK(split("a b", "") == Parts{"a", " ", "b"});
    CHECK(split("", "") == Parts{""});
    CHECK(split(std::string("a") + std::string(kGrin), "") == Parts{"a", std::string(kGrin)});
}

}  // namespace
}  // namespace hob::gremlin::java
