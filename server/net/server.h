#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/run/query_service.h"
#include "server/run/runner.h"
#include "storage/base/error.h"

namespace hob::server {

/// How a server listens and what it allows. Times are milliseconds; 0 of a time-out: none.
struct ServerOptions {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8182;  ///< 0: any free one.
    std::size_t io_threads = 1;
    std::size_t workers = 4;
    std::size_t queue_max = 2'048;
    std::size_t connections_max = 10'000;
    std::size_t content_bytes_max = 10 << 20;
    std::size_t connection_buffer_bytes = 4 << 20;
    std::int64_t idle_timeout_ms = 0;
    std::int64_t keep_alive_ms = 0;
    std::size_t sessions_max = 1'000;
    std::int64_t session_timeout_ms = 600'000;
    std::vector<std::string> cors_origins{"*"};
    RunLimits run{};
    std::string version = "0";
};

/// The listener with its connections, io threads and query workers. WebSocket and HTTP share one
/// port. Memory of one connection: at most content_bytes_max of a request being received, as much
/// again of requests that run or wait, connection_buffer_bytes (or one message) of answers, and
/// while it is compressed about one message more.
class Server {
  public:
    /// Listens when this returns. Errors: kUnavailable (address in use, not ours). `service` must
    /// outlive the server.
    static Result<std::unique_ptr<Server>> start(ServerOptions options, QueryService& service);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    /// Stops listening, cancels what runs, answers it, closes every connection (WebSocket code
    /// 1001), joins all threads. Idempotent.
    void stop();

  private:
    struct State;
    explicit Server(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace hob::server
