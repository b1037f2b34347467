// Replays every .test file below tests/ in each way; the format is described in test_file.h.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "gremlin/language/script.h"
#include "gremlin/plan/rules.h"
#include "tests/gremlin/data/query_runner.h"
#include "tests/gremlin/data/test_file.h"

namespace hob::testing {
namespace {

Way with_setting(const std::string& key, Value value) {
    return {.name = key + " " + to_text(value),
            .bytecode = true,
            .settings = {{"with", {Value::string(key), std::move(value)}}}};
}

/// Each store and form; each optimizer rule off; batches of one and of three.
std::vector<Way> all_ways() {
    std::vector<Way> ways = {{.name = "memory, text"},
                             {.name = "memory, bytecode", .bytecode = true},
                             {.name = "rocksdb, text", .rocksdb = true},
                             with_setting("hobgoblin.rulesOff", Value::string("all")),
                             with_setting("hobgoblin.batch", Value::int_(1)),
                             with_setting("hobgoblin.batch", Value::int_(3))};
    for (const gremlin::Rule& rule : gremlin::all_rules())
        ways.push_back(with_setting("hobgoblin.rulesOff", Value::string(rule.name)));
    return ways;
}

std::vector<std::string> lines_of(const Case& test, const std::vector<Value>& results) {
    std::vector<std::string> lines;
    for (const Value& value : results)
        lines.push_back(test.typed ? gremlin::print_value(value) : to_text(value));
    if (!test.ordered) std::sort(lines.begin(), lines.end());
    return lines;
}

std::string message_of(const Answer& answer) {
    return answer.status.ok() ? "no error" : answer.status.error().message;
}

void check_query(const Case& test, const Way& way, const Answer& answer) {
    INFO(message_of(answer));
    CHECK(answer.status.ok());
    std::vector<std::string> expected = test.expected;
    if (!test.ordered) std::sort(expected.begin(), expected.end());
    CHECK(lines_of(test, answer.results) == expected);
    if (test.reads && way.settings.empty()) CHECK(answer.storage.multi_gets <= *test.reads);
}

void check_error(const Case& test, const Answer& answer) {
    CHECK_FALSE(answer.status.ok());
    if (answer.status.ok()) return;
    CHECK(name_of(answer.status.error().code) == test.code);
    for (const std::string& words : test.expected)
        CHECK_THAT(answer.status.error().message, Catch::Contains(words));
}

/// The query with the ids 1 to `size` in the place of `frontier`.
std::string with_frontier(const std::string& query, std::int64_t size) {
    constexpr std::string_view kName = "frontier";
    const std::size_t at = query.find(kName);
    REQUIRE(at != std::string::npos);
    std::vector<Value> ids;
    for (std::int64_t id = 1; id <= size; ++id)
        ids.push_back(Value::long_(id));
    std::string text = query;
    return text.replace(at, kName.size(), gremlin::print_value(Value::list(std::move(ids))));
}

void check_roundtrips(const Case& test, const Way& way, QueryRunner& runner) {
    for (const std::int64_t size : {10, 1000}) {
        const Answer answer = runner.ask(with_frontier(test.query, size), way.bytecode);
        INFO("a frontier of " << size << ": " << message_of(answer));
        CHECK(answer.status.ok());
        CHECK(answer.storage.multi_gets == *test.reads);
    }
}

/// Round trips are counted over one graph a file and way, whose writing takes longer than its
/// queries.
using Runners = std::map<std::string, std::unique_ptr<QueryRunner>>;
QueryRunner& shared_runner(Runners& runners, const Way& way, const std::string& graph) {
    auto& runner = runners[way.name + "/" + graph];
    if (runner == nullptr) runner = std::make_unique<QueryRunner>(way, graph);
    return *runner;
}

void check_answer(const Case& test, const Way& way, QueryRunner& runner) {
    for (const std::string& line : test.setup) {
        const Answer answer = runner.ask(line, false);
        INFO(line << ": " << message_of(answer));
        CHECK(answer.status.ok());
    }
    const Answer answer = runner.ask(test.query, way.bytecode, way.settings);
    if (test.kind == Case::Kind::kError) {
        check_error(test, answer);
    } else {
        check_query(test, way, answer);
    }
}

void check(const Case& test, const Way& way, Runners& runners) {
    if (test.kind == Case::Kind::kRoundtrips) {
        if (!way.settings.empty()) return;
        check_roundtrips(test, way, shared_runner(runners, way, test.graph));
        return;
    }
    QueryRunner runner(way, test.graph);
    check_answer(test, way, runner);
}

TEST_CASE("the data files' cases hold in every way") {
    const auto files = test_files(HOB_TESTS_DIR);
    REQUIRE_FALSE(files.empty());
    const std::vector<Way> ways = all_ways();
    for (const std::string& file : files) {
        Runners runners;
        for (const Case& test : read_cases(file)) {
            for (const Way& way : ways) {
                INFO(file << ":" << test.line << " (" << way.name << ") " << test.query);
                check(test, way, runners);
            }
        }
    }
}

}  // namespace
}  // namespace hob::testing
