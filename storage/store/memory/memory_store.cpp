#include "storage/store/memory/memory_store.h"

#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "storage/store/conflict_log.h"
#include "storage/store/memory/memory_table.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

/// How many rows are read between two looks at the deadline.
constexpr std::size_t kRowsPerCheck = 256;
/// Versions that each commit clears away at most, so that no commit pays for all of a long
/// snapshot.
constexpr std::size_t kCollectPerCommit = 4096;

using Families = std::map<char, std::shared_ptr<MemoryFamily>>;

/// What the store and its snapshots and scanners share.
struct MemoryState {
    std::shared_mutex data;  ///< Guards `tables` and everything in them, and `garbage`.
    std::map<std::string, Families, std::less<>> tables;

    std::mutex commit;  ///< Guards `log`; taken after `data`, held while a commit is applied.
    ConflictLog log;

    struct Superseded {
        std::uint64_t sequence;
        std::shared_ptr<MemoryFamily> family;
        std::string row;
        std::string qualifier;
    };
    std::deque<Superseded> garbage;

    Result<std::shared_ptr<MemoryFamily>> find(std::string_view table, char family) const {
        const auto found = tables.find(table);
        if (found == tables.end()) return missing_table(table);
        const auto of_table = found->second.find(family);
        if (of_table == found->second.end()) return missing_family(table, family);
        return of_table->second;
    }
};

class MemorySnapshot final : public Snapshot {
  public:
    explicit MemorySnapshot(std::shared_ptr<MemoryState> state) : state_(std::move(state)) {
        const std::lock_guard lock(state_->commit);
        ticket_ = state_->log.open_snapshot();
    }
    ~MemorySnapshot() override {
        const std::lock_guard lock(state_->commit);
        state_->log.close_snapshot(ticket_);
    }
    MemorySnapshot(const MemorySnapshot&) = delete;
    MemorySnapshot& operator=(const MemorySnapshot&) = delete;

    [[nodiscard]] const ConflictLog::Ticket& ticket() const { return ticket_; }

  private:
    std::shared_ptr<MemoryState> state_;
    ConflictLog::Ticket ticket_;
};

std::uint64_t sequence_of(const Snapshot* snapshot) {
    return snapshot == nullptr ? kNewest
                               : static_cast<const MemorySnapshot*>(snapshot)->ticket().sequence;
}

class MemoryScanner final : public Scanner {
  public:
    MemoryScanner(std::shared_ptr<MemoryState> state, std::shared_ptr<MemoryFamily> family,
                  ScanSpec spec, std::shared_ptr<const Snapshot> snapshot, CallContext call,
                  CallStats& stats)
        : state_(std::move(state)),
          family_(std::move(family)),
          spec_(std::move(spec)),
          snapshot_(std::move(snapshot)),
          call_(std::move(call)),
          stats_(&stats),
          resume_(spec_.from_row) {}

    Status next(std::size_t rows_max, RowBatch& out) override {
        out.clear();
        HOB_TRY(call_.check());
        ++stats_->rpcs;
        const RowSelection want{spec_.ranges, spec_.columns, spec_.keys_only};
        const std::uint64_t sequence = sequence_of(snapshot_.get());
        const std::shared_lock lock(state_->data);
        std::size_t seen = 0;
        for (auto row = family_->rows.lower_bound(resume_); row != family_->rows.end(); ++row) {
            if (out.size() == rows_max || is_past_end(row->first)) {
                resume_ = row->first;
                return {};
            }
            if (++seen % kRowsPerCheck == 0) HOB_TRY(call_.check());
            const std::size_t cells_before = out.cell_count();
            stats_->bytes += read_row(row->second, want, sequence, out);
            const std::size_t cells = out.cell_count() - cells_before;
            if (cells == 0) continue;
            out.end_row(row->first);
            ++given_;
            ++stats_->rows;
            stats_->cells += cells;
        }
        is_done_ = true;
        return {};
    }

  private:
    bool is_past_end(const std::string& row) const {
        return is_done_ || (spec_.rows_max != 0 && given_ >= spec_.rows_max) ||
               (!spec_.to_row.empty() && row >= spec_.to_row);
    }

    std::shared_ptr<MemoryState> state_;
    std::shared_ptr<MemoryFamily> family_;
    ScanSpec spec_;
    std::shared_ptr<const Snapshot> snapshot_;
    CallContext call_;
    CallStats* stats_;
    std::string resume_;  ///< The first row of the next page.
    std::uint64_t given_ = 0;
    bool is_done_ = false;
};

class MemoryStore final : public RowStore {
  public:
    [[nodiscard]] std::string_view kind() const override { return "memory"; }

    Status create_table(const TableSpec& spec, const CallContext& call) override {
        HOB_TRY(call.check());
        HOB_TRY(check_table(spec));
        const std::unique_lock lock(state_->data);
        auto& families = state_->tables[spec.name];
        for (const char family : spec.families) {
            auto& place = families[family];
            if (place == nullptr) place = std::make_shared<MemoryFamily>();
        }
        return {};
    }

    Status drop_table(std::string_view table, const CallContext& call) override {
        HOB_TRY(call.check());
        const std::unique_lock lock(state_->data);
        const auto found = state_->tables.find(table);
        if (found != state_->tables.end()) state_->tables.erase(found);
        return {};
    }

    Result<bool> table_exists(std::string_view table, const CallContext& call) override {
        HOB_TRY(call.check());
        const std::shared_lock lock(state_->data);
        return state_->tables.contains(table);
    }

    std::shared_ptr<const Snapshot> snapshot() override {
        return std::make_shared<MemorySnapshot>(state_);
    }

    Status multi_get(std::string_view table, char family, std::span<const RowGet> rows,
                     const Snapshot* snapshot, const CallContext& call, CallStats& stats,
                     RowBatch& out) override {
        out.clear();
        HOB_TRY(check_gets(table, rows));
        HOB_TRY(call.check());
        const std::uint64_t sequence = sequence_of(snapshot);
        const std::shared_lock lock(state_->data);
        HOB_ASSIGN_OR_RETURN(auto of_table, state_->find(table, family));
        char current = family;
        ++stats.multi_gets;
        ++stats.rpcs;
        stats.rows += rows.size();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i % kRowsPerCheck == kRowsPerCheck - 1) HOB_TRY(call.check());
            if (rows[i].family_or(family) != current) {
                current = rows[i].family_or(family);
                HOB_ASSIGN_OR_RETURN(of_table, state_->find(table, current));
            }
            const auto row = of_table->rows.find(rows[i].row);
            if (row != of_table->rows.end()) {
                stats.bytes +=
                    read_row(row->second, {rows[i].ranges, rows[i].columns}, sequence, out);
            }
            out.end_row();
        }
        stats.cells += out.cell_count();
        return {};
    }

    Result<std::unique_ptr<Scanner>> scan(const ScanSpec& spec,
                                          std::shared_ptr<const Snapshot> snapshot,
                                          const CallContext& call, CallStats& stats) override {
        HOB_TRY(call.check());
        HOB_TRY(check_selection(spec.table, spec.ranges, spec.columns));
        const std::shared_lock lock(state_->data);
        HOB_ASSIGN_OR_RETURN(auto family, state_->find(spec.table, spec.family));
        ++stats.scans;
        return std::unique_ptr<Scanner>(std::make_unique<MemoryScanner>(
            state_, std::move(family), spec, std::move(snapshot), call, stats));
    }

    Status commit(std::span<const RowMutation> mutations, const CommitOptions& options,
                  const CallContext& call, CallStats& stats) override {
        HOB_TRY(check_mutations(mutations));
        HOB_TRY(call.check());
        const std::unique_lock data(state_->data);
        const std::lock_guard lock(state_->commit);
        HOB_TRY(check_families(mutations));
        std::uint64_t owner = 0;
        if (options.snapshot != nullptr) {
            const auto& ticket = static_cast<const MemorySnapshot&>(*options.snapshot).ticket();
            HOB_TRY(state_->log.check(mutations, ticket));
            owner = ticket.owner;
        }
        apply(mutations, owner);
        ++stats.commits;
        ++stats.rpcs;
        return {};
    }

    Result<bool> check_and_mutate(const RowMutation& mutation, char family,
                                  std::string_view qualifier, std::string_view expected,
                                  const CallContext& call) override {
        const std::span<const RowMutation> one(&mutation, 1);
        HOB_TRY(check_mutations(one));
        HOB_TRY(call.check());
        const std::unique_lock data(state_->data);
        const std::lock_guard lock(state_->commit);
        HOB_TRY(check_families(one));
        HOB_ASSIGN_OR_RETURN(const auto of_table, state_->find(mutation.table, family));
        if (value_of(*of_table, mutation.row, qualifier) != expected) return false;
        apply(one, 0);
        return true;
    }

    Result<std::int64_t> increment(std::string_view table, std::string_view row, char family,
                                   std::string_view qualifier, std::int64_t amount,
                                   const CallContext& call) override {
        HOB_TRY(check_row(table, row));
        HOB_TRY(call.check());
        const std::unique_lock data(state_->data);
        const std::lock_guard lock(state_->commit);
        HOB_ASSIGN_OR_RETURN(const auto of_table, state_->find(table, family));
        HOB_ASSIGN_OR_RETURN(
            const std::int64_t value,
            add_to_counter(table, row, value_of(*of_table, row, qualifier), amount));
        RowMutation mutation{std::string(table), std::string(row), {}};
        mutation.cells.push_back(
            {CellMutation::Kind::kPut, family, std::string(qualifier), counter_bytes(value)});
        apply({&mutation, 1}, 0);
        return value;
    }

    Status ping(const CallContext& call) override {
        HOB_TRY(call.check());
        const std::shared_lock lock(state_->data);
        return {};
    }

  private:
    static std::string_view value_of(const MemoryFamily& family, std::string_view row,
                                     std::string_view qualifier) {
        const auto found = family.rows.find(row);
        if (found == family.rows.end()) return {};
        const auto cell = found->second.find(qualifier);
        if (cell == found->second.end()) return {};
        const auto* value = cell->second.value_at(kNewest);
        return value == nullptr ? std::string_view{} : std::string_view(*value);
    }

    Status check_families(std::span<const RowMutation> mutations) const {
        for (const auto& mutation : mutations) {
            for (const auto& cell : mutation.cells) {
                HOB_TRY(state_->find(mutation.table, cell.family));
            }
        }
        return {};
    }

    void apply(std::span<const RowMutation> mutations, std::uint64_t owner) {
        const bool keep_history = state_->log.has_snapshots();
        const std::uint64_t sequence = state_->log.record(mutations, owner);
        for (const auto& mutation : mutations) {
            const auto& families = state_->tables.find(mutation.table)->second;
            for (const auto& cell : mutation.cells) {
                const auto& family = families.find(cell.family)->second;
                if (keep_history) note_superseded(family, mutation.row, cell, sequence);
                family->apply(mutation.row, cell, sequence, keep_history);
            }
        }
        collect();
    }

    void note_superseded(const std::shared_ptr<MemoryFamily>& family, const std::string& row,
                         const CellMutation& change, std::uint64_t sequence) {
        const auto found = family->rows.find(row);
        if (found == family->rows.end()) return;
        if (change.kind != CellMutation::Kind::kDeleteFamily) {
            if (found->second.contains(change.qualifier)) {
                state_->garbage.push_back({sequence, family, row, change.qualifier});
            }
            return;
        }
        for (const auto& [qualifier, version] : found->second) {
            if (version.is_live) state_->garbage.push_back({sequence, family, row, qualifier});
        }
    }

    void collect() {
        const std::uint64_t oldest_live = state_->log.oldest_live();
        auto& garbage = state_->garbage;
        for (std::size_t i = 0; i < kCollectPerCommit && !garbage.empty(); ++i) {
            const auto& next = garbage.front();
            if (next.sequence > oldest_live) return;
            next.family->collect(next.row, next.qualifier, oldest_live);
            garbage.pop_front();
        }
    }

    std::shared_ptr<MemoryState> state_ = std::make_shared<MemoryState>();
};

}  // namespace

std::unique_ptr<RowStore> make_memory_store() {
    return std::make_unique<MemoryStore>();
}

}  // namespace hob::store
