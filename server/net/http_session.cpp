#include "server/net/http_session.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>
#include <utility>

#include "server/net/http_answers.h"
#include "server/net/ws_session.h"

namespace hob::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;

/// Longest request line and headers; a GET carries its Gremlin there.
constexpr std::uint32_t kHeaderBytesMax = 64 << 10;
/// An HTTP connection that sends nothing for this long is closed.
constexpr auto kSilenceMax = std::chrono::seconds(75);

std::string text_of(beast::string_view view) {
    return {view.data(), view.size()};
}

/// One connection; all members are used on the stream's strand.
class HttpSession final : public Connection, public std::enable_shared_from_this<HttpSession> {
  public:
    HttpSession(asio::ip::tcp::socket socket, std::shared_ptr<Core> core)
        : stream_(std::move(socket)), core_(std::move(core)), number_(core_->next_connection()) {}
    ~HttpSession() override { core_->remove(number_); }
    HttpSession(const HttpSession&) = delete;
    HttpSession& operator=(const HttpSession&) = delete;

    void run() {
        core_->add(number_, weak_from_this());
        error_code ignored;
        const auto remote = stream_.socket().remote_endpoint(ignored);
        peer_.address = "/" + remote.address().to_string() + ":" + std::to_string(remote.port());
        asio::post(stream_.get_executor(), [self = shared_from_this()] { self->read(); });
    }

    void cancel() override {
        asio::post(stream_.get_executor(),
                   [self = shared_from_this()] { self->stop_.request_stop(); });
    }

    void go_away() override {
        asio::post(stream_.get_executor(), [self = shared_from_this()] {
            self->is_last_ = true;
            if (!self->is_answering_) self->close();
        });
    }

  private:
    void read() {
        parser_.emplace();
        parser_->header_limit(kHeaderBytesMax);
        parser_->body_limit(core_->options.content_bytes_max);
        is_answering_ = false;
        stream_.expires_after(kSilenceMax);
        http::async_read_header(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](error_code ec, std::size_t) { self->on_header(ec); });
    }

    void on_header(error_code ec) {
        if (ec) return on_read_error(ec);
        if (beast::websocket::is_upgrade(parser_->get())) return upgrade();
        if (beast::iequals(parser_->get()[http::field::expect], "100-continue")) {
            static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
            asio::async_write(stream_, asio::buffer(kContinue),
                              [self = shared_from_this()](error_code e, std::size_t) {
                                  if (!e) self->read_body();
                              });
            return;
        }
        read_body();
    }

    void read_body() {
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](error_code ec, std::size_t) {
                             if (ec) return self->on_read_error(ec);
                             self->on_request();
                         });
    }

    void on_read_error(error_code ec) {
        is_last_ = true;
        if (ec == http::error::body_limit) {
            origin_ = text_of(parser_->get()[http::field::origin]);
            return answer(
                {.status = 413,
                 .content_type = "application/json",
                 .body = error_json(
                     fmt::format("the body is larger than {} bytes - increase the maxContentLength",
                                 core_->options.content_bytes_max),
                     0, {}),
                 .headers = {}});
        }
        const bool is_ours =
            ec.category() == http::make_error_code(http::error::bad_method).category();
        if (is_ours && ec != http::error::end_of_stream && ec != http::error::partial_message) {
            const int status = ec == http::error::header_limit ? 431 : 400;
            return answer(
                {.status = status,
                 .content_type = "application/json",
                 .body = error_json("the HTTP request can't be read: " + ec.message(), 0, {}),
                 .headers = {}});
        }
        close();
    }

    void upgrade() {
        const auto& head = parser_->get();
        origin_ = text_of(head[http::field::origin]);
        const std::string target = text_of(head.target());
        std::optional<HttpAnswer> refused;
        if (!is_gremlin_path(path_of(target))) {
            refused = HttpAnswer{
                .status = 404,
                .content_type = "application/json",
                .body = error_json(
                    "there is no WebSocket at " + target + "; Gremlin is at /gremlin", 0, {}),
                .headers = {}};
        } else if (!core_->allows_origin(origin_) && !is_same_host()) {
            refused = HttpAnswer{
                .status = 403,
                .content_type = "application/json",
                .body = error_json("pages of " + origin_ + " may not ask; see corsOrigins", 0, {}),
                .headers = {}};
        }
        if (refused) {
            is_last_ = true;
            return answer(std::move(*refused));
        }
        stream_.expires_never();
        core_->remove(number_);
        serve_websocket(std::move(stream_), parser_->release(), core_);
    }

    /// Java's driver puts the server itself as origin.
    [[nodiscard]] bool is_same_host() const {
        const std::string host = text_of(parser_->get()[http::field::host]);
        const std::size_t scheme = origin_.find("://");
        return scheme != std::string::npos && origin_.substr(scheme + 3) == host;
    }

    void on_request() {
        const auto& message = parser_->get();
        is_answering_ = true;
        core_->requests.fetch_add(1, std::memory_order_relaxed);
        is_last_ = is_last_ || !message.keep_alive() || core_->is_stopping;
        origin_ = text_of(message[http::field::origin]);
        peer_.legacy_dates = reads_legacy_dates_only(text_of(message[http::field::user_agent]));
        is_head_ = message.method() == http::verb::head;
        if (!core_->allows_origin(origin_) && !is_same_host()) {
            return answer(
                {.status = 403,
                 .content_type = "application/json",
                 .body = error_json("pages of " + origin_ + " may not ask; see corsOrigins", 0, {}),
                 .headers = {}});
        }
        if (message.method() == http::verb::options) {
            is_preflight_ = true;
            return answer({.status = 204,
                           .content_type = {},
                           .body = {},
                           .headers = {{"Allow", "GET, POST, OPTIONS"}}});
        }
        const HttpRequest request{.method = text_of(message.method_string()),
                                  .target = text_of(message.target()),
                                  .content_type = text_of(message[http::field::content_type]),
                                  .accept = text_of(message[http::field::accept]),
                                  .body = message.body()};
        stop_ = std::stop_source();
        auto routed = route(*core_, request, peer_, stop_);
        if (auto* known = std::get_if<HttpAnswer>(&routed)) return answer(std::move(*known));
        stream_.expires_never();
        auto work = [self = shared_from_this(), work = std::get<HttpWork>(std::move(routed)),
                     token = stop_.get_token()] {
            auto done = std::make_shared<HttpAnswer>(work(token));
            asio::post(self->stream_.get_executor(),
                       [self, done] { self->answer(std::move(*done)); });
        };
        if (!core_->pool.submit(std::move(work))) {
            return answer(
                {.status = 503,
                 .content_type = "application/json",
                 .body = error_json("the server is busy; retry later", status::kTemporary, {}),
                 .headers = {{"Retry-After", "1"}}});
        }
        watch();
    }

    /// While a worker works: a client that hangs up cancels it. One that sends its next request
    /// already is simply not read yet.
    void watch() {
        stream_.socket().async_wait(
            asio::ip::tcp::socket::wait_read, [self = shared_from_this()](error_code ec) {
                if (ec || !self->is_answering_) return;
                char byte = 0;
                const auto got = ::recv(self->stream_.socket().native_handle(), &byte, 1,
                                        MSG_PEEK | MSG_DONTWAIT);
                if (got == 0) self->stop_.request_stop();
            });
    }

    void answer(HttpAnswer reply) {
        error_code ignored;
        stream_.socket().cancel(ignored);
        is_answering_ = true;
        const auto& asked = parser_->get();
        response_ = std::make_shared<http::response<http::string_body>>(
            static_cast<http::status>(reply.status), asked.version() == 10 ? 10U : 11U);
        response_->set(http::field::server, "hobgoblin/" + core_->options.version);
        if (!reply.content_type.empty())
            response_->set(http::field::content_type, reply.content_type);
        for (const auto& [name, value] : reply.headers)
            response_->set(name, value);
        const std::string asked_headers =
            text_of(asked[http::field::access_control_request_headers]);
        for (const auto& [name, value] :
             cors_headers(*core_, origin_, asked_headers, is_preflight_)) {
            response_->set(name, value);
        }
        const std::size_t body_bytes = reply.body.size();
        if (!is_head_) response_->body() = std::move(reply.body);
        response_->keep_alive(!is_last_);
        if (reply.status != 204) response_->content_length(body_bytes);
        is_preflight_ = false;
        is_head_ = false;
        stream_.expires_after(kSilenceMax);
        http::async_write(stream_, *response_,
                          [self = shared_from_this()](error_code ec, std::size_t) {
                              self->response_.reset();
                              if (ec || self->is_last_) return self->close();
                              self->read();
                          });
    }

    void close() {
        error_code ignored;
        stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
        stream_.close();
    }

    beast::tcp_stream stream_;
    std::shared_ptr<Core> core_;
    const std::uint64_t number_;
    Peer peer_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    std::shared_ptr<http::response<http::string_body>> response_;
    std::string origin_;
    std::stop_source stop_;
    bool is_answering_ = false;
    bool is_last_ = false;
    bool is_head_ = false;
    bool is_preflight_ = false;
};

}  // namespace

void serve_http(asio::ip::tcp::socket socket, std::shared_ptr<Core> core) {
    std::make_shared<HttpSession>(std::move(socket), std::move(core))->run();
}

}  // namespace hob::server
