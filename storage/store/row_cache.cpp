#include "storage/store/row_cache.h"

#include <absl/container/flat_hash_map.h>
#include <absl/hash/hash.h>

#include <algorithm>
#include <cstring>
#include <deque>

namespace hob::store {
namespace {

/// The cells of one selection, packed in one block.
struct Packed {
    std::vector<Cell> cells;
    std::unique_ptr<char[]> bytes;
    std::size_t size_bytes = 0;
};

std::shared_ptr<const Packed> pack(std::span<const Cell> cells) {
    auto packed = std::make_shared<Packed>();
    std::size_t size = 0;
    for (const Cell& cell : cells)
        size += cell.qualifier.size() + cell.value.size();
    packed->bytes = std::make_unique<char[]>(size);
    packed->cells.reserve(cells.size());
    char* at = packed->bytes.get();
    const auto copy = [&at](std::string_view bytes) {
        if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
        const std::string_view copied(at, bytes.size());
        at += bytes.size();
        return copied;
    };
    for (const Cell& cell : cells) {
        const std::string_view qualifier = copy(cell.qualifier);
        packed->cells.push_back({qualifier, copy(cell.value)});
    }
    packed->size_bytes = size + cells.size() * sizeof(Cell);
    return packed;
}

/// What was asked of a row, without how many cells of it.
struct Selection {
    std::vector<ColumnRange> ranges;
    std::vector<std::string> columns;

    [[nodiscard]] bool is_of(const RowGet& get) const {
        const auto same_range = [](const ColumnRange& a, const ColumnRange& b) {
            return a.from == b.from && a.to == b.to;
        };
        return columns == get.columns &&
               std::equal(ranges.begin(), ranges.end(), get.ranges.begin(), get.ranges.end(),
                          same_range);
    }
};

/// The least limit of the ranges; 0 = none.
std::size_t least_limit(const RowGet& get) {
    std::size_t least = 0;
    for (const ColumnRange& range : get.ranges) {
        if (range.cells_max != 0 && (least == 0 || range.cells_max < least))
            least = range.cells_max;
    }
    return least;
}

bool is_cacheable(const RowGet& get) {
    return std::none_of(get.ranges.begin(), get.ranges.end(),
                        [](const ColumnRange& range) { return range.reversed; });
}

bool has_keys_only(const RowGet& get) {
    return std::any_of(get.ranges.begin(), get.ranges.end(),
                       [](const ColumnRange& range) { return range.keys_only; });
}

}  // namespace

struct RowCache::Entry {
    struct Part {
        Selection selection;
        std::shared_ptr<const Packed> packed;
        std::uint64_t sequence = 0;  ///< It was read at.
        bool complete = false;       ///< No limit cut it off.
        bool keys_only = false;
    };
    std::vector<Part> parts;
    std::size_t size_bytes = 0;
    bool used = false;  ///< Since the last time the evicting hand came by.
};

namespace {

struct RowKey {
    const void* family = nullptr;
    std::string row;
};
struct RowKeyView {
    const void* family = nullptr;
    std::string_view row;
};
struct RowKeyHash {
    using is_transparent = void;
    std::size_t operator()(const RowKeyView& key) const {
        return absl::HashOf(key.family, key.row);
    }
    std::size_t operator()(const RowKey& key) const {
        return (*this)(RowKeyView{key.family, key.row});
    }
};
struct RowKeyEqual {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
        return a.family == b.family && a.row == b.row;
    }
};

constexpr std::size_t kPartsMax = 8;          ///< Selections of one row that are kept.
constexpr std::size_t kRowOverhead = 200;     ///< Bytes of an entry besides its parts, estimated.
constexpr std::size_t kPartOverhead = 150;    ///< Bytes of a part besides its cells, estimated.
constexpr std::size_t kShareOfCapacity = 64;  ///< A selection beyond capacity / this is not kept.

}  // namespace

struct RowCache::Shard {
    std::mutex mutex;
    absl::flat_hash_map<RowKey, Entry, RowKeyHash, RowKeyEqual> rows;
    std::deque<RowKey> hand;  ///< Every row once, in the order in which the hand looks at them.
    std::size_t bytes = 0;
    std::uint64_t sequence = 0;    ///< Of the newest commit that touched a row of this shard.
    std::uint64_t committing = 0;  ///< Commits that are being written.

    /// The row stays, without cells, so that the hand meets it once and no more.
    void invalidate(const RowKeyView& key) {
        const auto found = rows.find(key);
        if (found == rows.end()) return;
        found->second.parts.clear();
        resize(found->second, kRowOverhead);
    }

    void resize(Entry& entry, std::size_t size_bytes) {
        bytes = bytes - entry.size_bytes + size_bytes;
        entry.size_bytes = size_bytes;
    }

    void evict(std::size_t bytes_max) {
        while (bytes > bytes_max && !hand.empty()) {
            RowKey key = std::move(hand.front());
            hand.pop_front();
            const auto found = rows.find(key);
            if (found->second.used) {
                found->second.used = false;
                hand.push_back(std::move(key));
                continue;
            }
            bytes -= found->second.size_bytes;
            rows.erase(found);
        }
    }
};

RowCache::RowCache(std::size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {
    for (auto& shard : shards_)
        shard = std::make_unique<Shard>();
}

RowCache::~RowCache() = default;

RowCache::Shard& RowCache::shard_of(std::string_view row) const {
    // The first byte of a row is its salt: spread evenly.
    const auto first = row.empty() ? 0U : static_cast<unsigned char>(row[0]);
    return *shards_[first % kShards];
}

bool RowCache::get(const void* family, const RowGet& get, const Reading& reading, RowBatch& out) {
    if (!enabled() || !is_cacheable(get)) return false;
    Shard& shard = shard_of(get.row);
    std::shared_ptr<const Packed> packed;
    std::size_t count = 0;
    {
        const std::lock_guard lock(shard.mutex);
        const auto found = shard.rows.find(RowKeyView{family, get.row});
        if (found == shard.rows.end()) return false;
        const bool keys_only = has_keys_only(get);
        for (const Entry::Part& part : found->second.parts) {
            if (part.sequence > reading.sequence || (part.keys_only && !keys_only) ||
                !part.selection.is_of(get))
                continue;
            const std::size_t limit = least_limit(get);
            count = part.packed->cells.size();
            if (limit != 0 && count > limit) {
                // Only a single range can be cut here: of several the share of each is not known.
                if (get.ranges.size() != 1 || !get.columns.empty()) return false;
                count = limit;
            } else if (!part.complete && (limit == 0 || count < limit)) {
                return false;
            }
            packed = part.packed;
            break;
        }
        if (packed == nullptr) return false;
        found->second.used = true;
    }
    for (std::size_t i = 0; i < count; ++i)
        out.add_stored(packed->cells[i]);
    if (count != 0) out.keep(std::move(packed));
    out.end_row();
    return true;
}

void RowCache::put(const void* family, const RowGet& get, const Reading& reading,
                   std::span<const Cell> cells) {
    if (!enabled() || !is_cacheable(get)) return;
    const std::size_t limit = least_limit(get);
    const bool complete = limit == 0 || cells.size() < limit;
    if (!complete && (get.ranges.size() != 1 || !get.columns.empty())) return;
    Entry::Part part{.selection = {get.ranges, get.columns},
                     .packed = pack(cells),
                     .sequence = reading.sequence,
                     .complete = complete,
                     .keys_only = has_keys_only(get)};
    const std::size_t size = part.packed->size_bytes + kPartOverhead;
    if (size > capacity_bytes_ / kShareOfCapacity) return;

    Shard& shard = shard_of(get.row);
    const std::lock_guard lock(shard.mutex);
    if (shard.committing != 0 || reading.sequence < shard.sequence ||
        reading.epoch != epoch_.load(std::memory_order_acquire))
        return;
    auto found = shard.rows.find(RowKeyView{family, get.row});
    if (found == shard.rows.end()) {
        RowKey key{family, get.row};
        shard.hand.push_back(key);
        found = shard.rows.emplace(std::move(key), Entry{}).first;
        shard.resize(found->second, kRowOverhead);
    }
    Entry& entry = found->second;
    const auto same = std::find_if(entry.parts.begin(), entry.parts.end(),
                                   [&](const Entry::Part& p) { return p.selection.is_of(get); });
    std::size_t replaced = 0;
    if (same != entry.parts.end()) {
        replaced = same->packed->size_bytes + kPartOverhead;
        *same = std::move(part);
    } else if (entry.parts.size() < kPartsMax) {
        entry.parts.push_back(std::move(part));
    } else {
        return;
    }
    shard.resize(entry, entry.size_bytes + size - replaced);
    shard.evict(capacity_bytes_ / kShards);
}

void RowCache::begin_commit(std::span<const Place> places) {
    if (!enabled()) return;
    committing_.clear();
    for (const Place& place : places) {
        Shard& shard = shard_of(place.row);
        const std::lock_guard lock(shard.mutex);
        if (std::find(committing_.begin(), committing_.end(), &shard) == committing_.end()) {
            committing_.push_back(&shard);
            ++shard.committing;
        }
        shard.invalidate({place.family, place.row});
    }
}

void RowCache::end_commit(std::uint64_t sequence) {
    if (!enabled()) return;
    for (Shard* shard : committing_) {
        const std::lock_guard lock(shard->mutex);
        --shard->committing;
        shard->sequence = std::max(shard->sequence, sequence);
    }
    committing_.clear();
}

void RowCache::clear() {
    if (!enabled()) return;
    epoch_.fetch_add(1, std::memory_order_acq_rel);
    for (auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex);
        shard->rows.clear();
        shard->hand.clear();
        shard->bytes = 0;
    }
}

std::size_t RowCache::bytes() const {
    std::size_t sum = 0;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex);
        sum += shard->bytes;
    }
    return sum;
}

}  // namespace hob::store
