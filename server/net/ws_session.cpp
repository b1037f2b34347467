#include "server/net/ws_session.h"

#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/websocket.hpp>
#include <utility>

#include "server/net/ws_requests.h"

namespace hob::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using beast::error_code;

/// Read at a time; a message grows by this.
constexpr std::size_t kChunkBytes = 16 << 10;
/// A message buffer that grew beyond this is given back after the message.
constexpr std::size_t kKeptBytes = 64 << 10;
/// Of an oversized message, what is kept to find its request id.
constexpr std::size_t kHeadBytes = 4 << 10;

/// One connection. All members are used on the stream's strand, except the outbox and the requests,
/// which are thread-safe.
class WsSession final : public Connection, public std::enable_shared_from_this<WsSession> {
  public:
    WsSession(beast::tcp_stream stream, std::shared_ptr<Core> core)
        : ws_(std::move(stream)), core_(std::move(core)), number_(core_->next_connection()) {}
    ~WsSession() override { core_->remove(number_); }
    WsSession(const WsSession&) = delete;
    WsSession& operator=(const WsSession&) = delete;

    void run(http::request<http::string_body> upgrade) {
        core_->add(number_, weak_from_this());
        error_code ignored;
        const auto remote = beast::get_lowest_layer(ws_).socket().remote_endpoint(ignored);
        Peer peer{
            .address = "/" + remote.address().to_string() + ":" + std::to_string(remote.port()),
            .legacy_dates = reads_legacy_dates_only({upgrade[http::field::user_agent].data(),
                                                     upgrade[http::field::user_agent].size()})};
        requests_ = std::make_shared<WsRequests>(
            *core_, std::move(peer), number_, [weak = weak_from_this()] {
                if (const auto self = weak.lock()) {
                    asio::post(self->ws_.get_executor(), [self] { self->write_next(); });
                }
            });
        set_options();
        upgrade_ = std::move(upgrade);
        ws_.async_accept(upgrade_,
                         [self = shared_from_this()](error_code ec) { self->on_accept(ec); });
    }

    void cancel() override {
        asio::post(ws_.get_executor(), [self = shared_from_this()] { self->requests_->cancel(); });
    }

    void go_away() override {
        asio::post(ws_.get_executor(),
                   [self = shared_from_this()] { self->close(websocket::close_code::going_away); });
    }

  private:
    void set_options() {
        beast::get_lowest_layer(ws_).expires_never();  // The WebSocket keeps its own time.
        websocket::permessage_deflate deflate;
        deflate.server_enable = true;
        deflate.compLevel = 3;  // Answers are many and short-lived: speed before size.
        ws_.set_option(deflate);
        const ServerOptions& o = core_->options;
        websocket::stream_base::timeout timeout{std::chrono::seconds(30),
                                                websocket::stream_base::none(), false};
        if (o.keep_alive_ms > 0) {
            timeout.idle_timeout = std::chrono::milliseconds(2 * o.keep_alive_ms);
            timeout.keep_alive_pings = true;  // Sent after half of the idle time.
        } else if (o.idle_timeout_ms > 0) {
            timeout.idle_timeout = std::chrono::milliseconds(o.idle_timeout_ms);
        }
        ws_.set_option(timeout);
        ws_.set_option(websocket::stream_base::decorator(
            [version = o.version](websocket::response_type& response) {
                response.set(http::field::server, "hobgoblin/" + version);
            }));
        ws_.auto_fragment(false);  // Java's driver does not put fragments together.
        ws_.read_message_max(0);   // Too long a message is refused in read_some, by an answer.
    }

    void on_accept(error_code ec) {
        upgrade_ = {};
        if (ec) {
            SPDLOG_DEBUG("websocket upgrade failed: {}", ec.message());
            end();
            return;
        }
        is_open_ = true;
        if (is_going_) return close_now();
        read();
    }

    void read() {
        if (is_over_) return;
        if (requests_->outbox().is_full()) {
            is_read_paused_ = true;  // The client does not read; so don't we, until it does.
            return;
        }
        ws_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](error_code e, std::size_t bytes) {
                                self->on_read(e, bytes);
                            });
    }

    void on_read(error_code ec, std::size_t bytes) {
        if (ec) {
            if (ec != websocket::error::closed)
                SPDLOG_DEBUG("websocket read ended: {}", ec.message());
            end();
            return;
        }
        if (message_.size() + bytes > core_->options.content_bytes_max) {
            is_oversized_ = true;
            message_.resize(std::min(message_.size(), kHeadBytes));
        }
        if (!is_oversized_ || message_.size() < kHeadBytes) message_.append(chunk_.data(), bytes);
        if (!ws_.is_message_done()) {
            read();
            return;
        }
        const std::string message = std::exchange(message_, {});
        if (std::exchange(is_oversized_, false)) {
            requests_->on_oversized(message, ws_.got_text());
        } else {
            requests_->on_message(message, ws_.got_text());
        }
        read();
    }

    void write_next() {
        if (is_over_) return;
        auto message = requests_->outbox().take();
        if (!message) {
            if (is_going_) close_now();
            return;
        }
        sending_ = std::move(message->bytes);
        ws_.text(message->is_text);
        // A compressed message must fit the buffer, or it would be cut into fragments. Deflate
        // grows what it can't shrink by less than a thousandth.
        const std::size_t needed = sending_.size() + sending_.size() / 512 + kHeadBytes;
        if (needed > ws_.write_buffer_bytes() || ws_.write_buffer_bytes() > kKeptBytes) {
            ws_.write_buffer_bytes(std::max(needed, kKeptBytes));
        }
        ws_.async_write(
            asio::buffer(sending_),
            [self = shared_from_this()](error_code e, std::size_t) { self->on_write(e); });
    }

    void on_write(error_code ec) {
        const std::size_t bytes = sending_.size();
        sending_.clear();
        if (sending_.capacity() > kKeptBytes) sending_.shrink_to_fit();
        if (ec) {
            end();
            return;
        }
        requests_->outbox().written(bytes);
        if (is_read_paused_ && !requests_->outbox().is_full()) {
            is_read_paused_ = false;
            read();
        }
        write_next();
    }

    void close(websocket::close_code code) {
        is_going_ = true;
        going_code_ = code;
        if (is_open_ && requests_->outbox().is_idle()) close_now();
    }

    void close_now() {
        if (std::exchange(is_closing_, true) || is_over_) return;
        ws_.async_close(going_code_, [self = shared_from_this()](error_code) { self->end(); });
    }

    /// The connection is over, whoever ended it.
    void end() {
        if (std::exchange(is_over_, true)) return;
        requests_->close();
        error_code ignored;
        beast::get_lowest_layer(ws_).socket().close(ignored);
        core_->remove(number_);
    }

    websocket::stream<beast::tcp_stream> ws_;
    std::shared_ptr<Core> core_;
    const std::uint64_t number_;
    std::shared_ptr<WsRequests> requests_;
    http::request<http::string_body> upgrade_;
    std::array<char, kChunkBytes> chunk_{};
    std::string message_;
    std::string sending_;
    bool is_open_ = false;  ///< The upgrade is answered.
    bool is_oversized_ = false;
    bool is_read_paused_ = false;
    bool is_going_ = false;
    bool is_closing_ = false;
    bool is_over_ = false;
    websocket::close_code going_code_ = websocket::close_code::going_away;
};

}  // namespace

void serve_websocket(beast::tcp_stream stream, http::request<http::string_body> upgrade,
                     std::shared_ptr<Core> core) {
    std::make_shared<WsSession>(std::move(stream), std::move(core))->run(std::move(upgrade));
}

}  // namespace hob::server
