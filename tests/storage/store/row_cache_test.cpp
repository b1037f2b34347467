#include "storage/store/row_cache.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <random>
#include <thread>

#include "tests/storage/store/rocksdb_folder.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {
namespace {

const int kFamily = 0;  ///< Its address stands for a table's family.

RowGet whole(std::string row) {
    return {std::move(row), {}, {}};
}
RowGet first(std::string row, std::uint32_t cells_max) {
    return {std::move(row), {{.from = "a", .to = "z", .cells_max = cells_max}}, {}};
}

Cells hit(RowCache& cache, const RowGet& get, std::uint64_t sequence) {
    RowBatch out;
    if (!cache.get(&kFamily, get, cache.begin_reading(sequence), out)) return {{"miss", ""}};
    REQUIRE(out.size() == 1);
    return Steps::cells_of(out, 0);
}
const Cells kMiss = {{"miss", ""}};

void put_cells(RowCache& cache, const RowGet& get, std::uint64_t sequence, const Cells& cells) {
    std::vector<Cell> views;
    for (const auto& [qualifier, value] : cells)
        views.push_back({qualifier, value});
    cache.put(&kFamily, get, cache.begin_reading(sequence), views);
}

void commit(RowCache& cache, std::string_view row, std::uint64_t sequence) {
    const RowCache::Place place{&kFamily, row};
    cache.begin_commit({&place, 1});
    cache.end_commit(sequence);
}

TEST_CASE("the row cache serves every snapshot from the one it was read at", "[row-cache]") {
    RowCache cache(std::size_t{1} << 20);
    const Cells cells = {{"a", "1"}, {"b", "2"}};
    CHECK(hit(cache, whole("r"), 5) == kMiss);
    put_cells(cache, whole("r"), 5, cells);
    CHECK(hit(cache, whole("r"), 5) == cells);
    CHECK(hit(cache, whole("r"), 9) == cells);
    CHECK(hit(cache, whole("r"), 4) == kMiss);
    CHECK(hit(cache, whole("s"), 5) == kMiss);
    CHECK(hit(cache, {"r", {}, {"a"}}, 5) == kMiss);
    put_cells(cache, whole("none"), 5, {});
    CHECK(hit(cache, whole("none"), 5).empty());
}

TEST_CASE("a commit takes its rows out, and what was read before it does not come in",
          "[row-cache]") {
    RowCache cache(std::size_t{1} << 20);
    put_cells(cache, whole("r"), 5, {{"a", "1"}});
    commit(cache, "r", 6);
    CHECK(hit(cache, whole("r"), 9) == kMiss);
    put_cells(cache, whole("r"), 5, {{"a", "1"}});
    CHECK(hit(cache, whole("r"), 9) == kMiss);
    put_cells(cache, whole("r"), 6, {{"a", "2"}});
    CHECK(hit(cache, whole("r"), 9) == Cells{{"a", "2"}});

    const RowCache::Place place{&kFamily, "r"};
    cache.begin_commit({&place, 1});
    put_cells(cache, whole("r"), 9, {{"a", "2"}});
    CHECK(hit(cache, whole("r"), 9) == kMiss);
    cache.end_commit(10);

    const auto reading = cache.begin_reading(11);
    cache.clear();
    const std::vector<Cell> cells = {{"a", "of a dropped table"}};
    cache.put(&kFamily, whole("r"), reading, cells);
    CHECK(hit(cache, whole("r"), 12) == kMiss);
}

TEST_CASE("the row cache cuts, and knows what was cut", "[row-cache]") {
    RowCache cache(std::size_t{1} << 20);
    put_cells(cache, first("r", 9), 1, {{"a", "1"}, {"b", "2"}, {"c", "3"}});
    CHECK(hit(cache, first("r", 2), 1) == Cells{{"a", "1"}, {"b", "2"}});
    CHECK(hit(cache, first("r", 3), 1).size() == 3);
    CHECK(hit(cache, first("r", 0), 1).size() == 3);
    put_cells(cache, first("s", 2), 1, {{"a", "1"}, {"b", "2"}});
    CHECK(hit(cache, first("s", 2), 1).size() == 2);
    CHECK(hit(cache, first("s", 1), 1).size() == 1);
    CHECK(hit(cache, first("s", 3), 1) == kMiss);
    CHECK(hit(cache, first("s", 0), 1) == kMiss);
    RowGet keys = first("k", 0);
    keys.ranges[0].keys_only = true;
    put_cells(cache, keys, 1, {{"a", ""}});
    CHECK(hit(cache, keys, 1).size() == 1);
    CHECK(hit(cache, first("k", 0), 1) == kMiss);
}

TEST_CASE("the row cache stays within its bytes", "[row-cache]") {
    constexpr std::size_t kCapacity = std::size_t{256} << 10;
    RowCache cache(kCapacity);
    const std::string value(500, 'v');
    for (int i = 0; i < 5000; ++i) {
        std::string row = std::string(1, static_cast<char>(i % 256)) + std::to_string(i);
        put_cells(cache, whole(row), 1, {{"a", value}});
        if (i % 7 == 0) commit(cache, row, 1);
        CHECK(cache.bytes() <= kCapacity);
    }
    CHECK(cache.bytes() > kCapacity / 2);
    put_cells(cache, whole("huge"), 1, {{"a", std::string(kCapacity, 'x')}});
    CHECK(hit(cache, whole("huge"), 1) == kMiss);
    RowCache none(0);
    put_cells(none, whole("r"), 1, {{"a", "1"}});
    CHECK(hit(none, whole("r"), 1) == kMiss);
}

/// Two rows always hold the same number: whoever sees two of one snapshot has read a wrong one.
TEST_CASE("readers of a store with a row cache see one snapshot each", "[row-cache][rocksdb]") {
    const RocksDbFolder folder;
    const auto store = folder.open(std::size_t{1} << 20);
    require_ok(store->create_table({"t", "pe", false}, {}));
    const auto write = [&](int number) {
        std::vector<RowMutation> rows;
        for (const char* row : {"a", "b"})
            rows.push_back({"t", row, {put("n", std::to_string(number))}});
        CallStats stats;
        return store->commit(rows, {}, {}, stats);
    };
    require_ok(write(0));
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::atomic<std::uint64_t> hits{0};
    const auto read = [&](std::uint64_t seed) {
        std::mt19937_64 random(seed);
        CallStats stats;
        int last = 0;
        std::shared_ptr<const Snapshot> old = store->snapshot();
        while (!stop) {
            const bool uses_old = random() % 4 == 0;
            const auto snapshot = uses_old ? old : store->snapshot();
            RowBatch out;
            const std::vector<RowGet> gets = {whole("a"), whole("b")};
            if (!store->multi_get("t", 'p', gets, snapshot.get(), {}, stats, out).ok()) ++wrong;
            const int a = std::stoi(std::string(out.cells(0)[0].value));
            const int b = std::stoi(std::string(out.cells(1)[0].value));
            if (a != b || (!uses_old && a < last)) ++wrong;
            if (!uses_old) last = a;
            if (random() % 50 == 0) old = store->snapshot();
        }
        hits += stats.cache_hits;
    };
    std::vector<std::thread> readers;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        readers.emplace_back(read, seed);
    for (int number = 1; number <= 3000; ++number) {
        if (!write(number).ok()) ++wrong;
    }
    stop = true;
    for (auto& reader : readers)
        reader.join();
    CHECK(wrong == 0);
    CHECK(hits > 0);
}

}  // namespace
}  // namespace hob::store::testing
