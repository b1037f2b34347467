#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/store/row_store.h"

namespace hob::store {

struct HBaseOptions {
    /// Thrift2 gateways (threadpool, buffered, binary) as "host:port"; any may serve any call.
    std::vector<std::string> gateways{};
    /// In all; more than 2 for each core of the gateways only lengthens their queues.
    std::size_t connections = 4;
    int connect_timeout_ms = 3'000;
    /// Of one Thrift call; a query's own deadline cuts it shorter.
    int call_timeout_ms = 15'000;
    /// HBase namespace of all tables; made when missing. Empty = default.
    std::string table_namespace{};
    std::string table_prefix{};      ///< Put before every table's name.
    std::size_t splits = 16;         ///< Regions that a salted table starts with.
    std::size_t chunk_rows = 1'000;  ///< Most rows in one Thrift call.
    /// Cells that one call should bring; a wider row is read on in pages.
    std::size_t cells_per_call = 20'000;
};

/// HBase through its Thrift2 gateway. Reads see the newest cells: snapshot() is null. A commit is
/// not atomic over rows: rows of one table that follow one another are sent together, in any order,
/// after what came before them and before what comes after; the mutations of one row in one commit
/// are merged into its first. Every cell carries an explicit timestamp, so that a repeated call
/// changes nothing: reads and commits are tried a second time on a fresh connection. Errors of
/// opening: kUnavailable (no gateway answers), kInvalidArgument (bad address; not a Thrift2
/// gateway).
Result<std::unique_ptr<RowStore>> open_hbase_store(const HBaseOptions& options);

}  // namespace hob::store
