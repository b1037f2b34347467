#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <random>

#include "storage/store/rocksdb/row_key.h"
#include "tests/storage/store/rocksdb_folder.h"

namespace hob::store::testing {
namespace {

std::string random_bytes(std::mt19937& random) {
    std::string bytes;
    for (std::size_t size = random() % 6; size > 0; --size) {
        bytes.push_back("\x00\x01\x02\xff"[random() % 4]);
    }
    return bytes;
}

}  // namespace

TEST_CASE("row keys sort by row, then by qualifier, and give both back", "[rocksdb]") {
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const std::pair a{random_bytes(random), random_bytes(random)};
        const std::pair b{random_bytes(random), random_bytes(random)};
        const std::string key_a = row_prefix(a.first) + a.second;
        const std::string key_b = row_prefix(b.first) + b.second;
        REQUIRE((a < b) == (key_a < key_b));
        const std::size_t size = row_prefix_size(key_a);
        REQUIRE(key_a.substr(size) == a.second);
        std::string row = "left over";
        unescape_row(std::string_view(key_a).substr(0, size), row);
        REQUIRE(row == a.first);
        if (a.first < b.first) REQUIRE(after_row(row_prefix(a.first)) <= row_prefix(b.first));
        REQUIRE(after_row(row_prefix(a.first)) > key_a);
    }
    CHECK(row_prefix_size("no terminator") == kNoRowPrefix);
    CHECK(row_prefix_size(std::string("a\0\1", 3)) == kNoRowPrefix);
    CHECK(row_prefix_size(std::string("a\0", 2)) == kNoRowPrefix);
}

TEST_CASE("what was committed is there after the store is opened again", "[rocksdb]") {
    const RocksDbFolder folder;
    {
        const auto store = folder.open();
        require_ok(store->create_table({"g", "pe", true}, {}));
        require_ok(store->create_table({"g_meta", "p", false}, {}));
        require_ok(store->create_table({"gone", "p", false}, {}));
        Steps(*store, "g").write("r", {put("a", "1"), put("b", "2", 'e')});
        Steps(*store, "g_meta").write("m", {put("a", "1")});
        require_ok(store->drop_table("gone", {}));
    }
    const auto began = std::chrono::steady_clock::now();
    const auto store = folder.open();
    const auto took = std::chrono::steady_clock::now() - began;
    CHECK(took < std::chrono::seconds(
                     2));  // Measured: 10 to 20 ms; the bound leaves room for a busy machine.
    CHECK(Steps(*store, "g").get("r") == Cells{{"a", "1"}});
    CHECK(Steps(*store, "g").get("r", 'e') == Cells{{"b", "2"}});
    CHECK(Steps(*store, "g_meta").get("m") == Cells{{"a", "1"}});
    const auto gone = store->table_exists("gone", {});
    require_ok(gone);
    CHECK_FALSE(*gone);
}

TEST_CASE("a synced commit, and a store that always syncs", "[rocksdb]") {
    const RocksDbFolder folder;
    auto store = open_rocksdb_store({.path = folder.path(), .sync = true});
    require_ok(store);
    require_ok((*store)->create_table({"t", "p", false}, {}));
    Steps on(**store, "t");
    CallStats stats;
    const std::vector<RowMutation> rows{on.row("r", {put("a", "1")})};
    require_ok((*store)->commit(rows, {.sync = true}, {}, stats));
    require_ok((*store)->increment("t", "r", 'p', "n", 1, {}));
    CHECK(on.get("r").size() == 2);
}

TEST_CASE("a store that is open elsewhere is refused by name", "[rocksdb]") {
    const RocksDbFolder folder;
    const auto first = folder.open();
    const auto second = open_rocksdb_store({.path = folder.path()});
    require_code(second, Code::kUnavailable);
    CHECK(second.error().message.find(folder.path()) != std::string::npos);
    CHECK(second.error().message.find("in use") != std::string::npos);
    CHECK(second.error().message.find("another path") != std::string::npos);
}

TEST_CASE("a damaged store is refused with the way to salvage it", "[rocksdb]") {
    const RocksDbFolder folder;
    {
        const auto store = folder.open();
        require_ok(store->create_table({"t", "p", false}, {}));
        Steps(*store, "t").write("r", {put("a", "1")});
    }
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
        if (file.path().filename().string().starts_with("MANIFEST")) {
            std::ofstream(file.path(), std::ios::trunc | std::ios::binary)
                << "this is not a manifest, not at all";
        }
    }
    const auto damaged = open_rocksdb_store({.path = folder.path()});
    require_code(damaged, Code::kCorrupt);
    CHECK(damaged.error().message.find(folder.path()) != std::string::npos);
    CHECK(damaged.error().message.find("ldb repair") != std::string::npos);
}

TEST_CASE("other ways not to open a store", "[rocksdb]") {
    const RocksDbFolder folder;
    require_code(open_rocksdb_store({.path = ""}), Code::kInvalidArgument);
    require_code(open_rocksdb_store({.path = folder.path(), .create_if_missing = false}),
                 Code::kNotFound);
    INFO("a file stands where the folder should be");
    std::ofstream(folder.path()) << "a file";
    require_code(open_rocksdb_store({.path = folder.path()}), Code::kUnavailable);
}

TEST_CASE("a snapshot and a scanner may outlive their store and their table", "[rocksdb]") {
    const RocksDbFolder folder;
    CallStats stats;
    auto store = folder.open();
    require_ok(store->create_table({"t", "p", false}, {}));
    Steps on(*store, "t");
    on.commit({on.row("a", {put("q", "1")}), on.row("b", {put("q", "2")})});
    auto snapshot = store->snapshot();
    auto scanner = store->scan(on.spec(), snapshot, {}, stats);
    require_ok(scanner);
    require_ok(store->drop_table("t", {}));
    store.reset();
    RowBatch out;
    require_ok((*scanner)->next(10, out));
    REQUIRE(out.size() == 2);
    CHECK(out.row_key(1) == "b");
}

}  // namespace hob::store::testing
