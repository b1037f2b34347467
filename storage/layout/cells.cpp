#include "storage/layout/cells.h"

#include <memory>

#include "storage/base/bytes.h"
#include "storage/layout/md5.h"
#include "storage/value/codec.h"

namespace hob::layout {
namespace {

constexpr std::uint8_t kHasId = 0x01;  ///< Flag of property and edge values: an id of the user's
                                       ///< (or a long edge id) comes first.
constexpr char kListMark = '\x01';
constexpr char kSetMark = '\x02';

/// Reads `key code | value` pairs to the end.
template <typename Add>
Status read_pairs(const Names& names, ByteReader& in, const Add& add) {
    while (in.ok() && !in.at_end()) {
        const std::uint16_t code = in.u16();
        const Value* key = names.name(NameKind::kKey, code);
        if (key == nullptr)
            return Error::make(Code::kNotFound, "property key code {} is in no dictionary", code);
        HOB_ASSIGN_OR_RETURN(Value value, decode_value(in));
        add(*key, std::move(value));
    }
    return {};
}

void append_parallel(std::uint64_t parallel, std::string& out) {
    if (parallel == 0) return;
    std::size_t size = 1;
    while (size < 8 && parallel >> (8 * size) != 0) {
        ++size;
    }
    out.push_back(static_cast<char>(size));
    for (std::size_t i = size; i-- > 0;) {
        out.push_back(static_cast<char>(parallel >> (8 * i) & 0xff));
    }
}

Result<std::uint64_t> read_parallel(std::string_view bytes) {
    if (bytes.empty()) return std::uint64_t{0};
    const auto size = static_cast<std::size_t>(static_cast<unsigned char>(bytes[0]));
    if (size == 0 || size > 8 || bytes.size() != size + 1) {
        return Error::corrupt(
            "parallel edge's number 0x{} is not a length (1 to 8) and as many bytes",
            to_hex(bytes));
    }
    std::uint64_t parallel = 0;
    for (const char c : bytes.substr(1)) {
        parallel = parallel << 8 | static_cast<unsigned char>(c);
    }
    return parallel;
}

}  // namespace

std::string label_value(std::uint16_t label) {
    std::string out;
    ByteWriter(out).u16(label);
    return out;
}

Result<std::uint16_t> read_label_value(std::string_view value) {
    ByteReader in(value);
    const std::uint16_t label = in.u16();
    if (!in.ok() || !in.at_end())
        return Error::corrupt("label cell has {} bytes, needs 2", value.size());
    return label;
}

std::string single_qualifier(std::uint16_t key) {
    return label_value(key);
}

std::string list_qualifier(std::uint16_t key, std::int64_t sequence) {
    std::string out = single_qualifier(key);
    out.push_back(kListMark);
    encode_long_key(sequence, out);
    return out;
}

std::string set_qualifier(std::uint16_t key, const Value& value, std::uint64_t probe) {
    std::string bytes;
    // A value that has no plain form is refused where its cell is encoded.
    if (auto status = encode_value(value, bytes); !status) bytes.clear();
    std::string out = single_qualifier(key);
    out.push_back(kSetMark);
    ByteWriter(out).u64(md5_head(bytes) + probe);
    return out;
}

Result<std::uint16_t> key_of_qualifier(std::string_view qualifier) {
    if (qualifier == kLabelQualifier) return std::uint16_t{0};
    ByteReader in(qualifier);
    const std::uint16_t key = in.u16();
    if (!in.ok())
        return Error::corrupt("property qualifier 0x{} has {} bytes, needs 2", to_hex(qualifier),
                              qualifier.size());
    return key;
}

Status encode_property(const VertexPropertyObject& property, const KeyCodes& meta_keys,
                       std::string& out) {
    ByteWriter writer(out);
    const bool long_id = property.id.kind() == Kind::kLong && property.id.as_int64() >= 0;
    writer.u8(long_id ? 0 : kHasId);
    if (long_id) {
        writer.varint(static_cast<std::uint64_t>(property.id.as_int64()));
    } else {
        HOB_TRY(encode_value(property.id, out));
    }
    HOB_TRY(encode_value(property.value, out));
    for (std::size_t i = 0; i < property.meta.size(); ++i) {
        writer.u16(meta_keys[i]);
        HOB_TRY(encode_value(property.meta[i].second, out));
    }
    return {};
}

Result<Value> decode_property(const Names& names, std::uint16_t key, std::string_view value,
                              const Value& vertex) {
    const Value* key_name = names.name(NameKind::kKey, key);
    if (key_name == nullptr)
        return Error::make(Code::kNotFound, "property key code {} is in no dictionary", key);
    ByteReader in(value);
    auto property = std::make_unique<VertexPropertyObject>();
    const std::uint8_t flags = in.u8();
    if (flags > kHasId)
        return Error::corrupt("property cell's flags are 0x{:02x}, known is 0x01", flags);
    if ((flags & kHasId) != 0) {
        HOB_ASSIGN_OR_RETURN(property->id, decode_value(in));
    } else {
        property->id = Value::long_(static_cast<std::int64_t>(in.varint()));
    }
    property->key = *key_name;
    property->vertex = vertex;
    HOB_ASSIGN_OR_RETURN(property->value, decode_value(in));
    HOB_TRY(read_pairs(names, in, [&](const Value& meta_key, Value meta_value) {
        property->meta.emplace_back(meta_key, std::move(meta_value));
    }));
    if (!in.ok()) return Error::corrupt("property cell of {} bytes ends too early", value.size());
    return Value::adopt(Kind::kVertexProperty, property.release());
}

std::string edge_prefix(char mark, std::uint16_t label) {
    std::string out(1, mark);
    ByteWriter(out).u16(label);
    return out;
}

std::string prefix_end(std::string prefix) {
    while (!prefix.empty() && prefix.back() == '\xff') {
        prefix.pop_back();
    }
    if (!prefix.empty())
        prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
    return prefix;
}

std::string edge_qualifier(const IdCodec& ids, char mark, std::uint16_t label, const Value& other,
                           std::uint64_t parallel) {
    std::string out = edge_prefix(mark, label);
    ids.append(other, out);
    append_parallel(parallel, out);
    return out;
}

Result<EdgeCell> decode_edge_qualifier(const IdCodec& ids, std::string_view qualifier) {
    if (qualifier.size() < 4)
        return Error::corrupt("edge qualifier has {} bytes, needs at least 4", qualifier.size());
    EdgeCell cell;
    cell.mark = qualifier[0];
    if (cell.mark != kOutMark && cell.mark != kInMark) {
        return Error::corrupt("edge qualifier byte 0 is 0x{:02x}, expected 'O' (out) or 'I' (in)",
                              static_cast<unsigned char>(cell.mark));
    }
    ByteReader in(qualifier.substr(1, 2));
    cell.label = in.u16();
    std::string_view rest = qualifier.substr(3);
    HOB_ASSIGN_OR_RETURN(cell.other, ids.read(rest));
    HOB_ASSIGN_OR_RETURN(cell.parallel, read_parallel(rest));
    return cell;
}

std::string place_bytes(const IdCodec& ids, const EdgePlace& place) {
    std::string out;
    ids.append(place.out, out);
    ByteWriter(out).u16(place.label);
    ids.append(place.in, out);
    append_parallel(place.parallel, out);
    return out;
}

Result<EdgePlace> read_place(const IdCodec& ids, std::string_view bytes) {
    EdgePlace place;
    HOB_ASSIGN_OR_RETURN(place.out, ids.read(bytes));
    if (bytes.size() < 2) return Error::corrupt("edge place ends before its label");
    ByteReader in(bytes.substr(0, 2));
    place.label = in.u16();
    bytes.remove_prefix(2);
    HOB_ASSIGN_OR_RETURN(place.in, ids.read(bytes));
    HOB_ASSIGN_OR_RETURN(place.parallel, read_parallel(bytes));
    return place;
}

Status encode_edge(const Value& id, const std::vector<std::pair<std::uint16_t, Value>>& properties,
                   std::string& out) {
    if (id.is_null() && properties.empty()) return {};
    ByteWriter writer(out);
    writer.u8(id.is_null() ? 0 : kHasId);
    if (!id.is_null()) HOB_TRY(encode_value(id, out));
    for (const auto& [key, value] : properties) {
        writer.u16(key);
        HOB_TRY(encode_value(value, out));
    }
    return {};
}

Result<Value> edge_id_in(std::string_view value) {
    if (value.empty()) return Value{};
    ByteReader in(value);
    const std::uint8_t flags = in.u8();
    if (flags > kHasId)
        return Error::corrupt("edge cell's flags are 0x{:02x}, known is 0x01", flags);
    if ((flags & kHasId) == 0) return Value{};
    return decode_value(in);
}

Status decode_edge(const Names& names, std::string_view value, bool with_properties,
                   EdgeObject& edge) {
    edge.has_properties = with_properties;
    if (value.empty()) return {};
    ByteReader in(value);
    const std::uint8_t flags = in.u8();
    if (flags > kHasId)
        return Error::corrupt("edge cell's flags are 0x{:02x}, known is 0x01", flags);
    if ((flags & kHasId) != 0) {
        HOB_ASSIGN_OR_RETURN(edge.id, decode_value(in));
    }
    if (!with_properties) return {};
    HOB_TRY(read_pairs(names, in, [&](const Value& key, Value property) {
        edge.properties.emplace_back(key, std::move(property));
    }));
    if (!in.ok()) return Error::corrupt("edge cell of {} bytes ends too early", value.size());
    return {};
}

}  // namespace hob::layout
