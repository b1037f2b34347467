#include <absl/container/flat_hash_set.h>

#include "storage/value/hash.h"
#include "storage/value/value.h"

namespace hob {
namespace {

/// Up to this many entries a look-up compares keys one by one; that is faster than hashing, and
/// most maps are that small.
constexpr std::size_t kScanMax = 8;
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

/// Places in an entries vector, hashed and compared by the key that stands there.
template <typename Entries>
class PlaceIndex {
  public:
    explicit PlaceIndex(const Entries& entries) : places_(0, Hash{&entries}, Equal{&entries}) {
        places_.reserve(entries.size() * 2);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            add(i);
        }
    }
    void add(std::size_t place) { places_.insert(static_cast<std::uint32_t>(place)); }
    template <typename Key>
    [[nodiscard]] std::size_t find(const Key& key) const {
        const auto found = places_.find(key);
        return found == places_.end() ? kAbsent : *found;
    }

  private:
    struct Hash {
        using is_transparent = void;
        const Entries* entries;
        std::size_t operator()(std::uint32_t place) const {
            return hash_of((*entries)[place].first);
        }
        std::size_t operator()(const Value& key) const { return hash_of(key); }
        std::size_t operator()(std::string_view key) const { return hash_of_string(key); }
    };
    struct Equal {
        using is_transparent = void;
        const Entries* entries;
        bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
        bool operator()(std::uint32_t a, const Value& key) const {
            return identical((*entries)[a].first, key);
        }
        bool operator()(std::uint32_t a, std::string_view key) const {
            const Value& k = (*entries)[a].first;
            return k.is_string() && k.text() == key;
        }
    };
    absl::flat_hash_set<std::uint32_t, Hash, Equal> places_;
};

template <typename Entries, typename Key, typename Same>
std::size_t scan(const Entries& entries, const Key& key, Same same) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (same(entries[i].first, key)) return i;
    }
    return kAbsent;
}

bool same_text(const Value& v, std::string_view text) {
    return v.is_string() && v.text() == text;
}

}  // namespace

// The index exists exactly when there are more than kScanMax entries; only mutators build it, so
// that any number of threads may look into a shared map.
struct MapObject::Index {
    PlaceIndex<std::vector<std::pair<Value, Value>>> places;
};

MapObject::MapObject() = default;
MapObject::~MapObject() = default;

std::size_t MapObject::index_of(const Value& key) const {
    return index_ ? index_->places.find(key) : scan(entries_, key, identical);
}

const Value* MapObject::find(const Value& key) const {
    const std::size_t place = index_of(key);
    return place == kAbsent ? nullptr : &entries_[place].second;
}

const Value* MapObject::find(std::string_view key) const {
    const std::size_t place = index_ ? index_->places.find(key) : scan(entries_, key, same_text);
    return place == kAbsent ? nullptr : &entries_[place].second;
}

Value& MapObject::slot(const Value& key) {
    const std::size_t place = index_of(key);
    if (place != kAbsent) return entries_[place].second;
    entries_.emplace_back(key, Value());
    if (index_) {
        index_->places.add(entries_.size() - 1);
    } else if (entries_.size() > kScanMax) {
        index_ = std::unique_ptr<Index>(new Index{PlaceIndex(entries_)});
    }
    return entries_.back().second;
}

void MapObject::put(Value key, Value value) {
    slot(key) = std::move(value);
}

bool MapObject::erase(const Value& key) {
    const std::size_t place = index_of(key);
    if (place == kAbsent) return false;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
    index_.reset();
    if (entries_.size() > kScanMax) {
        index_ = std::unique_ptr<Index>(new Index{PlaceIndex(entries_)});
    }
    return true;
}

void MapObject::assign(std::vector<std::pair<Value, Value>> entries) {
    index_.reset();
    entries_ = std::move(entries);
    if (entries_.size() > kScanMax) {
        index_ = std::unique_ptr<Index>(new Index{PlaceIndex(entries_)});
    }
}

struct BulkSetObject::Index {
    PlaceIndex<std::vector<std::pair<Value, std::int64_t>>> places;
};

BulkSetObject::BulkSetObject() = default;
BulkSetObject::~BulkSetObject() = default;

void BulkSetObject::add(const Value& value, std::int64_t count) {
    total_ += count;
    const std::size_t place =
        index_ ? index_->places.find(value) : scan(entries_, value, identical);
    if (place != kAbsent) {
        entries_[place].second += count;
        return;
    }
    entries_.emplace_back(value, count);
    if (index_) {
        index_->places.add(entries_.size() - 1);
    } else if (entries_.size() > kScanMax) {
        index_ = std::unique_ptr<Index>(new Index{PlaceIndex(entries_)});
    }
}

}  // namespace hob
