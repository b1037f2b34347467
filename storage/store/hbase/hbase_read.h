#pragma once
#include <memory>
#include <span>

#include "storage/store/hbase/hbase_core.h"

namespace hob::store {

/// RowStore::multi_get: getMultiple calls of bounded size, side by side over the pool; rows with
/// more cells than one call may bring are read on from their last qualifier. The caller has checked
/// table, family and rows.
Status hbase_multi_get(HBaseCore& core, std::string_view table, char family,
                       std::span<const RowGet> rows, const CallContext& call, CallStats& stats,
                       RowBatch& out);

/// RowStore::scan: every page is one call that starts after the last row, so that nothing is kept
/// in a gateway between pages (its scanners end after 60 s, and with it).
std::unique_ptr<Scanner> hbase_scan(std::shared_ptr<HBaseCore> core, const ScanSpec& spec,
                                    const CallContext& call, CallStats& stats);

/// One cell as it is now, and its timestamp (which the store's clock has seen); empty and 0 when
/// absent.
struct NewestCell {
    std::string value;
    std::int64_t timestamp_us = 0;
};
Result<NewestCell> hbase_read_cell(HBaseCore& core, std::string_view table, std::string_view row,
                                   char family, std::string_view qualifier,
                                   const CallContext& call);

}  // namespace hob::store
