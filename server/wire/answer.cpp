#include "gremlin/io/graphbinary.h"
#include "server/wire/message.h"
#include "server/wire/uuid.h"

namespace hob::server {
namespace {

namespace graphbinary = gremlin::graphbinary;
namespace graphson = gremlin::graphson;
using Kind = Serializer::Kind;

constexpr std::uint8_t kGraphBinaryMessage = 0x81;
constexpr std::uint8_t kGraphBinaryList = 0x09;
constexpr std::string_view kGraphBinaryNull = "\xfe\x01";

const gremlin::WriteOptions kNoElements{};

/// The result of a traverser, or the value itself, as text.
std::string text_of(const Value& item) {
    return to_text(item.kind() == hob::Kind::kTraverser ? item.as<TraverserObject>().value : item);
}

Value map_of(const std::vector<std::pair<std::string, Value>>& entries) {
    Value map = make_map();
    for (const auto& [key, value] : entries)
        map.mutate<MapObject>().put(Value::string(key), value);
    return map;
}

std::string write_binary(std::string_view request_id, const StatusLine& status,
                         const Items* items) {
    std::string out;
    out.reserve(128 + status.message.size() + (items != nullptr ? items->bytes.size() : 0));
    ByteWriter writer(out);
    writer.u8(kGraphBinaryMessage);
    writer.u8(0);
    writer.raw(uuid_bytes(request_id).value_or(std::string(16, '\0')));
    writer.i32(status.code);
    writer.u8(0);
    graphbinary::write_bare_string(status.message, out);
    graphbinary::write_bare_map(map_of(status.attributes), kNoElements, out);
    writer.u32(0);  // No meta.
    if (items == nullptr) {
        writer.raw(kGraphBinaryNull);
        return out;
    }
    writer.u8(kGraphBinaryList);
    writer.u8(0);
    writer.u32(items->count);
    writer.raw(items->bytes);
    return out;
}

std::string write_json(const graphson::Format& format, std::string_view request_id,
                       const StatusLine& status, const Items* items) {
    const bool has_type = format.typed && format.version == 3;
    std::string out;
    out.reserve(256 + status.message.size() + (items != nullptr ? items->bytes.size() : 0));
    out += "{\"requestId\":";
    graphson::write_json_string(request_id, out);
    out += ",\"status\":{\"message\":";
    graphson::write_json_string(status.message, out);
    out += ",\"code\":" + std::to_string(status.code) + ",\"attributes\":";
    graphson::write_value(map_of(status.attributes), format, kNoElements, out);
    out += "},\"result\":{\"data\":";
    if (items == nullptr) {
        out += "null";
    } else {
        out += has_type ? "{\"@type\":\"g:List\",\"@value\":[" : "[";
        out += items->bytes;
        out += has_type ? "]}" : "]";
    }
    out += ",\"meta\":";
    graphson::write_value(make_map(), format, kNoElements, out);
    out += "}}";
    return out;
}

}  // namespace

void add_item(const Serializer& serializer, const Value& item, const gremlin::WriteOptions& options,
              Items& items) {
    switch (serializer.kind) {
        case Kind::kGraphBinary:
            graphbinary::write_value(item, options, items.bytes);
            break;
        case Kind::kGraphBinaryText:
            graphbinary::write_value(Value::string(text_of(item)), options, items.bytes);
            break;
        case Kind::kGraphSon:
            if (items.count > 0) items.bytes.push_back(',');
            graphson::write_value(item, serializer.json, options, items.bytes);
            break;
        case Kind::kPlainText:
            items.bytes.append("==>").append(text_of(item)).push_back('\n');
            break;
    }
    ++items.count;
}

Items split_items(const Serializer& serializer, Items& items, std::size_t bytes,
                  std::uint32_t count) {
    const std::size_t comma = serializer.is_json() && count > 0 ? 1 : 0;
    Items tail{.bytes = items.bytes.substr(bytes + comma), .count = items.count - count};
    items.bytes.resize(bytes);
    items.count = count;
    return tail;
}

std::string write_answer(const Serializer& serializer, std::string_view request_id,
                         const StatusLine& status, const Items* items) {
    switch (serializer.kind) {
        case Kind::kGraphBinary:
        case Kind::kGraphBinaryText:
            return write_binary(request_id, status, items);
        case Kind::kGraphSon:
            return write_json(serializer.json, request_id, status, items);
        case Kind::kPlainText:
            break;
    }
    return items == nullptr ? status.message : items->bytes;
}

}  // namespace hob::server
