#include "gremlin/plan/strategies.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "gremlin/plan/rules.h"
#include "tests/gremlin/data/query_runner.h"

namespace hob::testing {
namespace {

std::string page(const std::string& name) {
    std::ifstream file(std::string(HOB_DOCS_DIR) + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("docs/strategies.md names the strategies and rules that there are") {
    const std::string text = page("strategies.md");
    std::set<std::string> known;
    for (const gremlin::StrategySpec& spec : gremlin::all_strategies()) {
        CHECK_THAT(text, Catch::Contains("`" + std::string(spec.name) + "`"));
        CHECK_FALSE(spec.summary.empty());
        CHECK(known.insert(std::string(spec.name)).second);
    }
    const std::regex name("`([A-Za-z]+Strategy)`");
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
        CHECK(known.count((*at)[1]) == 1);
    for (const gremlin::Rule& rule : gremlin::all_rules())
        CHECK_THAT(text, Catch::Contains("| `" + std::string(rule.name) + "` |"));
}

TEST_CASE("a verification that only warns says so in the reply") {
    QueryRunner runner({}, "modern");
    const Answer answer = runner.ask(
        "g.withStrategies(new EdgeLabelVerificationStrategy(logWarning: true)).V(1).out().count()",
        false);
    REQUIRE(answer.status.ok());
    CHECK(answer.results.size() == 1);
    REQUIRE(answer.warnings.size() == 1);
    CHECK_THAT(answer.warnings[0], Catch::Contains("without any specified edge label"));
}

TEST_CASE("each new element without an id gets another one from ElementIdStrategy") {
    QueryRunner runner({}, "empty");
    const std::string add = "g.withStrategies(ElementIdStrategy).addV('x').id()";
    const Answer first = runner.ask(add, false);
    const Answer second = runner.ask(add, false);
    REQUIRE(first.results.size() == 1);
    REQUIRE(second.results.size() == 1);
    CHECK_FALSE(identical(first.results[0], second.results[0]));
}

}  // namespace
}  // namespace hob::testing
