#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gremlin/exec/op.h"

namespace hob::gremlin {

/// A by()-modulator, evaluated for a whole batch at once: nothing (the object itself), a property
/// key, a token, a column or a traversal.
class By {
  public:
    enum class Kind : std::uint8_t { kIdentity, kKey, kToken, kColumn, kTraversal };

    static By identity() { return {}; }
    static By key(std::string key);
    static By token(T token);
    static By column(Column column);
    static By traversal(Child child);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// `found[i]` is 0 where the modulator gives nothing for that traverser (it is "not
    /// productive").
    Status apply(QueryContext& context, std::span<const Traverser> in, std::vector<Value>& values,
                 std::vector<std::uint8_t>& found);

  private:
    Status apply_key(QueryContext& context, std::span<const Traverser> in,
                     std::vector<Value>& values, std::vector<std::uint8_t>& found) const;
    Kind kind_ = Kind::kIdentity;
    std::string key_;
    T token_ = T::kId;
    Column column_ = Column::kKeys;
    std::optional<Child> child_;
};

/// keys or values of a map, path or entry (Column.java).
Result<Value> column_of(Column column, const Value& value);

}  // namespace hob::gremlin
