#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "storage/value/value.h"

namespace hob::gremlin {

/// A set of step labels, by its number in the query's LabelTable; 0 is the empty set.
enum class LabelSetId : std::uint32_t { kNone = 0 };

/// One object of a path with its labels; paths share their beginnings. Counted without atomics: a
/// query runs on one thread.
struct PathNode {
    std::uint32_t references = 1;
    std::uint32_t length = 1;
    PathNode* previous = nullptr;
    Value object;
    LabelSetId labels = LabelSetId::kNone;
};

/// Owns one reference of a path's last node, or nothing.
class PathRef {
  public:
    PathRef() = default;
    PathRef(const PathRef& o) : node_(o.node_) {
        if (node_ != nullptr) ++node_->references;
    }
    PathRef(PathRef&& o) noexcept : node_(std::exchange(o.node_, nullptr)) {}
    PathRef& operator=(PathRef o) noexcept {
        std::swap(node_, o.node_);
        return *this;
    }
    ~PathRef() { drop(node_); }
    [[nodiscard]] const PathNode* get() const { return node_; }
    /// The path with one more object.
    [[nodiscard]] PathRef push(Value object, LabelSetId labels) const;
    /// The path whose last node carries `labels` instead of its own.
    [[nodiscard]] PathRef relabel(LabelSetId labels) const;

  private:
    static void drop(PathNode* node);
    PathNode* node_ = nullptr;
};

/// What flows through a pipeline (TinkerPop's Traverser): a value, how many equal ones it stands
/// for, and where it belongs.
struct Traverser {
    Value value;
    std::int64_t bulk = 1;
    std::uint32_t slot =
        0;  ///< Which parent of the enclosing scope it belongs to (DESIGN.md section 3).
    std::uint32_t tag = 0;  ///< Place in the enclosing ordered branch; never merged across.
    PathRef path;
    Value sack;
};

using Batch = std::vector<Traverser>;

}  // namespace hob::gremlin
