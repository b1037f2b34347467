#include "storage/store/conflict_log.h"

#include "storage/base/bytes.h"

namespace hob::store {
namespace {

/// table 0x00 family row-length(4) row kind [qualifier]: what was written, as one key.
/// Kinds: 'c' a cell, 'd' the family's delete, 'w' any write in the family of that row.
std::string row_key(const RowMutation& mutation, char family) {
    std::string key;
    key.reserve(mutation.table.size() + mutation.row.size() + 7);
    ByteWriter out(key);
    out.raw(mutation.table);
    out.u8(0);
    out.u8(static_cast<std::uint8_t>(family));
    out.u32(static_cast<std::uint32_t>(mutation.row.size()));
    out.raw(mutation.row);
    return key;
}

std::string cell_key(const std::string& row, std::string_view qualifier) {
    std::string key;
    key.reserve(row.size() + 1 + qualifier.size());
    key.append(row).append(1, 'c').append(qualifier);
    return key;
}

}  // namespace

ConflictLog::Ticket ConflictLog::open_snapshot() {
    ++live_[sequence_];
    return {sequence_, ++last_owner_};
}

void ConflictLog::close_snapshot(const Ticket& ticket) {
    const auto found = live_.find(ticket.sequence);
    if (--found->second == 0) live_.erase(found);
    forget_unneeded();
}

bool ConflictLog::lost(const std::string& key, const Ticket& snapshot) const {
    const auto found = written_.find(key);
    if (found == written_.end()) return false;
    const Write& write = found->second;
    return (write.owner == snapshot.owner ? write.before : write.sequence) > snapshot.sequence;
}

Status ConflictLog::check(std::span<const RowMutation> mutations, const Ticket& snapshot) const {
    if (snapshot.sequence < forgotten_) {
        return Error::make(
            Code::kConflict,
            "the transaction is too old to commit: more than {} cells were written since it began",
            writes_max_);
    }
    for (const auto& mutation : mutations) {
        for (const auto& cell : mutation.cells) {
            const std::string row = row_key(mutation, cell.family);
            const bool whole = cell.kind == CellMutation::Kind::kDeleteFamily;
            const bool is_lost =
                whole ? lost(row + 'w', snapshot)
                      : lost(row + 'd', snapshot) || lost(cell_key(row, cell.qualifier), snapshot);
            if (is_lost) {
                return Error::make(
                    Code::kConflict,
                    "another transaction wrote table '{}', row {}, {} {} since this one began; "
                    "retry it",
                    mutation.table, to_hex(mutation.row, 16), whole ? "family" : "cell",
                    whole ? std::string(1, cell.family) : to_hex(cell.qualifier, 16));
            }
        }
    }
    return {};
}

std::uint64_t ConflictLog::record(std::span<const RowMutation> mutations, std::uint64_t owner) {
    const Write write{.sequence = ++sequence_, .owner = owner};
    if (live_.empty()) return sequence_;
    for (const auto& mutation : mutations) {
        for (const auto& cell : mutation.cells) {
            const std::string row = row_key(mutation, cell.family);
            remember(row + 'w', write);
            if (cell.kind == CellMutation::Kind::kDeleteFamily) {
                remember(row + 'd', write);
            } else {
                remember(cell_key(row, cell.qualifier), write);
            }
        }
    }
    while (order_.size() > writes_max_)
        forget_oldest();
    return sequence_;
}

void ConflictLog::remember(std::string key, const Write& write) {
    const auto [place, is_new] = written_.try_emplace(std::move(key), write);
    if (!is_new) {
        Write& last = place->second;
        if (last.sequence == write.sequence) return;
        if (last.owner != write.owner) last.before = last.sequence;
        last.sequence = write.sequence;
        last.owner = write.owner;
    }
    order_.emplace_back(write.sequence, &place->first);
}

void ConflictLog::forget_unneeded() {
    while (!order_.empty() && order_.front().first <= oldest_live())
        forget_oldest();
}

void ConflictLog::forget_oldest() {
    const auto [sequence, key] = order_.front();
    order_.pop_front();
    if (sequence > oldest_live()) forgotten_ = sequence;
    const auto found = written_.find(*key);
    if (found->second.sequence == sequence) written_.erase(found);
}

}  // namespace hob::store
