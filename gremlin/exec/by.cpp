#include "gremlin/exec/by.h"

#include <algorithm>

#include "gremlin/exec/elements.h"

namespace hob::gremlin {

By By::key(std::string key) {
    By by;
    by.kind_ = Kind::kKey;
    by.key_ = std::move(key);
    return by;
}

By By::token(T token) {
    By by;
    by.kind_ = Kind::kToken;
    by.token_ = token;
    return by;
}

By By::column(Column column) {
    By by;
    by.kind_ = Kind::kColumn;
    by.column_ = column;
    return by;
}

By By::traversal(Child child) {
    By by;
    by.kind_ = Kind::kTraversal;
    by.child_.emplace(std::move(child));
    return by;
}

Result<Value> column_of(Column column, const Value& value) {
    const bool keys = column == Column::kKeys;
    switch (value.kind()) {
        case hob::Kind::kMap: {
            std::vector<Value> items;
            for (const auto& [k, v] : value.as<MapObject>().entries())
                items.push_back(keys ? k : v);
            return keys ? Value::set(std::move(items)) : Value::list(std::move(items));
        }
        case hob::Kind::kMapEntry:
            return keys ? value.as<MapEntryObject>().key : value.as<MapEntryObject>().value;
        case hob::Kind::kPath: {
            const auto& path = value.as<PathObject>();
            if (!keys) return Value::list(path.objects);
            std::vector<Value> labels;
            for (const auto& at : path.labels)
                labels.push_back(Value::set(at));
            return Value::list(std::move(labels));
        }
        default:
            return Error::execution("The provided object does not have accessible {}: {}",
                                    keys ? "keys" : "values", to_text(value));
    }
}

Status By::apply_key(QueryContext& context, std::span<const Traverser> in,
                     std::vector<Value>& values, std::vector<std::uint8_t>& found) const {
    std::vector<const VertexRecord*> records;
    HOB_TRY(records_of(context, in, false, records));
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Value& value = in[i].value;
        if (value.is_element()) {
            std::size_t count = 0;
            const Value* property = property_value(value, records[i], key_, &count);
            if (count > 1) return ambiguous(key_);
            if (property == nullptr) continue;
            values[i] = *property;
        } else if (value.kind() == hob::Kind::kMap) {
            const Value* entry = value.as<MapObject>().find(key_);
            if (entry != nullptr) values[i] = *entry;
        } else {
            return Error::execution(
                "The by(\"{}\") modulator can only be applied to a traverser that is an Element or "
                "a Map - it is being applied to [{}] a {} class instead",
                key_, to_text(value), type_name(value));
        }
        found[i] = 1;
    }
    return {};
}

Status By::apply(QueryContext& context, std::span<const Traverser> in, std::vector<Value>& values,
                 std::vector<std::uint8_t>& found) {
    if (kind_ == Kind::kTraversal) {
        HOB_TRY(child_->first(in, values, found));
    } else {
        values.assign(in.size(), Value());
        found.assign(in.size(), kind_ == Kind::kKey ? 0 : 1);
    }
    switch (kind_) {
        case Kind::kIdentity:
            for (std::size_t i = 0; i < in.size(); ++i)
                values[i] = in[i].value;
            break;
        case Kind::kKey:
            HOB_TRY(apply_key(context, in, values, found));
            break;
        case Kind::kToken: {
            std::vector<const VertexRecord*> records(in.size(), nullptr);
            if (token_ != T::kId) HOB_TRY(records_of(context, in, false, records));
            for (std::size_t i = 0; i < in.size(); ++i) {
                HOB_ASSIGN_OR_RETURN(TokenValue token, token_of(token_, in[i].value, records[i]));
                if (!token.found) {
                    return Error::execution(
                        "The by({}) modulator can not be applied to [{}], a {}",
                        name_of(EnumType::kT, static_cast<std::uint8_t>(token_)),
                        to_text(in[i].value), type_name(in[i].value));
                }
                values[i] = std::move(token.value);
            }
            break;
        }
        case Kind::kColumn:
            for (std::size_t i = 0; i < in.size(); ++i) {
                HOB_ASSIGN_OR_RETURN(values[i], column_of(column_, in[i].value));
            }
            break;
        case Kind::kTraversal:
            break;
    }
    const auto& known = context.productive_keys;
    const bool known_key =
        kind_ == Kind::kKey && std::find(known.begin(), known.end(), key_) != known.end();
    if (context.productive_by && !known_key) std::fill(found.begin(), found.end(), std::uint8_t{1});
    return {};
}

}  // namespace hob::gremlin
