#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/error.h"

namespace hob::gremlin {

enum class JsonKind : std::uint8_t { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };

/// One value of a JsonDocument. What an array or object holds follows it directly in the document:
/// items, or key and value in turn; `end` is the index after the last of them, so a value is
/// skipped by going to its `end`.
struct JsonNode {
    JsonKind kind = JsonKind::kNull;
    std::uint32_t end = 0;
    std::uint32_t at = 0;   ///< Byte offset in the text.
    std::string_view text;  ///< kString: decoded. kNumber: as written, so that no digit is lost.
};

/// A parsed JSON text (RFC 8259, strictly): its values in one flat vector. Borrows the text:
/// strings without escapes and numbers point into it. Immutable once parsed; moving it keeps its
/// views valid.
class JsonDocument {
  public:
    /// Errors: kParse with the byte offset. `depth_max` bounds nesting.
    static Result<JsonDocument> parse(std::string_view text, std::size_t depth_max);

    [[nodiscard]] const JsonNode& operator[](std::uint32_t index) const { return nodes_[index]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    /// The index of a member's value, or 0 when the object at `object` has none of that name (0 is
    /// never a member).
    [[nodiscard]] std::uint32_t member(std::uint32_t object, std::string_view name) const;

  private:
    friend class JsonParser;
    std::vector<JsonNode> nodes_;
    std::deque<std::string> unescaped_;
};

}  // namespace hob::gremlin
