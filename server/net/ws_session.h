#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>

#include "server/net/core.h"

namespace hob::server {

/// Answers the WebSocket upgrade and serves the connection until it ends; owns itself.
void serve_websocket(boost::beast::tcp_stream stream,
                     boost::beast::http::request<boost::beast::http::string_body> upgrade,
                     std::shared_ptr<Core> core);

}  // namespace hob::server
