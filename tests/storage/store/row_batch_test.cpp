#include <catch2/catch.hpp>

#include "storage/store/conflict_log.h"
#include "storage/store/row_store.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {

TEST_CASE("a row batch owns what it was given", "[batch]") {
    RowBatch batch;
    for (int row = 0; row < 100; ++row) {
        for (int cell = 0; cell < row; ++cell) {
            batch.add_cell(std::to_string(cell),
                           std::string(static_cast<std::size_t>(cell * 100), 'v'));
        }
        batch.end_row("row" + std::to_string(row));
    }
    batch.add_cell("huge", std::string(5 << 20, 'h'));
    batch.end_row("huge");
    RowBatch moved = std::move(batch);
    batch = RowBatch();
    batch.add_cell("the moved-from one", "works again");
    batch.end_row();
    REQUIRE(moved.size() == 101);
    CHECK(moved.cells(0).empty());
    CHECK(moved.cells(99)[98].value.size() == 9'800);
    CHECK(moved.cells(99)[98].qualifier == "98");
    CHECK(moved.row_key(99) == "row99");
    CHECK(moved.cells(100)[0].value.size() == 5 << 20);
    CHECK(moved.cell_count() == 4'951);
    moved.clear();
    CHECK(moved.size() == 0);
    CHECK(moved.cell_count() == 0);
    CHECK(batch.cells(0)[0].value == "works again");
}

TEST_CASE("statistics add up and subtract", "[batch]") {
    CallStats a{1, 2, 3, 4, 5, 6, 7, 8};
    const CallStats b = a;
    a += b;
    const CallStats c = a - b;
    CHECK(c.multi_gets == 1);
    CHECK(c.scans == 2);
    CHECK(c.commits == 3);
    CHECK(c.rpcs == 4);
    CHECK(c.rows == 5);
    CHECK(c.cells == 6);
    CHECK(c.bytes == 7);
    CHECK(c.cache_hits == 8);
}

TEST_CASE("the conflict log remembers only what a snapshot may need", "[conflicts]") {
    ConflictLog log;
    const RowMutation one{"t", "r", {put("a", "1"), put("b", "1"), erase_family('e')}};
    const RowMutation other{"t", "s", {put("a", "1")}};
    log.record({&one, 1}, 0);
    CHECK(log.remembered() == 0);
    const auto first = log.open_snapshot();
    log.record({&one, 1}, 0);
    const auto second = log.open_snapshot();
    log.record({&other, 1}, 0);
    require_code(log.check({&one, 1}, first), Code::kConflict);
    require_ok(log.check({&one, 1}, second));
    require_code(log.check({&other, 1}, second), Code::kConflict);
    log.close_snapshot(first);
    require_code(log.check({&other, 1}, second), Code::kConflict);
    CHECK(log.remembered() == 2);
    log.close_snapshot(second);
    CHECK(log.remembered() == 0);
    CHECK_FALSE(log.has_snapshots());
}

TEST_CASE("the conflict log is bounded; what it forgot can't commit", "[conflicts]") {
    ConflictLog log(10);
    const auto old = log.open_snapshot();
    for (int i = 0; i < 100; ++i) {
        const RowMutation row{"t", std::to_string(i), {put("a", "1")}};
        log.record({&row, 1}, 0);
    }
    CHECK(log.remembered() <= 10);
    const auto fresh = log.open_snapshot();
    const RowMutation row{"t", "elsewhere", {put("a", "1")}};
    require_code(log.check({&row, 1}, old), Code::kConflict);
    require_ok(log.check({&row, 1}, fresh));
    log.close_snapshot(old);
    log.close_snapshot(fresh);
    CHECK(log.remembered() == 0);
}

}  // namespace hob::store::testing
