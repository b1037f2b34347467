#include <algorithm>
#include <limits>

#include "gremlin/io/graphbinary.h"
#include "gremlin/io/graphbinary_types.h"
#include "gremlin/io/predicates.h"
#include "gremlin/io/utf8.h"
#include "gremlin/language/traversal.h"
#include "storage/value/calendar.h"

namespace hob::gremlin::graphbinary {
namespace {

/// A big number of more bytes is refused: nobody needs it, and its decimal text takes time that
/// grows with the square.
constexpr std::size_t kBigNumberBytesMax = 16 * 1024;
/// Room made before items are seen: lists nested in lists may each claim to be as long as the rest
/// of the message.
constexpr std::size_t kReserveMax = 1024;
constexpr std::int64_t kNanosPerDay = kSecondsPerDay * kNanosPerSecond;
constexpr std::int32_t kYearMax = 999'999'999;
constexpr std::int32_t kOffsetSecondsMax = 18 * 3600;

class Reader {
  public:
    Reader(ByteReader& in, std::size_t depth_max) : in_(in), depth_max_(depth_max) {}

    Result<Value> value();
    Result<Value> map_body();
    Result<std::string_view> text();
    /// The error of a message that stops short, if it did.
    Status ended(std::size_t from) const {
        if (in_.ok()) return {};
        return Error::parse("GraphBinary ends inside the value that starts at byte {}", from);
    }

  private:
    /// How many things of at least `bytes_each` bytes follow. A count that can't fit into what is
    /// left is refused before anything is allocated for it.
    Result<std::size_t> count(std::size_t bytes_each);
    Result<Value> body(std::uint8_t code, std::size_t from);
    Result<Value> fixed_body(Type type, std::size_t from);
    Result<Value> structured_body(Type type, std::size_t from);
    Result<std::vector<Value>> items();
    Result<Value> list_or_null(std::string_view what);
    Result<Value> char_body();
    Result<Value> big_int_body();
    Result<Value> big_decimal_body();
    Result<Value> date_time_body();
    Result<Value> enum_body(EnumType type);
    Result<Value> extended_body(const ExtendedForm& form);
    Result<Value> vertex_body();
    Result<Value> edge_body();
    Result<Value> vertex_property_body();
    Result<Value> property_body();
    Result<Value> path_body();
    Result<Value> tree_body();
    Result<Value> graph_body();
    Result<Value> bulk_set_body();
    Result<Value> metrics_body();
    Result<Value> traversal_metrics_body();
    Result<std::vector<Instruction>> instructions();
    Result<Value> bytecode_body();
    Result<Value> predicate_body();
    Result<Value> strategy_body();
    Result<Value> lambda_body();
    Result<VertexRecord> graph_vertex();
    Result<Value> graph_edge();
    Status take_properties(const Value& list, std::vector<std::pair<Value, Value>>& properties);
    Status bare_properties(std::vector<std::pair<Value, Value>>& properties);

    ByteReader& in_;
    std::size_t depth_max_;
    std::size_t depth_ = 0;
};

/// The fewest bytes that a value with type code takes: a code and a flag.
constexpr std::size_t kValueBytesMin = 2;

Result<std::size_t> Reader::count(std::size_t bytes_each) {
    const std::size_t at = in_.position();
    const std::int32_t n = in_.i32();
    HOB_TRY(ended(at));
    if (n < 0 || static_cast<std::size_t>(n) > in_.remaining() / bytes_each) {
        return Error::parse("length {} at byte {} does not fit: {} bytes are left", n, at,
                            in_.remaining());
    }
    return static_cast<std::size_t>(n);
}

Result<std::string_view> Reader::text() {
    const std::size_t at = in_.position();
    HOB_ASSIGN_OR_RETURN(const std::size_t size, count(1));
    const std::string_view bytes = in_.take(size);
    if (!is_utf8(bytes)) return Error::parse("string at byte {} is not UTF-8", at);
    return bytes;
}

Result<Value> Reader::value() {
    const std::size_t from = in_.position();
    if (depth_ >= depth_max_)
        return Error::parse("GraphBinary nests deeper than {} at byte {}", depth_max_, from);
    const std::uint8_t code = in_.u8();
    HOB_TRY(ended(from));
    if (static_cast<Type>(code) == Type::kCustom) {
        HOB_ASSIGN_OR_RETURN(const std::string_view name, text());
        return Error::parse("custom type '{}' at byte {} is not known here", name.substr(0, 100),
                            from);
    }
    const std::uint8_t flag = in_.u8();
    HOB_TRY(ended(from));
    if (flag == 1) return Value();
    if (flag != 0) {
        return Error::parse("value flag at byte {} is {}, expected 0 (a value) or 1 (null)",
                            from + 1, flag);
    }
    ++depth_;
    auto v = body(code, from);
    --depth_;
    if (v.ok()) HOB_TRY(ended(from));
    return v;
}

Result<Value> Reader::body(std::uint8_t code, std::size_t from) {
    const auto type = static_cast<Type>(code);
    switch (type) {
        case Type::kInt:
            return Value::int_(in_.i32());
        case Type::kLong:
            return Value::long_(in_.i64());
        case Type::kString: {
            HOB_ASSIGN_OR_RETURN(const std::string_view t, text());
            return Value::string(t);
        }
        case Type::kList: {
            HOB_ASSIGN_OR_RETURN(auto all, items());
            return Value::list(std::move(all));
        }
        case Type::kSet: {
            HOB_ASSIGN_OR_RETURN(auto all, items());
            return Value::set(std::move(all));
        }
        case Type::kMap:
            return map_body();
        default:
            return fixed_body(type, from);
    }
}

Result<Value> Reader::fixed_body(Type type, std::size_t from) {
    switch (type) {
        case Type::kDouble:
            return Value::double_(in_.f64());
        case Type::kFloat:
            return Value::float_(in_.f32());
        case Type::kByte:
            return Value::byte(static_cast<std::int8_t>(in_.u8()));
        case Type::kShort:
            return Value::short_(static_cast<std::int16_t>(in_.u16()));
        case Type::kBoolean:
            return Value::boolean(in_.u8() != 0);
        case Type::kDate:
            return Value::date(in_.i64());
        case Type::kDuration: {
            const std::int64_t seconds = in_.i64();
            const std::uint32_t nanos = in_.u32();
            if (nanos >= kNanosPerSecond)
                return Error::parse("duration at byte {} has {} nanoseconds", from, nanos);
            return Value::duration(seconds, nanos);
        }
        case Type::kUuid: {
            std::array<std::uint8_t, 16> bytes{};
            for (auto& b : bytes) {
                b = in_.u8();
            }
            return Value::uuid(bytes);
        }
        case Type::kByteBuffer: {
            HOB_ASSIGN_OR_RETURN(const std::size_t size, count(1));
            return Value::bytes(in_.take(size));
        }
        case Type::kChar:
            return char_body();
        case Type::kBigInteger:
            return big_int_body();
        case Type::kBigDecimal:
            return big_decimal_body();
        case Type::kOffsetDateTime:
            return date_time_body();
        default:
            return structured_body(type, from);
    }
}

Result<Value> Reader::structured_body(Type type, std::size_t from) {
    switch (type) {
        case Type::kVertex:
            return vertex_body();
        case Type::kEdge:
            return edge_body();
        case Type::kVertexProperty:
            return vertex_property_body();
        case Type::kProperty:
            return property_body();
        case Type::kPath:
            return path_body();
        case Type::kTree:
            return tree_body();
        case Type::kGraph:
            return graph_body();
        case Type::kBulkSet:
            return bulk_set_body();
        case Type::kMetrics:
            return metrics_body();
        case Type::kTraversalMetrics:
            return traversal_metrics_body();
        case Type::kTraverser: {
            const std::int64_t bulk = in_.i64();
            HOB_ASSIGN_OR_RETURN(Value v, value());
            return Value::traverser(std::move(v), bulk);
        }
        case Type::kBytecode:
            return bytecode_body();
        case Type::kP:
        case Type::kTextP:
            return predicate_body();
        case Type::kTraversalStrategy:
            return strategy_body();
        case Type::kLambda:
            return lambda_body();
        case Type::kBinding: {
            HOB_ASSIGN_OR_RETURN(const std::string_view name, text());
            HOB_ASSIGN_OR_RETURN(Value v, value());
            return make_binding(std::string(name), true, std::move(v));
        }
        default:
            break;
    }
    if (const auto enumeration = enum_of(type)) return enum_body(*enumeration);
    if (const ExtendedForm* form = extended_form(type)) return extended_body(*form);
    return Error::parse("type code 0x{:02x} at byte {} is none of GraphBinary v1",
                        static_cast<unsigned>(type), from);
}

Result<std::vector<Value>> Reader::items() {
    HOB_ASSIGN_OR_RETURN(const std::size_t n, count(kValueBytesMin));
    std::vector<Value> all;
    all.reserve(std::min(n, kReserveMax));
    for (std::size_t i = 0; i < n; ++i) {
        HOB_ASSIGN_OR_RETURN(Value item, value());
        all.push_back(std::move(item));
    }
    return all;
}

Result<Value> Reader::map_body() {
    HOB_ASSIGN_OR_RETURN(const std::size_t n, count(2 * kValueBytesMin));
    Value v = make_map();
    auto& map = v.mutate<MapObject>();
    for (std::size_t i = 0; i < n; ++i) {
        HOB_ASSIGN_OR_RETURN(Value key, value());
        HOB_ASSIGN_OR_RETURN(Value item, value());
        map.put(std::move(key), std::move(item));
    }
    return v;
}

Result<Value> Reader::list_or_null(std::string_view what) {
    const std::size_t at = in_.position();
    HOB_ASSIGN_OR_RETURN(Value v, value());
    if (!v.is_null() && v.kind() != Kind::kList) {
        return Error::parse("{} at byte {} are a {}, expected a list", what, at, type_name(v));
    }
    return v;
}

Result<Value> Reader::char_body() {
    const std::size_t at = in_.position();
    std::string bytes(1, static_cast<char>(in_.u8()));
    const auto first = static_cast<unsigned char>(bytes[0]);
    const std::size_t more = first >= 0xf0 ? 3 : (first >= 0xe0 ? 2 : (first >= 0xc0 ? 1 : 0));
    bytes += in_.take(more);
    HOB_TRY(ended(at));
    const Utf8Character c = decode_utf8(bytes);
    if (c.size != bytes.size()) return Error::parse("char at byte {} is not UTF-8", at);
    return Value::char_(c.code_point);
}

Result<Value> Reader::big_int_body() {
    const std::size_t at = in_.position();
    HOB_ASSIGN_OR_RETURN(const std::size_t size, count(1));
    if (size == 0 || size > kBigNumberBytesMax) {
        return Error::parse("big number at byte {} has {} bytes, expected 1 to {}", at, size,
                            kBigNumberBytesMax);
    }
    return Value::big_int(in_.take(size));
}

Result<Value> Reader::big_decimal_body() {
    const std::int32_t scale = in_.i32();
    HOB_ASSIGN_OR_RETURN(const Value unscaled, big_int_body());
    return Value::big_decimal(scale, unscaled.as<BigIntObject>().twos_complement);
}

Result<Value> Reader::date_time_body() {
    const std::size_t at = in_.position();
    CivilDate date;
    date.year = in_.i32();
    date.month = in_.u8();
    date.day = in_.u8();
    const std::int64_t nanos = in_.i64();
    const std::int32_t offset = in_.i32();
    HOB_TRY(ended(at));
    const bool date_fits = date.year >= -kYearMax && date.year <= kYearMax && date.month >= 1 &&
                           date.month <= 12 && date.day >= 1 &&
                           date.day <= days_in_month(date.year, date.month);
    const bool time_fits = nanos >= 0 && nanos < kNanosPerDay && offset >= -kOffsetSecondsMax &&
                           offset <= kOffsetSecondsMax;
    if (!date_fits || !time_fits) {
        return Error::parse(
            "date-time at byte {} is out of range: {}-{}-{}, {} ns of the day, offset {} s", at,
            date.year, date.month, date.day, nanos, offset);
    }
    const std::int64_t local = days_of(date) * kSecondsPerDay + nanos / kNanosPerSecond;
    return Value::date_time(local - offset, static_cast<std::uint32_t>(nanos % kNanosPerSecond),
                            offset);
}

Result<Value> Reader::enum_body(EnumType type) {
    const std::size_t at = in_.position();
    HOB_ASSIGN_OR_RETURN(const Value name, value());
    const auto ordinal = name.is_string() ? ordinal_of(type, name.text()) : std::nullopt;
    if (!ordinal) {
        return Error::parse("'{}' at byte {} is no constant of {}", to_text(name).substr(0, 100),
                            at, name_of(type));
    }
    return Value::enumeration(type, *ordinal);
}

Result<Value> Reader::extended_body(const ExtendedForm& form) {
    std::string body;
    if (form.size_bytes == 0) {
        HOB_ASSIGN_OR_RETURN(const std::size_t size, count(1));
        ByteWriter(body).u32(static_cast<std::uint32_t>(size));
        body += in_.take(size);
    } else {
        body = in_.take(form.size_bytes);
    }
    auto* object = new ExtendedObject;
    object->type = form.extended;
    object->body = std::move(body);
    return Value::adopt(Kind::kExtended, object);
}

Result<Value> Reader::vertex_body() {
    HOB_ASSIGN_OR_RETURN(const Value id, value());
    HOB_TRY(text());
    HOB_TRY(list_or_null("vertex properties"));
    return Value::vertex(id);
}

Status Reader::take_properties(const Value& list,
                               std::vector<std::pair<Value, Value>>& properties) {
    if (list.is_null()) return {};
    for (const Value& item : list.items()) {
        if (item.kind() != Kind::kProperty)
            return Error::parse("a list of properties holds a {}", type_name(item));
        properties.emplace_back(item.as<PropertyObject>().key, item.as<PropertyObject>().value);
    }
    return {};
}

Result<Value> Reader::edge_body() {
    auto* edge = new EdgeObject;
    Value v = Value::adopt(Kind::kEdge, edge);
    HOB_ASSIGN_OR_RETURN(edge->id, value());
    HOB_ASSIGN_OR_RETURN(const std::string_view label, text());
    edge->label = Value::string(label);
    HOB_ASSIGN_OR_RETURN(const Value in_id, value());
    HOB_ASSIGN_OR_RETURN(const std::string_view in_label, text());
    edge->in = Value::vertex(in_id);
    edge->in_label = Value::string(in_label);
    HOB_ASSIGN_OR_RETURN(const Value out_id, value());
    HOB_ASSIGN_OR_RETURN(const std::string_view out_label, text());
    edge->out = Value::vertex(out_id);
    edge->out_label = Value::string(out_label);
    HOB_TRY(value());  // The parent, always null.
    HOB_ASSIGN_OR_RETURN(const Value properties, list_or_null("edge properties"));
    edge->has_properties = !properties.is_null();
    HOB_TRY(take_properties(properties, edge->properties));
    return v;
}

Result<Value> Reader::vertex_property_body() {
    auto* property = new VertexPropertyObject;
    Value v = Value::adopt(Kind::kVertexProperty, property);
    HOB_ASSIGN_OR_RETURN(property->id, value());
    HOB_ASSIGN_OR_RETURN(const std::string_view label, text());
    property->key = Value::string(label);
    HOB_ASSIGN_OR_RETURN(property->value, value());
    HOB_ASSIGN_OR_RETURN(Value parent, value());
    if (parent.kind() == Kind::kVertex) property->vertex = std::move(parent);
    HOB_ASSIGN_OR_RETURN(const Value meta, list_or_null("meta-properties"));
    HOB_TRY(take_properties(meta, property->meta));
    return v;
}

Result<Value> Reader::property_body() {
    auto* property = new PropertyObject;
    Value v = Value::adopt(Kind::kProperty, property);
    HOB_ASSIGN_OR_RETURN(const std::string_view key, text());
    property->key = Value::string(key);
    HOB_ASSIGN_OR_RETURN(property->value, value());
    HOB_ASSIGN_OR_RETURN(Value parent, value());
    if (parent.is_element()) property->element = std::move(parent);
    return v;
}

Result<Value> Reader::path_body() {
    const std::size_t at = in_.position();
    HOB_ASSIGN_OR_RETURN(const Value labels, list_or_null("path labels"));
    HOB_ASSIGN_OR_RETURN(const Value objects, list_or_null("path objects"));
    if (labels.is_null() || objects.is_null() || labels.items().size() != objects.items().size()) {
        return Error::parse("path at byte {} has not as many labels as objects", at);
    }
    auto* path = new PathObject;
    Value v = Value::adopt(Kind::kPath, path);
    path->objects.assign(objects.items().begin(), objects.items().end());
    for (const Value& set : labels.items()) {
        if (set.kind() != Kind::kSet && set.kind() != Kind::kList) {
            return Error::parse("path at byte {} has labels in a {}, expected a set", at,
                                type_name(set));
        }
        path->labels.emplace_back(set.items().begin(), set.items().end());
    }
    return v;
}

Result<Value> Reader::tree_body() {
    const std::size_t at = in_.position();
    if (depth_ >= depth_max_)
        return Error::parse("GraphBinary nests deeper than {} at byte {}", depth_max_, at);
    HOB_ASSIGN_OR_RETURN(const std::size_t n, count(kValueBytesMin + 4));
    auto* tree = new TreeObject;
    Value v = Value::adopt(Kind::kTree, tree);
    for (std::size_t i = 0; i < n; ++i) {
        HOB_ASSIGN_OR_RETURN(Value key, value());
        ++depth_;
        auto child = tree_body();
        --depth_;
        HOB_ASSIGN_OR_RETURN(Value subtree, std::move(child));
        tree->children.put(std::move(key), std::move(subtree));
    }
    return v;
}

Status Reader::bare_properties(std::vector<std::pair<Value, Value>>& properties) {
    HOB_ASSIGN_OR_RETURN(auto list, items());
    return take_properties(Value::list(std::move(list)), properties);
}

Result<VertexRecord> Reader::graph_vertex() {
    VertexRecord record;
    HOB_ASSIGN_OR_RETURN(const Value id, value());
    HOB_ASSIGN_OR_RETURN(const std::string_view label, text());
    record.vertex = Value::vertex(id);
    record.label = Value::string(label);
    HOB_ASSIGN_OR_RETURN(const std::size_t n, count(2 * kValueBytesMin));
    for (std::size_t i = 0; i < n; ++i) {
        auto* property = new VertexPropertyObject;
        record.properties.push_back(Value::adopt(Kind::kVertexProperty, property));
        property->vertex = record.vertex;
        HOB_ASSIGN_OR_RETURN(property->id, value());
        HOB_ASSIGN_OR_RETURN(const std::string_view key, text());
        property->key = Value::string(key);
        HOB_ASSIGN_OR_RETURN(property->value, value());
        HOB_TRY(value());  // The parent, always null.
        HOB_TRY(bare_properties(property->meta));
    }
    return record;
}

Result<Value> Reader::graph_edge() {
    auto* edge = new EdgeObject;
    Value v = Value::adopt(Kind::kEdge, edge);
    HOB_ASSIGN_OR_RETURN(edge->id, value());
    HOB_ASSIGN_OR_RETURN(const std::string_view label, text());
    edge->label = Value::string(label);
    HOB_ASSIGN_OR_RETURN(const Value in_id, value());
    HOB_TRY(value());  // The label of the in-vertex, always null.
    HOB_ASSIGN_OR_RETURN(const Value out_id, value());
    HOB_TRY(value());  // The label of the out-vertex, always null.
    HOB_TRY(value());  // The parent, always null.
    edge->in = Value::vertex(in_id);
    edge->out = Value::vertex(out_id);
    HOB_TRY(bare_properties(edge->properties));
    return v;
}

Result<Value> Reader::graph_body() {
    auto* graph = new GraphObject;
    Value v = Value::adopt(Kind::kGraph, graph);
    HOB_ASSIGN_OR_RETURN(const std::size_t vertices, count(2 * kValueBytesMin));
    for (std::size_t i = 0; i < vertices; ++i) {
        HOB_ASSIGN_OR_RETURN(VertexRecord record, graph_vertex());
        graph->vertices.push_back(std::move(record));
    }
    HOB_ASSIGN_OR_RETURN(const std::size_t edges, count(2 * kValueBytesMin));
    for (std::size_t i = 0; i < edges; ++i) {
        HOB_ASSIGN_OR_RETURN(Value edge, graph_edge());
        graph->edges.push_back(std::move(edge));
    }
    return v;
}

Result<Value> Reader::bulk_set_body() {
    HOB_ASSIGN_OR_RETURN(const std::size_t n, count(kValueBytesMin + 8));
    auto* set = new BulkSetObject;
    Value v = Value::adopt(Kind::kBulkSet, set);
    for (std::size_t i = 0; i < n; ++i) {
        HOB_ASSIGN_OR_RETURN(const Value item, value());
        const std::size_t at = in_.position();
        const std::int64_t bulk = in_.i64();
        if (bulk < 0 || bulk > std::numeric_limits<std::int64_t>::max() - set->size()) {
            return Error::parse("bulk {} at byte {} is out of range", bulk, at);
        }
        set->add(item, bulk);
    }
    return v;
}

Result<Value> Reader::metrics_body() {
    auto* metrics = new MetricsObject;
    Value v = Value::adopt(Kind::kMetrics, metrics);
    HOB_ASSIGN_OR_RETURN(metrics->id, text());
    HOB_ASSIGN_OR_RETURN(metrics->name, text());
    metrics->duration_ns = in_.i64();
    HOB_ASSIGN_OR_RETURN(const Value counts, map_body());
    for (const auto& [key, number] : counts.as<MapObject>().entries()) {
        if (!key.is_string() || !number.is_integral())
            return Error::parse("metrics have a count that is no number");
        metrics->counts.emplace_back(key.text(), number.as_int64());
    }
    HOB_ASSIGN_OR_RETURN(const Value annotations, map_body());
    for (const auto& [key, annotation] : annotations.as<MapObject>().entries()) {
        metrics->annotations.emplace_back(to_text(key), annotation);
    }
    HOB_ASSIGN_OR_RETURN(metrics->nested, items());
    for (const Value& nested : metrics->nested) {
        if (nested.kind() != Kind::kMetrics)
            return Error::parse("metrics hold a {}", type_name(nested));
    }
    return v;
}

Result<Value> Reader::traversal_metrics_body() {
    auto* metrics = new TraversalMetricsObject;
    Value v = Value::adopt(Kind::kTraversalMetrics, metrics);
    metrics->duration_ns = in_.i64();
    HOB_ASSIGN_OR_RETURN(metrics->metrics, items());
    for (const Value& nested : metrics->metrics) {
        if (nested.kind() != Kind::kMetrics)
            return Error::parse("traversal metrics hold a {}", type_name(nested));
    }
    return v;
}

Result<std::vector<Instruction>> Reader::instructions() {
    HOB_ASSIGN_OR_RETURN(const std::size_t n, count(8));
    std::vector<Instruction> all;
    all.reserve(std::min(n, kReserveMax));
    for (std::size_t i = 0; i < n; ++i) {
        Instruction& instruction = all.emplace_back();
        HOB_ASSIGN_OR_RETURN(instruction.name, text());
        HOB_ASSIGN_OR_RETURN(instruction.arguments, items());
    }
    return all;
}

Result<Value> Reader::bytecode_body() {
    Traversal traversal;
    HOB_ASSIGN_OR_RETURN(traversal.steps, instructions());
    HOB_ASSIGN_OR_RETURN(traversal.sources, instructions());
    return make_traversal(std::move(traversal));
}

Result<Value> Reader::predicate_body() {
    HOB_ASSIGN_OR_RETURN(const std::string_view name, text());
    HOB_ASSIGN_OR_RETURN(auto arguments, items());
    return predicate_of(std::string(name), std::move(arguments));
}

Result<Value> Reader::strategy_body() {
    HOB_ASSIGN_OR_RETURN(const std::string_view name, text());
    HOB_ASSIGN_OR_RETURN(const Value map, map_body());
    std::vector<std::pair<std::string, Value>> configuration;
    for (const auto& [key, setting] : map.as<MapObject>().entries()) {
        configuration.emplace_back(to_text(key), setting);
    }
    return make_strategy(std::string(simple_class_name(name)), std::move(configuration));
}

Result<Value> Reader::lambda_body() {
    HOB_ASSIGN_OR_RETURN(const std::string_view language, text());
    HOB_ASSIGN_OR_RETURN(const std::string_view script, text());
    in_.i32();  // How many arguments it takes; it is never run.
    return make_lambda(std::string(language), std::string(script));
}

}  // namespace

Result<Value> read_value(ByteReader& in, std::size_t depth_max) {
    return Reader(in, depth_max).value();
}

Result<Value> read_bare_map(ByteReader& in, std::size_t depth_max) {
    return Reader(in, depth_max).map_body();
}

Result<std::string> read_bare_string(ByteReader& in) {
    HOB_ASSIGN_OR_RETURN(const std::string_view text, Reader(in, 1).text());
    return std::string(text);
}

}  // namespace hob::gremlin::graphbinary
