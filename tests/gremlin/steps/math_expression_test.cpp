#include "gremlin/steps/math_expression.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

namespace hob::gremlin {
namespace {

double value_of(std::string_view text, std::vector<double> values = {}) {
    const auto expression = MathExpression::parse(text);
    INFO(text);
    REQUIRE(expression.ok());
    REQUIRE(expression->variables().size() == values.size());
    const auto result = expression->evaluate(values);
    REQUIRE(result.ok());
    return *result;
}

std::string error_of(std::string_view text) {
    const auto expression = MathExpression::parse(text);
    INFO(text);
    REQUIRE_FALSE(expression.ok());
    return expression.error().message;
}

TEST_CASE("operators bind as in exp4j") {
    CHECK(value_of("1 + 2 * 3") == 7);
    CHECK(value_of("(1 + 2) * 3") == 9);
    CHECK(value_of("10 - 4 - 3") == 3);
    CHECK(value_of("7 % 4 * 2") == 6);
    CHECK(value_of("2 ^ 3 ^ 2") == 512);
    CHECK(value_of("{[2] + (3)}") == 5);
}

TEST_CASE("a sign binds weaker than a power and stronger than a product") {
    CHECK(value_of("-2 ^ 2") == -4);
    CHECK(value_of("2 ^ -1") == 0.5);
    CHECK(value_of("2 ^ -1 * 4") == 2);
    CHECK(value_of("-2 * -3") == 6);
    CHECK(value_of("1 - - 1") == 2);
    CHECK(value_of("+5") == 5);
}

TEST_CASE("numbers may have fractions and exponents") {
    CHECK(value_of("1.5e2") == 150);
    CHECK(value_of(".25 * 4") == 1);
    CHECK(value_of("1E-1 + 0") == 0.1);
}

TEST_CASE("variables come in the order of their first appearance") {
    const auto expression = MathExpression::parse("b * _ + a1 - b");
    REQUIRE(expression.ok());
    CHECK(expression->variables() == std::vector<std::string>{"b", "_", "a1"});
    CHECK(*expression->evaluate(std::vector<double>{2, 3, 10}) == 14);
}

TEST_CASE("functions take one argument") {
    CHECK(value_of("sin(0) + cos(0)") == 1);
    CHECK(value_of("sqrt(16) + cbrt(27)") == 7);
    CHECK(value_of("log10(1000)") == Approx(3));
    CHECK(value_of("log2(8) + log(exp(1))") == Approx(4));
    CHECK(value_of("ceil(1.2) + floor(1.8) + abs(-3)") == 6);
    CHECK(value_of("signum(-9) + signum(0) + signum(7)") == 0);
    CHECK(value_of("atan(tan(0.5))") == Approx(0.5));
    CHECK(value_of("acos(1) + asin(0) + sinh(0) + tanh(0) + cosh(0)") == 1);
    // Without brackets a function takes all that follows.
    CHECK(value_of("2 * sqrt 1 + 3") == 4);
}

TEST_CASE("the signs of constants are numbers") {
    CHECK(value_of("\xcf\x80 * 2") == Approx(2 * std::numbers::pi));
    CHECK(value_of("\xcf\x86") == Approx(std::numbers::phi));
}

TEST_CASE("a division by zero is an error") {
    for (const char* text : {"1 / 0", "1 % 0"}) {
        const auto expression = MathExpression::parse(text);
        REQUIRE(expression.ok());
        const auto result = expression->evaluate({});
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().code == Code::kExecution);
        CHECK(result.error().message == "Division by zero!");
    }
}

TEST_CASE("what can't be read is told with its place") {
    CHECK(error_of("1 +") ==
          "math(): expected a number, a name or '(' at character 4 of '1 +', found the end");
    CHECK(error_of("(1 + 2") ==
          "math(): expected an operator or ')' at character 7 of '(1 + 2', found the end");
    CHECK(error_of("2a") == "math(): expected an operator at character 2 of '2a', found 'a'");
    CHECK(error_of("1 $ 2") ==
          "math(): expected an operator at character 3 of '1 $ 2', found '$ 2'");
    CHECK(error_of("") ==
          "math(): expected a number, a name or '(' at character 1 of '', found the end");
    CHECK(error_of(std::string(100000, '(')).find("nested deeper") != std::string::npos);
    CHECK(error_of(std::string(100000, '-')).find("nested deeper") != std::string::npos);
}

}  // namespace
}  // namespace hob::gremlin
