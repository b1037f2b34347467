#pragma once
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/value/value.h"

namespace hob::graph {

/// What a transaction knows of one vertex.
struct CachedRecord {
    VertexRecord record;
    std::uint32_t coverage =
        0;  ///< Which projection was read (an index into the transaction's list).
    bool loaded = false;
    bool queued = false;  ///< Already in the multi-get that is being put together.
    /// The qualifier of each property's cell; empty when all are of single cardinality and were not
    /// changed here.
    std::vector<std::string> qualifiers;
};

/// Records by vertex id; long ids have a map of their own, since they are the hot path. Records
/// stay where they are until erased. Used by one thread at a time.
class RecordCache {
  public:
    /// The record of a vertex, new and not loaded when there was none.
    CachedRecord& slot(const Value& id) {
        auto& owner = id.kind() == Kind::kLong ? by_long_[id.as_int64()] : by_value_[id];
        if (owner == nullptr) owner = std::make_unique<CachedRecord>();
        return *owner;
    }
    [[nodiscard]] std::size_t size() const { return by_long_.size() + by_value_.size(); }
    void clear() {
        by_long_.clear();
        by_value_.clear();
    }

  private:
    absl::flat_hash_map<std::int64_t, std::unique_ptr<CachedRecord>> by_long_;
    absl::flat_hash_map<Value, std::unique_ptr<CachedRecord>, ValueHash, ValueIdentical> by_value_;
};

}  // namespace hob::graph
