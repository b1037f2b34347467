#include <array>
#include <cctype>

#include "gremlin/io/graphbinary.h"
#include "server/wire/message.h"
#include "server/wire/uuid.h"

namespace hob::server {
namespace {

using gremlin::graphson::Format;

/// The protocol version byte of a GraphBinary message.
constexpr std::uint8_t kGraphBinaryMessage = 0x81;
/// Ids are UUIDs; drivers that send other texts get them back, up to this length.
constexpr std::size_t kRequestIdBytesMax = 256;

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

Result<Request> read_binary(std::string_view body) {
    ByteReader in(body);
    if (in.u8() != kGraphBinaryMessage || !in.ok()) {
        return Error::parse("a GraphBinary request begins with byte 0x81, this one with 0x{}",
                            to_hex(body.substr(0, 1)));
    }
    const std::string_view id = in.take(16);
    if (!in.ok())
        return Error::parse(
            "a GraphBinary request needs 16 bytes of request id, this one ends before");
    Request request{.id = uuid_text(id), .op = {}, .processor = {}, .args = {}};
    HOB_ASSIGN_OR_RETURN(request.op, gremlin::graphbinary::read_bare_string(in));
    HOB_ASSIGN_OR_RETURN(request.processor, gremlin::graphbinary::read_bare_string(in));
    HOB_ASSIGN_OR_RETURN(request.args, gremlin::graphbinary::read_bare_map(in));
    if (!in.at_end()) {
        return Error::parse("the GraphBinary request goes on for {} bytes after its arguments",
                            in.remaining());
    }
    return request;
}

Result<Request> read_json(std::string_view body, Format format) {
    format.typed = true;  // The reader takes both forms; some drivers mix them.
    if (format.version == 1) format.version = 3;
    HOB_ASSIGN_OR_RETURN(const Value root, gremlin::graphson::read_value(body, format));
    if (root.kind() != Kind::kMap) {
        return Error::parse(
            "a request is a JSON object with requestId, op, processor and args, this one is {}",
            type_name(root));
    }
    const auto& map = root.as<MapObject>();
    Request request;
    if (const Value* id = map.find("requestId")) request.id = lower(to_text(*id));
    if (request.id.empty() || request.id.size() > kRequestIdBytesMax) {
        return Error::parse("the request's requestId must be a UUID, found {} characters",
                            request.id.size());
    }
    const auto text_of = [&map](std::string_view key) {
        const Value* found = map.find(key);
        return found != nullptr && found->is_string() ? std::string(found->text()) : std::string();
    };
    request.op = text_of("op");
    request.processor = text_of("processor");
    const Value* args = map.find("args");
    if (args != nullptr && args->kind() == Kind::kMap) {
        request.args = *args;
    } else if (args == nullptr || args->is_null()) {
        request.args = make_map();
    } else {
        return Error::parse("the request's args must be a map, found {}", type_name(*args));
    }
    return request;
}

/// The text after "requestId" and a colon, whether plain or within {"@type":"g:UUID","@value":...}.
std::string json_request_id(std::string_view body) {
    std::size_t at = body.find("\"requestId\"");
    if (at == std::string_view::npos) return std::string(kNilUuid);
    body.remove_prefix(at);
    // A UUID is the first run of 36 hexadecimal digits and dashes after the key.
    constexpr std::size_t kFar = 200;
    std::size_t run = 0;
    for (std::size_t i = 0; i < std::min(body.size(), kFar); ++i) {
        const char c = body[i];
        run = std::isxdigit(static_cast<unsigned char>(c)) != 0 || c == '-' ? run + 1 : 0;
        if (run == kUuidTextBytes) return lower(body.substr(i + 1 - run, run));
    }
    return std::string(kNilUuid);
}

}  // namespace

const Value* Request::arg(std::string_view name) const {
    if (args.kind() != Kind::kMap) return nullptr;
    const Value* found = args.as<MapObject>().find(name);
    return found == nullptr || found->is_null() ? nullptr : found;
}

std::string_view Request::text(std::string_view name) const {
    const Value* found = arg(name);
    return found != nullptr && found->is_string() ? found->text() : std::string_view();
}

Result<Request> read_request(const Serializer& serializer, std::string_view body) {
    return serializer.is_json() ? read_json(body, serializer.json) : read_binary(body);
}

std::string request_id_of(const Serializer& serializer, std::string_view body) {
    if (serializer.is_json()) return json_request_id(body);
    constexpr std::size_t kHead = 17;
    return body.size() < kHead ? std::string(kNilUuid) : uuid_text(body.substr(1, 16));
}

Result<Envelope> read_envelope(std::string_view message, bool is_text) {
    if (is_text) {
        const std::size_t first = message.find_first_not_of(" \t\r\n");
        if (first != std::string_view::npos && message[first] == '{') {
            return Envelope{.serializer = *serializer_of("application/json"), .prefix_bytes = 0};
        }
    }
    if (message.empty()) return Error::parse("the message is empty");
    const std::size_t size = static_cast<unsigned char>(message[0]);
    if (size == 0 || message.size() < 1 + size) {
        return Error::parse(
            "the message's first byte says that its MIME type has {} bytes, but {} follow", size,
            message.size() - 1);
    }
    const std::string_view mime = message.substr(1, size);
    const auto serializer = serializer_of(mime);
    if (!serializer) {
        return Error::parse(
            "the MIME type '{}' is not known here; known are {}",
            mime.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "-_+./;= ") == std::string_view::npos
                ? std::string(mime)
                : "0x" + to_hex(mime),
            known_mimes());
    }
    return Envelope{.serializer = *serializer, .prefix_bytes = 1 + size};
}

}  // namespace hob::server
