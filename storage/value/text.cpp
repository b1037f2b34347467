#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "storage/value/big_number.h"
#include "storage/value/compare.h"
#include "storage/value/extended.h"
#include "storage/value/text_parts.h"
#include "storage/value/value.h"

namespace hob {
namespace {

void append_text(const Value& v, std::string& out);

/// The shortest digits that read back as `v`, with an exponent. Where one digit would do, Java
/// takes the nearest two (4.9E-324, not 5.0E-324).
template <typename Real>
std::string_view shortest_digits(Real v, char (&buffer)[64]) {
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::scientific);
    std::size_t size = static_cast<std::size_t>(end.ptr - buffer);
    if (buffer[1] == 'e') {
        char two[64];
        const auto two_end =
            std::to_chars(two, two + sizeof two, v, std::chars_format::scientific, 1);
        Real back = 0;
        std::from_chars(two, two_end.ptr, back);
        if (back == v && two[2] != '0') {
            size = static_cast<std::size_t>(two_end.ptr - two);
            std::copy(two, two_end.ptr, buffer);
        }
    }
    return {buffer, size};
}

/// Java's rule on top of the shortest digits that read back as the same number: plain between 1e-3
/// and 1e7, else with an exponent; at least one digit on both sides of the point.
template <typename Real>
void append_real_text(Real v, std::string& out) {
    if (std::isnan(v)) {
        out += "NaN";
        return;
    }
    if (std::signbit(v)) out += '-';
    if (std::isinf(v)) {
        out += "Infinity";
        return;
    }
    if (v == 0) {
        out += "0.0";
        return;
    }
    char buffer[64];
    const std::string_view text = shortest_digits(std::abs(v), buffer);
    const std::size_t e = text.find('e');
    int exponent = 0;
    const std::size_t exponent_at = e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + exponent_at, text.data() + text.size(), exponent);
    std::string digits(1, text[0]);
    if (e > 2) digits.append(text.substr(2, e - 2));
    if (exponent >= 7 || exponent < -3) {
        out += digits[0];
        out += '.';
        out.append(digits.size() > 1 ? std::string_view(digits).substr(1) : "0");
        out += 'E';
        out += std::to_string(exponent);
    } else if (exponent < 0) {
        out += "0.";
        out.append(static_cast<std::size_t>(-exponent - 1), '0');
        out += digits;
    } else {
        const auto whole = static_cast<std::size_t>(exponent) + 1;
        if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
        out.append(digits, 0, whole);
        out += '.';
        out.append(digits, whole);
    }
}

void append_items(std::span<const Value> items, std::string_view open, std::string& out) {
    out += open;
    bool first = true;
    for (const Value& item : items) {
        if (!first) out += ", ";
        first = false;
        append_text(item, out);
    }
    out += ']';
}

void append_entries(const MapObject& map, std::string& out);

void append_value_text(const Value& v, std::string& out) {
    append_text(v, out);
}
void append_value_text(std::int64_t v, std::string& out) {
    out += std::to_string(v);
}

template <typename Entries>
void append_entry_list(const Entries& entries, std::string& out) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : entries) {
        if (!first) out += ", ";
        first = false;
        append_text(key, out);
        out += '=';
        append_value_text(value, out);
    }
    out += '}';
}

void append_entries(const MapObject& map, std::string& out) {
    append_entry_list(map.entries(), out);
}

/// Property values are cut to this many characters, as TinkerPop does.
constexpr std::size_t kPropertyTextMax = 20;

void append_property_text(std::string_view prefix, const Value& key, const Value& value,
                          std::string& out) {
    out += prefix;
    append_text(key, out);
    out += "->";
    const std::string text = to_text(value);
    std::size_t characters = 0;
    std::size_t cut_at = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
        if (characters++ == kPropertyTextMax - 3) cut_at = i;
    }
    if (characters > kPropertyTextMax) {
        out.append(text, 0, cut_at);
        out += "...";
    } else {
        out += text;
    }
    out += ']';
}

void append_edge_text(const EdgeObject& edge, std::string& out) {
    out += "e[";
    append_text(edge.id, out);
    out += "][";
    append_text(edge.out.kind() == Kind::kVertex ? edge.out.vertex_id() : Value(), out);
    out += '-';
    append_text(edge.label, out);
    out += "->";
    append_text(edge.in.kind() == Kind::kVertex ? edge.in.vertex_id() : Value(), out);
    out += ']';
}

void append_object_text(const Value& v, std::string& out) {
    switch (v.kind()) {
        case Kind::kBigInt:
            out += decimal_text(integral_of(v));
            break;
        case Kind::kBigDecimal: {
            const auto& d = v.as<BigDecimalObject>();
            out += decimal_text(BigDecimal{big_int_of(d.unscaled), d.scale});
            break;
        }
        case Kind::kBytes: {
            const std::size_t n = v.text().size();
            out += fmt::format("java.nio.HeapByteBuffer[pos=0 lim={} cap={}]", n, n);
            break;
        }
        case Kind::kUuid:
            out += uuid_text(v);
            break;
        case Kind::kExtended:
            append_extended_text(v.as<ExtendedObject>(), out);
            break;
        case Kind::kList:
        case Kind::kSet:
            append_items(v.items(), "[", out);
            break;
        case Kind::kMap:
            append_entries(v.as<MapObject>(), out);
            break;
        case Kind::kMapEntry:
            append_text(v.as<MapEntryObject>().key, out);
            out += '=';
            append_text(v.as<MapEntryObject>().value, out);
            break;
        case Kind::kBulkSet:
            append_entry_list(v.as<BulkSetObject>().entries(), out);
            break;
        case Kind::kTree:
            append_entries(v.as<TreeObject>().children, out);
            break;
        case Kind::kEdge:
            append_edge_text(v.as<EdgeObject>(), out);
            break;
        case Kind::kVertexProperty: {
            const auto& p = v.as<VertexPropertyObject>();
            append_property_text("vp[", p.key, p.value, out);
            break;
        }
        case Kind::kProperty: {
            const auto& p = v.as<PropertyObject>();
            append_property_text("p[", p.key, p.value, out);
            break;
        }
        case Kind::kPath:
            append_items(v.as<PathObject>().objects, "path[", out);
            break;
        case Kind::kGraph: {
            const auto& g = v.as<GraphObject>();
            out +=
                fmt::format("tinkergraph[vertices:{} edges:{}]", g.vertices.size(), g.edges.size());
            break;
        }
        case Kind::kTraverser:
            append_text(v.as<TraverserObject>().value, out);
            break;
        case Kind::kMetrics:
            append_metrics_text(v.as<MetricsObject>(), out);
            break;
        case Kind::kTraversalMetrics:
            append_metrics_text(v.as<TraversalMetricsObject>(), out);
            break;
        case Kind::kForeign:
            out += v.as<ForeignObject>().text();
            break;
        default:
            break;  // The inline kinds, done by append_text.
    }
}

void append_text(const Value& v, std::string& out) {
    switch (v.kind()) {
        case Kind::kNull:
            out += "null";
            break;
        case Kind::kBool:
            out += v.as_bool() ? "true" : "false";
            break;
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
            out += std::to_string(v.as_int64());
            break;
        case Kind::kFloat:
            append_float_text(static_cast<float>(v.as_double()), out);
            break;
        case Kind::kDouble:
            append_double_text(v.as_double(), out);
            break;
        case Kind::kChar:
            append_utf8(static_cast<char32_t>(v.as_int64()), out);
            break;
        case Kind::kDate:
            append_date_text(v.as_int64(), out);
            break;
        case Kind::kDateTime:
            append_date_time_text(v, out);
            break;
        case Kind::kDuration:
            append_duration_text(v, out);
            break;
        case Kind::kEnum:
            out += name_of(v.enum_type(), v.enum_ordinal());
            break;
        case Kind::kString:
            out += v.text();
            break;
        case Kind::kVertex:
            out += "v[";
            append_text(v.vertex_id(), out);
            out += ']';
            break;
        default:
            append_object_text(v, out);
    }
}

std::string_view type_name_of(ForeignObject::Class foreign_class) {
    switch (foreign_class) {
        case ForeignObject::Class::kPredicate:
            return "P";
        case ForeignObject::Class::kTraversal:
            return "Traversal";
        case ForeignObject::Class::kStrategy:
            return "TraversalStrategy";
        case ForeignObject::Class::kBinding:
            return "Binding";
        case ForeignObject::Class::kLambda:
            return "Lambda";
        case ForeignObject::Class::kOther:
            return "Object";
    }
    return "Object";
}

}  // namespace

void append_double_text(double v, std::string& out) {
    append_real_text(v, out);
}
void append_float_text(float v, std::string& out) {
    append_real_text(v, out);
}

void append_utf8(char32_t code_point, std::string& out) {
    const auto tail = [&out, code_point](unsigned shift) {
        out += static_cast<char>(0x80 | ((code_point >> shift) & 0x3f));
    };
    if (code_point < 0x80) {
        out += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        out += static_cast<char>(0xc0 | (code_point >> 6));
        tail(0);
    } else if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point < 0xe000)) {
        out += "\xef\xbf\xbd";
    } else if (code_point < 0x10000) {
        out += static_cast<char>(0xe0 | (code_point >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | (code_point >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::string to_text(const Value& v) {
    std::string out;
    append_text(v, out);
    return out;
}

std::string_view type_name(const Value& v) {
    switch (v.kind()) {
        case Kind::kNull:
            return "null";
        case Kind::kBool:
            return "Boolean";
        case Kind::kByte:
            return "Byte";
        case Kind::kShort:
            return "Short";
        case Kind::kInt:
            return "Integer";
        case Kind::kLong:
            return "Long";
        case Kind::kFloat:
            return "Float";
        case Kind::kDouble:
            return "Double";
        case Kind::kChar:
            return "Character";
        case Kind::kDate:
            return "Date";
        case Kind::kDateTime:
            return "OffsetDateTime";
        case Kind::kDuration:
            return "Duration";
        case Kind::kEnum:
            return name_of(v.enum_type());
        case Kind::kBigInt:
            return "BigInteger";
        case Kind::kBigDecimal:
            return "BigDecimal";
        case Kind::kString:
            return "String";
        case Kind::kUuid:
            return "UUID";
        case Kind::kBytes:
            return "ByteBuffer";
        case Kind::kExtended:
            return name_of(v.as<ExtendedObject>().type);
        case Kind::kList:
            return "List";
        case Kind::kSet:
            return "Set";
        case Kind::kMap:
            return "Map";
        case Kind::kMapEntry:
            return "Map.Entry";
        case Kind::kBulkSet:
            return "BulkSet";
        case Kind::kTree:
            return "Tree";
        case Kind::kVertex:
            return "Vertex";
        case Kind::kEdge:
            return "Edge";
        case Kind::kVertexProperty:
            return "VertexProperty";
        case Kind::kProperty:
            return "Property";
        case Kind::kPath:
            return "Path";
        case Kind::kGraph:
            return "Graph";
        case Kind::kTraverser:
            return "Traverser";
        case Kind::kMetrics:
            return "Metrics";
        case Kind::kTraversalMetrics:
            return "TraversalMetrics";
        case Kind::kForeign:
            return type_name_of(v.as<ForeignObject>().foreign_class());
    }
    return "Object";
}

}  // namespace hob
