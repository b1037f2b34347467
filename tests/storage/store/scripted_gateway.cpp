#include "tests/storage/store/scripted_gateway.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "storage/base/bytes.h"

namespace hob::store::testing {
namespace {

int listen_anywhere() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(socket, 16) == 0);
    return socket;
}

std::string address_of(int socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    REQUIRE(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    return fmt::format("127.0.0.1:{}", ntohs(address.sin_port));
}

std::string message(std::uint32_t kind, const std::string& body) {
    const std::string name = "getThriftServerType";
    std::string out;
    ByteWriter writer(out);
    writer.u32(0x8001'0000U | kind);
    writer.u32(static_cast<std::uint32_t>(name.size()));
    writer.raw(name);
    writer.u32(0);
    writer.raw(body);
    return out;
}

}  // namespace

ScriptedGateway::ScriptedGateway(std::string first_answer)
    : first_answer_(std::move(first_answer)),
      socket_(listen_anywhere()),
      thread_([this](const std::stop_token& stop) { serve(stop); }) {}

ScriptedGateway::~ScriptedGateway() {
    thread_.request_stop();
    thread_.join();
    ::close(socket_);
}

void ScriptedGateway::serve(const std::stop_token& stop) {
    std::vector<pollfd> watched{{socket_, POLLIN, 0}};
    std::vector<bool> has_answered{false};
    while (!stop.stop_requested()) {
        if (::poll(watched.data(), watched.size(), 10) <= 0) continue;
        for (std::size_t i = 1; i < watched.size(); ++i) {
            char buffer[4096];
            if ((watched[i].revents & (POLLIN | POLLHUP)) == 0) continue;
            if (::recv(watched[i].fd, buffer, sizeof buffer, 0) <= 0) {
                watched[i].events = 0;
            } else if (!has_answered[i]) {
                has_answered[i] = true;
                static_cast<void>(::send(watched[i].fd, first_answer_.data(), first_answer_.size(),
                                         MSG_NOSIGNAL));
            }
        }
        if ((watched[0].revents & POLLIN) != 0) {
            watched.push_back({::accept(socket_, nullptr, nullptr), POLLIN, 0});
            has_answered.push_back(false);
            ++connections_;
        }
    }
    for (std::size_t i = 1; i < watched.size(); ++i) {
        ::close(watched[i].fd);
    }
}

std::string ScriptedGateway::address() const {
    return address_of(socket_);
}

std::string ScriptedGateway::closed_address() {
    const int socket = listen_anywhere();
    std::string address = address_of(socket);
    ::close(socket);
    return address;
}

std::string ScriptedGateway::type_reply(char type) {
    return message(2, std::string("\x08\0\0\0\0\0", 6) + type + std::string("\0", 1));
}

std::string ScriptedGateway::unknown_method_reply() {
    return message(3, std::string("\x0b\0\x01\0\0\0\x03"
                                  "bad\x08\0\x02\0\0\0\x01\0",
                                  18));
}

}  // namespace hob::store::testing
