// Runs against the real gateway named by HOB_HBASE=host:port (scripts/hbase start prints one);
// without it, it says so and ends.
#define CATCH_CONFIG_RUNNER
#include <unistd.h>

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>

#include "storage/store/hbase/hbase_store.h"
#include "tests/storage/store/scripted_gateway.h"
#include "tests/storage/store/store_contract.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {
namespace {

std::string gateway() {
    return std::getenv("HOB_HBASE");
}

HBaseOptions options() {
    HBaseOptions options;
    options.gateways = {gateway()};
    options.table_namespace = "hobtest";
    options.table_prefix = fmt::format("t{}_", ::getpid());
    return options;
}

std::unique_ptr<RowStore> open(const HBaseOptions& how) {
    auto store = open_hbase_store(how);
    require_ok(store);
    return std::move(*store);
}

/// A table that is dropped with its test.
class Table {
  public:
    Table(RowStore& store, std::string name) : store_(store), name_(std::move(name)) {
        require_ok(store_.create_table({name_, "pe", false}, {}));
    }
    ~Table() { static_cast<void>(store_.drop_table(name_, {})); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    RowStore& store_;
    std::string name_;
};

}  // namespace

TEST_CASE("the HBase store keeps the contract", "[hbase]") {
    const auto store = open(options());
    CHECK(store->kind() == "hbase");
    CHECK(store->snapshot() == nullptr);
    require_ok(store->ping({}));
    int number = 0;
    for (const auto& each : contract_cases()) {
        ++number;
        DYNAMIC_SECTION(each.name) {
            const Table table(*store, fmt::format("c{}", number));
            each.run(*store, table.name());
        }
    }
}

TEST_CASE("small chunks and pages give the same answers", "[hbase]") {
    HBaseOptions small = options();
    small.chunk_rows = 7;
    small.cells_per_call = 50;
    small.connections = 2;
    const auto store = open(small);
    for (const auto& each : contract_cases()) {
        if (each.name != "ranges and columns" && each.name != "scans in pages" &&
            each.name != "binary keys")
            continue;
        DYNAMIC_SECTION(each.name) {
            const Table table(*store, "small");
            each.run(*store, table.name());
        }
    }
}

TEST_CASE("a write at an explicit timestamp may be repeated", "[hbase]") {
    const auto store = open(options());
    const Table table(*store, "times");
    Steps on(*store, table.name());
    CallStats stats;
    const std::vector<RowMutation> rows{on.row("r", {put("a", "1"), erase("b")})};
    for (int i = 0; i < 2; ++i) {
        require_ok(store->commit(rows, {.timestamp_us = 1'700'000'000'000'000}, {}, stats));
    }
    CHECK(on.get("r") == Cells{{"a", "1"}});
    // Older than what is there: hidden. One that the store's own clock gives is newer than all it
    // has seen.
    require_ok(store->commit(std::vector<RowMutation>{on.row("r", {put("a", "old")})},
                             {.timestamp_us = 1'600'000'000'000'000}, {}, stats));
    CHECK(on.get("r") == Cells{{"a", "1"}});
    const std::int64_t future = 4'000'000'000'000'000;
    require_ok(store->commit(std::vector<RowMutation>{on.row("r", {put("a", "future")})},
                             {.timestamp_us = future}, {}, stats));
    on.write("r", {put("a", "after the future")});
    CHECK(on.get("r") == Cells{{"a", "after the future"}});
    on.write("r", {erase("a")});
    CHECK(on.get("r").empty());
    require_code(store->commit(rows, {.timestamp_us = -1}, {}, stats), Code::kInvalidArgument);
}

TEST_CASE("a salted table starts with its splits, and a foreign one is refused", "[hbase]") {
    const auto store = open(options());
    require_ok(store->create_table({"salted", "pe", true}, {}));
    Steps on(*store, "salted");
    std::vector<RowMutation> rows;
    for (int salt = 0; salt < 256; ++salt) {
        rows.push_back(on.row(std::string(1, static_cast<char>(salt)) + "key", {put("a", "1")}));
    }
    on.commit(rows);
    CHECK(on.scan(on.spec(), 1'000).size() == 256);
    require_ok(store->drop_table("salted", {}));

    require_ok(store->create_table({"foreign", "xy", false}, {}));
    const auto refused = store->create_table({"foreign", "pe", false}, {});
    require_code(refused, Code::kInvalidArgument);
    CHECK(refused.error().message.find("'xy'") != std::string::npos);
    CHECK(refused.error().message.find("table prefix") != std::string::npos);
    require_ok(store->drop_table("foreign", {}));
}

TEST_CASE("a table that somebody else dropped is missed by name", "[hbase]") {
    const auto store = open(options());
    const auto other = open(options());
    const Table table(*store, "dropped");
    Steps on(*store, table.name());
    on.write("r", {put("a", "1")});
    require_ok(other->drop_table(table.name(), {}));
    CallStats stats;
    RowBatch out;
    const std::vector<RowGet> gets{{"r", {}, {}}};
    const auto missed = store->multi_get(table.name(), 'p', gets, nullptr, {}, stats, out);
    require_code(missed, Code::kNotFound);
    CHECK(missed.error().message.find("does not exist") != std::string::npos);
}

TEST_CASE("a gateway that is down is passed over", "[hbase]") {
    HBaseOptions two = options();
    two.gateways = {ScriptedGateway::closed_address(), gateway()};
    const auto store = open(two);
    for (int i = 0; i < 8; ++i) {
        require_ok(store->ping({}));
    }
}

}  // namespace hob::store::testing

int main(int argc, char** argv) {
    const char* address = std::getenv("HOB_HBASE");
    if (address == nullptr || *address == '\0') {
        std::puts(
            "SKIPPED: set HOB_HBASE=host:port of a Thrift2 gateway (scripts/hbase start) to run "
            "these tests");
        return 0;
    }
    return Catch::Session().run(argc, argv);
}
