#include "config/config.h"

#include <catch2/catch.hpp>

using namespace hob;
using config::Overrides;

namespace {

config::Config parsed(const std::string& yaml, const Overrides& overrides = {}) {
    auto result = config::parse(yaml, "test.yaml", overrides);
    INFO((result.ok() ? std::string() : result.error().message));
    REQUIRE(result.ok());
    return *result;
}

std::string refused(const std::string& yaml, const Overrides& overrides = {}) {
    const auto result = config::parse(yaml, "test.yaml", overrides);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == Code::kInvalidArgument);
    return result.error().message;
}

}  // namespace

TEST_CASE("an empty configuration is a working one") {
    const auto c = parsed("");
    CHECK(c.port == 8182);
    CHECK(c.store == config::StoreKind::kRocksDb);
    REQUIRE(c.graphs.size() == 1);
    REQUIRE(c.sources.size() == 1);
    CHECK(c.sources[0].name == "g");
    CHECK(c.sources[0].graph == c.graphs[0].name);
}

TEST_CASE("values of every kind are read") {
    const auto c = parsed(R"(
port: 0
store: hbase
hbase: {gateways: "a:1, b:2", callTimeout: 100}
rocksdb: {cache: 10 MB, sync: yes}
maxContentLength: 1MiB
budgets: {onCap: sample, maxFrontier: 7}
graphs:
  one: {ids: long, edgeIds: long, cardinality: set, sample: crew}
sources:
  a: one
  b: {graph: one, readOnly: true}
)");
    CHECK(c.port == 0);
    CHECK(c.hbase.gateways == std::vector<std::string>{"a:1", "b:2"});
    CHECK(c.hbase.call_timeout_ms == 100);
    CHECK(c.rocksdb.cache_bytes == 10'000'000);
    CHECK(c.rocksdb.sync);
    CHECK(c.max_content_bytes == 1 << 20);
    CHECK(c.budgets.sample);
    CHECK(c.budgets.max_frontier == 7);
    CHECK(c.graphs[0].ids == config::Ids::kLong);
    CHECK(c.graphs[0].cardinality == config::DefaultCardinality::kSet);
    CHECK(c.graphs[0].sample == config::Sample::kCrew);
    CHECK_FALSE(c.sources[0].read_only);
    CHECK(c.sources[1].read_only);
}

TEST_CASE("command line goes over environment over file") {
    const Overrides both{.environment = {{"HOBGOBLIN_PORT", "2"},
                                         {"HOBGOBLIN_EVALUATION_TIMEOUT", "5"},
                                         {"HOBGOBLIN_HBASE__GATEWAYS", "h:3"},
                                         {"HOBGOBLIN_HOST", "0.0.0.0"}},
                         .settings = {{"port", "3"}, {"sources.x", "graph"}}};
    const auto c = parsed("port: 1\nhost: h\n", both);
    CHECK(c.port == 3);
    CHECK(c.host == "0.0.0.0");
    CHECK(c.evaluation_timeout_ms == 5);
    CHECK(c.hbase.gateways == std::vector<std::string>{"h:3"});
    CHECK(c.sources[0].name == "x");
}

TEST_CASE("an environment variable finds a graph whatever its case") {
    const auto c =
        parsed("graphs: {Air: {ids: long}}\nsources: {g: Air}\n",
               {.environment = {{"HOBGOBLIN_GRAPHS__AIR__IDS", "string"}}, .settings = {}});
    REQUIRE(c.graphs.size() == 1);
    CHECK(c.graphs[0].ids == config::Ids::kString);
}

TEST_CASE("mistakes are named, with a way out") {
    CHECK(refused("evalutionTimeout: 1") ==
          "test.yaml: unknown key 'evalutionTimeout'; did you mean 'evaluationTimeout'?");
    CHECK(refused("hbase: {gatewais: x}") ==
          "test.yaml: unknown key 'hbase.gatewais'; did you mean 'hbase.gateways'?");
    CHECK(refused("store: mysql") ==
          "test.yaml: store is 'mysql', expected one of memory, rocksdb, hbase");
    CHECK(refused("port: 70000") ==
          "test.yaml: port is '70000', expected a whole number from 0 to 65535");
    CHECK(refused("port: -1").find("'-1'") != std::string::npos);
    CHECK(refused("rocksdb: {cache: 5 parsecs}").find("64MiB") != std::string::npos);
    CHECK(refused("rocksdb: 5").find("expected a mapping") != std::string::npos);
    CHECK(refused("sources: {g: grahp}").find("did you mean 'graph'?") != std::string::npos);
    CHECK(refused("- a\n").find("expected a mapping") != std::string::npos);
    CHECK(refused("a: [").find("line ") != std::string::npos);
    CHECK(refused("", {.environment = {}, .settings = {{"prot", "1"}}})
              .find("did you mean 'port'?") != std::string::npos);
    CHECK(refused("", {.environment = {{"HOBGOBLIN_PROT", "1"}}, .settings = {}})
              .find("HOBGOBLIN_PROT") != std::string::npos);
}

TEST_CASE("a missing file is an error, not a default") {
    const auto result = config::load("/nonexistent/hobgoblin.yaml", {});
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == Code::kNotFound);
}

TEST_CASE("the files we ship are valid and say the defaults") {
    const auto shipped = config::load(std::string(HOB_SOURCE_DIR) + "/config/hobgoblin.yaml", {});
    INFO((shipped.ok() ? std::string() : shipped.error().message));
    REQUIRE(shipped.ok());
    const config::Config plain = parsed("");
    CHECK(shipped->port == plain.port);
    CHECK(shipped->host == plain.host);
    CHECK(shipped->rocksdb.cache_bytes == plain.rocksdb.cache_bytes);
    CHECK(shipped->budgets.max_memory_bytes == plain.budgets.max_memory_bytes);
    CHECK(shipped->max_content_bytes == plain.max_content_bytes);
    CHECK(shipped->frame_bytes_max == plain.frame_bytes_max);
    CHECK(shipped->connection_buffer_bytes == plain.connection_buffer_bytes);
    CHECK(shipped->sessions.timeout_ms == plain.sessions.timeout_ms);
    CHECK(shipped->queue == plain.queue);
    CHECK(shipped->graphs[0].name == plain.graphs[0].name);

    const auto suite = config::load(std::string(HOB_SOURCE_DIR) + "/config/tinkerpop.yaml", {});
    INFO((suite.ok() ? std::string() : suite.error().message));
    REQUIRE(suite.ok());
    CHECK(suite->sources.size() == 9);
    for (const auto& graph : suite->graphs)
        CHECK(graph.ids == config::Ids::kLong);
}
