#include <random>
#include <thread>

#include "tests/storage/store/store_contract.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {
namespace {

void a_snapshot_stays(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.commit({on.row("r", {put("a", "1"), put("b", "1")}), on.row("s", {put("a", "s")})});
    const auto before = store.snapshot();
    on.write("r", {put("a", "2"), erase("b"), put("c", "2")});
    const auto between = store.snapshot();
    on.commit(
        {on.row("r", {erase_family()}), on.row("s", {erase("a")}), on.row("t", {put("a", "t")})});
    CHECK(on.get("r", 'p', before.get()) == Cells{{"a", "1"}, {"b", "1"}});
    CHECK(on.get("r", 'p', between.get()) == Cells{{"a", "2"}, {"c", "2"}});
    CHECK(on.get("r").empty());
    CHECK(on.scan(on.spec(), 1, before) ==
          Rows{{"r", {{"a", "1"}, {"b", "1"}}}, {"s", {{"a", "s"}}}});
    CHECK(on.scan(on.spec(), 1) == Rows{{"t", {{"a", "t"}}}});
}

void a_write_write_conflict(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("a", "0"), put("b", "0")});
    const auto mine = store.snapshot();
    on.write("r", {put("a", "theirs")});
    require_code(
        on.try_commit({on.row("s", {put("x", "1")}), on.row("r", {put("a", "mine")})}, mine),
        Code::kConflict);
    CHECK(on.get("s").empty());
    CHECK(on.get("r") == Cells{{"a", "theirs"}, {"b", "0"}});
    // Another cell of the row is free, and so is the same qualifier of another family.
    on.commit({on.row("r", {put("b", "mine"), put("a", "edge", 'e')})}, mine);
    on.commit({on.row("r", {put("a", "fresh")})}, store.snapshot());
    CHECK(on.get("r") == Cells{{"a", "fresh"}, {"b", "mine"}});
}

void deletes_conflict(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("a", "0"), put("b", "0")});
    auto mine = store.snapshot();
    on.write("r", {erase("a")});
    require_code(on.try_commit({on.row("r", {put("a", "mine")})}, mine), Code::kConflict);
    mine = store.snapshot();
    on.write("r", {put("b", "theirs")});
    require_code(on.try_commit({on.row("r", {erase("b")})}, mine), Code::kConflict);
    // A family delete loses against any write in the family of that row ...
    mine = store.snapshot();
    on.write("r", {put("new", "theirs")});
    require_code(on.try_commit({on.row("r", {erase_family()})}, mine), Code::kConflict);
    // ... and any write there loses against a family delete, even of a row that is empty.
    for (const std::string row : {"r", "empty"}) {
        mine = store.snapshot();
        on.write(row, {erase_family()});
        require_code(on.try_commit({on.row(row, {put("fresh", "mine")})}, mine), Code::kConflict);
        CHECK(on.get(row).empty());
        on.commit({on.row(row, {put("fresh", "mine", 'e')})}, mine);
    }
}

void every_write_counts(RowStore& store, const std::string& table) {
    Steps on(store, table);
    auto mine = store.snapshot();
    require_ok(store.increment(table, "r", 'p', "n", 1, {}));
    require_code(on.try_commit({on.row("r", {put("n", "mine")})}, mine), Code::kConflict);
    mine = store.snapshot();
    require_ok(store.check_and_mutate(on.row("r", {put("c", "1")}), 'p', "c", "", {}));
    require_code(on.try_commit({on.row("r", {put("c", "mine")})}, mine), Code::kConflict);
    // Its own commits are nobody else's.
    mine = store.snapshot();
    on.commit({on.row("r", {put("own", "1")})}, mine);
    on.commit({on.row("r", {put("own", "2")})}, mine);
    on.write("r", {put("own", "3")});
    require_code(on.try_commit({on.row("r", {put("own", "4")})}, mine), Code::kConflict);
}

void no_update_is_lost(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("n", "0")});
    std::atomic<int> failures = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                CallStats stats;
                RowBatch out;
                const std::vector<RowGet> gets{{"r", {}, {}}};
                for (int done = 0; done < 50;) {
                    CommitOptions options{.snapshot = store.snapshot()};
                    if (!store.multi_get(table, 'p', gets, options.snapshot.get(), {}, stats, out)
                             .ok())
                        ++failures;
                    const int n = std::stoi(std::string(out.cells(0)[0].value));
                    const std::vector<RowMutation> rows{
                        on.row("r", {put("n", std::to_string(n + 1))})};
                    const auto committed = store.commit(rows, options, {}, stats);
                    if (committed.ok()) {
                        ++done;
                    } else if (committed.error().code != Code::kConflict) {
                        ++failures;
                    }
                }
            });
        }
    }
    CHECK(failures == 0);
    CHECK(on.get("r") == Cells{{"n", "200"}});
}

void commits_show_all_or_nothing(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.commit({on.row("a", {put("n", "0")}), on.row("z", {put("n", "0")})});
    std::atomic<bool> is_done = false;
    int torn = 0;
    {
        std::jthread writer([&] {
            CallStats stats;
            for (int i = 1; i <= 300; ++i) {
                const std::vector<RowMutation> rows{on.row("a", {put("n", std::to_string(i))}),
                                                    on.row("z", {put("n", std::to_string(i))})};
                static_cast<void>(store.commit(rows, {}, {}, stats));
            }
            is_done = true;
        });
        while (!is_done) {
            const auto snapshot = store.snapshot();
            if (on.get("a", 'p', snapshot.get()) != on.get("z", 'p', snapshot.get())) ++torn;
        }
    }
    CHECK(torn == 0);
    CHECK(on.get("z") == Cells{{"n", "300"}});
}

/// Many snapshots over a random history; each must keep reading exactly its own moment.
void snapshots_of_a_random_history(RowStore& store, const std::string& table) {
    using Model = std::map<std::string, std::map<std::string, std::string>>;
    Steps on(store, table);
    std::mt19937 random(42);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Model model;
    std::vector<std::pair<std::shared_ptr<const Snapshot>, Model>> kept;
    for (int round = 0; round < 150; ++round) {
        std::vector<RowMutation> rows;
        for (int r = 0; r <= pick(3); ++r) {
            rows.push_back(on.row(fmt::format("r{}", pick(5)), {}));
            auto& cells = model[rows.back().row];
            for (int c = 0; c <= pick(4); ++c) {
                const std::string qualifier(1, static_cast<char>('a' + pick(4)));
                const int what = pick(8);
                if (what == 0) {
                    rows.back().cells.push_back(erase_family());
                    cells.clear();
                } else if (what < 3) {
                    rows.back().cells.push_back(erase(qualifier));
                    cells.erase(qualifier);
                } else {
                    rows.back().cells.push_back(put(qualifier, std::to_string(round)));
                    cells[qualifier] = std::to_string(round);
                }
            }
        }
        on.commit(rows);
        if (pick(3) == 0) kept.emplace_back(store.snapshot(), model);
        if (kept.size() > 6) kept.erase(kept.begin() + pick(6));
        for (const auto& [snapshot, then] : kept) {
            Rows expected;
            for (const auto& [row, cells] : then) {
                if (!cells.empty()) expected.emplace_back(row, Cells(cells.begin(), cells.end()));
            }
            INFO("round " << round);
            REQUIRE(on.scan(on.spec(), 3, snapshot) == expected);
        }
    }
}

constexpr ContractCase kSnapshots[] = {
    {"a snapshot stays", a_snapshot_stays},
    {"a write-write conflict", a_write_write_conflict},
    {"deletes conflict", deletes_conflict},
    {"every write counts", every_write_counts},
    {"no update is lost", no_update_is_lost},
    {"commits show all or nothing", commits_show_all_or_nothing},
    {"snapshots of a random history", snapshots_of_a_random_history},
};

}  // namespace

std::span<const ContractCase> snapshot_cases() {
    return kSnapshots;
}

}  // namespace hob::store::testing
