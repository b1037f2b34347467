#pragma once
#include <span>
#include <string>
#include <string_view>

#include "storage/store/row_store.h"

namespace hob::store::testing {

/// One promise of row_store.h, checked with Catch2 on an empty table of families "pe" named
/// `table`.
struct ContractCase {
    std::string_view name;
    void (*run)(RowStore& store, const std::string& table);
};

/// What every store must pass, whatever it stands on.
std::span<const ContractCase> contract_cases();
/// What the stores with snapshots (memory, RocksDB) must pass besides.
std::span<const ContractCase> snapshot_cases();

}  // namespace hob::store::testing
