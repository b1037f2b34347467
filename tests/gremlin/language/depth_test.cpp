#include <catch2/catch.hpp>

#include "gremlin/language/script.h"

namespace hob::gremlin::test {
namespace {

std::string repeat(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i)
        text += part;
    return text;
}

std::string nested(std::string_view open, std::string_view core, std::string_view close,
                   std::size_t depth) {
    return "g.inject(" + repeat(open, depth) + std::string(core) + repeat(close, depth) + ")";
}

void check_depth(std::string_view open, std::string_view core, std::string_view close,
                 std::size_t levels_each) {
    INFO(open);
    const std::size_t fits = (ParseOptions().depth_max - 2) / levels_each;
    const auto deep = parse_script(nested(open, core, close, fits));
    INFO((deep.ok() ? "" : deep.error().message.substr(0, 200)));
    REQUIRE(deep.ok());
    const std::string canonical = print(*(*deep)->statements[0].expression.traversal);
    const auto again = parse_script(canonical);
    REQUIRE(again.ok());
    CHECK(print(*(*again)->statements[0].expression.traversal) == canonical);
    for (const std::size_t depth : {fits + 3, std::size_t{100'000}}) {
        const auto refused = parse_script(nested(open, core, close, depth));
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().message.find("nested deeper than 1000 levels") != std::string::npos);
    }
}

}  // namespace

TEST_CASE("Nesting up to depth_max parses, prints and dies quietly; beyond it is an error") {
    check_depth("[", "1", "]", 1);
    check_depth("{", "1", "}", 1);
    check_depth("(", "1", ")", 1);
    check_depth("[a:", "1", "]", 1);
    check_depth("__.map(", "__.out()", ")", 1);
    check_depth("not(", "out()", ")", 1);
    check_depth("__.is(P.eq(", "1", "))", 2);
    check_depth("list(", "1", ")", 1);
}

TEST_CASE("Unclosed nesting is an error at any depth") {
    for (const std::string_view open :
         {"[", "{", "(", "g.V(", "__.map(", "not(", "P.not(", "new A(", "[a:", "'"}) {
        CHECK_FALSE(parse_script(repeat(open, 50'000)).ok());
        CHECK_FALSE(parse_script("g.inject(" + repeat(open, 50'000)).ok());
    }
}

TEST_CASE("Chains have no bound but the text's") {
    const std::size_t count = 100'000;
    const auto chain = parse_script("g.V()" + repeat(".out('x')", count));
    REQUIRE(chain.ok());
    CHECK((*chain)->statements[0].expression.traversal->steps.size() == count + 1);
    const auto nested_chain = parse_script("g.V().map(__" + repeat(".out()", count) + ")");
    CHECK(nested_chain.ok());
    const auto predicates = parse_script("g.V().has('a',gt(1)" + repeat(".and(lt(2))", 2000) + ")");
    REQUIRE(predicates.ok());
    const Value& argument =
        (*predicates)->statements[0].expression.traversal->steps[1].arguments[1];
    CHECK(as_predicate(argument)->operands.size() == 2001);
    // Alternating connectives nest.
    const auto fits =
        parse_script("g.V().has('a',gt(1)" + repeat(".and(lt(2)).or(gt(1)).negate()", 330) + ")");
    REQUIRE(fits.ok());
    CHECK_FALSE(
        parse_script("g.V().has('a',gt(1)" + repeat(".and(lt(2)).or(gt(1)).negate()", 50'000) + ")")
            .ok());
    const auto statements = parse_script(repeat("g.addV('a').iterate()\n", count));
    REQUIRE(statements.ok());
    CHECK((*statements)->statements.size() == count);
}

}  // namespace hob::gremlin::test
