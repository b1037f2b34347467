#include "storage/store/rocksdb/rocksdb_store.h"

#include <rocksdb/write_batch.h>

#include <algorithm>
#include <unordered_set>

#include "storage/store/rocksdb/rocksdb_core.h"
#include "storage/store/rocksdb/rocksdb_read.h"
#include "storage/store/rocksdb/row_key.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

/// A family with more cells than this is deleted by one range tombstone; below, each cell by its
/// own, since range tombstones slow every later read of the table until they are compacted away.
constexpr std::size_t kCellDeletesMax = 256;

/// Turns mutations into one write batch, to be written while the caller still holds the commit
/// lock.
class BatchBuilder {
  public:
    explicit BatchBuilder(const RocksCore& core) : core_(core) {}

    /// The caller holds `families_mutex`.
    Status add(std::span<const RowMutation> mutations) {
        deletes_families_ =
            std::any_of(mutations.begin(), mutations.end(), [](const RowMutation& mutation) {
                return std::any_of(mutation.cells.begin(), mutation.cells.end(),
                                   [](const CellMutation& cell) {
                                       return cell.kind == CellMutation::Kind::kDeleteFamily;
                                   });
            });
        for (const auto& mutation : mutations) {
            for (const auto& cell : mutation.cells) {
                HOB_ASSIGN_OR_RETURN(const auto family,
                                     core_.family_locked(mutation.table, cell.family));
                HOB_TRY(add_cell(*family, mutation, cell));
            }
        }
        return {};
    }

    [[nodiscard]] rocksdb::WriteBatch& batch() { return batch_; }

  private:
    Status add_cell(const RocksFamily& family, const RowMutation& mutation,
                    const CellMutation& cell) {
        key_.clear();
        append_row_prefix(key_, mutation.row);
        switch (cell.kind) {
            case CellMutation::Kind::kDeleteFamily:
                return delete_family(family);
            case CellMutation::Kind::kDelete:
                key_.append(cell.qualifier);
                return core_.status(batch_.Delete(family.handle(), key_), "collect a delete");
            case CellMutation::Kind::kPut:
                if (deletes_families_) put_rows_.insert(place(family));
                key_.append(cell.qualifier);
                return core_.status(batch_.Put(family.handle(), key_, cell.value), "collect a put");
        }
        return {};
    }

    /// `key_` is the row's prefix. Cells that this batch put before are covered by the range delete
    /// alone.
    Status delete_family(const RocksFamily& family) {
        std::vector<std::string> keys;
        if (!put_rows_.contains(place(family))) {
            rocksdb::ReadOptions options;
            options.prefix_same_as_start = true;
            const std::unique_ptr<rocksdb::Iterator> at(
                core_.db().NewIterator(options, family.handle()));
            for (at->Seek(key_); at->Valid() && keys.size() <= kCellDeletesMax; at->Next()) {
                if (!view(at->key()).starts_with(key_)) break;
                keys.push_back(at->key().ToString());
            }
            HOB_TRY(core_.status(at->status(), "read a family to delete it"));
            if (keys.size() <= kCellDeletesMax) {
                for (const auto& key : keys) {
                    HOB_TRY(core_.status(batch_.Delete(family.handle(), key), "collect a delete"));
                }
                return {};
            }
        }
        return core_.status(batch_.DeleteRange(family.handle(), key_, after_row(key_)),
                            "collect a range delete");
    }

    /// Which family and row `key_` (still the row's prefix) names.
    [[nodiscard]] std::string place(const RocksFamily& family) const {
        return fmt::format("{}/", family.handle()->GetID()).append(key_);
    }

    const RocksCore& core_;
    rocksdb::WriteBatch batch_;
    std::string key_;
    bool deletes_families_ = false;
    std::unordered_set<std::string>
        put_rows_;  ///< Where this batch put cells; kept only when it deletes families.
};

class RocksStore final : public RowStore {
  public:
    explicit RocksStore(std::shared_ptr<RocksCore> core) : core_(std::move(core)) {}

    [[nodiscard]] std::string_view kind() const override { return "rocksdb"; }

    Status create_table(const TableSpec& spec, const CallContext& call) override {
        HOB_TRY(call.check());
        HOB_TRY(check_table(spec));
        return core_->create_table(spec);
    }

    Status drop_table(std::string_view table, const CallContext& call) override {
        HOB_TRY(call.check());
        return core_->drop_table(table);
    }

    Result<bool> table_exists(std::string_view table, const CallContext& call) override {
        HOB_TRY(call.check());
        return core_->has_table(table);
    }

    std::shared_ptr<const Snapshot> snapshot() override {
        return std::make_shared<RocksSnapshot>(core_);
    }

    Status multi_get(std::string_view table, char family, std::span<const RowGet> rows,
                     const Snapshot* snapshot, const CallContext& call, CallStats& stats,
                     RowBatch& out) override {
        out.clear();
        HOB_TRY(check_gets(table, rows));
        HOB_TRY(call.check());
        HOB_ASSIGN_OR_RETURN(const auto families, families_of(table, family, rows));
        ++stats.multi_gets;
        ++stats.rpcs;
        stats.rows += rows.size();
        return rocks_multi_get(*core_, families, rows, rocks_of(snapshot), call, stats, out);
    }

    Result<std::unique_ptr<Scanner>> scan(const ScanSpec& spec,
                                          std::shared_ptr<const Snapshot> snapshot,
                                          const CallContext& call, CallStats& stats) override {
        HOB_TRY(call.check());
        HOB_TRY(check_selection(spec.table, spec.ranges, spec.columns));
        HOB_ASSIGN_OR_RETURN(auto family, core_->family(spec.table, spec.family));
        ++stats.scans;
        return rocks_scan(core_, std::move(family), spec, std::move(snapshot), call, stats);
    }

    Status commit(std::span<const RowMutation> mutations, const CommitOptions& options,
                  const CallContext& call, CallStats& stats) override {
        HOB_TRY(check_mutations(mutations));
        HOB_TRY(call.check());
        {
            const std::shared_lock families(core_->families_mutex);
            const std::lock_guard lock(core_->commit_mutex);
            std::uint64_t owner = 0;
            if (options.snapshot != nullptr) {
                const auto& ticket = static_cast<const RocksSnapshot&>(*options.snapshot).ticket();
                HOB_TRY(core_->log.check(mutations, ticket));
                owner = ticket.owner;
            }
            HOB_TRY(write(mutations, owner));
        }
        ++stats.commits;
        ++stats.rpcs;
        if (options.sync || core_->options().sync) return sync();
        return {};
    }

    Result<bool> check_and_mutate(const RowMutation& mutation, char family,
                                  std::string_view qualifier, std::string_view expected,
                                  const CallContext& call) override {
        const std::span<const RowMutation> one(&mutation, 1);
        HOB_TRY(check_mutations(one));
        HOB_TRY(call.check());
        {
            const std::shared_lock families(core_->families_mutex);
            const std::lock_guard lock(core_->commit_mutex);
            HOB_ASSIGN_OR_RETURN(const std::string found,
                                 value_of(mutation.table, mutation.row, family, qualifier));
            if (found != expected) return false;
            HOB_TRY(write(one, 0));
        }
        if (core_->options().sync) HOB_TRY(sync());
        return true;
    }

    Result<std::int64_t> increment(std::string_view table, std::string_view row, char family,
                                   std::string_view qualifier, std::int64_t amount,
                                   const CallContext& call) override {
        HOB_TRY(check_row(table, row));
        HOB_TRY(call.check());
        std::int64_t value = 0;
        {
            const std::shared_lock families(core_->families_mutex);
            const std::lock_guard lock(core_->commit_mutex);
            HOB_ASSIGN_OR_RETURN(const std::string found, value_of(table, row, family, qualifier));
            HOB_ASSIGN_OR_RETURN(value, add_to_counter(table, row, found, amount));
            RowMutation mutation{std::string(table), std::string(row), {}};
            mutation.cells.push_back(
                {CellMutation::Kind::kPut, family, std::string(qualifier), counter_bytes(value)});
            HOB_TRY(write({&mutation, 1}, 0));
        }
        if (core_->options().sync) HOB_TRY(sync());
        return value;
    }

    Status ping(const CallContext& call) override {
        HOB_TRY(call.check());
        std::string ignored;
        const auto read = core_->db().Get(rocksdb::ReadOptions(), "hobgoblin.store", &ignored);
        return core_->status(read, "answer a read");
    }

  private:
    /// The column families that the gets name, the call's own first.
    Result<RocksFamilies> families_of(std::string_view table, char of_call,
                                      std::span<const RowGet> rows) const {
        RocksFamilies families;
        HOB_ASSIGN_OR_RETURN(auto first, core_->family(table, of_call));
        families.emplace_back(of_call, std::move(first));
        for (const RowGet& get : rows) {
            const char letter = get.family_or(of_call);
            if (std::any_of(families.begin(), families.end(),
                            [letter](const auto& known) { return known.first == letter; }))
                continue;
            HOB_ASSIGN_OR_RETURN(auto family, core_->family(table, letter));
            families.emplace_back(letter, std::move(family));
        }
        return families;
    }

    /// Under the commit lock: writes without waiting for the disk, so that readers and other
    /// commits go on.
    Status write(std::span<const RowMutation> mutations, std::uint64_t owner) {
        BatchBuilder builder(*core_);
        HOB_TRY(builder.add(mutations));
        core_->log.record(mutations, owner);
        return core_->status(core_->db().Write(rocksdb::WriteOptions(), &builder.batch()),
                             "write a commit");
    }

    /// Outside the lock: one flush of the log serves all commits before it.
    Status sync() { return core_->status(core_->db().FlushWAL(/*sync=*/true), "sync its log"); }

    Result<std::string> value_of(std::string_view table, std::string_view row, char family,
                                 std::string_view qualifier) const {
        HOB_ASSIGN_OR_RETURN(const auto of_table, core_->family_locked(table, family));
        std::string key = row_prefix(row);
        key.append(qualifier);
        std::string found;
        const auto read = core_->db().Get(rocksdb::ReadOptions(), of_table->handle(), key, &found);
        if (read.IsNotFound()) return std::string();
        HOB_TRY(core_->status(read, "read a cell"));
        return found;
    }

    std::shared_ptr<RocksCore> core_;
};

}  // namespace

Result<std::unique_ptr<RowStore>> open_rocksdb_store(const RocksDbOptions& options) {
    HOB_ASSIGN_OR_RETURN(auto core, RocksCore::open(options));
    return std::unique_ptr<RowStore>(std::make_unique<RocksStore>(std::move(core)));
}

}  // namespace hob::store
