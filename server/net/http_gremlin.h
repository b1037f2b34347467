#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/wire/message.h"

namespace hob::server {

/// HTTP's side of requests, as plain functions on text: no sockets here.

struct HttpRequest {
    std::string method;
    std::string target;
    std::string content_type;
    std::string accept;
    std::string body;
};

struct HttpError {
    int status = 400;
    std::string message;
};

/// A request in Gremlin's terms and how to answer it.
struct HttpGremlin {
    Request request;
    Serializer serializer;
    std::string content_type;  ///< Of the answer.
    std::string query_id;      ///< Empty: none.
};

/// The path without its query.
std::string_view path_of(std::string_view target);
/// Decoded pairs of a query or of a form.
std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text);
std::vector<std::pair<std::string, std::string>> query_of(std::string_view target);
/// POST with JSON (keys gremlin or query, bindings, aliases, language ...), with a form, or with a
/// whole request in a driver's format; GET with a query. Bad input: 400.
std::variant<HttpGremlin, HttpError> read_http_gremlin(const HttpRequest& http);

/// {"message":...,"code":...,"requestId":...}
std::string error_json(std::string_view message, int code, std::string_view request_id);
/// HTTP's status for the protocol's.
int http_status_of(int status_code);

}  // namespace hob::server
