#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::server::cli {

/// The parts of "ws://host:port/path" (http:// alike).
struct Url {
    std::string scheme;
    std::string host;
    std::string port;
    std::string path;
};
/// Errors: kInvalidArgument. Without a port: 8182; without a path: /gremlin for ws, / for http.
Result<Url> parse_url(std::string_view url);

/// One message of an answer.
struct ClientAnswer {
    int code = 0;
    std::string message;
    std::string data_json;  ///< The result's data, untyped GraphSON 3 ("null", "[...]"); text
                            ///< requests only.
};

/// A blocking WebSocket client of the tool itself. Used by one thread at a time.
class Client {
  public:
    /// Errors: kUnavailable (nobody listens, no WebSocket there).
    static Result<std::unique_ptr<Client>> connect(const Url& url);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Sends a script and gives each message of the answer to `take` until the last; the answer
    /// asked for is untyped GraphSON 3. Errors: kUnavailable (the connection broke).
    Result<ClientAnswer> run_text(std::string_view script, std::string_view source,
                                  std::int64_t timeout_ms,
                                  const std::function<void(const ClientAnswer&)>& take);
    /// Sends bytecode (a TraversalObject) as GraphBinary; gives the status that ended it.
    Result<ClientAnswer> run_bytecode(const Value& traversal, std::string_view source,
                                      std::int64_t timeout_ms);

  private:
    struct State;
    explicit Client(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

struct HttpReply {
    int status = 0;
    std::string body;
};
/// One blocking GET. Errors: kUnavailable, kTimeout.
Result<HttpReply> http_get(const Url& url, std::string_view path, std::int64_t timeout_ms);

}  // namespace hob::server::cli
