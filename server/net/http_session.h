#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "server/net/core.h"

namespace hob::server {

/// Serves an accepted socket: HTTP requests one after the other, until it ends or becomes a
/// WebSocket; owns itself.
void serve_http(boost::asio::ip::tcp::socket socket, std::shared_ptr<Core> core);

}  // namespace hob::server
