#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "gremlin/exec/op.h"

namespace hob::gremlin {

/// What steps read of elements, always for a whole batch.

/// The records of the vertices among `values` (one batched read); null for everything else and for
/// vertices that don't exist.
Status records_of(QueryContext& context, std::span<const Value> values, bool all,
                  std::vector<const VertexRecord*>& out);
Status records_of(QueryContext& context, std::span<const Traverser> traversers, bool all,
                  std::vector<const VertexRecord*>& out);

/// Gives all elements of a scan, up to kBatchMax at a time, to `visit` (`Status
/// visit(std::vector<Value>& elements)`, which may take them); records of earlier batches are
/// forgotten.
template <typename Visit>
Status visit_batches(QueryContext& context, graph::ElementScan& scan, Visit visit) {
    std::vector<Value> elements;
    while (true) {
        HOB_TRY(context.check());
        context.transaction->forget(kBatchMax);
        elements.clear();
        HOB_TRY(scan.next(kBatchMax, elements));
        if (elements.empty()) return {};
        HOB_TRY(visit(elements));
    }
}

/// id(), label() and so on of one element; `record` is the vertex's. Null with `found` false where
/// the value has no such token.
struct TokenValue {
    Value value;
    bool found = false;
};
Result<TokenValue> token_of(T token, const Value& value, const VertexRecord* record);

/// First value of a property by key: of a vertex (from its record), an edge, a vertex property (its
/// meta-properties). `count` is how many there are.
const Value* property_value(const Value& element, const VertexRecord* record, std::string_view key,
                            std::size_t* count = nullptr);

/// Whether two or more vertex properties of that key make Vertex.property(key) ambiguous.
Status ambiguous(std::string_view key);

}  // namespace hob::gremlin
