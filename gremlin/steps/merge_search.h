#pragma once
#include <absl/container/flat_hash_map.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gremlin/exec/context.h"

namespace hob::gremlin {

/// What one merge map looks for, and what was found.
struct MergePattern {
    Value id;  ///< Null: any.
    std::optional<std::string> label;
    std::vector<std::pair<std::string, Value>> properties;
    Value out;                ///< mergeE: kVertex, or null for any.
    Value in;                 ///< As `out`.
    bool impossible = false;  ///< An id or vertex that can't exist here.
    std::vector<Value> found;
};

/// The searches of a whole batch of merges: equal maps are looked for once, and all together cost
/// at most one scan, or one read by id and one look-up for each index. Used by one thread at a
/// time.
class MergeSearch {
  public:
    MergeSearch(QueryContext& context, bool vertices) : ctx_(context), vertices_(vertices) {}

    void clear();
    /// Number of the pattern of this (validated) map; for edges its ends must be vertices already.
    Result<std::size_t> add(const Value& map);
    [[nodiscard]] MergePattern& pattern(std::size_t index) { return patterns_[index]; }
    /// Fills `found` of all patterns.
    Status run();
    /// A new or changed element: joins the patterns that it matches now, leaves the others.
    Status update(const Value& element);

  private:
    Status gather(std::vector<Value>& candidates);
    Status gather_by_id(std::vector<Value>& candidates);
    Status gather_by_index(std::vector<Value>& candidates);
    Status gather_incident(Direction direction, std::vector<Value>& candidates);
    [[nodiscard]] std::optional<graph::IndexSpec> index_of(const MergePattern& pattern,
                                                           Value* value) const;
    [[nodiscard]] bool needs_scan(const MergePattern& pattern) const;
    Status scan();
    template <typename ElementScan>
    Status drain(ElementScan& scan);
    Status offer_all(std::span<const Value> elements);
    void offer(const Value& element, const VertexRecord* record);
    void file(std::size_t index);
    /// All keys that the patterns ask for, and what the query wants of vertices anyway.
    const graph::Projection& projection();

    QueryContext& ctx_;
    bool vertices_;
    std::vector<MergePattern> patterns_;
    std::optional<graph::Projection> projection_;  ///< Made when all patterns are there.
    absl::flat_hash_map<Value, std::size_t, ValueHash, ValueIdentical> by_map_;
    /// Patterns by the hash of the one thing that an element must share with them.
    absl::flat_hash_map<std::size_t, std::vector<std::size_t>> by_pivot_;
    std::vector<std::size_t> without_pivot_;
    absl::flat_hash_map<Value, std::vector<std::size_t>, ValueHash, ValueIdentical> places_;
};

}  // namespace hob::gremlin
