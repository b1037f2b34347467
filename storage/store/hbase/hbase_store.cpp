#include "storage/store/hbase/hbase_store.h"

#include <thrift/TOutput.h>

#include <chrono>
#include <thread>

#include "storage/store/hbase/hbase_core.h"
#include "storage/store/hbase/hbase_read.h"
#include "storage/store/hbase/hbase_wire.h"
#include "storage/store/hbase/hbase_write.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

/// An increment that lost this often against others gives up.
constexpr int kIncrementAttempts = 200;

class HBaseStore final : public RowStore {
  public:
    explicit HBaseStore(std::shared_ptr<HBaseCore> core) : core_(std::move(core)) {}

    [[nodiscard]] std::string_view kind() const override { return "hbase"; }

    Status create_table(const TableSpec& spec, const CallContext& call) override {
        HOB_TRY(call.check());
        HOB_TRY(check_table(spec));
        return core_->create_table(spec, call);
    }
    Status drop_table(std::string_view table, const CallContext& call) override {
        HOB_TRY(call.check());
        return core_->drop_table(table, call);
    }
    Result<bool> table_exists(std::string_view table, const CallContext& call) override {
        HOB_TRY(call.check());
        return core_->table_exists(table, call);
    }

    std::shared_ptr<const Snapshot> snapshot() override { return nullptr; }

    Status multi_get(std::string_view table, char family, std::span<const RowGet> rows,
                     const Snapshot* /*snapshot*/, const CallContext& call, CallStats& stats,
                     RowBatch& out) override {
        out.clear();
        HOB_TRY(check_gets(table, rows));
        HOB_TRY(call.check());
        HOB_TRY(core_->check_family(table, family, call));
        for (const RowGet& get : rows) {
            if (get.family_or(family) != family)
                HOB_TRY(core_->check_family(table, get.family, call));
        }
        ++stats.multi_gets;
        stats.rows += rows.size();
        Status read = hbase_multi_get(*core_, table, family, rows, call, stats, out);
        if (!read.ok()) return core_->explain(std::move(read.error()), table, call);
        return {};
    }

    Result<std::unique_ptr<Scanner>> scan(const ScanSpec& spec,
                                          std::shared_ptr<const Snapshot> /*snapshot*/,
                                          const CallContext& call, CallStats& stats) override {
        HOB_TRY(call.check());
        HOB_TRY(check_selection(spec.table, spec.ranges, spec.columns));
        HOB_TRY(core_->check_family(spec.table, spec.family, call));
        ++stats.scans;
        return hbase_scan(core_, spec, call, stats);
    }

    Status commit(std::span<const RowMutation> mutations, const CommitOptions& options,
                  const CallContext& call, CallStats& stats) override {
        HOB_TRY(check_mutations(mutations));
        HOB_TRY(call.check());
        if (options.timestamp_us < 0) {
            return Error::invalid(
                "a commit's timestamp is {} us, expected 0 (the store's clock) or more",
                options.timestamp_us);
        }
        HOB_TRY(check_families(mutations, call));
        const std::int64_t timestamp_us =
            options.timestamp_us != 0 ? options.timestamp_us : core_->clock.next();
        core_->clock.observe(timestamp_us);
        ++stats.commits;
        return hbase_commit(*core_, mutations, timestamp_us, call, stats);
    }

    Result<bool> check_and_mutate(const RowMutation& mutation, char family,
                                  std::string_view qualifier, std::string_view expected,
                                  const CallContext& call) override {
        HOB_TRY(check_mutations({&mutation, 1}));
        HOB_TRY(call.check());
        HOB_TRY(core_->check_family(mutation.table, family, call));
        HOB_TRY(check_families({&mutation, 1}, call));
        if (!expected.empty() || mutation.cells.empty()) {
            // Shows the clock how late the cell was written, so that what replaces it is later, and
            // answers a mutation without cells, which HBase refuses.
            HOB_ASSIGN_OR_RETURN(
                const NewestCell cell,
                hbase_read_cell(*core_, mutation.table, mutation.row, family, qualifier, call));
            if (cell.value != expected) return false;
            if (mutation.cells.empty()) return true;
        }
        return hbase_check_and_mutate(*core_, mutation, family, qualifier, expected,
                                      core_->clock.next(), call);
    }

    /// By check-and-mutate: HBase's own increment writes milliseconds of the server's clock, which
    /// a delete of ours, in microseconds, would hide for ever.
    Result<std::int64_t> increment(std::string_view table, std::string_view row, char family,
                                   std::string_view qualifier, std::int64_t amount,
                                   const CallContext& call) override {
        HOB_TRY(check_row(table, row));
        HOB_TRY(call.check());
        HOB_TRY(core_->check_family(table, family, call));
        RowMutation mutation{std::string(table), std::string(row), {}};
        mutation.cells.push_back({CellMutation::Kind::kPut, family, std::string(qualifier), {}});
        for (int attempt = 1; attempt <= kIncrementAttempts; ++attempt) {
            HOB_ASSIGN_OR_RETURN(const NewestCell cell,
                                 hbase_read_cell(*core_, table, row, family, qualifier, call));
            HOB_ASSIGN_OR_RETURN(const std::int64_t sum,
                                 add_to_counter(table, row, cell.value, amount));
            mutation.cells[0].value = counter_bytes(sum);
            HOB_ASSIGN_OR_RETURN(const bool is_done,
                                 hbase_check_and_mutate(*core_, mutation, family, qualifier,
                                                        cell.value, core_->clock.next(), call));
            if (is_done) return sum;
        }
        return Error::make(
            Code::kConflict,
            "increment of a counter in table '{}' lost {} times against others; retry it", table,
            kIncrementAttempts);
    }

    Status ping(const CallContext& call) override {
        HOB_TRY(call.check());
        std::vector<std::string> names;
        return core_->pool.call("ping", call, HBasePool::Repeat::kOnce,
                                [&](HBaseConnection& on) { on.client().listNamespaces(names); });
    }

  private:
    Status check_families(std::span<const RowMutation> mutations, const CallContext& call) {
        std::string_view table;
        std::string known;  // Of `table`, so that a bulk load looks its table up once.
        for (const auto& mutation : mutations) {
            if (mutation.table != table) {
                table = mutation.table;
                known.clear();
            }
            for (const auto& cell : mutation.cells) {
                if (known.find(cell.family) != std::string::npos) continue;
                HOB_TRY(core_->check_family(table, cell.family, call));
                known += cell.family;
            }
        }
        return {};
    }

    std::shared_ptr<HBaseCore> core_;
};

/// The popular images start the old Thrift 1 gateway; the two interfaces share a port's look, and
/// nothing else.
Status check_gateway(HBaseCore& core) {
    auto type = thrift2::TThriftServerType::TWO;
    Status asked =
        core.pool.call("gateway type", {}, HBasePool::Repeat::kOnce,
                       [&](HBaseConnection& on) { type = on.client().getThriftServerType(); });
    const std::string addresses = fmt::format("{}", fmt::join(core.options.gateways, ", "));
    const bool is_unknown = !asked.ok() && asked.error().code == Code::kInternal;
    if (is_unknown || (asked.ok() && type != thrift2::TThriftServerType::TWO)) {
        return Error::invalid(
            "the HBase gateway at {} is a Thrift 1 gateway, hobgoblin speaks Thrift 2: start "
            "`hbase thrift2 start` instead "
            "of `hbase thrift start`",
            addresses);
    }
    if (!asked.ok() && asked.error().message.find("No more data") != std::string::npos) {
        return Error::make(
            Code::kUnavailable,
            "what listens at {} closed the connection: is it an HBase Thrift2 gateway, with the "
            "threadpool "
            "server, buffered transport and binary protocol (no -f, -c, -hsha, -nonblocking)? {}",
            addresses, asked.error().message);
    }
    return asked;
}

}  // namespace

Result<std::unique_ptr<RowStore>> open_hbase_store(const HBaseOptions& options) {
    HOB_ASSIGN_OR_RETURN(auto gateways, parse_gateways(options.gateways));
    // Thrift prints what it throws; the errors say it already.
    apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
    auto core = std::make_shared<HBaseCore>(options, std::move(gateways));
    HOB_TRY(check_gateway(*core));
    HOB_TRY(core->create_namespace({}));
    return std::unique_ptr<RowStore>(std::make_unique<HBaseStore>(std::move(core)));
}

}  // namespace hob::store
