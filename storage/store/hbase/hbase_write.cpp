#include "storage/store/hbase/hbase_write.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "storage/store/hbase/hbase_wire.h"

namespace hob::store {
namespace {

constexpr std::size_t kCellsPerPut = 10'000;
constexpr std::size_t kBytesPerPut = std::size_t{4} << 20;

/// Everything that one commit does to one row, with nothing in it that undoes another part.
struct RowWrite {
    const RowMutation* first = nullptr;  ///< Names table and row.
    thrift2::TPut put;
    thrift2::TDelete columns;   ///< DELETE_COLUMNS, each with its qualifier.
    thrift2::TDelete families;  ///< DELETE_FAMILY, each without.
    std::size_t bytes = 0;

    [[nodiscard]] int kinds() const {
        return int{!put.columnValues.empty()} + int{!columns.columns.empty()} +
               int{!families.columns.empty()};
    }
};

/// Puts carry the commit's timestamp, deletes one less: at equal timestamps HBase lets the delete
/// win.
class RowWriteBuilder {
  public:
    explicit RowWriteBuilder(std::int64_t timestamp_us) : timestamp_us_(timestamp_us) {}

    [[nodiscard]] RowWrite build(std::span<const RowMutation* const> parts) {
        puts_.clear();
        families_.clear();
        for (const RowMutation* part : parts) {
            for (const auto& cell : part->cells) {
                apply(cell);
            }
        }
        RowWrite write;
        write.first = parts[0];
        write.put.__set_row(parts[0]->row);
        write.columns.__set_row(parts[0]->row);
        write.columns.__set_deleteType(thrift2::TDeleteType::DELETE_COLUMNS);
        write.columns.__isset.columns = true;
        write.families.__set_row(parts[0]->row);
        write.families.__set_deleteType(thrift2::TDeleteType::DELETE_FAMILY);
        write.families.__isset.columns = true;
        for (const char family : families_) {
            write.families.columns.push_back(column(family));
        }
        for (const auto& [key, value] : puts_) {
            if (value != nullptr) {
                write.put.columnValues.push_back(cell(key.first, key.second, *value));
                write.bytes += key.second.size() + value->size() + parts[0]->row.size();
            } else if (families_.find(key.first) == std::string::npos) {
                write.columns.columns.push_back(column(key.first));
                write.columns.columns.back().__set_qualifier(std::string(key.second));
            }
        }
        return write;
    }

  private:
    void apply(const CellMutation& change) {
        switch (change.kind) {
            case CellMutation::Kind::kPut:
                puts_[{change.family, change.qualifier}] = &change.value;
                return;
            case CellMutation::Kind::kDelete:
                puts_[{change.family, change.qualifier}] = nullptr;
                return;
            case CellMutation::Kind::kDeleteFamily:
                std::erase_if(
                    puts_, [&](const auto& entry) { return entry.first.first == change.family; });
                if (families_.find(change.family) == std::string::npos) families_ += change.family;
                return;
        }
    }

    [[nodiscard]] thrift2::TColumn column(char family) const {
        thrift2::TColumn column;
        column.__set_family(std::string(1, family));
        column.__set_timestamp(timestamp_us_ - 1);
        return column;
    }
    [[nodiscard]] thrift2::TColumnValue cell(char family, std::string_view qualifier,
                                             const std::string& value) const {
        thrift2::TColumnValue cell;
        cell.__set_family(std::string(1, family));
        cell.__set_qualifier(std::string(qualifier));
        cell.__set_value(value);
        cell.__set_timestamp(timestamp_us_);
        return cell;
    }

    std::int64_t timestamp_us_;
    std::map<std::pair<char, std::string_view>, const std::string*>
        puts_;              ///< Null: the cell is deleted.
    std::string families_;  ///< Deleted as a whole, before the puts.
};

thrift2::TRowMutations row_mutations(RowWrite write) {
    thrift2::TRowMutations all;
    all.__set_row(write.first->row);
    for (auto* erased : {&write.families, &write.columns}) {
        if (erased->columns.empty()) continue;
        all.mutations.emplace_back();
        all.mutations.back().__set_deleteSingle(*erased);
    }
    if (!write.put.columnValues.empty()) {
        all.mutations.emplace_back();
        all.mutations.back().__set_put(write.put);
    }
    return all;
}

/// Rows of one table, sent side by side in calls of bounded size.
class TableRun {
  public:
    TableRun(HBaseCore& core, std::string name, const CallContext& call)
        : core_(core), name_(std::move(name)), call_(call) {}

    void add(RowWrite write) {
        if (write.kinds() > 1) {
            calls_.push_back([this, write = std::move(write)] { return mutate(write); });
        } else if (!write.put.columnValues.empty()) {
            put_cells_ += write.put.columnValues.size();
            put_bytes_ += write.bytes;
            puts_.push_back(std::move(write.put));
            if (puts_.size() >= core_.options.chunk_rows || put_cells_ >= kCellsPerPut ||
                put_bytes_ >= kBytesPerPut) {
                end_puts();
            }
        } else if (write.kinds() == 1) {
            deletes_.push_back(write.columns.columns.empty() ? std::move(write.families)
                                                             : std::move(write.columns));
            if (deletes_.size() >= core_.options.chunk_rows) end_deletes();
        }
    }

    Status send(CallStats& stats) {
        end_puts();
        end_deletes();
        stats.rpcs += calls_.size();
        return core_.workers.run(calls_.size(),
                                 [this](std::size_t index) { return calls_[index](); });
    }

  private:
    void end_puts() {
        if (puts_.empty()) return;
        calls_.push_back([this, puts = std::move(puts_)] {
            return core_.pool.call(fmt::format("put of {} rows into '{}'", puts.size(), name_),
                                   call_, HBasePool::Repeat::kOnce, [&](HBaseConnection& on) {
                                       on.client().putMultiple(name_, puts);
                                   });
        });
        puts_.clear();
        put_cells_ = 0;
        put_bytes_ = 0;
    }

    void end_deletes() {
        if (deletes_.empty()) return;
        calls_.push_back([this, deletes = std::move(deletes_)] {
            return core_.pool.call(fmt::format("delete in {} rows of '{}'", deletes.size(), name_),
                                   call_, HBasePool::Repeat::kOnce, [&](HBaseConnection& on) {
                                       std::vector<thrift2::TDelete> left;
                                       on.client().deleteMultiple(left, name_, deletes);
                                   });
        });
        deletes_.clear();
    }

    Status mutate(const RowWrite& write) const {
        const auto mutations = row_mutations(write);
        return core_.pool.call(
            fmt::format("mutation of a row of '{}'", name_), call_, HBasePool::Repeat::kOnce,
            [&](HBaseConnection& on) { on.client().mutateRow(name_, mutations); });
    }

    HBaseCore& core_;
    std::string name_;
    const CallContext& call_;
    std::vector<std::function<Status()>> calls_;
    std::vector<thrift2::TPut> puts_;
    std::size_t put_cells_ = 0;
    std::size_t put_bytes_ = 0;
    std::vector<thrift2::TDelete> deletes_;
};

}  // namespace

Status hbase_commit(HBaseCore& core, std::span<const RowMutation> mutations,
                    std::int64_t timestamp_us, const CallContext& call, CallStats& stats) {
    std::vector<std::vector<const RowMutation*>> rows;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
    for (const auto& mutation : mutations) {
        const auto [place, is_new] =
            places.try_emplace({mutation.table, mutation.row}, rows.size());
        if (is_new) rows.emplace_back();
        rows[place->second].push_back(&mutation);
    }
    RowWriteBuilder builder(timestamp_us);
    for (std::size_t begin = 0; begin < rows.size();) {
        const std::string& table = rows[begin][0]->table;
        TableRun run(core, core.data_name(table), call);
        for (; begin < rows.size() && rows[begin][0]->table == table; ++begin) {
            run.add(builder.build(rows[begin]));
        }
        Status sent = run.send(stats);
        if (!sent.ok()) return core.explain(std::move(sent.error()), table, call);
    }
    return {};
}

Result<bool> hbase_check_and_mutate(HBaseCore& core, const RowMutation& mutation, char family,
                                    std::string_view qualifier, std::string_view expected,
                                    std::int64_t timestamp_us, const CallContext& call) {
    const std::string name = core.data_name(mutation.table);
    const RowMutation* const part = &mutation;
    const auto mutations = row_mutations(RowWriteBuilder(timestamp_us).build({&part, 1}));
    bool is_done = false;
    HOB_TRY(core.pool.call(fmt::format("check and mutate of a row of '{}'", name), call,
                           HBasePool::Repeat::kNever, [&](HBaseConnection& on) {
                               is_done = on.client().checkAndMutate(
                                   name, mutation.row, std::string(1, family),
                                   std::string(qualifier), thrift2::TCompareOp::EQUAL,
                                   std::string(expected), mutations);
                           }));
    return is_done;
}

}  // namespace hob::store
