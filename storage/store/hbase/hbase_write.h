#pragma once
#include <span>

#include "storage/store/hbase/hbase_core.h"

namespace hob::store {

/// RowStore::commit; the caller has checked tables, families and sizes.
Status hbase_commit(HBaseCore& core, std::span<const RowMutation> mutations,
                    std::int64_t timestamp_us, const CallContext& call, CallStats& stats);

/// One attempt of RowStore::check_and_mutate, as HBase does it, never repeated by itself.
Result<bool> hbase_check_and_mutate(HBaseCore& core, const RowMutation& mutation, char family,
                                    std::string_view qualifier, std::string_view expected,
                                    std::int64_t timestamp_us, const CallContext& call);

}  // namespace hob::store
