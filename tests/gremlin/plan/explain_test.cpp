#include "gremlin/plan/explain.h"

#include <catch2/catch.hpp>

#include "tests/gremlin/data/query_runner.h"

namespace hob::testing {
namespace {

std::string explained(const std::string& graph, const std::string& query) {
    QueryRunner runner({}, graph);
    const Answer answer = runner.ask(query + ".explain()", false);
    REQUIRE(answer.status.ok());
    REQUIRE(answer.results.size() == 1);
    return std::string(answer.results[0].text());
}

using Catch::Contains;
using Catch::Matches;

TEST_CASE("explain() says what each step asks of the store") {
    const std::string by_id = explained("modern", "g.V(1, 2).out('knows').values('name')");
    CHECK_THAT(by_id, Contains("multi-get: 2 vertices by id"));
    CHECK_THAT(by_id, Contains("multi-get: out edges [knows], keys only"));
    CHECK_THAT(by_id, Contains("multi-get: labels and properties [name] of vertices"));

    const std::string by_label =
        explained("modern", "g.V().hasLabel('person').local(outE().limit(2)).count()");
    CHECK_THAT(by_label, Contains("scan: vertices with label [person]"));
    CHECK_THAT(by_label, Contains("out edges of every label, with properties, at most 2"));

    CHECK_THAT(explained("fan", "g.V().has('person', 'uid', 5)"),
               Contains("multi-get: index by_uid, 1 value(s) of uid"));
    CHECK_THAT(explained("modern", "g.V(1).both().count()"),
               Contains("multi-get, counted: out and in edges of every label, keys only"));
    CHECK_THAT(explained("modern", "g.V(1).property('x', 1)"),
               Contains("write: kept until commit"));
}

TEST_CASE("explain() shows child steps below theirs, and what strategies made of the traversal") {
    const std::string text = explained(
        "modern",
        "g.withStrategies(new SubgraphStrategy(vertices: hasLabel('person'))).V(1).where(out())");
    CHECK_THAT(text, Contains("Behind its strategies"));
    CHECK_THAT(text, Contains("where\n"));
    CHECK_THAT(text, Contains("\n    out "));
    CHECK_THAT(explained("modern", "g.V(1)"), !Contains("Behind its strategies"));
}

std::int64_t storage_count(const MetricsObject& metrics, std::string_view name) {
    for (const auto& [key, value] : metrics.annotations) {
        if (key == name) return value.as_int64();
    }
    return -1;
}

TEST_CASE("profile() has rows for the steps of child traversals, with storage counters") {
    QueryRunner runner({}, "fan");
    const Answer answer = runner.ask(
        "g.V(1, 2, 3).project('o', 'n').by(out('knows').out('knows').count())"
        ".by(values('name')).profile()",
        false);
    REQUIRE(answer.status.ok());
    REQUIRE(answer.results.size() == 1);
    const auto& all = answer.results[0].as<TraversalMetricsObject>();
    REQUIRE(all.metrics.size() == 2);
    const auto& project = all.metrics[1].as<MetricsObject>();
    CHECK(project.name == "project");
    std::vector<std::string> names;
    std::vector<std::string> ids;
    for (const Value& row : project.nested) {
        names.push_back(row.as<MetricsObject>().name);
        ids.push_back(row.as<MetricsObject>().id);
    }
    CHECK(names == std::vector<std::string>{"out", "~countEdges", "values"});
    CHECK(ids == std::vector<std::string>{"0.0.0(1.0.0())", "1.0.0(1.0.0())", "0.1.0(1.0.0())"});
    const auto& out = project.nested[0].as<MetricsObject>();
    CHECK(storage_count(out, "multiGets") == 1);
    CHECK(storage_count(out, "rows") == 3);
    CHECK(storage_count(out, "cells") == 9);
    CHECK(storage_count(project.nested[1].as<MetricsObject>(), "multiGets") == 1);
    CHECK(storage_count(project, "multiGets") >= 2);
}

}  // namespace
}  // namespace hob::testing
