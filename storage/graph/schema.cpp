#include "storage/graph/schema.h"

#include "storage/base/bytes.h"

namespace hob::graph {
namespace {
constexpr std::uint8_t kUnique = 1;
constexpr std::uint8_t kReady = 2;
constexpr std::uint8_t kOfEdges = 4;
}  // namespace

std::string encode_index(const Index& index) {
    std::string out;
    ByteWriter writer(out);
    writer.u16(index.code);
    const bool of_edges = index.spec.element == ElementType::kEdge;
    writer.u8(static_cast<std::uint8_t>((index.spec.unique ? kUnique : 0) |
                                        (index.ready ? kReady : 0) | (of_edges ? kOfEdges : 0)));
    writer.varint(index.spec.label.size());
    writer.raw(index.spec.label);
    writer.varint(index.spec.key.size());
    writer.raw(index.spec.key);
    return out;
}

Result<Index> decode_index(std::string_view name, std::string_view value) {
    ByteReader in(value);
    Index index;
    index.spec.name = name;
    index.code = in.u16();
    const std::uint8_t flags = in.u8();
    index.spec.unique = (flags & kUnique) != 0;
    index.ready = (flags & kReady) != 0;
    index.spec.element = (flags & kOfEdges) != 0 ? ElementType::kEdge : ElementType::kVertex;
    index.spec.label = in.take(in.varint());
    index.spec.key = in.take(in.varint());
    if (!in.ok() || !in.at_end())
        return Error::corrupt("definition of index '{}' can not be read", name);
    return index;
}

}  // namespace hob::graph
