#pragma once
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>

#include "storage/store/hbase/hbase_pool.h"
#include "storage/store/hbase/hybrid_clock.h"
#include "storage/store/hbase/worker_pool.h"

namespace hob::store {

/// What the store, its reads and its scanners share. Thread-safe.
class HBaseCore {
  public:
    HBaseCore(const HBaseOptions& options, std::vector<Gateway> gateways);

    const HBaseOptions options;
    HBasePool pool;
    WorkerPool workers;
    HybridClock clock;

    /// The name by which data calls know the table: "namespace:prefix+name".
    [[nodiscard]] std::string data_name(std::string_view table) const;

    /// kNotFound when HBase has no such table, or the table no such family; asked once, then
    /// remembered: HBase itself answers such mistakes with a "kind of" retry of minutes, or with no
    /// reason at all.
    Status check_family(std::string_view table, char family, const CallContext& call);
    /// After a call on the table failed: whether the table is gone after all.
    Error explain(Error error, std::string_view table, const CallContext& call);

    Status create_table(const TableSpec& spec, const CallContext& call);
    Status drop_table(std::string_view table, const CallContext& call);
    Result<bool> table_exists(std::string_view table, const CallContext& call);
    Status create_namespace(const CallContext& call);

    /// Cells that a row of the family had on average, lately.
    [[nodiscard]] std::size_t expected_cells(char family) const;
    void learn_cells(char family, std::size_t rows, std::size_t cells);

  private:
    /// The families of the table's descriptor; kNotFound when there is no such table.
    Result<std::string> read_families(std::string_view table, const CallContext& call);
    void forget(std::string_view table);

    std::shared_mutex tables_mutex_;
    std::map<std::string, std::string, std::less<>>
        families_;  ///< By table; guarded by `tables_mutex_`.
    std::array<std::atomic<std::uint32_t>, 128> cells_per_row_;
};

}  // namespace hob::store
