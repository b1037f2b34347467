#pragma once
#include <string>
#include <utility>
#include <vector>

#include "server/net/server.h"
#include "storage/value/value.h"
#include "tests/server/double_service.h"
#include "tests/server/raw_client.h"

namespace hob::server::test {

using Args = std::vector<std::pair<std::string, Value>>;

/// A listening server over a double, on a free port.
struct Fixture {
    explicit Fixture(ServerOptions options = {});
    DoubleService service;
    std::unique_ptr<Server> server;
    [[nodiscard]] std::uint16_t port() const { return server->port(); }
};

/// An answer's parts, whatever its format.
struct Answer {
    std::string id;
    int code = 0;
    std::string message;
    Value attributes;
    Value data;  ///< kList or null.
};

Value map_of(const Args& entries);
/// A request id's text made of one repeated byte.
std::string id_text(unsigned byte);

/// A whole message: MIME type and GraphBinary body.
std::string binary_request(unsigned id, std::string_view op, std::string_view processor,
                           const Args& args,
                           std::string_view mime = "application/vnd.graphbinary-v1.0");
std::string eval(unsigned id, std::string_view text, Args more = {});
std::string in_session(unsigned id, std::string_view text, std::string_view session);
Answer read_binary(std::string_view payload);
/// Receives frames until the answer's last; every frame must be whole. The data of all parts is in
/// one list.
std::vector<Answer> receive_answer(RawClient& client);
Answer ask(RawClient& client, std::string_view message);

}  // namespace hob::server::test
