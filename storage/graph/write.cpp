#include <algorithm>
#include <array>
#include <chrono>

#include "storage/graph/transaction.h"
#include "storage/value/compare.h"

namespace hob::graph {
namespace {

Error no_vertex(const Value& id) {
    return Error::make(Code::kNotFound, "vertex {} does not exist", to_text(id));
}

std::vector<Value> values_of(const VertexRecord& record, const Value& key) {
    std::vector<Value> values;
    for (const auto& property : record.properties) {
        const auto& object = property.as<VertexPropertyObject>();
        if (object.key.text() == key.text()) values.push_back(object.value);
    }
    return values;
}

/// Time-ordered (version 7): milliseconds, then a number that ascends with each id.
Value ordered_uuid(std::int64_t timestamp_us, std::int64_t sequence) {
    std::array<std::uint8_t, 16> bytes{};
    const auto ms = static_cast<std::uint64_t>(timestamp_us / 1000);
    const auto us = static_cast<std::uint64_t>(timestamp_us % 1000);
    for (std::size_t i = 0; i < 6; ++i) {
        bytes[i] = static_cast<std::uint8_t>(ms >> (8 * (5 - i)));
    }
    bytes[6] = static_cast<std::uint8_t>(0x70 | us >> 8);
    bytes[7] = static_cast<std::uint8_t>(us);
    for (std::size_t i = 8; i < 16; ++i) {
        bytes[i] =
            static_cast<std::uint8_t>(static_cast<std::uint64_t>(sequence) >> (8 * (15 - i)));
    }
    bytes[8] = static_cast<std::uint8_t>(0x80 | (bytes[8] & 0x3f));
    return Value::uuid(bytes);
}

}  // namespace

Result<Value> TransactionImpl::made_up_vertex_id() {
    HOB_ASSIGN_OR_RETURN(const std::int64_t number, graph_->vertex_ids().next(call_));
    switch (graph_->options().ids) {
        case IdKind::kLong:
        case IdKind::kAny:
            return Value::long_(number);
        case IdKind::kString:
            return Value::string(std::to_string(number));
        case IdKind::kUuid:
            return ordered_uuid(graph_->clock().next(), number);
    }
    return Error::internal("id kind {} is unknown", static_cast<int>(graph_->options().ids));
}

Status TransactionImpl::check_new_vertex(const Value& id) {
    std::vector<const VertexRecord*> found;
    const Value vertex = Value::vertex(id);
    HOB_TRY(read_vertices({&vertex, 1}, projections_[kLabelOnly], found));
    if (found[0] != nullptr)
        return Error::make(Code::kAlreadyExists, "Vertex with id already exists: {}", to_text(id));
    return {};
}

Result<Value> TransactionImpl::new_vertex_id(const Value& id) {
    if (id.is_null()) {
        // A string that a user chose may be the number that comes next; longs never are
        // (IdBlock::reserve).
        while (true) {
            HOB_ASSIGN_OR_RETURN(const Value made, made_up_vertex_id());
            if (graph_->options().ids != IdKind::kString) return made;
            auto status = check_new_vertex(made);
            if (status) return made;
            if (status.error().code != Code::kAlreadyExists) return std::move(status.error());
        }
    }
    const auto normal = ids().normal(id);
    if (!normal.has_value()) {
        return Error::invalid(
            "addVertex(): id {} ({}) can not be a vertex id of graph '{}', whose ids are of kind "
            "{}",
            to_text(id), type_name(id), graph_->options().name,
            layout::name_of(graph_->options().ids));
    }
    HOB_TRY(check_new_vertex(*normal));
    if (normal->kind() == Kind::kLong)
        HOB_TRY(graph_->vertex_ids().reserve(normal->as_int64(), call_));
    return *normal;
}

Result<Value> TransactionImpl::add_vertex(const Value& id, std::string_view label,
                                          std::span<const PropertyWrite> properties) {
    HOB_TRY(call_.check());
    begin_writing();
    HOB_ASSIGN_OR_RETURN(const auto label_code,
                         graph_->dictionary().code(NameKind::kVertexLabel, label, call_));
    HOB_ASSIGN_OR_RETURN(const Value normal, new_vertex_id(id));
    names_ = graph_->dictionary().names();
    const std::string row = ids().row_key(normal);
    rows_.set_absent(Table::kGraph, row);
    rows_.put(Table::kGraph, row, 'p', std::string(layout::kLabelQualifier),
              layout::label_value(label_code));
    CachedRecord& cached = cache_.slot(normal);
    cached.record = {.vertex = Value::vertex(normal),
                     .label = *names_->name(NameKind::kVertexLabel, label_code),
                     .properties = {}};
    cached.qualifiers.clear();
    cached.coverage = kEverything;
    cached.loaded = true;
    for (const auto& property : properties) {
        HOB_TRY(put_property(normal, cached, property));
    }
    return cached.record.vertex;
}

Result<Value> TransactionImpl::set_vertex_property(const Value& vertex,
                                                   const PropertyWrite& property) {
    HOB_TRY(call_.check());
    begin_writing();
    const auto id = ids().normal(vertex.kind() == Kind::kVertex ? vertex.vertex_id() : vertex);
    if (!id.has_value()) return no_vertex(vertex);
    HOB_ASSIGN_OR_RETURN(CachedRecord * cached, full_record(*id));
    if (cached == nullptr) return no_vertex(*id);
    return put_property(*id, *cached, property);
}

Result<Value> TransactionImpl::build_property(const CachedRecord& cached,
                                              const PropertyWrite& property, std::string& encoded) {
    auto object = std::make_unique<VertexPropertyObject>();
    object->id = property.id;
    if (object->id.is_null()) {
        HOB_ASSIGN_OR_RETURN(const std::int64_t number, graph_->property_ids().next(call_));
        object->id = Value::long_(number);
    } else if (object->id.is_integral()) {
        object->id = Value::long_(object->id.as_int64());
        HOB_TRY(graph_->property_ids().reserve(object->id.as_int64(), call_));
    }
    HOB_ASSIGN_OR_RETURN(const auto key,
                         graph_->dictionary().code(NameKind::kKey, property.key, call_));
    layout::KeyCodes meta_keys;
    for (const auto& [meta_key, value] : property.meta) {
        if (value.is_null()) continue;
        HOB_ASSIGN_OR_RETURN(const auto code,
                             graph_->dictionary().code(NameKind::kKey, meta_key, call_));
        meta_keys.push_back(code);
    }
    names_ = graph_->dictionary().names();
    object->key = *names_->name(NameKind::kKey, key);
    object->value = property.value;
    object->vertex = cached.record.vertex;
    std::size_t next = 0;
    for (const auto& [meta_key, value] : property.meta) {
        if (!value.is_null())
            object->meta.emplace_back(*names_->name(NameKind::kKey, meta_keys[next++]), value);
    }
    HOB_TRY(layout::encode_property(*object, meta_keys, encoded));
    return Value::adopt(Kind::kVertexProperty, object.release());
}

Result<std::string> TransactionImpl::qualifier_for(CachedRecord& cached, std::uint16_t key,
                                                   Cardinality cardinality, const Value& value) {
    if (cardinality == Cardinality::kSingle) return layout::single_qualifier(key);
    HOB_TRY(graph_->dictionary().mark_multi(key, call_));
    if (cardinality == Cardinality::kList) {
        HOB_ASSIGN_OR_RETURN(const std::int64_t sequence, graph_->property_ids().next(call_));
        return layout::list_qualifier(key, sequence);
    }
    for (std::uint64_t probe = 0;; ++probe) {
        std::string qualifier = layout::set_qualifier(key, value, probe);
        if (std::find(cached.qualifiers.begin(), cached.qualifiers.end(), qualifier) ==
            cached.qualifiers.end())
            return qualifier;
    }
}

Result<Value> TransactionImpl::put_property(const Value& id, CachedRecord& cached,
                                            const PropertyWrite& property) {
    const Cardinality cardinality =
        property.cardinality.value_or(graph_->options().default_cardinality);
    auto& properties = cached.record.properties;
    if (property.value.is_null()) {
        if (cardinality != Cardinality::kSingle) return Value{};
        const Value key = Value::string(property.key);
        const auto before = values_of(cached.record, key);
        for (std::size_t i = properties.size(); i-- > 0;) {
            if (properties[i].as<VertexPropertyObject>().key.text() == property.key)
                HOB_TRY(erase_property(id, cached, i));
        }
        HOB_TRY(
            reindex(ElementType::kVertex, cached.record.label, key, vertex_bytes(id), before, {}));
        return Value{};
    }
    if (cardinality ==
        Cardinality::kSet) {  // An equal value stays what it is; its meta-properties are added to.
        for (std::size_t i = 0; i < properties.size(); ++i) {
            const auto& held = properties[i].as<VertexPropertyObject>();
            if (held.key.text() != property.key || !identical(held.value, property.value)) continue;
            Value kept = properties[i];
            for (const auto& [meta_key, meta_value] : property.meta) {
                HOB_ASSIGN_OR_RETURN(kept, set_meta_property(kept, meta_key, meta_value));
            }
            return kept;
        }
    }
    std::string encoded;
    HOB_ASSIGN_OR_RETURN(Value made, build_property(cached, property, encoded));
    const Value key = made.as<VertexPropertyObject>().key;
    const auto key_code = names_->code(NameKind::kKey, key.text());
    const auto before = values_of(cached.record, key);
    std::vector<Value> after = cardinality == Cardinality::kSingle ? std::vector<Value>{} : before;
    after.push_back(property.value);
    HOB_TRY(
        reindex(ElementType::kVertex, cached.record.label, key, vertex_bytes(id), before, after));
    if (cardinality == Cardinality::kSingle) {
        for (std::size_t i = properties.size(); i-- > 0;) {
            if (properties[i].as<VertexPropertyObject>().key.text() == key.text())
                HOB_TRY(erase_property(id, cached, i));
        }
    }
    HOB_ASSIGN_OR_RETURN(std::string qualifier,
                         qualifier_for(cached, key_code, cardinality, property.value));
    rows_.put(Table::kGraph, ids().row_key(id), 'p', qualifier, std::move(encoded));
    // Behind the others of its key: where a later read will find it.
    std::size_t at = properties.size();
    while (at > 0 && std::string_view(cached.qualifiers[at - 1]).substr(0, 2) >
                         std::string_view(qualifier).substr(0, 2)) {
        --at;
    }
    properties.insert(properties.begin() + static_cast<std::ptrdiff_t>(at), made);
    cached.qualifiers.insert(cached.qualifiers.begin() + static_cast<std::ptrdiff_t>(at),
                             std::move(qualifier));
    return made;
}

Status TransactionImpl::erase_property(const Value& id, CachedRecord& cached, std::size_t at) {
    rows_.erase(Table::kGraph, ids().row_key(id), 'p', cached.qualifiers[at]);
    cached.record.properties.erase(cached.record.properties.begin() +
                                   static_cast<std::ptrdiff_t>(at));
    cached.qualifiers.erase(cached.qualifiers.begin() + static_cast<std::ptrdiff_t>(at));
    return {};
}

Result<std::optional<std::size_t>> TransactionImpl::find_property(
    const VertexPropertyObject& property, CachedRecord*& cached) {
    cached = nullptr;
    if (property.vertex.kind() != Kind::kVertex) return std::optional<std::size_t>{};
    const auto id = ids().normal(property.vertex.vertex_id());
    if (!id.has_value()) return std::optional<std::size_t>{};
    HOB_ASSIGN_OR_RETURN(cached, full_record(*id));
    if (cached == nullptr) return std::optional<std::size_t>{};
    const auto& properties = cached->record.properties;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (equal(properties[i].as<VertexPropertyObject>().id, property.id))
            return std::optional<std::size_t>{i};
    }
    return std::optional<std::size_t>{};
}

Result<Value> TransactionImpl::set_meta_property(const Value& vertex_property, std::string_view key,
                                                 const Value& value) {
    HOB_TRY(call_.check());
    begin_writing();
    CachedRecord* cached = nullptr;
    HOB_ASSIGN_OR_RETURN(const auto at,
                         find_property(vertex_property.as<VertexPropertyObject>(), cached));
    if (!at.has_value())
        return Error::make(Code::kNotFound, "vertex property {} does not exist",
                           to_text(vertex_property));
    const auto& held = cached->record.properties[*at].as<VertexPropertyObject>();
    auto changed = std::make_unique<VertexPropertyObject>();
    changed->id = held.id;
    changed->key = held.key;
    changed->value = held.value;
    changed->vertex = held.vertex;
    changed->meta = held.meta;
    HOB_TRY(graph_->dictionary().code(NameKind::kKey, key, call_));
    auto same_key = std::find_if(changed->meta.begin(), changed->meta.end(),
                                 [&](const auto& meta) { return meta.first.text() == key; });
    if (value.is_null()) {
        if (same_key != changed->meta.end()) changed->meta.erase(same_key);
    } else if (same_key != changed->meta.end()) {
        same_key->second = value;
    } else {
        changed->meta.emplace_back(Value::string(key), value);
    }
    layout::KeyCodes meta_keys;
    names_ = graph_->dictionary().names();
    for (const auto& meta : changed->meta) {
        meta_keys.push_back(names_->code(NameKind::kKey, meta.first.text()));
    }
    std::string encoded;
    HOB_TRY(layout::encode_property(*changed, meta_keys, encoded));
    const std::string row = ids().row_key(cached->record.vertex.vertex_id());
    rows_.put(Table::kGraph, row, 'p', cached->qualifiers[*at], std::move(encoded));
    Value made = Value::adopt(Kind::kVertexProperty, changed.release());
    cached->record.properties[*at] = made;
    return made;
}

Status TransactionImpl::remove_vertex_property(const VertexPropertyObject& property) {
    CachedRecord* cached = nullptr;
    HOB_ASSIGN_OR_RETURN(const auto at, find_property(property, cached));
    if (!at.has_value()) return {};
    const Value key = property.key;
    const Value id = cached->record.vertex.vertex_id();
    const auto before = values_of(cached->record, key);
    HOB_TRY(erase_property(id, *cached, *at));
    return reindex(ElementType::kVertex, cached->record.label, key, vertex_bytes(id), before,
                   values_of(cached->record, key));
}

Status TransactionImpl::remove_vertex(const Value& vertex) {
    const auto id = ids().normal(vertex.vertex_id());
    if (!id.has_value()) return {};
    HOB_ASSIGN_OR_RETURN(CachedRecord * cached, full_record(*id));
    if (cached == nullptr) return {};
    HOB_TRY(erase_incident_edges(*id));
    for (const auto& index : schema_->indexes) {
        if (!index.covers(ElementType::kVertex, cached->record.label.text(), index.spec.key))
            continue;
        const Value key = Value::string(index.spec.key);
        HOB_TRY(reindex(ElementType::kVertex, cached->record.label, key, vertex_bytes(*id),
                        values_of(cached->record, key), {}));
    }
    const std::string row = ids().row_key(*id);
    rows_.clear_family(Table::kGraph, row, 'p');
    rows_.clear_family(Table::kGraph, row, 'e');
    cached->record.label = Value{};
    cached->record.properties.clear();
    cached->qualifiers.clear();
    return {};
}

Status TransactionImpl::remove(const Value& element) {
    HOB_TRY(call_.check());
    begin_writing();
    if (element.kind() == Kind::kVertex) return remove_vertex(element);
    if (element.kind() == Kind::kVertexProperty)
        return remove_vertex_property(element.as<VertexPropertyObject>());
    if (element.kind() == Kind::kEdge) {
        HOB_TRY(update_names());
        HOB_ASSIGN_OR_RETURN(const auto found, locate(element.as<EdgeObject>()));
        return found.has_value() ? erase_edge(*found) : Status{};
    }
    if (element.kind() == Kind::kProperty) {
        const auto& property = element.as<PropertyObject>();
        if (property.element.kind() == Kind::kEdge) {
            auto changed = set_edge_property(property.element, property.key.text(), Value{});
            if (changed || changed.error().code == Code::kNotFound) return {};
            return std::move(changed.error());
        }
        if (property.element.kind() == Kind::kVertexProperty) {
            auto changed = set_meta_property(property.element, property.key.text(), Value{});
            if (changed || changed.error().code == Code::kNotFound) return {};
            return std::move(changed.error());
        }
        return {};
    }
    return Error::invalid("remove: {} is neither an element nor a property", type_name(element));
}

}  // namespace hob::graph
