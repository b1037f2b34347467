#include "gremlin/steps/lists_values.h"

#include <algorithm>

#include "gremlin/language/traversal.h"

namespace hob::gremlin {

std::optional<std::vector<Value>> items_of(const Value& value) {
    switch (value.kind()) {
        case Kind::kList:
        case Kind::kSet:
            return std::vector<Value>(value.items().begin(), value.items().end());
        case Kind::kBulkSet: {
            std::vector<Value> items;
            for (const auto& [item, count] : value.as<BulkSetObject>().entries()) {
                items.insert(items.end(), static_cast<std::size_t>(count), item);
            }
            return items;
        }
        case Kind::kPath:
            return value.as<PathObject>().objects;
        default:
            return std::nullopt;
    }
}

namespace {

std::string_view class_name(const Value& value) {
    switch (value.kind()) {
        case Kind::kBool:
            return "java.lang.Boolean";
        case Kind::kByte:
            return "java.lang.Byte";
        case Kind::kShort:
            return "java.lang.Short";
        case Kind::kInt:
            return "java.lang.Integer";
        case Kind::kLong:
            return "java.lang.Long";
        case Kind::kFloat:
            return "java.lang.Float";
        case Kind::kDouble:
            return "java.lang.Double";
        case Kind::kChar:
            return "java.lang.Character";
        case Kind::kString:
            return "java.lang.String";
        case Kind::kBigInt:
            return "java.math.BigInteger";
        case Kind::kBigDecimal:
            return "java.math.BigDecimal";
        case Kind::kDate:
            return "java.util.Date";
        case Kind::kUuid:
            return "java.util.UUID";
        case Kind::kDateTime:
            return "java.time.OffsetDateTime";
        case Kind::kDuration:
            return "java.time.Duration";
        case Kind::kBytes:
            return "java.nio.ByteBuffer";
        case Kind::kList:
            return "java.util.ArrayList";
        case Kind::kSet:
            return "java.util.LinkedHashSet";
        case Kind::kMap:
            return "java.util.LinkedHashMap";
        case Kind::kMapEntry:
            return "java.util.Map$Entry";
        case Kind::kBulkSet:
            return "org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet";
        case Kind::kTree:
            return "org.apache.tinkerpop.gremlin.process.traversal.step.util.Tree";
        case Kind::kPath:
            return "org.apache.tinkerpop.gremlin.process.traversal.Path";
        case Kind::kVertex:
            return "org.apache.tinkerpop.gremlin.structure.Vertex";
        case Kind::kEdge:
            return "org.apache.tinkerpop.gremlin.structure.Edge";
        case Kind::kVertexProperty:
            return "org.apache.tinkerpop.gremlin.structure.VertexProperty";
        case Kind::kProperty:
            return "org.apache.tinkerpop.gremlin.structure.Property";
        default:
            return type_name(value);
    }
}

}  // namespace

std::string java_class(const Value& value) {
    if (value.is_null()) return "null";
    return fmt::format("class {}", class_name(value));
}

std::string java_simple_name(const Value& value) {
    if (value.is_null()) return "null";
    const std::string_view name = class_name(value);
    const std::size_t before = name.find_last_of(".$");
    return std::string(before == std::string_view::npos ? name : name.substr(before + 1));
}

Status apply_child(Child& child, std::span<const Traverser> parents, std::string_view step,
                   std::vector<Value>& values) {
    std::vector<std::uint8_t> found;
    HOB_TRY(child.first(parents, values, found));
    const auto missing = std::find(found.begin(), found.end(), std::uint8_t{0});
    if (missing == found.end()) return {};
    const Value& value = parents[static_cast<std::size_t>(missing - found.begin())].value;
    return Error::execution(
        "The provided traverser does not map to a value: {}[{}], in the traversal argument of {}()",
        to_text(value), java_simple_name(value), step);
}

void want_property(QueryContext& context, std::string_view key) {
    auto& keys = context.projection.keys;
    const auto place = std::lower_bound(keys.begin(), keys.end(), key);
    if (place == keys.end() || *place != key) keys.emplace(place, key);
}

}  // namespace hob::gremlin
