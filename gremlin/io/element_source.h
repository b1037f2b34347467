#pragma once
#include "storage/value/value.h"

namespace hob::gremlin {

/// Gives writers what a vertex value does not carry itself: label and properties. The executor
/// reads them in one batch before it hands results to a writer. Used by one thread at a time.
class ElementSource {
  public:
    virtual ~ElementSource() = default;
    /// The record of a kVertex value; null when nothing is known (the writer then writes label
    /// "vertex" and no properties).
    [[nodiscard]] virtual const VertexRecord* vertex(const Value& vertex) const = 0;
};

/// Knows nothing.
class NoElements final : public ElementSource {
  public:
    [[nodiscard]] const VertexRecord* vertex(const Value&) const override { return nullptr; }
};

/// How results are written; chosen per connection and request.
struct WriteOptions {
    bool properties = true;  ///< materializeProperties: all (true) or tokens (false: elements carry
                             ///< no properties).
    bool legacy_dates =
        false;  ///< Write kDateTime as Date (3.7 clients can't read OffsetDateTime).
    const ElementSource* elements = nullptr;
};

}  // namespace hob::gremlin
