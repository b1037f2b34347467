#include "gremlin/exec/elements.h"

namespace hob::gremlin {
namespace {

template <typename Items, typename Get>
Status read_records(QueryContext& context, const Items& items, Get get, bool all,
                    std::vector<const VertexRecord*>& out) {
    out.assign(items.size(), nullptr);
    std::vector<Value> vertices;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Value& v = get(items[i]);
        if (v.kind() != Kind::kVertex) continue;
        vertices.push_back(v);
        places.push_back(i);
    }
    if (vertices.empty()) return {};
    std::vector<const VertexRecord*> records;
    HOB_TRY(context.records(vertices, all, records));
    for (std::size_t i = 0; i < places.size(); ++i)
        out[places[i]] = records[i];
    return {};
}

const Value* find_pair(const std::vector<std::pair<Value, Value>>& pairs, std::string_view key) {
    for (const auto& [name, value] : pairs) {
        if (name.text() == key) return &value;
    }
    return nullptr;
}

}  // namespace

Status records_of(QueryContext& context, std::span<const Value> values, bool all,
                  std::vector<const VertexRecord*>& out) {
    return read_records(
        context, values, [](const Value& v) -> const Value& { return v; }, all, out);
}

Status records_of(QueryContext& context, std::span<const Traverser> traversers, bool all,
                  std::vector<const VertexRecord*>& out) {
    return read_records(
        context, traversers, [](const Traverser& t) -> const Value& { return t.value; }, all, out);
}

Result<TokenValue> token_of(T token, const Value& value, const VertexRecord* record) {
    switch (value.kind()) {
        case Kind::kVertex:
            if (token == T::kId) return TokenValue{value.vertex_id(), true};
            if (token == T::kLabel) {
                return TokenValue{record == nullptr ? Value::string("vertex") : record->label,
                                  true};
            }
            break;
        case Kind::kEdge: {
            const auto& edge = value.as<EdgeObject>();
            if (token == T::kId) return TokenValue{edge.id, true};
            if (token == T::kLabel) return TokenValue{edge.label, true};
            break;
        }
        case Kind::kVertexProperty: {
            const auto& property = value.as<VertexPropertyObject>();
            if (token == T::kId) return TokenValue{property.id, true};
            if (token == T::kLabel || token == T::kKey) return TokenValue{property.key, true};
            return TokenValue{property.value, true};
        }
        case Kind::kProperty: {
            const auto& property = value.as<PropertyObject>();
            if (token == T::kKey) return TokenValue{property.key, true};
            if (token == T::kValue) return TokenValue{property.value, true};
            break;
        }
        case Kind::kMapEntry: {
            const auto& entry = value.as<MapEntryObject>();
            if (token == T::kKey) return TokenValue{entry.key, true};
            if (token == T::kValue) return TokenValue{entry.value, true};
            break;
        }
        default:
            break;
    }
    return TokenValue{};
}

const Value* property_value(const Value& element, const VertexRecord* record, std::string_view key,
                            std::size_t* count) {
    switch (element.kind()) {
        case Kind::kVertex: {
            if (record == nullptr) return nullptr;
            const Value* first = nullptr;
            for (const Value& property : record->properties) {
                const auto& object = property.as<VertexPropertyObject>();
                if (object.key.text() != key) continue;
                if (first == nullptr) first = &object.value;
                if (count == nullptr) break;
                ++*count;
            }
            return first;
        }
        case Kind::kEdge:
            return find_pair(element.as<EdgeObject>().properties, key);
        case Kind::kVertexProperty:
            return find_pair(element.as<VertexPropertyObject>().meta, key);
        default:
            return nullptr;
    }
}

Status ambiguous(std::string_view key) {
    return Error::execution(
        "Multiple properties exist for the provided key, use Vertex.properties({})", key);
}

}  // namespace hob::gremlin
