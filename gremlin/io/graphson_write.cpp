#include <charconv>
#include <cmath>

#include "gremlin/io/base64.h"
#include "gremlin/io/graphson.h"
#include "gremlin/io/predicates.h"
#include "gremlin/language/traversal.h"
#include "storage/base/bytes.h"
#include "storage/value/compare.h"
#include "storage/value/extended.h"
#include "storage/value/text_parts.h"

namespace hob::gremlin::graphson {
namespace {

constexpr std::string_view kDefaultVertexLabel = "vertex";
/// The longest array that a bulk set becomes in versions without a type for it.
constexpr std::int64_t kRepeatedItemsMax = 1'000'000;

class Writer {
  public:
    Writer(const Format& format, const WriteOptions& options, std::string& out)
        : version_(format.version),
          typed_(format.typed && format.version > 1),
          options_(options),
          out_(out) {}

    void value(const Value& v);

  private:
    /// Collections have a type of their own, and maps any keys, from version 3 on.
    [[nodiscard]] bool typed_collections() const { return typed_ && version_ >= 3; }
    /// Version 1 and the untyped version 3 say "type":"vertex" and leave the label out of embedded
    /// vertex properties.
    [[nodiscard]] bool plain_elements() const {
        return version_ == 1 || (version_ == 3 && !typed_);
    }

    void open(std::string_view type) {
        if (!typed_) return;
        out_ += "{\"@type\":\"";
        out_ += type;
        out_ += "\",\"@value\":";
    }
    void close() {
        if (typed_) out_ += '}';
    }
    void string(std::string_view text) { write_json_string(text, out_); }
    /// `"name":`, after a comma unless it is the object's first member.
    void member(std::string_view name, bool first = false) {
        if (!first) out_ += ',';
        string(name);
        out_ += ':';
    }
    void typed_text(std::string_view type, std::string_view text) {
        open(type);
        string(text);
        close();
    }
    void integer(std::string_view type, std::int64_t v) {
        open(type);
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, v);
        out_.append(digits, end.ptr);
        close();
    }
    void real(const Value& v);
    void items(std::span<const Value> all) {
        out_ += '[';
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i > 0) out_ += ',';
            value(all[i]);
        }
        out_ += ']';
    }
    void collection(std::string_view type, std::span<const Value> all) {
        if (typed_collections()) open(type);
        items(all);
        if (typed_collections()) close();
    }
    template <typename Entries>
    void map(const Entries& entries);
    void key_text(const Value& key);

    void scalar_object(const Value& v);
    void object(const Value& v);
    void extended(const ExtendedObject& v);
    void bulk_set(const BulkSetObject& set);
    void tree(const TreeObject& tree);
    void vertex(const Value& v);
    void edge(const EdgeObject& e);
    void vertex_property(const VertexPropertyObject& p, bool with_label);
    void properties_by_key(const std::vector<Value>& properties);
    void path(const PathObject& p);
    void graph(const GraphObject& g);
    void metrics(const MetricsObject& m);
    void metrics_fields(std::vector<std::pair<Value, Value>> fields);
    void foreign(const Value& v);
    void instructions(std::string_view name, const std::vector<Instruction>& all, bool first);
    void predicate(const PredicateObject& p);
    void strategy(const StrategyObject& s);
    [[nodiscard]] std::string_view label_of(const Value& vertex, const Value& known) const;

    int version_;
    bool typed_;
    const WriteOptions& options_;
    std::string& out_;
};

void Writer::value(const Value& v) {
    switch (v.kind()) {
        case Kind::kNull:
            out_ += "null";
            break;
        case Kind::kBool:
            out_ += v.as_bool() ? "true" : "false";
            break;
        case Kind::kByte:
            integer("gx:Byte", v.as_int64());
            break;
        case Kind::kShort:
            integer("gx:Int16", v.as_int64());
            break;
        case Kind::kInt:
            integer("g:Int32", v.as_int64());
            break;
        case Kind::kLong:
            integer("g:Int64", v.as_int64());
            break;
        case Kind::kFloat:
        case Kind::kDouble:
            real(v);
            break;
        case Kind::kChar:
            typed_text("gx:Char", to_text(v));
            break;
        case Kind::kDate:
            integer("g:Date", v.as_int64());
            break;
        case Kind::kDateTime:
            if (options_.legacy_dates) {
                integer("g:Date", v.seconds() * 1000 + v.nanos() / 1'000'000);
            } else {
                typed_text("gx:OffsetDateTime", date_time_text(v));
            }
            break;
        case Kind::kDuration:
            typed_text("gx:Duration", to_text(v));
            break;
        case Kind::kEnum:
            typed_text(std::string("g:") + std::string(name_of(v.enum_type())),
                       name_of(v.enum_type(), v.enum_ordinal()));
            break;
        case Kind::kString:
            string(v.text());
            break;
        case Kind::kVertex:
            vertex(v);
            break;
        case Kind::kBigInt:
        case Kind::kBigDecimal:
        case Kind::kUuid:
        case Kind::kBytes:
        case Kind::kExtended:
            scalar_object(v);
            break;
        default:
            object(v);
    }
}

void Writer::real(const Value& v) {
    open(v.kind() == Kind::kFloat ? "g:Float" : "g:Double");
    const bool finite = std::isfinite(v.as_double());
    if (!finite) out_ += '"';
    if (v.kind() == Kind::kFloat) {
        append_float_text(static_cast<float>(v.as_double()), out_);
    } else {
        append_double_text(v.as_double(), out_);
    }
    if (!finite) out_ += '"';
    close();
}

void Writer::scalar_object(const Value& v) {
    switch (v.kind()) {
        case Kind::kBigInt:
            open("gx:BigInteger");
            out_ += to_text(v);
            close();
            break;
        case Kind::kBigDecimal:
            open("gx:BigDecimal");
            out_ += to_text(v);
            close();
            break;
        case Kind::kUuid:
            typed_text("g:UUID", uuid_text(v));
            break;
        case Kind::kBytes:
            open("gx:ByteBuffer");
            out_ += '"';
            append_base64(v.text(), out_);
            out_ += '"';
            close();
            break;
        default:
            extended(v.as<ExtendedObject>());
    }
}

void Writer::extended(const ExtendedObject& v) {
    std::string text;
    append_extended_text(v, text);
    if (v.type == ExtendedType::kTimestamp) {
        integer("g:Timestamp", ByteReader(v.body).i64());
        return;
    }
    if (v.type == ExtendedType::kClass) {
        typed_text("g:Class", std::string_view(text).substr(6));
        return;
    }
    if (v.type == ExtendedType::kInetAddress) text.erase(0, 1);
    typed_text(std::string("gx:") + std::string(name_of(v.type)), text);
}

void Writer::object(const Value& v) {
    switch (v.kind()) {
        case Kind::kList:
            collection("g:List", v.items());
            break;
        case Kind::kSet:
            collection("g:Set", v.items());
            break;
        case Kind::kMap:
            map(v.as<MapObject>().entries());
            break;
        case Kind::kMapEntry: {
            const auto& entry = v.as<MapEntryObject>();
            map(std::vector<std::pair<Value, Value>>{{entry.key, entry.value}});
            break;
        }
        case Kind::kBulkSet:
            bulk_set(v.as<BulkSetObject>());
            break;
        case Kind::kTree:
            tree(v.as<TreeObject>());
            break;
        case Kind::kEdge:
            edge(v.as<EdgeObject>());
            break;
        case Kind::kVertexProperty:
            vertex_property(v.as<VertexPropertyObject>(), true);
            break;
        case Kind::kProperty: {
            const auto& p = v.as<PropertyObject>();
            open("g:Property");
            out_ += "{\"key\":";
            string(to_text(p.key));
            member("value");
            value(p.value);
            out_ += '}';
            close();
            break;
        }
        case Kind::kPath:
            path(v.as<PathObject>());
            break;
        case Kind::kGraph:
            graph(v.as<GraphObject>());
            break;
        case Kind::kTraverser:
            open("g:Traverser");
            out_ += "{\"bulk\":";
            integer("g:Int64", v.as<TraverserObject>().bulk);
            member("value");
            value(v.as<TraverserObject>().value);
            out_ += '}';
            close();
            break;
        case Kind::kMetrics:
            metrics(v.as<MetricsObject>());
            break;
        case Kind::kTraversalMetrics: {
            const auto& m = v.as<TraversalMetricsObject>();
            open("g:TraversalMetrics");
            metrics_fields(
                {{Value::string("dur"), Value::double_(static_cast<double>(m.duration_ns) / 1e6)},
                 {Value::string("metrics"), Value::list(m.metrics)}});
            close();
            break;
        }
        default:
            foreign(v);
    }
}

/// A key where only text may stand: an element by its id, anything else by its text.
void Writer::key_text(const Value& key) {
    switch (key.kind()) {
        case Kind::kVertex:
            string(to_text(key.vertex_id()));
            break;
        case Kind::kEdge:
            string(to_text(key.as<EdgeObject>().id));
            break;
        case Kind::kVertexProperty:
            string(to_text(key.as<VertexPropertyObject>().id));
            break;
        default:
            string(to_text(key));
    }
}

template <typename Entries>
void Writer::map(const Entries& entries) {
    const bool any_keys = typed_collections();
    if (any_keys) open("g:Map");
    out_ += any_keys ? '[' : '{';
    bool first = true;
    for (const auto& [key, v] : entries) {
        if (!first) out_ += ',';
        first = false;
        if (any_keys) {
            value(key);
            out_ += ',';
        } else {
            key_text(key);
            out_ += ':';
        }
        value(v);
    }
    out_ += any_keys ? ']' : '}';
    if (any_keys) close();
}

void Writer::bulk_set(const BulkSetObject& set) {
    std::vector<Value> flat;
    for (const auto& [item, count] : set.entries()) {
        flat.push_back(item);
        flat.push_back(Value::long_(count));
    }
    if (version_ >= 3) {
        open("g:BulkSet");
        items(flat);
        close();
        return;
    }
    // Before version 3 a bulk set is an array with every item as often as it was added; one that
    // would not fit anywhere is written with its counts.
    if (set.size() > kRepeatedItemsMax) {
        std::vector<std::pair<Value, Value>> counts;
        for (const auto& [item, count] : set.entries()) {
            counts.emplace_back(item, Value::long_(count));
        }
        map(counts);
        return;
    }
    out_ += '[';
    bool first = true;
    for (const auto& [item, count] : set.entries()) {
        for (std::int64_t i = 0; i < count; ++i) {
            if (!first) out_ += ',';
            first = false;
            value(item);
        }
    }
    out_ += ']';
}

void Writer::tree(const TreeObject& tree) {
    const bool by_id = version_ == 1;
    open("g:Tree");
    out_ += by_id ? '{' : '[';
    bool first = true;
    for (const auto& [key, child] : tree.children.entries()) {
        if (!first) out_ += ',';
        first = false;
        if (by_id) {
            key_text(key);
            out_ += ':';
        }
        out_ += "{\"key\":";
        value(key);
        member("value");
        value(child);
        out_ += '}';
    }
    out_ += by_id ? '}' : ']';
    close();
}

std::string_view Writer::label_of(const Value& vertex, const Value& known) const {
    if (known.is_string()) return known.text();
    const VertexRecord* record =
        options_.elements == nullptr ? nullptr : options_.elements->vertex(vertex);
    return record != nullptr && record->label.is_string() ? record->label.text()
                                                          : kDefaultVertexLabel;
}

/// `"properties":{"name":[...], ...}`: a vertex' properties of one key stand together, where the
/// first of them stood.
void Writer::properties_by_key(const std::vector<Value>& properties) {
    member("properties");
    out_ += '{';
    MapObject places;
    std::vector<std::vector<const VertexPropertyObject*>> groups;
    for (const Value& v : properties) {
        const auto& p = v.as<VertexPropertyObject>();
        Value& place = places.slot(p.key);
        if (place.is_null()) {
            place = Value::long_(static_cast<std::int64_t>(groups.size()));
            groups.emplace_back();
        }
        groups[static_cast<std::size_t>(place.as_int64())].push_back(&p);
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i > 0) out_ += ',';
        string(to_text(groups[i].front()->key));
        out_ += ":[";
        for (std::size_t k = 0; k < groups[i].size(); ++k) {
            if (k > 0) out_ += ',';
            vertex_property(*groups[i][k], !plain_elements());
        }
        out_ += ']';
    }
    out_ += '}';
}

void Writer::vertex(const Value& v) {
    static const std::vector<Value> kNone;
    const VertexRecord* record =
        options_.elements == nullptr ? nullptr : options_.elements->vertex(v);
    const auto& properties = record == nullptr || !options_.properties ? kNone : record->properties;
    open("g:Vertex");
    out_ += "{\"id\":";
    value(v.vertex_id());
    member("label");
    string(label_of(v, Value()));
    if (plain_elements()) out_ += ",\"type\":\"vertex\"";
    // Version 1 writes the member even when it is empty.
    if (!properties.empty() || version_ == 1) properties_by_key(properties);
    out_ += '}';
    close();
}

void Writer::edge(const EdgeObject& e) {
    open("g:Edge");
    out_ += "{\"id\":";
    value(e.id);
    member("label");
    string(to_text(e.label));
    if (plain_elements()) out_ += ",\"type\":\"edge\"";
    member("inVLabel");
    string(label_of(e.in, e.in_label));
    member("outVLabel");
    string(label_of(e.out, e.out_label));
    member("inV");
    value(e.in.kind() == Kind::kVertex ? e.in.vertex_id() : Value());
    member("outV");
    value(e.out.kind() == Kind::kVertex ? e.out.vertex_id() : Value());
    if (options_.properties && !e.properties.empty()) {
        member("properties");
        out_ += '{';
        for (std::size_t i = 0; i < e.properties.size(); ++i) {
            const auto& [key, v] = e.properties[i];
            const std::string name = to_text(key);
            member(name, i == 0);
            if (plain_elements()) {
                value(v);
                continue;
            }
            open("g:Property");
            out_ += "{\"key\":";
            string(name);
            member("value");
            value(v);
            out_ += '}';
            close();
        }
        out_ += '}';
    }
    out_ += '}';
    close();
}

void Writer::vertex_property(const VertexPropertyObject& p, bool with_label) {
    open("g:VertexProperty");
    out_ += "{\"id\":";
    value(p.id);
    member("value");
    value(p.value);
    if (with_label) {
        member("label");
        string(to_text(p.key));
    }
    if (options_.properties && !p.meta.empty()) {
        member("properties");
        out_ += '{';
        for (std::size_t i = 0; i < p.meta.size(); ++i) {
            member(to_text(p.meta[i].first), i == 0);
            value(p.meta[i].second);
        }
        out_ += '}';
    }
    out_ += '}';
    close();
}

void Writer::path(const PathObject& p) {
    open("g:Path");
    out_ += "{\"labels\":";
    if (typed_collections()) open("g:List");
    out_ += '[';
    for (std::size_t i = 0; i < p.objects.size(); ++i) {
        if (i > 0) out_ += ',';
        collection("g:Set", i < p.labels.size() ? std::span<const Value>(p.labels[i])
                                                : std::span<const Value>());
    }
    out_ += ']';
    if (typed_collections()) close();
    member("objects");
    collection("g:List", p.objects);
    out_ += '}';
    close();
}

/// Vertices of a subgraph carry their own labels and properties.
class GraphElements final : public ElementSource {
  public:
    explicit GraphElements(const GraphObject& graph) {
        for (const VertexRecord& record : graph.vertices) {
            places_.put(record.vertex, Value::long_(static_cast<std::int64_t>(records_.size())));
            records_.push_back(&record);
        }
    }
    [[nodiscard]] const VertexRecord* vertex(const Value& vertex) const override {
        const Value* place = places_.find(vertex);
        return place == nullptr ? nullptr : records_[static_cast<std::size_t>(place->as_int64())];
    }

  private:
    MapObject places_;
    std::vector<const VertexRecord*> records_;
};

void Writer::graph(const GraphObject& g) {
    const GraphElements elements(g);
    WriteOptions options = options_;
    options.properties = true;
    options.elements = &elements;
    Writer inner({version_, typed_}, options, out_);
    open("tinker:graph");
    out_ += "{\"vertices\":[";
    for (std::size_t i = 0; i < g.vertices.size(); ++i) {
        if (i > 0) out_ += ',';
        inner.value(g.vertices[i].vertex);
    }
    out_ += ']';
    member("edges");
    inner.items(g.edges);
    out_ += '}';
    close();
}

void Writer::metrics_fields(std::vector<std::pair<Value, Value>> fields) {
    map(fields);
}

void Writer::metrics(const MetricsObject& m) {
    Value counts = make_map();
    for (const auto& [name, count] : m.counts) {
        counts.mutate<MapObject>().put(Value::string(name), Value::long_(count));
    }
    std::vector<std::pair<Value, Value>> fields{
        {Value::string("dur"), Value::double_(static_cast<double>(m.duration_ns) / 1e6)},
        {Value::string("counts"), counts},
        {Value::string("name"), Value::string(m.name)}};
    if (!m.annotations.empty()) {
        Value annotations = make_map();
        for (const auto& [name, v] : m.annotations) {
            annotations.mutate<MapObject>().put(Value::string(name), v);
        }
        fields.emplace_back(Value::string("annotations"), annotations);
    }
    fields.emplace_back(Value::string("id"), Value::string(m.id));
    if (!m.nested.empty()) fields.emplace_back(Value::string("metrics"), Value::list(m.nested));
    open("g:Metrics");
    metrics_fields(std::move(fields));
    close();
}

void Writer::instructions(std::string_view name, const std::vector<Instruction>& all, bool first) {
    member(name, first);
    out_ += '[';
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out_ += ',';
        out_ += '[';
        string(all[i].name);
        for (const Value& argument : all[i].arguments) {
            out_ += ',';
            value(argument);
        }
        out_ += ']';
    }
    out_ += ']';
}

void Writer::predicate(const PredicateObject& p) {
    open(is_text_predicate(p.name) ? "g:TextP" : "g:P");
    out_ += "{\"predicate\":";
    string(p.name);
    member("value");
    if (p.name == "and" || p.name == "or") {
        items(p.operands);
    } else if (p.name == "within" || p.name == "without" || p.operands.size() != 1) {
        collection("g:List", p.operands);
    } else {
        value(p.operands[0]);
    }
    out_ += '}';
    close();
}

void Writer::strategy(const StrategyObject& s) {
    open(std::string("g:") + s.name);
    out_ += "{\"fqcn\":";
    string(full_strategy_name(s.name));
    member("conf");
    out_ += '{';
    for (std::size_t i = 0; i < s.configuration.size(); ++i) {
        member(s.configuration[i].first, i == 0);
        value(s.configuration[i].second);
    }
    out_ += "}}";
    close();
}

void Writer::foreign(const Value& v) {
    if (const TraversalObject* t = as_traversal(v)) {
        open("g:Bytecode");
        out_ += '{';
        const auto& sources = t->traversal.sources;
        if (!sources.empty()) instructions("source", sources, true);
        if (!t->traversal.steps.empty()) instructions("step", t->traversal.steps, sources.empty());
        out_ += '}';
        close();
    } else if (const PredicateObject* p = as_predicate(v)) {
        predicate(*p);
    } else if (const BindingObject* b = as_binding(v)) {
        open("g:Binding");
        out_ += "{\"key\":";
        string(b->name);
        member("value");
        value(b->value);
        out_ += '}';
        close();
    } else if (const LambdaObject* l = as_lambda(v)) {
        open("g:Lambda");
        out_ += "{\"script\":";
        string(l->script);
        member("language");
        string(l->language);
        out_ += ",\"arguments\":-1}";
        close();
    } else if (const StrategyObject* s = as_strategy(v)) {
        strategy(*s);
    } else {
        string(to_text(v));
    }
}

}  // namespace

void write_value(const Value& value, const Format& format, const WriteOptions& options,
                 std::string& out) {
    Writer(format, options, out).value(value);
}

}  // namespace hob::gremlin::graphson
