#include "tests/storage/store/store_contract.h"

#include <atomic>
#include <random>
#include <thread>

#include "storage/base/bytes.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {
namespace {

using namespace std::string_literals;

void cells_come_sorted(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r",
             {put("b", "2"), put("c", "3"), put("a", "1"), put("", "0"), put("x", "other", 'e')});
    CHECK(on.get("r") == Cells{{"", "0"}, {"a", "1"}, {"b", "2"}, {"c", "3"}});
    CHECK(on.get("r", 'e') == Cells{{"x", "other"}});
    CHECK(on.get("s").empty());
    on.write("r", {put("b", "")});
    CHECK(on.get("r") == Cells{{"", "0"}, {"a", "1"}, {"b", ""}, {"c", "3"}});
}

void rows_come_in_the_order_asked(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.commit(
        {on.row("a", {put("q", "1")}), on.row("b", {put("q", "2")}), on.row("c", {put("q", "3")})});
    const auto rows =
        on.get({{"c", {}, {}}, {"nope", {}, {}}, {"a", {}, {}}, {"c", {}, {}}, {"b", {}, {}}});
    CHECK(rows == std::vector<Cells>{{{"q", "3"}}, {}, {{"q", "1"}}, {{"q", "3"}}, {{"q", "2"}}});
    CHECK(on.get(std::vector<RowGet>{}).empty());
}

void one_batch_reads_several_families(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("a", "1"), put("b", "2"), put("x", "3", 'e'), put("y", "4", 'e')});
    on.write("s", {put("a", "5"), put("x", "6", 'e')});
    const std::uint64_t before = on.stats.multi_gets;
    const auto rows = on.get({{"r", {{.from = "y", .to = ""}}, {}, 'e'},
                              {"s", {}, {}},
                              {"r", {}, {"b"}, 'p'},
                              {"s", {}, {"a", "x"}, 'e'}});
    CHECK(rows == std::vector<Cells>{{{"y", "4"}}, {{"a", "5"}}, {{"b", "2"}}, {{"x", "6"}}});
    CHECK(on.stats.multi_gets == before + 1);
    CallStats stats;
    RowBatch out;
    const std::vector<RowGet> unknown{{"r", {}, {}, 'z'}};
    require_code(store.multi_get(table, 'p', unknown, nullptr, {}, stats, out), Code::kNotFound);
}

void ranges_and_columns(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::vector<CellMutation> cells;
    for (char c = 'a'; c <= 'j'; ++c) {
        cells.push_back(put(std::string(1, c), std::string(1, static_cast<char>(c - 'a' + 'A'))));
    }
    on.write("r", cells);
    on.write("s", {put("zz", "other row")});
    CHECK(on.range("r", {.from = "c", .to = "e"}) == Cells{{"c", "C"}, {"d", "D"}});
    CHECK(on.range("r", {.from = "i", .to = ""}) == Cells{{"i", "I"}, {"j", "J"}});
    CHECK(on.range("r", {.from = "cc", .to = "ee"}) == Cells{{"d", "D"}, {"e", "E"}});
    CHECK(on.range("r", {.from = "", .to = "b"}) == Cells{{"a", "A"}});
    CHECK(on.range("r", {.from = "k", .to = ""}).empty());
    CHECK(on.range("r", {.from = "d", .to = "d"}).empty());
    CHECK(on.range("r", {.from = "b", .to = "", .cells_max = 3}) ==
          Cells{{"b", "B"}, {"c", "C"}, {"d", "D"}});
    CHECK(on.range("r", {.from = "b", .to = "h", .cells_max = 2, .reversed = true}) ==
          Cells{{"f", "F"}, {"g", "G"}});
    CHECK(on.range("r", {.from = "", .to = "", .cells_max = 2, .reversed = true}) ==
          Cells{{"i", "I"}, {"j", "J"}});
    CHECK(on.range("r", {.from = "h", .to = "", .cells_max = 9, .reversed = true}) ==
          Cells{{"h", "H"}, {"i", "I"}, {"j", "J"}});

    RowGet two{"r", {{.from = "a", .to = "d", .cells_max = 2}, {.from = "h", .to = "j"}}, {}};
    RowGet exact{"r", {}, {"b", "bb", "e"}};
    RowGet both{"r", {{.from = "d", .to = "f"}}, {"a", "d", "j"}};
    const auto rows = on.get({two, exact, both, {"missing", {{.from = "a", .to = ""}}, {"b"}}});
    CHECK(rows[0] == Cells{{"a", "A"}, {"b", "B"}, {"h", "H"}, {"i", "I"}});
    CHECK(rows[1] == Cells{{"b", "B"}, {"e", "E"}});
    CHECK(rows[2] == Cells{{"a", "A"}, {"d", "D"}, {"e", "E"}, {"j", "J"}});
    CHECK(rows[3].empty());

    const auto keys = on.range("r", {.from = "a", .to = "c", .keys_only = true});
    REQUIRE(keys.size() == 2);
    CHECK(keys[1].first == "b");
}

void ranges_must_be_sorted(RowStore& store, const std::string& table) {
    CallStats stats;
    RowBatch out;
    const std::vector<RowGet> overlapping{
        {"r", {{.from = "a", .to = "d"}, {.from = "c", .to = ""}}, {}}};
    require_code(store.multi_get(table, 'p', overlapping, nullptr, {}, stats, out),
                 Code::kInvalidArgument);
    const std::vector<RowGet> unsorted{{"r", {}, {"b", "a"}}};
    require_code(store.multi_get(table, 'p', unsorted, nullptr, {}, stats, out),
                 Code::kInvalidArgument);
}

void deletes(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("a", "1"), put("b", "2"), put("c", "3"), put("a", "e1", 'e')});
    on.write("rr", {put("a", "not touched")});
    on.write("r", {erase("b"), erase("missing")});
    CHECK(on.get("r") == Cells{{"a", "1"}, {"c", "3"}});
    on.write("r", {erase_family('p')});
    CHECK(on.get("r").empty());
    CHECK(on.get("r", 'e') == Cells{{"a", "e1"}});
    CHECK(on.get("rr") == Cells{{"a", "not touched"}});
    on.write("r", {put("a", "again")});
    CHECK(on.get("r") == Cells{{"a", "again"}});
    on.write("r", {erase("a")});
    on.write("r", {put("a", "and again")});
    CHECK(on.get("r") == Cells{{"a", "and again"}});
}

void later_changes_of_a_cell_win(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("old", "x"), put("kept", "k", 'e')});
    on.write("r",
             {put("a", "1"), put("a", "2"), erase("b"), put("b", "3"), put("c", "4"), erase("c")});
    CHECK(on.get("r") == Cells{{"a", "2"}, {"b", "3"}, {"old", "x"}});
    on.write("r", {erase_family(), put("new", "y")});
    CHECK(on.get("r") == Cells{{"new", "y"}});
    on.write("r", {put("lost", "z"), erase_family()});
    CHECK(on.get("r").empty());
    CHECK(on.get("r", 'e') == Cells{{"kept", "k"}});
    on.commit({on.row("r", {put("a", "first")}), on.row("s", {put("a", "s")}),
               on.row("r", {put("a", "second")})});
    CHECK(on.get("r") == Cells{{"a", "second"}});
    on.commit({on.row("r", {put("b", "put first")}), on.row("s", {put("b", "s")}),
               on.row("r", {erase("b")})});
    CHECK(on.get("r") == Cells{{"a", "second"}});
}

void binary_keys(RowStore& store, const std::string& table) {
    Steps on(store, table);
    const std::vector<std::string> parts{
        "\0"s,   "\0\0"s, "\0\1"s, "\1"s,     "\1\0"s,  "\1\0\0"s,  "\1\0\1"s, "'"s,
        "''"s,   "a"s,    "a\0"s,  "a\0\0"s,  "a\0b"s,  "a\0\xff"s, "a'"s,     "ab"s,
        "\x7f"s, "\x80"s, "\xff"s, "\xff\0"s, "\xff'"s, "\xff\xff"s};
    std::vector<RowMutation> rows;
    for (const auto& row : parts) {
        rows.push_back(on.row(row, {}));
        for (const auto& qualifier : parts) {
            rows.back().cells.push_back(put(qualifier, row + "|" + qualifier));
        }
    }
    on.commit(rows);
    std::vector<std::string> sorted = parts;
    std::sort(sorted.begin(), sorted.end());
    const Rows scanned = on.scan(on.spec());
    REQUIRE(scanned.size() == sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        CHECK(scanned[i].first == sorted[i]);
        REQUIRE(scanned[i].second.size() == sorted.size());
        for (std::size_t j = 0; j < sorted.size(); ++j) {
            CHECK(scanned[i].second[j].first == sorted[j]);
            CHECK(scanned[i].second[j].second == sorted[i] + "|" + sorted[j]);
        }
    }
    // Every pair of bounds, in one batch.
    std::vector<RowGet> gets;
    for (std::size_t from = 0; from < sorted.size(); ++from) {
        for (std::size_t to = from; to < sorted.size(); ++to) {
            gets.push_back({sorted[(from * 7 + to) % sorted.size()],
                            {{.from = sorted[from], .to = sorted[to]}},
                            {}});
        }
    }
    const auto got = on.get(gets);
    std::size_t index = 0;
    for (std::size_t from = 0; from < sorted.size(); ++from) {
        for (std::size_t to = from; to < sorted.size(); ++to, ++index) {
            REQUIRE(got[index].size() == to - from);
            if (to > from) CHECK(got[index].front().first == sorted[from]);
        }
    }
    ScanSpec part = on.spec();
    part.from_row = "a"s;
    part.to_row = "a\0b"s;
    const Rows some = on.scan(part);
    REQUIRE(some.size() == 3);
    CHECK(some[2].first == "a\0\0"s);
    on.write("a\0"s, {erase_family()});
    CHECK(on.get("a\0"s).empty());
    CHECK(on.get("a").size() == sorted.size());
    CHECK(on.get("a\0\0"s).size() == sorted.size());
}

void scans_in_pages(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::vector<RowMutation> rows;
    for (int i = 0; i < 100; ++i) {
        rows.push_back(on.row(fmt::format("row{:03}", i),
                              {put("a", std::to_string(i)), put("b", "x"), put("c", "y")}));
        if (i % 10 == 0) rows.back().cells.push_back(put("rare", "r"));
        rows.push_back(on.row(fmt::format("edge{:03}", i), {put("a", "e", 'e')}));
    }
    on.commit(rows);
    for (const std::size_t page : {1U, 7U, 100U, 1000U}) {
        const Rows all = on.scan(on.spec(), page);
        REQUIRE(all.size() == 100);
        CHECK(all[42].first == "row042");
        CHECK(all[42].second == Cells{{"a", "42"}, {"b", "x"}, {"c", "y"}});
    }
    ScanSpec some = on.spec();
    some.from_row = "row010";
    some.to_row = "row020";
    CHECK(on.scan(some).size() == 10);
    some.rows_max = 4;
    const Rows four = on.scan(some, 3);
    REQUIRE(four.size() == 4);
    CHECK(four[3].first == "row013");

    ScanSpec rare = on.spec();
    rare.columns = {"rare"};
    const Rows found = on.scan(rare, 4);
    REQUIRE(found.size() == 10);
    CHECK(found[1] == std::pair<std::string, Cells>{"row010", {{"rare", "r"}}});

    ScanSpec range = on.spec();
    range.ranges = {{.from = "b", .to = "d", .cells_max = 1}, {.from = "r", .to = ""}};
    range.to_row = "row002";
    const Rows ranged = on.scan(range);
    REQUIRE(ranged.size() == 2);
    CHECK(ranged[0].second == Cells{{"b", "x"}, {"rare", "r"}});
    CHECK(ranged[1].second == Cells{{"b", "x"}});
    range.columns = {"a"};
    CHECK(on.scan(range)[0].second == Cells{{"a", "0"}, {"b", "x"}, {"rare", "r"}});
    range.columns.clear();
    range.ranges = {{.from = "a", .to = "d", .cells_max = 2, .reversed = true}};
    CHECK(on.scan(range)[0].second == Cells{{"b", "x"}, {"c", "y"}});

    ScanSpec keys = on.spec();
    keys.keys_only = true;
    const Rows only_keys = on.scan(keys, 30);
    REQUIRE(only_keys.size() == 100);
    CHECK(only_keys[99].first == "row099");
    REQUIRE(only_keys[99].second.size() == 1);
    CHECK(only_keys[99].second[0].second.empty());

    ScanSpec none = on.spec();
    none.from_row = "zzz";
    CHECK(on.scan(none).empty());
}

void wide_rows(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::vector<CellMutation> cells;
    for (int i = 0; i < 30'000; ++i) {
        cells.push_back(put(fmt::format("q{:06}", i), "12345678", 'e'));
        if (cells.size() == 10'000) {
            on.write("wide", cells);
            cells.clear();
        }
    }
    on.write("narrow", {put("q", "v", 'e')});
    const auto rows = on.get({{"narrow", {}, {}}, {"wide", {}, {}}, {"narrow", {}, {}}}, 'e');
    REQUIRE(rows[1].size() == 30'000);
    CHECK(rows[1][29'999].first == "q029999");
    CHECK(rows[0].size() == 1);
    CHECK(rows[2].size() == 1);
    CHECK(on.range("wide", {.from = "q020000", .to = "", .cells_max = 3}, 'e')[2].first ==
          "q020002");
    CHECK(on.range("wide", {.from = "q000001", .to = "q025001"}, 'e').size() == 25'000);
    CHECK(
        on.range("wide", {.from = "", .to = "", .cells_max = 2, .reversed = true}, 'e')[0].first ==
        "q029998");
    ScanSpec all = on.spec();
    all.family = 'e';
    const Rows scanned = on.scan(all, 10);
    REQUIRE(scanned.size() == 2);
    CHECK(scanned[1].second == rows[1]);
    on.write("wide", {erase_family('e'), put("after", "1", 'e')});
    CHECK(on.get("wide", 'e') == Cells{{"after", "1"}});
}

void big_batches(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::vector<RowMutation> rows;
    std::vector<RowGet> gets;
    for (int i = 0; i < 5'000; ++i) {
        rows.push_back(on.row(fmt::format("{:05}", (i * 7919) % 5'000), {}));
        for (int c = 0; c < 5; ++c) {
            rows.back().cells.push_back(
                put(fmt::format("c{}", c), fmt::format("{}-{}", rows.back().row, c)));
        }
        gets.push_back({fmt::format("{:05}", (i * 4973) % 5'003), {}, {}});
    }
    on.commit(rows);
    on.stats = {};
    const auto got = on.get(gets);
    for (std::size_t i = 0; i < gets.size(); ++i) {
        if (gets[i].row >= "05000") {
            REQUIRE(got[i].empty());
        } else {
            REQUIRE(got[i].size() == 5);
            REQUIRE(got[i][4].second == gets[i].row + "-4");
        }
    }
    CHECK(on.stats.multi_gets == 1);
    CHECK(on.stats.rows == 5'000);
    CHECK(on.stats.rpcs >= 1);
    std::size_t cells = 0;
    for (const auto& row : got) {
        cells += row.size();
    }
    CHECK(on.stats.cells == cells);
    for (auto& get : gets) {
        get.columns = {"c1", "c3", "c9"};
    }
    CHECK(on.get(gets)[0] == Cells{{"c1", gets[0].row + "-1"}, {"c3", gets[0].row + "-3"}});
}

void check_and_mutate(RowStore& store, const std::string& table) {
    Steps on(store, table);
    const auto attempt = [&](std::string_view expected, std::string value) {
        const auto done = store.check_and_mutate(
            on.row("r", {put("code", std::move(value)), put("side", "s", 'e')}), 'p', "code",
            expected, {});
        require_ok(done);
        return *done;
    };
    CHECK_FALSE(attempt("x", "1"));
    CHECK(on.get("r").empty());
    CHECK(attempt("", "1"));
    CHECK_FALSE(attempt("", "2"));
    CHECK(on.get("r") == Cells{{"code", "1"}});
    CHECK(on.get("r", 'e') == Cells{{"side", "s"}});
    CHECK(attempt("1", "2"));
    const auto erased = store.check_and_mutate(on.row("r", {erase("code"), put("kept", "k")}), 'p',
                                               "code", "2", {});
    require_ok(erased);
    CHECK(*erased);
    CHECK(on.get("r") == Cells{{"kept", "k"}});
    CHECK(attempt("", "3"));
    CHECK(on.get("r") == Cells{{"code", "3"}, {"kept", "k"}});
}

void one_of_many_wins_a_check(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::atomic<int> winners = 0;
    std::atomic<int> failures = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 20; ++i) {
                    const auto won = store.check_and_mutate(
                        on.row(fmt::format("r{}", i), {put("code", std::to_string(t))}), 'p',
                        "code", "", {});
                    if (!won.ok()) {
                        ++failures;
                    } else if (*won) {
                        ++winners;
                    }
                }
            });
        }
    }
    CHECK(failures == 0);
    CHECK(winners == 20);
}

void increments(RowStore& store, const std::string& table) {
    Steps on(store, table);
    const auto add = [&](std::int64_t amount) {
        const auto value = store.increment(table, "r", 'p', "n", amount, {});
        require_ok(value);
        return *value;
    };
    CHECK(add(5) == 5);
    CHECK(add(-7) == -2);
    CHECK(add(0) == -2);
    CHECK(ByteReader(on.get("r")[0].second).i64() == -2);
    on.write("r", {erase("n")});
    CHECK(add(10) == 10);
    CHECK(add(1) == 11);
    on.write("r", {put("bad", "abc")});
    require_code(store.increment(table, "r", 'p', "bad", 1, {}), Code::kInvalidArgument);
    std::atomic<int> failures = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 25; ++i) {
                    if (!store.increment(table, "shared", 'p', "n", 2, {}).ok()) ++failures;
                }
            });
        }
    }
    CHECK(failures == 0);
    const auto total = store.increment(table, "shared", 'p', "n", 0, {});
    require_ok(total);
    CHECK(*total == 200);
}

void no_torn_rows(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::atomic<bool> is_done = false;
    std::atomic<int> failures = 0;
    on.write("r", {put("a", "0"), put("b", "0")});
    int torn = 0;
    {
        std::jthread writer([&] {
            CallStats stats;
            for (int i = 1; i <= 200; ++i) {
                const std::vector<RowMutation> rows{
                    on.row("r", {put("a", std::to_string(i)), put("b", std::to_string(i))})};
                if (!store.commit(rows, {}, {}, stats).ok()) ++failures;
            }
            is_done = true;
        });
        while (!is_done) {
            const Cells cells = on.get("r");
            if (cells.size() != 2 || cells[0].second != cells[1].second) ++torn;
        }
    }
    CHECK(torn == 0);
    CHECK(failures == 0);
    CHECK(on.get("r") == Cells{{"a", "200"}, {"b", "200"}});
}

void deadlines_and_cancellation(RowStore& store, const std::string& table) {
    Steps on(store, table);
    on.write("r", {put("a", "1")});
    CallStats stats;
    RowBatch out;
    const std::vector<RowGet> gets{{"r", {}, {}}};
    const std::vector<RowMutation> rows{on.row("r", {put("a", "2")})};
    CallContext late;
    late.deadline = std::chrono::steady_clock::now() - std::chrono::milliseconds(1);
    std::stop_source stop;
    stop.request_stop();
    CallContext stopped;
    stopped.stop = stop.get_token();
    for (const auto& [call, code] :
         {std::pair{late, Code::kTimeout}, std::pair{stopped, Code::kCancelled}}) {
        require_code(store.multi_get(table, 'p', gets, nullptr, call, stats, out), code);
        require_code(store.scan(on.spec(), nullptr, call, stats), code);
        require_code(store.commit(rows, {}, call, stats), code);
        require_code(store.check_and_mutate(rows[0], 'p', "a", "1", call), code);
        require_code(store.increment(table, "n", 'p', "n", 1, call), code);
        require_code(store.ping(call), code);
    }
    CHECK(on.get("r") == Cells{{"a", "1"}});
    CHECK(on.get("n").empty());

    std::stop_source later;
    CallContext open;
    open.stop = later.get_token();
    auto scanner = store.scan(on.spec(), nullptr, open, stats);
    require_ok(scanner);
    later.request_stop();
    require_code((*scanner)->next(10, out), Code::kCancelled);
    require_ok(store.ping({}));
}

void bad_arguments(RowStore& store, const std::string& table) {
    Steps on(store, table);
    CallStats stats;
    RowBatch out;
    const std::string long_row(16 * 1024 + 1, 'r');
    require_code(on.try_commit({on.row("", {put("a", "1")})}), Code::kInvalidArgument);
    require_code(on.try_commit({on.row(long_row, {put("a", "1")})}), Code::kInvalidArgument);
    require_code(on.try_commit({on.row("r", {put("a", std::string(10 << 20, 'v'))})}),
                 Code::kInvalidArgument);
    const std::vector<RowGet> bad{{"", {}, {}}};
    require_code(store.multi_get(table, 'p', bad, nullptr, {}, stats, out), Code::kInvalidArgument);
    // One bad row leaves the others of its commit unwritten, too.
    require_code(on.try_commit({on.row("good", {put("a", "1")}), on.row("", {put("a", "1")})}),
                 Code::kInvalidArgument);
    CHECK(on.get("good").empty());
    require_code(store.create_table({"bad/name", "p", false}, {}), Code::kInvalidArgument);
    require_code(store.create_table({"x", "pp", false}, {}), Code::kInvalidArgument);
    require_code(store.create_table({"x", "", false}, {}), Code::kInvalidArgument);
    const std::string widest_row(16 * 1024, 'r');
    on.write(widest_row, {put("a", "1")});
    CHECK(on.get(widest_row) == Cells{{"a", "1"}});
    on.write("big", {put("a", std::string(3 << 20, 'v'))});
    CHECK(on.get("big")[0].second.size() == 3 << 20);
}

void missing_tables(RowStore& store, const std::string& table) {
    const std::string missing = table + "_missing";
    CallStats stats;
    RowBatch out;
    const std::vector<RowGet> gets{{"r", {}, {}}};
    require_code(store.multi_get(missing, 'p', gets, nullptr, {}, stats, out), Code::kNotFound);
    require_code(store.multi_get(table, 'x', gets, nullptr, {}, stats, out), Code::kNotFound);
    const std::vector<RowMutation> rows{{missing, "r", {put("a", "1")}}};
    require_code(store.commit(rows, {}, {}, stats), Code::kNotFound);
    const std::vector<RowMutation> family{{table, "r", {put("a", "1", 'x')}}};
    require_code(store.commit(family, {}, {}, stats), Code::kNotFound);
    require_code(store.increment(missing, "r", 'p', "n", 1, {}), Code::kNotFound);
    const auto exists = store.table_exists(missing, {});
    require_ok(exists);
    CHECK_FALSE(*exists);
}

void tables_come_and_go(RowStore& store, const std::string& table) {
    const TableSpec spec{table + "_two", "p", true};
    require_ok(store.create_table(spec, {}));
    require_ok(store.create_table(spec, {}));
    auto exists = store.table_exists(spec.name, {});
    require_ok(exists);
    CHECK(*exists);
    Steps on(store, spec.name);
    on.commit({on.row("\0a"s, {put("q", "v")}), on.row("\xff"s, {put("q", "v")}),
               on.row("\x7f"s, {put("q", "v")})});
    CHECK(on.scan(on.spec(), 2).size() == 3);
    require_ok(store.drop_table(spec.name, {}));
    require_ok(store.drop_table(spec.name, {}));
    exists = store.table_exists(spec.name, {});
    require_ok(exists);
    CHECK_FALSE(*exists);
    require_ok(store.create_table(spec, {}));
    CHECK(on.scan(on.spec(), 2).empty());
    require_ok(store.drop_table(spec.name, {}));
}

void a_random_history_reads_back(RowStore& store, const std::string& table) {
    Steps on(store, table);
    std::mt19937 random(20'261'130);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::map<std::string, std::map<std::string, std::string>> model;
    for (int round = 0; round < 60; ++round) {
        std::vector<RowMutation> rows;
        for (int r = 0; r <= pick(4); ++r) {
            rows.push_back(on.row(fmt::format("r{}", pick(8)), {}));
            for (int c = 0; c <= pick(6); ++c) {
                const std::string qualifier(1, static_cast<char>('a' + pick(6)));
                const int what = pick(10);
                auto& cells = model[rows.back().row];
                if (what == 0) {
                    rows.back().cells.push_back(erase_family());
                    cells.clear();
                } else if (what < 4) {
                    rows.back().cells.push_back(erase(qualifier));
                    cells.erase(qualifier);
                } else {
                    rows.back().cells.push_back(put(qualifier, std::to_string(round)));
                    cells[qualifier] = std::to_string(round);
                }
            }
        }
        on.commit(rows);
        for (const auto& [row, cells] : model) {
            INFO("round " << round << ", row " << row);
            REQUIRE(on.get(row) == Cells(cells.begin(), cells.end()));
        }
    }
}

constexpr ContractCase kContract[] = {
    {"cells come sorted", cells_come_sorted},
    {"rows come in the order asked", rows_come_in_the_order_asked},
    {"one batch reads several families", one_batch_reads_several_families},
    {"ranges and columns", ranges_and_columns},
    {"ranges must be sorted", ranges_must_be_sorted},
    {"deletes", deletes},
    {"later changes of a cell win", later_changes_of_a_cell_win},
    {"binary keys", binary_keys},
    {"scans in pages", scans_in_pages},
    {"wide rows", wide_rows},
    {"big batches", big_batches},
    {"check and mutate", check_and_mutate},
    {"one of many wins a check", one_of_many_wins_a_check},
    {"increments", increments},
    {"no torn rows", no_torn_rows},
    {"deadlines and cancellation", deadlines_and_cancellation},
    {"bad arguments", bad_arguments},
    {"missing tables", missing_tables},
    {"tables come and go", tables_come_and_go},
    {"a random history reads back", a_random_history_reads_back},
};

}  // namespace

std::span<const ContractCase> contract_cases() {
    return kContract;
}

}  // namespace hob::store::testing
