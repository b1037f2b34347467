#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "storage/base/error.h"
#include "storage/graph/graph.h"

namespace hob::graph {

/// An index with its place in `<graph>_i` and its state.
struct Index {
    IndexSpec spec;
    std::uint16_t code = 0;
    bool ready = false;  ///< False: kept up by writers, still being filled, not read.

    [[nodiscard]] bool covers(ElementType element, std::string_view label,
                              std::string_view key) const {
        return spec.element == element && spec.key == key &&
               (spec.label.empty() || spec.label == label);
    }
};

/// All indexes at one moment. Immutable once shared; a change makes a new one with the next
/// version.
struct Schema {
    std::uint64_t version = 0;
    std::vector<Index> indexes;

    [[nodiscard]] bool any(ElementType element) const {
        for (const auto& index : indexes) {
            if (index.spec.element == element) return true;
        }
        return false;
    }
};

/// code(2) | flags(1): 1 unique, 2 ready, 4 of edges | label | key (each: varint length, UTF-8).
/// The index's name is the qualifier.
std::string encode_index(const Index& index);
/// Errors: kCorrupt.
Result<Index> decode_index(std::string_view name, std::string_view value);

}  // namespace hob::graph
