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
        const auto reading = core_->rows->begin_reading(sequence_of(snapshot));
        HOB_ASSIGN_OR_RETURN(const auto families, families_of(table, family, rows));
        ++stats.multi_gets;
        stats.rows += rows.size();
        if (core_->rows->enabled())
            return get_cached(families, rows, snapshot, reading, call, stats, out);
        ++stats.rpcs;
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
    [[nodiscard]] std::uint64_t sequence_of(const Snapshot* snapshot) const {
        if (!core_->rows->enabled()) return 0;
        const rocksdb::Snapshot* rocks = rocks_of(snapshot);
        return rocks == nullptr ? core_->db().GetLatestSequenceNumber()
                                : rocks->GetSequenceNumber();
    }

    static const void* identity_of(const RocksFamilies& families, char letter) {
        for (const auto& [known, family] : families) {
            if (known == letter) return family.get();
        }
        return nullptr;
    }

    /// What the row cache has comes from there; the rest is read in one batch.
    Status get_cached(const RocksFamilies& families, std::span<const RowGet> rows,
                      const Snapshot* snapshot, const RowCache::Reading& reading,
                      const CallContext& call, CallStats& stats, RowBatch& out) {
        RowCache& cache = *core_->rows;
        const char of_call = families.front().first;
        RowBatch hits;
        std::vector<RowGet> asked;
        std::vector<std::uint8_t> is_hit(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const void* family = identity_of(families, rows[i].family_or(of_call));
            is_hit[i] = cache.get(family, rows[i], reading, hits) ? 1 : 0;
            if (is_hit[i] == 0) asked.push_back(rows[i]);
        }
        stats.cache_hits += hits.size();
        stats.cells += hits.cell_count();
        stats.bytes += byte_count(hits);
        if (asked.empty()) {
            out = std::move(hits);
            return {};
        }
        ++stats.rpcs;
        RowBatch read;
        HOB_TRY(rocks_multi_get(*core_, families, asked, rocks_of(snapshot), call, stats, read));
        for (std::size_t i = 0; i < asked.size(); ++i) {
            cache.put(identity_of(families, asked[i].family_or(of_call)), asked[i], reading,
                      read.cells(i));
        }
        if (hits.size() == 0) {
            out = std::move(read);
            return {};
        }
        interleave(std::move(hits), std::move(read), is_hit, out);
        return {};
    }

    static std::uint64_t byte_count(const RowBatch& rows) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (const Cell& cell : rows.cells(i))
                count += cell.qualifier.size() + cell.value.size();
        }
        return count;
    }

    static void interleave(RowBatch hits, RowBatch read, std::span<const std::uint8_t> is_hit,
                           RowBatch& out) {
        std::size_t hit = 0;
        std::size_t asked = 0;
        for (const std::uint8_t from_cache : is_hit) {
            const auto cells = from_cache != 0 ? hits.cells(hit++) : read.cells(asked++);
            for (const Cell& cell : cells)
                out.add_stored(cell);
            out.end_row();
        }
        out.keep(std::make_shared<RowBatch>(std::move(hits)));
        out.keep(std::make_shared<RowBatch>(std::move(read)));
    }

    /// The rows of one family each that a commit changes.
    Result<std::vector<RowCache::Place>> places_of(std::span<const RowMutation> mutations) const {
        std::vector<RowCache::Place> places;
        for (const RowMutation& mutation : mutations) {
            std::string seen;
            for (const CellMutation& cell : mutation.cells) {
                if (seen.find(cell.family) != std::string::npos) continue;
                seen.push_back(cell.family);
                HOB_ASSIGN_OR_RETURN(const auto family,
                                     core_->family_locked(mutation.table, cell.family));
                places.push_back({family.get(), mutation.row});
            }
        }
        return places;
    }

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
        if (core_->rows->enabled()) {
            HOB_ASSIGN_OR_RETURN(const auto places, places_of(mutations));
            core_->rows->begin_commit(places);
        }
        const auto written = core_->db().Write(rocksdb::WriteOptions(), &builder.batch());
        core_->rows->end_commit(core_->db().GetLatestSequenceNumber());
        return core_->status(written, "write a commit");
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
