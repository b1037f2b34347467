#include <catch2/catch.hpp>

#include "storage/store/memory/memory_store.h"
#include "tests/storage/store/rocksdb_folder.h"
#include "tests/storage/store/store_contract.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {
namespace {

void run_all(RowStore& store) {
    for (const auto cases : {contract_cases(), snapshot_cases()}) {
        for (const auto& each : cases) {
            DYNAMIC_SECTION(each.name) {
                require_ok(store.create_table({"t", "pe", false}, {}));
                each.run(store, "t");
            }
        }
    }
}

}  // namespace

TEST_CASE("the memory store keeps the contract", "[memory]") {
    const auto store = make_memory_store();
    CHECK(store->kind() == "memory");
    run_all(*store);
}

TEST_CASE("the RocksDB store keeps the contract", "[rocksdb]") {
    const RocksDbFolder folder;
    const auto store = folder.open();
    CHECK(store->kind() == "rocksdb");
    run_all(*store);
}

TEST_CASE("the RocksDB store keeps the contract with a row cache", "[rocksdb]") {
    const RocksDbFolder folder;
    const auto store = folder.open(std::size_t{4} << 20);
    run_all(*store);
}

}  // namespace hob::store::testing
