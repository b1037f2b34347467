#include <algorithm>

#include "gremlin/plan/run.h"

namespace hob::gremlin {

void ResultElements::collect(const Value& value, bool full, std::vector<Value>& full_vertices,
                             std::vector<Value>& ends) const {
    switch (value.kind()) {
        case Kind::kVertex:
            (full ? full_vertices : ends).push_back(value);
            return;
        case Kind::kEdge:
            ends.push_back(value.as<EdgeObject>().out);
            ends.push_back(value.as<EdgeObject>().in);
            return;
        case Kind::kProperty:
            collect(value.as<PropertyObject>().element, false, full_vertices, ends);
            return;
        case Kind::kVertexProperty:
            collect(value.as<VertexPropertyObject>().vertex, false, full_vertices, ends);
            return;
        case Kind::kList:
        case Kind::kSet:
            for (const Value& item : value.items())
                collect(item, full, full_vertices, ends);
            return;
        case Kind::kBulkSet:
            for (const auto& [item, count] : value.as<BulkSetObject>().entries())
                collect(item, full, full_vertices, ends);
            return;
        case Kind::kMap:
            for (const auto& [key, item] : value.as<MapObject>().entries()) {
                collect(key, full, full_vertices, ends);
                collect(item, full, full_vertices, ends);
            }
            return;
        case Kind::kMapEntry:
            collect(value.as<MapEntryObject>().key, full, full_vertices, ends);
            collect(value.as<MapEntryObject>().value, full, full_vertices, ends);
            return;
        case Kind::kTree:
            for (const auto& [key, child] : value.as<TreeObject>().children.entries()) {
                collect(key, full, full_vertices, ends);
                collect(child, full, full_vertices, ends);
            }
            return;
        case Kind::kPath:
            for (const Value& object : value.as<PathObject>().objects)
                collect(object, full, full_vertices, ends);
            return;
        case Kind::kGraph:
            for (const Value& edge : value.as<GraphObject>().edges)
                collect(edge, full, full_vertices, ends);
            return;
        case Kind::kTraverser:
            collect(value.as<TraverserObject>().value, full, full_vertices, ends);
            return;
        default:
            return;
    }
}

Status ResultElements::load(std::span<const Value> results) {
    records_.clear();
    std::vector<Value> vertices;
    std::vector<Value> ends;
    for (const Value& result : results)
        collect(result, true, vertices, ends);
    const std::size_t full = vertices.size();
    vertices.insert(vertices.end(), ends.begin(), ends.end());
    if (vertices.empty()) return {};
    std::vector<const VertexRecord*> records;
    // One read serves both: ends of edges need labels only, vertices all they have.
    if (full == 0 || !properties_) {
        HOB_TRY(transaction_->read_vertices(vertices, graph::Projection::label_only(), records));
    } else if (ends.empty()) {
        HOB_TRY(transaction_->read_vertices(vertices, graph::Projection::everything(), records));
    } else {
        HOB_TRY(transaction_->read_vertices({vertices.data(), full},
                                            graph::Projection::everything(), records));
        std::vector<const VertexRecord*> end_records;
        HOB_TRY(transaction_->read_vertices({vertices.data() + full, ends.size()},
                                            graph::Projection::label_only(), end_records));
        records.insert(records.end(), end_records.begin(), end_records.end());
        // The second call may have moved records of the first: ask again, from the cache.
        HOB_TRY(transaction_->read_vertices({vertices.data(), full},
                                            graph::Projection::everything(), end_records));
        std::copy(end_records.begin(), end_records.end(), records.begin());
    }
    for (std::size_t i = 0; i < vertices.size(); ++i)
        records_.emplace_back(std::move(vertices[i]), records[i]);
    std::sort(records_.begin(), records_.end(),
              [](const auto& a, const auto& b) { return hash_of(a.first) < hash_of(b.first); });
    return {};
}

const VertexRecord* ResultElements::vertex(const Value& vertex) const {
    const std::size_t hash = hash_of(vertex);
    auto at = std::lower_bound(records_.begin(), records_.end(), hash,
                               [](const auto& r, std::size_t h) { return hash_of(r.first) < h; });
    for (; at != records_.end() && hash_of(at->first) == hash; ++at) {
        if (identical(at->first, vertex)) return at->second;
    }
    return nullptr;
}

}  // namespace hob::gremlin
