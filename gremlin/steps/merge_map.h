#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// The maps that mergeV() and mergeE() take: what their keys may be, and where they come from.

enum class MergeRole : std::uint8_t { kSearch, kOnMatch };

/// Errors (kExecution) in the words of TinkerPop's MergeElementStep.
Status validate_merge_map(const MapObject& map, bool vertices, MergeRole role);
/// onCreate may repeat what the merge map says, not contradict it.
Status validate_no_overrides(const MapObject& merge, const MapObject& on_create);

/// `Cardinality.list(33)` as a map's value: the cardinality and 33; any other value: itself alone.
struct MergeValue {
    std::optional<Cardinality> cardinality;
    Value value;
};
Result<MergeValue> merge_value(const Value& value);

const Value* find_token(const MapObject& map, T token);
const Value* find_direction(const MapObject& map, Direction direction);
Value copy_map(const Value& map);

/// An argument or option of a merge step: a literal, a traversal, or (no argument) the object
/// itself.
class MergeArgument {
  public:
    static MergeArgument incoming() { return {}; }
    /// `node` and `index` say where a wrong argument stood; null stands for no map at all.
    static Result<MergeArgument> make(Compiler& compiler, const Node& node, std::size_t index,
                                      const Value& argument);
    [[nodiscard]] bool is_literal() const { return literal_.has_value(); }
    [[nodiscard]] const Value& literal() const { return *literal_; }
    /// What it is for each traverser: any object.
    Status values(std::span<const Traverser> in, std::string_view step, std::vector<Value>& out);
    /// The same when only maps will do; null becomes an empty map.
    Status maps(std::span<const Traverser> in, std::string_view step, std::vector<Value>& out);

  private:
    std::optional<Value> literal_;
    std::optional<Child> child_;
};

}  // namespace hob::gremlin
