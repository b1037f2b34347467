#include "server/net/http_answers.h"

#include <fmt/format.h>

#include "server/wire/uuid.h"

namespace hob::server {
namespace {

HttpAnswer error(int http_status, std::string_view message, int code = 0,
                 std::string_view id = {}) {
    return {.status = http_status,
            .content_type = "application/json",
            .body = error_json(message, code, id),
            .headers = {}};
}

HttpAnswer plain(int http_status, std::string text) {
    return {.status = http_status,
            .content_type = "text/plain; charset=utf-8",
            .body = std::move(text),
            .headers = {}};
}

/// Keeps the one message of an answer that is sent whole.
class WholeReply final : public ReplySink {
  public:
    Status send(Message message, const store::CallContext&) override {
        bytes = std::move(message.bytes);
        return {};
    }
    void send_now(Message message) override { bytes = std::move(message.bytes); }
    std::string bytes;
};

std::variant<HttpAnswer, HttpWork> gremlin(Core& core, const HttpRequest& request, const Peer& peer,
                                           std::stop_source stop) {
    auto read = read_http_gremlin(request);
    if (const auto* bad = std::get_if<HttpError>(&read)) return error(bad->status, bad->message);
    auto asked = std::get<HttpGremlin>(std::move(read));
    auto planned = plan_job(asked.request, core.service);
    if (const auto* refused = std::get_if<StatusLine>(&planned)) {
        return error(http_status_of(refused->code), refused->message, refused->code,
                     asked.request.id);
    }
    if (!asked.query_id.empty()) core.name_query(asked.query_id, std::move(stop));
    return HttpWork([&core, job = std::get<Job>(std::move(planned)), serializer = asked.serializer,
                     peer, content_type = asked.content_type,
                     query_id = asked.query_id](const std::stop_token& token) {
        WholeReply reply;
        const StatusLine line =
            core.runner.run(job, serializer, false, peer, nullptr, token, reply, true);
        if (!query_id.empty()) core.forget_query(query_id);
        if (line.code >= 300)
            return error(http_status_of(line.code), line.message, line.code, job.id);
        return HttpAnswer{.status = 200,
                          .content_type = content_type,
                          .body = std::move(reply.bytes),
                          .headers = {}};
    });
}

HttpAnswer status_answer(const Core& core) {
    using std::chrono::duration_cast;
    const auto up =
        duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - core.started)
            .count();
    HttpAnswer answer;
    answer.body = fmt::format(
        R"({{"status":"healthy","role":"writer","server":"hobgoblin","version":"{}","gremlin":{{"version":"3.8"}},"store":"{}",)"
        R"("uptimeSeconds":{},"connections":{},"sessions":{},"requests":{},"workers":{},"running":{},"queued":{}}})",
        core.options.version, core.service.store_kind(), up, core.connection_count(),
        core.sessions.size(), core.requests.load(), core.pool.threads(), core.pool.running(),
        core.pool.waiting());
    return answer;
}

HttpWork readiness(Core& core) {
    return [&core](const std::stop_token& token) {
        constexpr auto kPatience = std::chrono::seconds(2);
        const store::CallContext call{.deadline = std::chrono::steady_clock::now() + kPatience,
                                      .stop = token};
        const auto alive = core.service.ping(call);
        if (alive.ok()) return plain(200, "ready\n");
        return plain(503, "not ready: " + alive.error().message + "\n");
    };
}

/// Graph Explorer's way to stop a query: /gremlin/status?cancelQuery&queryId=...
HttpAnswer query_status(Core& core, const HttpRequest& request) {
    std::string id;
    for (const auto& pairs : {query_of(request.target), parse_form(request.body)}) {
        for (const auto& [key, value] : pairs) {
            if (key == "queryId") id = value;
        }
    }
    if (id.empty()) return error(400, "give the query's queryId");
    const bool cancelled = core.cancel_query(id);
    HttpAnswer answer;
    answer.body = fmt::format(R"({{"status":"{}","payload":{}}})",
                              cancelled ? "200 OK" : "404 no such query", cancelled);
    return answer;
}

HttpAnswer not_allowed(std::string allowed) {
    HttpAnswer answer = error(405, "405 Method Not Allowed; allowed are " + allowed);
    answer.headers.emplace_back("Allow", std::move(allowed));
    return answer;
}

}  // namespace

bool is_gremlin_path(std::string_view path) {
    return path == "/" || path == "/gremlin" || path == "/gremlin/";
}

std::variant<HttpAnswer, HttpWork> route(Core& core, const HttpRequest& request, const Peer& peer,
                                         std::stop_source stop) {
    const std::string_view path = path_of(request.target);
    const bool is_get = request.method == "GET" || request.method == "HEAD";
    if (is_gremlin_path(path)) {
        if (request.method != "GET" && request.method != "POST")
            return not_allowed("GET, POST, OPTIONS");
        if (path == "/" && is_get && request.target.find('?') == std::string::npos) {
            return plain(
                200,
                fmt::format(
                    "hobgoblin {}: a Gremlin server.\nAsk it over WebSocket at /gremlin, or by\n"
                    "  POST /gremlin {{\"gremlin\":\"g.V().count()\"}}\n",
                    core.options.version));
        }
        return gremlin(core, request, peer, std::move(stop));
    }
    if (path == "/gremlin/status") return query_status(core, request);
    if (path != "/livez" && path != "/readyz" && path != "/status" && path != "/version") {
        return error(404, fmt::format("there is nothing at {}; Gremlin is at /gremlin", path));
    }
    if (!is_get) return not_allowed("GET, HEAD, OPTIONS");
    if (path == "/livez") return plain(200, "alive\n");
    if (path == "/version") return plain(200, core.options.version + "\n");
    if (path == "/status") return status_answer(core);
    if (core.is_stopping) return plain(503, "not ready: the server stops\n");
    return readiness(core);
}

std::vector<std::pair<std::string, std::string>> cors_headers(const Core& core,
                                                              std::string_view origin,
                                                              std::string_view asked_headers,
                                                              bool is_preflight) {
    std::vector<std::pair<std::string, std::string>> headers;
    if (origin.empty() || !core.allows_origin(origin)) return headers;
    headers.emplace_back("Access-Control-Allow-Origin", origin);
    headers.emplace_back("Vary", "Origin");
    if (!is_preflight) return headers;
    headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
    headers.emplace_back(
        "Access-Control-Allow-Headers",
        asked_headers.empty() ? "content-type, accept, queryid, authorization" : asked_headers);
    headers.emplace_back("Access-Control-Max-Age", "600");
    return headers;
}

}  // namespace hob::server
