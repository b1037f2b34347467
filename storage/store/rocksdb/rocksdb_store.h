#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "storage/store/row_store.h"

namespace hob::store {

struct RocksDbOptions {
    std::string path{};               ///< A folder; made when missing.
    std::size_t row_cache_bytes = 0;  ///< Of rows as they were read (RowCache); 0 = none.
    std::size_t cache_bytes = std::size_t{64}
                              << 20;  ///< Of uncompressed blocks, shared by all tables.
    std::size_t write_buffer_bytes = std::size_t{32}
                                     << 20;  ///< Per table and family; flushed when full.
    std::size_t write_buffers_bytes = std::size_t{128} << 20;  ///< Of all families together.
    std::size_t log_bytes_max = std::size_t{256}
                                << 20;  ///< Write-ahead log before families are flushed.
    int background_jobs = 2;            ///< Threads that flush and compact.
    bool create_if_missing = true;
    bool sync = false;  ///< Every commit waits for the disk, whatever its own options say.
};

/// The embedded store. One RocksDB column family for each table and family; every commit is one
/// write batch. Snapshots are RocksDB's; conflicts are found per cell against what this process
/// (the only one that can have the store open) wrote since the snapshot. Data not synced survives a
/// crash of the process, but not of the machine. Errors of opening: kUnavailable (locked by another
/// process; not writable), kCorrupt, kNotFound (missing and not to be created), kInvalidArgument (a
/// RocksDB that is not hobgoblin's).
Result<std::unique_ptr<RowStore>> open_rocksdb_store(const RocksDbOptions& options);

}  // namespace hob::store
