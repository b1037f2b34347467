#include <catch2/catch.hpp>

#include <atomic>
#include <set>

#include "storage/base/bytes.h"
#include "storage/store/hbase/hbase_filter.h"
#include "storage/store/hbase/hbase_store.h"
#include "storage/store/hbase/hybrid_clock.h"
#include "storage/store/hbase/worker_pool.h"
#include "tests/storage/store/scripted_gateway.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {

using namespace std::string_literals;

TEST_CASE("filters in HBase's protobuf form, byte by byte", "[hbase-parts]") {
    const std::string prefix = "org.apache.hadoop.hbase.filter.";
    const std::string range_name = prefix + "ColumnRangeFilter";
    REQUIRE(range_name.size() == 48);
    CHECK(column_range_filter("a'\0"s, "b") == "\x0a\x30" + range_name + "\x12\x0c" + "\x0a\x03" +
                                                   "a'\0"s + "\x10\x01" + "\x1a\x01" + "b" +
                                                   "\x20\0"s);
    CHECK(column_range_filter("", "") ==
          "\x0a\x30" + range_name + "\x12\x04" + "\x10\x01" + "\x20\0"s);
    CHECK(column_filter("q") == "\x0a\x30" + range_name + "\x12\x0a" + "\x0a\x01" + "q" +
                                    "\x10\x01" + "\x1a\x01" + "q" + "\x20\x01");
    CHECK(first_key_only_filter() ==
          "\x0a\x31" + prefix + "FirstKeyOnlyFilter" + "\x12\0"s.substr(0, 1) + "\0"s);
    const std::string key_only = "\x0a\x2c" + prefix + "KeyOnlyFilter" + "\x12\x02\x08\0"s;
    CHECK(key_only_filter() == key_only);
    CHECK(all_of({key_only}) == key_only);
    std::string body = "\x08\x02";
    for (int i = 0; i < 2; ++i) {
        body += "\x12";
        ByteWriter(body).varint(key_only.size());
        body += key_only;
    }
    std::string list = "\x0a\x29" + prefix + "FilterList" + "\x12";
    ByteWriter(list).varint(body.size());
    CHECK(any_of({key_only, key_only}) == list + body);
}

TEST_CASE("the hybrid clock never repeats and never falls behind", "[hbase-parts]") {
    HybridClock clock;
    std::set<std::int64_t> seen;
    std::mutex mutex;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                std::int64_t last = 0;
                std::set<std::int64_t> mine;
                for (int i = 0; i < 2'000; ++i) {
                    const std::int64_t next = clock.next();
                    if (next >= last + 2) mine.insert(next);
                    last = next;
                }
                const std::lock_guard lock(mutex);
                seen.merge(mine);
            });
        }
    }
    CHECK(seen.size() == 8'000);
    for (const std::int64_t each : seen) {
        REQUIRE_FALSE(seen.contains(each - 1));
    }
    const std::int64_t future = *seen.rbegin() + 1'000'000'000;
    clock.observe(future);
    clock.observe(5);
    CHECK(clock.next() == future + 2);
}

TEST_CASE("the worker pool runs each task once and stops at the first error", "[hbase-parts]") {
    WorkerPool pool(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::atomic<int>> runs(17);
        require_ok(pool.run(runs.size(), [&](std::size_t index) -> Status {
            ++runs[index];
            return {};
        }));
        for (const auto& each : runs) {
            REQUIRE(each == 1);
        }
    }
    std::atomic<int> begun = 0;
    const Status failed = pool.run(1'000, [&](std::size_t index) -> Status {
        ++begun;
        if (index == 3) return Error::invalid("task {}", index);
        return {};
    });
    require_code(failed, Code::kInvalidArgument);
    CHECK(failed.error().message == "task 3");
    CHECK(begun <= 1'000);
    require_ok(pool.run(0, [](std::size_t) -> Status { return Error::internal("never called"); }));
}

TEST_CASE("gateway addresses are checked", "[hbase-parts]") {
    for (const std::string address :
         {"", "localhost", "localhost:", ":9090", "h:0", "h:65536", "h:90x", "h:-1"}) {
        INFO(address);
        const auto store = open_hbase_store({.gateways = {address}});
        require_code(store, Code::kInvalidArgument);
        CHECK(store.error().message.find("127.0.0.1:9090") != std::string::npos);
    }
    require_code(open_hbase_store({}), Code::kInvalidArgument);
}

TEST_CASE("no gateway, or none that answers", "[hbase-parts]") {
    const auto nobody = open_hbase_store({.gateways = {ScriptedGateway::closed_address()}});
    require_code(nobody, Code::kUnavailable);
    CHECK(nobody.error().message.find("no HBase Thrift2 gateway answers") != std::string::npos);
    CHECK(nobody.error().message.find("hbase thrift2 start") != std::string::npos);
    const ScriptedGateway silent("");
    const auto hangs = open_hbase_store({.gateways = {silent.address()}, .call_timeout_ms = 200});
    require_code(hangs, Code::kTimeout);
    CHECK(hangs.error().message.find("timed out after 200 ms") != std::string::npos);
    const ScriptedGateway other("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" +
                                std::string(64, ' '));
    require_code(open_hbase_store({.gateways = {other.address()}, .call_timeout_ms = 500}),
                 Code::kUnavailable);
}

TEST_CASE("a Thrift 1 gateway is called by its name", "[hbase-parts]") {
    for (const std::string& reply :
         {ScriptedGateway::type_reply(1), ScriptedGateway::unknown_method_reply()}) {
        const ScriptedGateway old(reply);
        const auto store = open_hbase_store({.gateways = {old.address()}});
        require_code(store, Code::kInvalidArgument);
        CHECK(store.error().message.find("Thrift 1 gateway") != std::string::npos);
        CHECK(store.error().message.find("hbase thrift2 start") != std::string::npos);
    }
}

TEST_CASE("a call that hangs ends with its deadline, and its connection with it", "[hbase-parts]") {
    const ScriptedGateway gateway(ScriptedGateway::type_reply(2));
    auto store = open_hbase_store(
        {.gateways = {ScriptedGateway::closed_address(), gateway.address()}, .connections = 1});
    require_ok(store);
    CHECK(gateway.connections() == 1);
    CallContext call;
    call.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    const auto began = std::chrono::steady_clock::now();
    require_code((*store)->ping(call), Code::kTimeout);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
    CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(90));
    // A late answer on the old connection would be taken for this call's: it must come on a new
    // one.
    call.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    static_cast<void>((*store)->ping(call));
    CHECK(gateway.connections() == 2);
}

TEST_CASE("a call that hangs ends when it is cancelled", "[hbase-parts]") {
    const ScriptedGateway gateway(ScriptedGateway::type_reply(2));
    auto store = open_hbase_store({.gateways = {gateway.address()}, .connections = 1});
    require_ok(store);
    std::stop_source stop;
    CallContext call;
    call.stop = stop.get_token();
    const auto began = std::chrono::steady_clock::now();
    const std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    require_code((*store)->ping(call), Code::kCancelled);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
    // With the only connection taken by a hanging call, the next caller waits no longer than its
    // deadline.
    std::stop_source second;
    CallContext holds;
    holds.stop = second.get_token();
    std::jthread holder([&] { static_cast<void>((*store)->ping(holds)); });
    while (gateway.connections() < 2) {
        std::this_thread::yield();
    }
    CallContext soon;
    soon.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    require_code((*store)->ping(soon), Code::kTimeout);
    second.request_stop();
}

}  // namespace hob::store::testing
