#include "server/cli/client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include "gremlin/io/graphbinary.h"
#include "gremlin/io/graphson.h"
#include "server/wire/uuid.h"

namespace hob::server::cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::string_view kGraphBinary = "application/vnd.graphbinary-v1.0";
constexpr std::string_view kUntypedJson = "application/vnd.gremlin-v3.0+json;types=false";

std::string with_mime(std::string_view mime, std::string_view body) {
    std::string message(1, static_cast<char>(mime.size()));
    message.append(mime).append(body);
    return message;
}

Error broken(const Url& url, const std::string& what) {
    return Error::make(Code::kUnavailable, "{}:{}: {}", url.host, url.port, what);
}

Error not_reached(const Url& url, const error_code& ec) {
    return Error::make(Code::kUnavailable,
                       "can't reach {}:{}: {}; is `hobgoblin serve` running there?", url.host,
                       url.port, ec.message());
}

}  // namespace

Result<Url> parse_url(std::string_view url) {
    Url out;
    const std::size_t scheme = url.find("://");
    out.scheme = scheme == std::string_view::npos ? "ws" : std::string(url.substr(0, scheme));
    std::string_view rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
    if (out.scheme != "ws" && out.scheme != "http") {
        return Error::invalid("{}: the scheme must be ws or http (TLS is a matter for a proxy)",
                              url);
    }
    const std::size_t slash = rest.find('/');
    out.path = slash == std::string_view::npos ? "" : std::string(rest.substr(slash));
    rest = rest.substr(0, slash);
    const std::size_t colon = rest.rfind(':');
    out.host = std::string(rest.substr(0, colon));
    out.port = colon == std::string_view::npos ? "8182" : std::string(rest.substr(colon + 1));
    if (out.host.empty() || out.port.empty() ||
        out.port.find_first_not_of("0123456789") != std::string::npos) {
        return Error::invalid("{}: expected ws://HOST:PORT/gremlin", url);
    }
    if (out.path.empty()) out.path = out.scheme == "ws" ? "/gremlin" : "/";
    return out;
}

struct Client::State {
    asio::io_context io;
    websocket::stream<tcp::socket> ws{io};
    Url url;

    Status send(std::string_view message) {
        error_code ec;
        ws.write(asio::buffer(message), ec);
        if (ec) return broken(url, "the connection broke while sending: " + ec.message());
        return {};
    }

    Result<std::string> receive() {
        beast::flat_buffer buffer;
        error_code ec;
        ws.read(buffer, ec);
        if (ec) return broken(url, "the connection broke before the answer: " + ec.message());
        return beast::buffers_to_string(buffer.data());
    }
};

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}

Client::~Client() {
    error_code ignored;
    if (state_->ws.is_open()) state_->ws.close(websocket::close_code::normal, ignored);
}

Result<std::unique_ptr<Client>> Client::connect(const Url& url) {
    auto state = std::make_unique<State>();
    state->url = url;
    error_code ec;
    tcp::resolver resolver(state->io);
    const auto found = resolver.resolve(url.host, url.port, ec);
    if (!ec) asio::connect(state->ws.next_layer(), found, ec);
    if (ec) return not_reached(url, ec);
    state->ws.next_layer().set_option(tcp::no_delay(true), ec);
    state->ws.binary(true);
    state->ws.auto_fragment(false);
    state->ws.read_message_max(0);
    state->ws.handshake(url.host + ":" + url.port, url.path, ec);
    if (ec) return broken(url, "no WebSocket at " + url.path + ": " + ec.message());
    return std::unique_ptr<Client>(new Client(std::move(state)));
}

Result<ClientAnswer> Client::run_text(std::string_view script, std::string_view source,
                                      std::int64_t timeout_ms,
                                      const std::function<void(const ClientAnswer&)>& take) {
    nlohmann::ordered_json request{{"requestId", random_uuid()}, {"op", "eval"}, {"processor", ""}};
    request["args"]["gremlin"] = script;
    if (!source.empty()) request["args"]["aliases"]["g"] = source;
    if (timeout_ms > 0) request["args"]["evaluationTimeout"] = timeout_ms;
    HOB_TRY(state_->send(with_mime(kUntypedJson, request.dump())));
    while (true) {
        HOB_ASSIGN_OR_RETURN(const std::string bytes, state_->receive());
        const auto answer = nlohmann::ordered_json::parse(bytes, nullptr, false);
        if (answer.is_discarded() || !answer.contains("status") || !answer.contains("result")) {
            return broken(state_->url, "the answer is not Gremlin's: " + bytes.substr(0, 200));
        }
        const auto& status = answer["status"];
        ClientAnswer part{.code = status.value("code", 0),
                          .message = status.value("message", std::string()),
                          .data_json = answer["result"].contains("data")
                                           ? answer["result"]["data"].dump()
                                           : "null"};
        take(part);
        if (part.code != 206) return part;
    }
}

Result<ClientAnswer> Client::run_bytecode(const Value& traversal, std::string_view source,
                                          std::int64_t timeout_ms) {
    Value args = make_map();
    Value aliases = make_map();
    aliases.mutate<MapObject>().put(Value::string("g"), Value::string(source));
    args.mutate<MapObject>().put(Value::string("gremlin"), traversal);
    args.mutate<MapObject>().put(Value::string("aliases"), aliases);
    args.mutate<MapObject>().put(Value::string("evaluationTimeout"), Value::long_(timeout_ms));
    std::string body;
    ByteWriter out(body);
    out.u8(0x81);
    out.raw(*uuid_bytes(random_uuid()));
    gremlin::graphbinary::write_bare_string("bytecode", body);
    gremlin::graphbinary::write_bare_string("traversal", body);
    gremlin::graphbinary::write_bare_map(args, {}, body);
    HOB_TRY(state_->send(with_mime(kGraphBinary, body)));
    while (true) {
        HOB_ASSIGN_OR_RETURN(const std::string bytes, state_->receive());
        ByteReader in(bytes);
        in.u8();  // Version.
        if (in.u8() == 0) in.take(16);
        ClientAnswer part;
        part.code = in.i32();
        if (in.u8() == 0) {
            HOB_ASSIGN_OR_RETURN(part.message, gremlin::graphbinary::read_bare_string(in));
        }
        if (!in.ok()) return broken(state_->url, "the answer is not Gremlin's");
        if (part.code != 206) return part;
    }
}

Result<HttpReply> http_get(const Url& url, std::string_view path, std::int64_t timeout_ms) {
    asio::io_context io;
    error_code ec;
    tcp::resolver resolver(io);
    const auto found = resolver.resolve(url.host, url.port, ec);
    if (ec) return not_reached(url, ec);
    beast::tcp_stream stream(io);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    http::request<http::empty_body> request(http::verb::get, {path.data(), path.size()}, 11);
    request.set(http::field::host, url.host);
    request.set(http::field::connection, "close");
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    // Synchronous calls know no time-out; these run as one chain under one.
    stream.expires_at(deadline);
    error_code result = asio::error::operation_aborted;
    stream.async_connect(found, [&](error_code c, const tcp::endpoint&) {
        result = c;
        if (c) return;
        http::async_write(stream, request, [&](error_code w, std::size_t) {
            result = w;
            if (w) return;
            http::async_read(stream, buffer, response,
                             [&](error_code r, std::size_t) { result = r; });
        });
    });
    io.run();
    if (result == beast::error::timeout) {
        return Error::make(Code::kTimeout, "no answer from {}:{} within {} ms", url.host, url.port,
                           timeout_ms);
    }
    if (result) return not_reached(url, result);
    return HttpReply{.status = static_cast<int>(response.result_int()), .body = response.body()};
}

}  // namespace hob::server::cli
