#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "storage/store/rocksdb/rocksdb_core.h"

namespace hob::store {

/// The column families that a multi-get reads, by letter; the first is the call's own.
using RocksFamilies = std::vector<std::pair<char, std::shared_ptr<RocksFamily>>>;

/// RowStore::multi_get: in each column family rows in key order, one iterator for ranges, one
/// MultiGet for exact columns; `out` in the order of the request.
Status rocks_multi_get(const RocksCore& core, const RocksFamilies& families,
                       std::span<const RowGet> rows, const rocksdb::Snapshot* snapshot,
                       const CallContext& call, CallStats& stats, RowBatch& out);

/// RowStore::scan on one column family; keeps one consistent view from the first page to the last.
std::unique_ptr<Scanner> rocks_scan(std::shared_ptr<RocksCore> core,
                                    std::shared_ptr<RocksFamily> family, const ScanSpec& spec,
                                    std::shared_ptr<const Snapshot> snapshot,
                                    const CallContext& call, CallStats& stats);

}  // namespace hob::store
