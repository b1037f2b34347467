#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/net/core.h"
#include "server/net/http_gremlin.h"

namespace hob::server {

/// An HTTP answer without its connection headers.
struct HttpAnswer {
    int status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
};

/// Work for a worker that ends in an answer; it may block, and heeds the stop token.
using HttpWork = std::function<HttpAnswer(const std::stop_token&)>;

/// What a request asks for: an answer that is known at once, or work. Thread-safe.
std::variant<HttpAnswer, HttpWork> route(Core& core, const HttpRequest& request, const Peer& peer,
                                         std::stop_source stop);

/// True for the paths where a WebSocket may be opened.
bool is_gremlin_path(std::string_view path);

/// The headers that let a page of another origin read the answer; empty when there is no origin.
std::vector<std::pair<std::string, std::string>> cors_headers(const Core& core,
                                                              std::string_view origin,
                                                              std::string_view asked_headers,
                                                              bool is_preflight);

}  // namespace hob::server
