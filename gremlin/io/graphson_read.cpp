#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "gremlin/io/base64.h"
#include "gremlin/io/graphson_reader.h"
#include "gremlin/io/predicates.h"
#include "gremlin/io/utf8.h"
#include "storage/base/bytes.h"
#include "storage/value/compare.h"
#include "storage/value/extended.h"

namespace hob::gremlin::graphson {
namespace {

/// Digits of a number that is taken; more is nothing that anybody wrote by hand, and reading takes
/// time with their square.
constexpr std::size_t kNumberDigitsMax = 20'000;
constexpr std::size_t kReserveMax = 1024;

}  // namespace

std::string_view name_of(JsonKind kind) {
    switch (kind) {
        case JsonKind::kNull:
            return "null";
        case JsonKind::kTrue:
        case JsonKind::kFalse:
            return "a boolean";
        case JsonKind::kNumber:
            return "a number";
        case JsonKind::kString:
            return "a string";
        case JsonKind::kArray:
            return "an array";
        case JsonKind::kObject:
            return "an object";
    }
    return "";
}

Status Reader::expect(Node at, JsonKind kind, std::string_view expected) const {
    if (json_[at].kind == kind) return {};
    return error(at, name_of(json_[at].kind), expected);
}

Result<std::uint32_t> Reader::member(Node object, std::string_view name) {
    HOB_TRY(expect(object, JsonKind::kObject, "an object"));
    const Node found = json_.member(object, name);
    if (found == 0)
        return Error::parse("the object at byte {} has no '{}'", json_[object].at, name);
    return found;
}

Result<Value> Reader::member_value(Node object, std::string_view name) {
    HOB_ASSIGN_OR_RETURN(const Node found, member(object, name));
    return value(found);
}

Value Reader::member_text(Node object, std::string_view name) {
    const Node found = json_.member(object, name);
    return found == 0 || json_[found].kind != JsonKind::kString ? Value()
                                                                : Value::string(json_[found].text);
}

Result<Value> Reader::value(Node at) {
    const JsonNode& node = json_[at];
    switch (node.kind) {
        case JsonKind::kNull:
            return Value();
        case JsonKind::kTrue:
            return Value::boolean(true);
        case JsonKind::kFalse:
            return Value::boolean(false);
        case JsonKind::kNumber:
            return plain_number(at);
        case JsonKind::kString:
            return Value::string(node.text);
        case JsonKind::kArray:
            return list(at);
        case JsonKind::kObject:
            break;
    }
    const Node type = json_.member(at, "@type");
    const Node body = json_.member(at, "@value");
    // A map may have a key "@type" of its own: typed values have these two members and no more.
    const std::size_t members = (type != 0 ? 1u : 0u) + (body != 0 ? 1u : 0u);
    Node end = at + 1;
    for (std::size_t i = 0; i < members && end < node.end; ++i) {
        end = json_[end + 1].end;
    }
    if (type == 0 || json_[type].kind != JsonKind::kString || end != node.end)
        return plain_object(at);
    if (body == 0)
        return Error::parse("{} at byte {} has no '@value'", json_[type].text.substr(0, 100),
                            node.at);
    return typed(json_[type].text, body);
}

Result<Value> Reader::plain_number(Node at) {
    const std::string_view text = json_[at].text;
    if (text.size() > kNumberDigitsMax)
        return Error::parse("number at byte {} has {} characters", json_[at].at, text.size());
    if (text.find_first_of(".eE") != std::string_view::npos) return real64(at);
    std::int64_t v = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), v);
    if (read.ec == std::errc::result_out_of_range) return big_int_from_text(text);
    const bool fits_int = v >= std::numeric_limits<std::int32_t>::min() &&
                          v <= std::numeric_limits<std::int32_t>::max();
    return fits_int ? Value::int_(static_cast<std::int32_t>(v)) : Value::long_(v);
}

Result<Value> Reader::plain_object(Node at) {
    Value v = make_map();
    auto& map = v.mutate<MapObject>();
    HOB_TRY(each_member(at, [&](std::string_view key, Node member) -> Status {
        HOB_ASSIGN_OR_RETURN(Value item, value(member));
        map.put(Value::string(key), std::move(item));
        return {};
    }));
    return v;
}

Result<std::vector<Value>> Reader::items(Node at) {
    std::vector<Value> all;
    all.reserve(std::min<std::size_t>(json_[at].end - at, kReserveMax));
    HOB_TRY(each_item(at, [&](Node i) -> Status {
        HOB_ASSIGN_OR_RETURN(Value item, value(i));
        all.push_back(std::move(item));
        return {};
    }));
    return all;
}

const Reader::TypeForm* Reader::form_of(std::string_view type) {
    static constexpr std::array<TypeForm, 36> kForms{{
        {"g:Int32", &Reader::int32},
        {"g:Int64", &Reader::int64},
        {"g:Double", &Reader::real64},
        {"g:Float", &Reader::real32},
        {"g:List", &Reader::list},
        {"g:Map", &Reader::map},
        {"g:Set", &Reader::set},
        {"g:UUID", &Reader::uuid},
        {"g:Date", &Reader::date},
        {"g:Timestamp", &Reader::timestamp},
        {"g:Vertex", &Reader::vertex},
        {"g:Edge", &Reader::edge},
        {"g:VertexProperty", &Reader::vertex_property},
        {"g:Property", &Reader::property},
        {"g:Path", &Reader::path},
        {"g:Tree", &Reader::tree},
        {"g:BulkSet", &Reader::bulk_set},
        {"g:Traverser", &Reader::traverser},
        {"g:Metrics", &Reader::metrics},
        {"g:TraversalMetrics", &Reader::traversal_metrics},
        {"g:Bytecode", &Reader::bytecode},
        {"g:P", &Reader::predicate},
        {"g:TextP", &Reader::predicate},
        {"g:Binding", &Reader::binding},
        {"g:Lambda", &Reader::lambda},
        {"gx:Byte", &Reader::int8},
        {"gx:Int16", &Reader::int16},
        {"gx:BigInteger", &Reader::big_int},
        {"gx:BigDecimal", &Reader::big_decimal},
        {"gx:Char", &Reader::character},
        {"gx:ByteBuffer", &Reader::byte_buffer},
        {"gx:Duration", &Reader::duration},
        {"gx:OffsetDateTime", &Reader::date_time},
        {"tinker:graph", &Reader::graph},
        {"g:Integer", &Reader::int32},
        {"g:Long", &Reader::int64},
    }};
    const auto* found = std::find_if(kForms.begin(), kForms.end(),
                                     [type](const TypeForm& f) { return f.name == type; });
    return found == kForms.end() ? nullptr : found;
}

Result<Value> Reader::typed(std::string_view type, Node at) {
    if (const TypeForm* form = form_of(type)) {
        if (json_[at].kind == JsonKind::kNull) return Value();
        return (this->*form->read)(at);
    }
    const std::string_view name = type.substr(type.find(':') + 1);
    const bool text = json_[at].kind == JsonKind::kString;
    // Some drivers name the class around it: "g:SackFunctions.Barrier".
    if (const auto enumeration = enum_type_of(simple_class_name(name)); enumeration && text) {
        if (const auto ordinal = ordinal_of(*enumeration, json_[at].text))
            return Value::enumeration(*enumeration, *ordinal);
        return Error::parse("'{}' at byte {} is no constant of {}", json_[at].text.substr(0, 100),
                            json_[at].at, name);
    }
    for (int i = 0; i <= static_cast<int>(ExtendedType::kZoneOffset); ++i) {
        if (hob::name_of(static_cast<ExtendedType>(i)) != name) continue;
        if (!text && json_[at].kind != JsonKind::kNumber)
            return error(at, name_of(json_[at].kind), "a string");
        return parse_extended(static_cast<ExtendedType>(i), json_[at].text);
    }
    if (name.ends_with("Strategy")) return strategy(name, at);
    return Error::parse("unknown type '{}' at byte {}", type.substr(0, 100), json_[at].at);
}

/// Numbers may also come as text: NaN and the infinities must, others do from clients whose numbers
/// are too narrow.
Result<Value> Reader::number_of_kind(Node at, Kind kind) {
    const JsonNode& node = json_[at];
    if (node.kind != JsonKind::kNumber && node.kind != JsonKind::kString)
        return error(at, name_of(node.kind), "a number");
    const std::string_view text = node.text;
    if (text.size() > kNumberDigitsMax)
        return Error::parse("number at byte {} has {} characters", node.at, text.size());
    if (kind == Kind::kFloat || kind == Kind::kDouble) {
        double special = 0;
        if (text == "NaN") special = std::numeric_limits<double>::quiet_NaN();
        if (text.ends_with("Infinity")) special = std::numeric_limits<double>::infinity();
        if (text == "-Infinity") special = -special;
        if (special != 0)
            return kind == Kind::kFloat ? Value::float_(static_cast<float>(special))
                                        : Value::double_(special);
        float narrow = 0;
        double wide = 0;
        const char* end = text.data() + text.size();
        const auto read = kind == Kind::kFloat ? std::from_chars(text.data(), end, narrow)
                                               : std::from_chars(text.data(), end, wide);
        if (read.ec == std::errc{} && read.ptr == end) {
            return kind == Kind::kFloat ? Value::float_(narrow) : Value::double_(wide);
        }
    } else if (text.size() < 19) {
        std::int64_t v = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), v);
        if (read.ec == std::errc{} && read.ptr == text.data() + text.size()) {
            if (kind == Kind::kLong) return Value::long_(v);
            auto converted = convert_number(Value::long_(v), kind);
            if (!converted.ok())
                return Error::parse("{} at byte {}: {}", text, node.at, converted.error().message);
            return converted;
        }
    }
    auto exact = big_decimal_from_text(text);
    if (!exact.ok())
        return Error::parse("'{}' at byte {} is no number", text.substr(0, 100), node.at);
    auto converted = convert_number(*exact, kind);
    if (!converted.ok())
        return Error::parse("{} at byte {}: {}", text.substr(0, 100), node.at,
                            converted.error().message);
    return converted;
}

Result<Value> Reader::list(Node at) {
    HOB_ASSIGN_OR_RETURN(auto all, items(at));
    return Value::list(std::move(all));
}

Result<Value> Reader::set(Node at) {
    HOB_ASSIGN_OR_RETURN(auto all, items(at));
    return Value::set(std::move(all));
}

Result<Value> Reader::map(Node at) {
    if (json_[at].kind == JsonKind::kObject) return plain_object(at);
    Value v = make_map();
    auto& map = v.mutate<MapObject>();
    Value key;
    bool has_key = false;
    HOB_TRY(each_item(at, [&](Node i) -> Status {
        HOB_ASSIGN_OR_RETURN(Value item, value(i));
        if (has_key) {
            map.put(std::move(key), std::move(item));
        } else {
            key = std::move(item);
        }
        has_key = !has_key;
        return {};
    }));
    if (has_key)
        return Error::parse("g:Map at byte {} ends with a key that has no value", json_[at].at);
    return v;
}

Result<Value> Reader::uuid(Node at) {
    HOB_TRY(expect(at, JsonKind::kString, "a UUID"));
    return parse_uuid(json_[at].text);
}

Result<Value> Reader::date(Node at) {
    HOB_ASSIGN_OR_RETURN(const Value ms, int64(at));
    return Value::date(ms.as_int64());
}

Result<Value> Reader::timestamp(Node at) {
    HOB_ASSIGN_OR_RETURN(const Value ms, int64(at));
    auto* object = new ExtendedObject;
    object->type = ExtendedType::kTimestamp;
    ByteWriter(object->body).i64(ms.as_int64());
    return Value::adopt(Kind::kExtended, object);
}

Result<Value> Reader::date_time(Node at) {
    HOB_TRY(expect(at, JsonKind::kString, "a date-time"));
    return parse_date_time(json_[at].text);
}

Result<Value> Reader::duration(Node at) {
    HOB_TRY(expect(at, JsonKind::kString, "a duration"));
    return parse_duration(json_[at].text);
}

Result<Value> Reader::character(Node at) {
    HOB_TRY(expect(at, JsonKind::kString, "one character"));
    const Utf8Character c = decode_utf8(json_[at].text);
    if (c.size == 0 || c.size != json_[at].text.size())
        return error(at, "a string", "one character");
    return Value::char_(c.code_point);
}

Result<Value> Reader::byte_buffer(Node at) {
    HOB_TRY(expect(at, JsonKind::kString, "base64"));
    const auto bytes = decode_base64(json_[at].text);
    if (!bytes) return error(at, "a string", "base64");
    return Value::bytes(*bytes);
}

Result<Value> read_value(std::string_view json, const Format&, std::size_t depth_max) {
    HOB_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::parse(json, depth_max));
    return Reader(document).value(0);
}

Result<AdjacencyVertex> read_adjacency_line(std::string_view json) {
    HOB_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::parse(json, 500));
    return Reader(document).adjacency(0);
}

}  // namespace hob::gremlin::graphson
