#include <bit>
#include <cstring>

#include "gremlin/io/graphbinary.h"
#include "gremlin/io/graphbinary_types.h"
#include "gremlin/io/predicates.h"
#include "gremlin/language/traversal.h"
#include "storage/value/calendar.h"
#include "storage/value/text_parts.h"

namespace hob::gremlin::graphbinary {
namespace {

constexpr std::string_view kDefaultVertexLabel = "vertex";

class Writer {
  public:
    Writer(const WriteOptions& options, std::string& out) : options_(options), out_(out) {}

    void value(const Value& v);
    void map_body(const MapObject& map);
    void string_body(std::string_view text) {
        u32(text.size());
        out_.append(text);
    }

  private:
    void u8(std::uint8_t v) { out_.push_back(static_cast<char>(v)); }
    void u16(std::uint16_t v) {
        v = __builtin_bswap16(v);
        put(&v, sizeof v);
    }
    void u32(std::size_t n) {
        const std::uint32_t v = __builtin_bswap32(static_cast<std::uint32_t>(n));
        put(&v, sizeof v);
    }
    void i32(std::int64_t n) { u32(static_cast<std::uint32_t>(n)); }
    void i64(std::int64_t n) {
        const std::uint64_t v = __builtin_bswap64(static_cast<std::uint64_t>(n));
        put(&v, sizeof v);
    }
    void put(const void* bytes, std::size_t size) {
        out_.append(static_cast<const char*>(bytes), size);
    }
    /// Type code and the flag that says a value follows.
    void type(Type t) {
        const char head[2] = {static_cast<char>(t), 0};
        out_.append(head, 2);
    }
    void null() { out_.append("\xfe\x01", 2); }

    void items_body(std::span<const Value> items) {
        u32(items.size());
        for (const Value& item : items) {
            value(item);
        }
    }
    void list(std::span<const Value> items) {
        type(Type::kList);
        items_body(items);
    }
    void string(std::string_view text) {
        type(Type::kString);
        string_body(text);
    }
    void text_body(const Value& v, std::string_view fallback) {
        string_body(v.is_string() ? v.text() : fallback);
    }

    void object(const Value& v);
    void foreign(const Value& v);
    void date_time(const Value& v);
    void vertex(const Value& v);
    void edge(const EdgeObject& e);
    void vertex_property(const VertexPropertyObject& p);
    void property(const Value& key, const Value& v);
    void property_list_body(const std::vector<std::pair<Value, Value>>& properties);
    void path(const PathObject& p);
    void tree_body(const TreeObject& t);
    void graph(const GraphObject& g);
    void metrics_body(const MetricsObject& m);
    void metrics_list_body(const std::vector<Value>& metrics);
    void instructions(const std::vector<Instruction>& all);
    [[nodiscard]] std::string_view label_of(const Value& vertex, const Value& known) const;

    const WriteOptions& options_;
    std::string& out_;
};

void Writer::value(const Value& v) {
    switch (v.kind()) {
        case Kind::kNull:
            null();
            break;
        case Kind::kBool:
            type(Type::kBoolean);
            u8(v.as_bool() ? 1 : 0);
            break;
        case Kind::kByte:
            type(Type::kByte);
            u8(static_cast<std::uint8_t>(v.as_int64()));
            break;
        case Kind::kShort:
            type(Type::kShort);
            u16(static_cast<std::uint16_t>(v.as_int64()));
            break;
        case Kind::kInt:
            type(Type::kInt);
            i32(v.as_int64());
            break;
        case Kind::kLong:
            type(Type::kLong);
            i64(v.as_int64());
            break;
        case Kind::kFloat:
            type(Type::kFloat);
            u32(std::bit_cast<std::uint32_t>(static_cast<float>(v.as_double())));
            break;
        case Kind::kDouble:
            type(Type::kDouble);
            i64(std::bit_cast<std::int64_t>(v.as_double()));
            break;
        case Kind::kChar:
            type(Type::kChar);
            append_utf8(static_cast<char32_t>(v.as_int64()), out_);
            break;
        case Kind::kDate:
            type(Type::kDate);
            i64(v.as_int64());
            break;
        case Kind::kDateTime:
            date_time(v);
            break;
        case Kind::kDuration:
            type(Type::kDuration);
            i64(v.seconds());
            u32(v.nanos());
            break;
        case Kind::kEnum:
            type(type_of(v.enum_type()));
            string(name_of(v.enum_type(), v.enum_ordinal()));
            break;
        case Kind::kString:
            string(v.text());
            break;
        case Kind::kVertex:
            vertex(v);
            break;
        default:
            object(v);
    }
}

void Writer::date_time(const Value& v) {
    if (options_.legacy_dates) {
        type(Type::kDate);
        i64(v.seconds() * 1000 + v.nanos() / 1'000'000);
        return;
    }
    const std::int64_t local = v.seconds() + v.offset_seconds();
    const CivilDate date = civil_of(floor_div(local, kSecondsPerDay));
    type(Type::kOffsetDateTime);
    i32(date.year);
    u8(static_cast<std::uint8_t>(date.month));
    u8(static_cast<std::uint8_t>(date.day));
    i64(floor_mod(local, kSecondsPerDay) * kNanosPerSecond + v.nanos());
    i32(v.offset_seconds());
}

void Writer::object(const Value& v) {
    switch (v.kind()) {
        case Kind::kBigInt:
            type(Type::kBigInteger);
            string_body(v.as<BigIntObject>().twos_complement);
            break;
        case Kind::kBigDecimal:
            type(Type::kBigDecimal);
            i32(v.as<BigDecimalObject>().scale);
            string_body(v.as<BigDecimalObject>().unscaled);
            break;
        case Kind::kUuid:
            type(Type::kUuid);
            put(v.uuid_bytes().data(), v.uuid_bytes().size());
            break;
        case Kind::kBytes:
            type(Type::kByteBuffer);
            string_body(v.text());
            break;
        case Kind::kExtended:
            type(type_of(v.as<ExtendedObject>().type));
            out_.append(v.as<ExtendedObject>().body);
            break;
        case Kind::kList:
            list(v.items());
            break;
        case Kind::kSet:
            type(Type::kSet);
            items_body(v.items());
            break;
        case Kind::kMap:
            type(Type::kMap);
            map_body(v.as<MapObject>());
            break;
        case Kind::kMapEntry:
            type(Type::kMap);
            u32(1);
            value(v.as<MapEntryObject>().key);
            value(v.as<MapEntryObject>().value);
            break;
        case Kind::kBulkSet:
            type(Type::kBulkSet);
            u32(v.as<BulkSetObject>().entries().size());
            for (const auto& [item, count] : v.as<BulkSetObject>().entries()) {
                value(item);
                i64(count);
            }
            break;
        case Kind::kTree:
            type(Type::kTree);
            tree_body(v.as<TreeObject>());
            break;
        case Kind::kEdge:
            edge(v.as<EdgeObject>());
            break;
        case Kind::kVertexProperty:
            vertex_property(v.as<VertexPropertyObject>());
            break;
        case Kind::kProperty:
            property(v.as<PropertyObject>().key, v.as<PropertyObject>().value);
            break;
        case Kind::kPath:
            path(v.as<PathObject>());
            break;
        case Kind::kGraph:
            type(Type::kGraph);
            graph(v.as<GraphObject>());
            break;
        case Kind::kTraverser:
            type(Type::kTraverser);
            i64(v.as<TraverserObject>().bulk);
            value(v.as<TraverserObject>().value);
            break;
        case Kind::kMetrics:
            type(Type::kMetrics);
            metrics_body(v.as<MetricsObject>());
            break;
        case Kind::kTraversalMetrics:
            type(Type::kTraversalMetrics);
            i64(v.as<TraversalMetricsObject>().duration_ns);
            metrics_list_body(v.as<TraversalMetricsObject>().metrics);
            break;
        default:
            foreign(v);
    }
}

void Writer::map_body(const MapObject& map) {
    u32(map.size());
    for (const auto& [key, v] : map.entries()) {
        value(key);
        value(v);
    }
}

std::string_view Writer::label_of(const Value& vertex, const Value& known) const {
    if (known.is_string()) return known.text();
    const VertexRecord* record =
        options_.elements == nullptr ? nullptr : options_.elements->vertex(vertex);
    return record != nullptr && record->label.is_string() ? record->label.text()
                                                          : kDefaultVertexLabel;
}

void Writer::vertex(const Value& v) {
    const VertexRecord* record =
        options_.elements == nullptr ? nullptr : options_.elements->vertex(v);
    type(Type::kVertex);
    value(v.vertex_id());
    text_body(record == nullptr ? Value() : record->label, kDefaultVertexLabel);
    if (!options_.properties) {
        null();
    } else {
        list(record == nullptr ? std::span<const Value>()
                               : std::span<const Value>(record->properties));
    }
}

/// A property as list element or on its own; the element it belongs to is never written, only its
/// place is kept.
void Writer::property(const Value& key, const Value& v) {
    type(Type::kProperty);
    text_body(key, "");
    value(v);
    null();
}

void Writer::property_list_body(const std::vector<std::pair<Value, Value>>& properties) {
    u32(properties.size());
    for (const auto& [key, v] : properties) {
        property(key, v);
    }
}

void Writer::edge(const EdgeObject& e) {
    type(Type::kEdge);
    value(e.id);
    text_body(e.label, "edge");
    value(e.in.kind() == Kind::kVertex ? e.in.vertex_id() : Value());
    string_body(label_of(e.in, e.in_label));
    value(e.out.kind() == Kind::kVertex ? e.out.vertex_id() : Value());
    string_body(label_of(e.out, e.out_label));
    null();
    if (!options_.properties || !e.has_properties) {
        null();
        return;
    }
    type(Type::kList);
    property_list_body(e.properties);
}

void Writer::vertex_property(const VertexPropertyObject& p) {
    type(Type::kVertexProperty);
    value(p.id);
    text_body(p.key, "");
    value(p.value);
    null();
    if (!options_.properties) {
        null();
        return;
    }
    type(Type::kList);
    property_list_body(p.meta);
}

void Writer::path(const PathObject& p) {
    type(Type::kPath);
    type(Type::kList);
    u32(p.objects.size());
    for (std::size_t i = 0; i < p.objects.size(); ++i) {
        type(Type::kSet);
        items_body(i < p.labels.size() ? std::span<const Value>(p.labels[i])
                                       : std::span<const Value>());
    }
    list(p.objects);
}

void Writer::tree_body(const TreeObject& t) {
    u32(t.children.size());
    for (const auto& [key, child] : t.children.entries()) {
        value(key);
        if (child.kind() == Kind::kTree) {
            tree_body(child.as<TreeObject>());
        } else {
            u32(0);
        }
    }
}

/// Unlike everywhere else, lists of meta-properties and edge properties are bare here and the ends'
/// labels are null.
void Writer::graph(const GraphObject& g) {
    u32(g.vertices.size());
    for (const VertexRecord& record : g.vertices) {
        value(record.vertex.vertex_id());
        text_body(record.label, kDefaultVertexLabel);
        u32(record.properties.size());
        for (const Value& v : record.properties) {
            const auto& p = v.as<VertexPropertyObject>();
            value(p.id);
            text_body(p.key, "");
            value(p.value);
            null();
            property_list_body(p.meta);
        }
    }
    u32(g.edges.size());
    for (const Value& v : g.edges) {
        const auto& e = v.as<EdgeObject>();
        value(e.id);
        text_body(e.label, "edge");
        value(e.in.vertex_id());
        null();
        value(e.out.vertex_id());
        null();
        null();
        property_list_body(e.properties);
    }
}

void Writer::metrics_body(const MetricsObject& m) {
    string_body(m.id);
    string_body(m.name);
    i64(m.duration_ns);
    u32(m.counts.size());
    for (const auto& [name, count] : m.counts) {
        string(name);
        type(Type::kLong);
        i64(count);
    }
    u32(m.annotations.size());
    for (const auto& [name, v] : m.annotations) {
        string(name);
        value(v);
    }
    metrics_list_body(m.nested);
}

void Writer::metrics_list_body(const std::vector<Value>& metrics) {
    items_body(metrics);
}

void Writer::instructions(const std::vector<Instruction>& all) {
    u32(all.size());
    for (const Instruction& instruction : all) {
        string_body(instruction.name);
        items_body(instruction.arguments);
    }
}

void Writer::foreign(const Value& v) {
    if (const TraversalObject* t = as_traversal(v)) {
        type(Type::kBytecode);
        instructions(t->traversal.steps);
        instructions(t->traversal.sources);
    } else if (const PredicateObject* p = as_predicate(v)) {
        type(is_text_predicate(p->name) ? Type::kTextP : Type::kP);
        string_body(p->name);
        items_body(p->operands);
    } else if (const BindingObject* b = as_binding(v)) {
        type(Type::kBinding);
        string_body(b->name);
        value(b->value);
    } else if (const LambdaObject* l = as_lambda(v)) {
        type(Type::kLambda);
        string_body(l->language);
        string_body(l->script);
        i32(-1);
    } else if (const StrategyObject* s = as_strategy(v)) {
        type(Type::kTraversalStrategy);
        string_body(full_strategy_name(s->name));
        u32(s->configuration.size());
        for (const auto& [key, setting] : s->configuration) {
            string(key);
            value(setting);
        }
    } else {
        string(to_text(v));
    }
}

}  // namespace

void write_value(const Value& value, const WriteOptions& options, std::string& out) {
    Writer(options, out).value(value);
}

void write_bare_map(const Value& map, const WriteOptions& options, std::string& out) {
    Writer(options, out).map_body(map.as<MapObject>());
}

void write_bare_string(std::string_view text, std::string& out) {
    Writer(WriteOptions{}, out).string_body(text);
}

}  // namespace hob::gremlin::graphbinary
