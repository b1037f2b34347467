#pragma once
#include <memory>
#include <span>

#include "gremlin/io/graph_reader.h"
#include "server/cli/commands.h"
#include "storage/base/error.h"

namespace hob::server::cli {

/// Where records go. Used by one thread at a time.
class LoadTarget {
  public:
    virtual ~LoadTarget() = default;
    /// Writes records of one kind in one transaction: all or, with an error, none. Errors:
    /// kConflict (may be tried again), kUnavailable (the server or store is gone: no use going on),
    /// anything else (one of the records is bad).
    virtual Status write(std::span<const gremlin::GraphRecord> records) = 0;
    /// Records that one transaction should have.
    [[nodiscard]] virtual std::size_t batch_size() const = 0;
};

/// Straight into the configured store, which no server may have open. Errors: as the store's.
Result<std::unique_ptr<LoadTarget>> open_store_target(const LoadOptions& options);
/// Through a running server.
Result<std::unique_ptr<LoadTarget>> open_server_target(const LoadOptions& options);

}  // namespace hob::server::cli
