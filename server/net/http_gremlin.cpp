#include "server/net/http_gremlin.h"

#include <cctype>

#include "server/wire/status.h"
#include "server/wire/uuid.h"

namespace hob::server {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Read = std::variant<Request, HttpError>;

constexpr std::string_view kNoScript = "no gremlin script supplied";

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const int lower = std::tolower(static_cast<unsigned char>(c));
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') {
            out.push_back(' ');
        } else if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                   hex_digit(text[i + 2]) >= 0) {
            out.push_back(static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
            i += 2;
        } else {
            out.push_back(text[i]);
        }
    }
    return out;
}

Request eval_request(const Value* id) {
    Request request{.id = random_uuid(), .op = "eval", .processor = "", .args = make_map()};
    if (id != nullptr && id->is_string() && uuid_bytes(id->text())) request.id = id->text();
    if (id != nullptr && id->kind() == Kind::kUuid) request.id = to_text(*id);
    return request;
}

void put(Request& request, std::string_view key, Value value) {
    request.args.mutate<MapObject>().put(Value::string(key), std::move(value));
}

Read from_pairs(const Pairs& pairs) {
    const auto find = [&pairs](std::string_view name) -> const std::string* {
        for (const auto& [key, value] : pairs) {
            if (key == name) return &value;
        }
        return nullptr;
    };
    const std::string* script = find("gremlin");
    if (script == nullptr) script = find("query");
    if (script == nullptr || script->empty())
        return HttpError{.status = 400, .message = std::string(kNoScript)};
    const std::string* id = find("requestId");
    const Value id_value = id != nullptr ? Value::string(*id) : Value();
    Request request = eval_request(&id_value);
    put(request, "gremlin", Value::string(*script));
    for (const std::string_view key : {"language", "materializeProperties"}) {
        if (const std::string* value = find(key)) put(request, key, Value::string(*value));
    }
    if (const std::string* timeout = find("evaluationTimeout")) {
        put(request, "evaluationTimeout",
            Value::long_(std::strtoll(timeout->c_str(), nullptr, 10)));
    }
    for (const std::string_view map_name : {"bindings", "aliases"}) {
        const std::string prefix = std::string(map_name) + ".";
        Value map = make_map();
        for (const auto& [key, value] : pairs) {
            if (key.starts_with(prefix)) {
                map.mutate<MapObject>().put(Value::string(key.substr(prefix.size())),
                                            Value::string(value));
            }
        }
        if (map.as<MapObject>().size() > 0) put(request, map_name, std::move(map));
    }
    return request;
}

/// {"gremlin":"g.V()","bindings":{...}}: what people write with curl. A bare `g` names the source,
/// as TinkerPop 4 has it.
Read from_flat_json(const MapObject& body) {
    Request request = eval_request(body.find("requestId"));
    const Value* script = body.find("gremlin");
    if (script == nullptr) script = body.find("query");
    if (script == nullptr || script->is_null())
        return HttpError{.status = 400, .message = std::string(kNoScript)};
    const Value* op = body.find("op");
    if (op != nullptr && op->is_string() && op->text() == "bytecode") request.op = "bytecode";
    put(request, "gremlin", *script);
    for (const std::string_view key : {"bindings", "aliases", "language", "evaluationTimeout",
                                       "batchSize", "materializeProperties"}) {
        const Value* value = body.find(key);
        if (value == nullptr || value->is_null()) continue;
        const bool wants_map = key == "bindings" || key == "aliases";
        if (wants_map && value->kind() != Kind::kMap) {
            return HttpError{.status = 400, .message = std::string(key) + " must be a Map"};
        }
        put(request, key, *value);
    }
    const Value* source = body.find("g");
    if (source != nullptr && source->is_string() && request.arg("aliases") == nullptr) {
        Value aliases = make_map();
        aliases.mutate<MapObject>().put(Value::string("g"), *source);
        put(request, "aliases", std::move(aliases));
    }
    return request;
}

Read from_json(std::string_view body) {
    const auto value = gremlin::graphson::read_value(body, {.version = 3, .typed = true});
    if (!value.ok())
        return HttpError{.status = 400,
                         .message = "body could not be parsed: " + value.error().message};
    if (value->kind() != Kind::kMap) {
        return HttpError{
            .status = 400,
            .message = "the body must be a JSON object such as {\"gremlin\":\"g.V().count()\"}"};
    }
    const auto& map = value->as<MapObject>();
    const Value* args = map.find("args");
    if (args == nullptr) return from_flat_json(map);
    auto request = read_request(*serializer_of("application/json"), body);
    if (!request.ok()) return HttpError{.status = 400, .message = request.error().message};
    return std::move(*request);
}

Read from_post(const HttpRequest& http) {
    const std::size_t first = http.body.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        return HttpError{.status = 400, .message = std::string(kNoScript)};
    if (http.body[first] == '{') return from_json(http.body);
    if (http.content_type.find("x-www-form-urlencoded") != std::string::npos)
        return from_pairs(parse_form(http.body));
    // A driver's serialized request: the MIME type stands before it, as on WebSocket. Else the JSON
    // reader says best what is wrong.
    const auto envelope = read_envelope(http.body, false);
    if (!envelope.ok()) return from_json(http.body);
    auto request = read_request(envelope->serializer,
                                std::string_view(http.body).substr(envelope->prefix_bytes));
    if (!request.ok())
        return HttpError{.status = 400,
                         .message = "body could not be parsed: " + request.error().message};
    return std::move(*request);
}

std::string query_id_of(const HttpRequest& http) {
    for (const auto& [key, value] : query_of(http.target)) {
        if (key == "queryId") return value;
    }
    if (http.body.find("\"queryId\"") == std::string::npos) return {};
    const auto value = gremlin::graphson::read_value(http.body, {.version = 3, .typed = true});
    if (!value.ok() || value->kind() != Kind::kMap) return {};
    const Value* id = value->as<MapObject>().find("queryId");
    return id == nullptr ? std::string() : to_text(*id);
}

}  // namespace

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

Pairs parse_form(std::string_view text) {
    Pairs pairs;
    while (!text.empty()) {
        const std::size_t end = text.find('&');
        const std::string_view one = text.substr(0, end);
        const std::size_t equals = one.find('=');
        if (!one.empty()) {
            pairs.emplace_back(
                percent_decoded(one.substr(0, equals)),
                equals == std::string_view::npos ? "" : percent_decoded(one.substr(equals + 1)));
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return pairs;
}

Pairs query_of(std::string_view target) {
    const std::size_t question = target.find('?');
    return question == std::string_view::npos ? Pairs{} : parse_form(target.substr(question + 1));
}

std::variant<HttpGremlin, HttpError> read_http_gremlin(const HttpRequest& http) {
    const auto serializer = serializer_of_accept(http.accept);
    if (!serializer) {
        return HttpError{.status = 400,
                         .message = "no serializer for requested Accept header: " + http.accept +
                                    "; known are " + known_mimes() + ", text/plain"};
    }
    Read read = http.method == "GET" ? from_pairs(query_of(http.target)) : from_post(http);
    if (const auto* error = std::get_if<HttpError>(&read)) return *error;
    HttpGremlin gremlin{.request = std::get<Request>(std::move(read)),
                        .serializer = *serializer,
                        .content_type = mime_of(*serializer),
                        .query_id = query_id_of(http)};
    const bool named = http.accept.find("vnd.") != std::string::npos || !serializer->json.typed;
    if (serializer->is_json() && !named) gremlin.content_type = "application/json";
    if (gremlin.request.processor == "session") {
        return HttpError{.status = 400,
                         .message = "HTTP has no sessions; connect over WebSocket for one"};
    }
    return gremlin;
}

std::string error_json(std::string_view message, int code, std::string_view request_id) {
    std::string out = "{\"message\":";
    gremlin::graphson::write_json_string(message, out);
    if (code != 0) out += ",\"code\":" + std::to_string(code);
    if (!request_id.empty()) {
        out += ",\"requestId\":";
        gremlin::graphson::write_json_string(request_id, out);
    }
    out += "}";
    return out;
}

int http_status_of(int status_code) {
    if (status_code < 300) return 200;
    if (status_code == status::kMalformedRequest || status_code == status::kInvalidArguments)
        return 400;
    return status_code == status::kTemporary ? 503 : 500;
}

}  // namespace hob::server
