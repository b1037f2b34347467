// What onCap=sample cuts is told in the reply: a result is never short without a word.
#include <catch2/catch.hpp>

#include "tests/gremlin/data/query_runner.h"

namespace hob::testing {
namespace {

/// The count of a cut in the status attributes; 0: not cut.
std::int64_t cut_of(const Answer& answer, std::string_view name) {
    for (const auto& [key, value] : answer.attributes) {
        if (key != "cuts") continue;
        const Value* count = value.as<MapObject>().find(name);
        return count == nullptr ? 0 : count->as_int64();
    }
    return 0;
}

TEST_CASE("vertices with more edges than maxPerVertex are counted as cut") {
    QueryRunner runner({}, "modern");  // marko has three out-edges, josh two, peter one
    const std::string sampled = "g.with('onCap', 'sample').with('maxPerVertex', 2)";

    const Answer out = runner.ask(sampled + ".V().hasLabel('person').out().id()", false);
    REQUIRE(out.status.ok());
    CHECK(out.results.size() == 5);
    CHECK(cut_of(out, "out.maxPerVertex") == 1);

    const Answer both = runner.ask(sampled + ".V(1, 3, 4).bothE().id()", true);
    REQUIRE(both.status.ok());
    CHECK(both.results.size() == 6);
    CHECK(cut_of(both, "bothE.maxPerVertex") == 3);
}

TEST_CASE("a vertex with just maxPerVertex edges, or a limit of the query's own, is no cut") {
    QueryRunner runner({}, "modern");
    const Answer exact = runner.ask(
        "g.with('onCap', 'sample').with('maxPerVertex', 3).V().hasLabel('person').out().id()",
        false);
    REQUIRE(exact.status.ok());
    CHECK(exact.results.size() == 6);
    CHECK(exact.attributes.empty());

    const Answer limited = runner.ask(
        "g.with('onCap', 'sample').with('maxPerVertex', 2).V(1).local(out().limit(1)).id()", false);
    REQUIRE(limited.status.ok());
    CHECK(limited.results.size() == 1);
    CHECK(limited.attributes.empty());
}

TEST_CASE("cuts of the frontier add up") {
    QueryRunner runner({}, "modern");
    const Answer answer = runner.ask(
        "g.with('onCap', 'sample').with('maxFrontier', 2).with('hobgoblin.batch', 3)"
        ".V().out().id()",
        false);
    REQUIRE(answer.status.ok());
    CHECK(cut_of(answer, "out.maxFrontier") == 6);
}

}  // namespace
}  // namespace hob::testing
