#include "tests/server/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <stdexcept>

namespace hob::server::test {

RawClient::RawClient(std::uint16_t port) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error("can't connect");
    }
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int one = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

RawClient::~RawClient() {
    hang_up();
    if (inflater_ != nullptr) {
        ::inflateEnd(static_cast<z_stream*>(inflater_));
        delete static_cast<z_stream*>(inflater_);
    }
}

void RawClient::hang_up() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

void RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;  // The tests see it by what they do not receive.
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::optional<std::string> RawClient::receive(std::size_t bytes) {
    char chunk[64 << 10];
    while (buffered_.size() < bytes) {
        const auto got = ::recv(socket_, chunk, sizeof chunk, 0);
        if (got <= 0) return std::nullopt;
        buffered_.append(chunk, static_cast<std::size_t>(got));
    }
    std::string out = buffered_.substr(0, bytes);
    buffered_.erase(0, bytes);
    return out;
}

std::string RawClient::receive_head() {
    std::string head;
    while (head.find("\r\n\r\n") == std::string::npos) {
        const auto byte = receive(1);
        if (!byte) break;
        head += *byte;
    }
    return head;
}

bool RawClient::is_at_end() {
    char byte = 0;
    return buffered_.empty() && ::recv(socket_, &byte, 1, 0) == 0;
}

std::string RawClient::upgrade(std::string_view path, std::string_view more_headers) {
    send("GET " + std::string(path) +
         " HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
         "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         std::string(more_headers) + "\r\n");
    return receive_head();
}

void RawClient::send_frame(int opcode, std::string_view payload, bool fin, bool rsv1) {
    std::string frame;
    frame.push_back(static_cast<char>((fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode));
    if (payload.size() < 126) {
        frame.push_back(static_cast<char>(0x80 | static_cast<int>(payload.size())));
    } else if (payload.size() < 65'536) {
        frame.push_back(static_cast<char>(0x80 | 126));
        for (const int shift : {8, 0})
            frame.push_back(static_cast<char>(payload.size() >> shift));
    } else {
        frame.push_back(static_cast<char>(0x80 | 127));
        for (int shift = 56; shift >= 0; shift -= 8)
            frame.push_back(static_cast<char>(payload.size() >> shift));
    }
    const std::string mask("\x11\x22\x33\x44");
    frame += mask;
    for (std::size_t i = 0; i < payload.size(); ++i)
        frame.push_back(static_cast<char>(payload[i] ^ mask[i % 4]));
    send(frame);
}

std::optional<Frame> RawClient::receive_frame() {
    const auto head = receive(2);
    if (!head) return std::nullopt;
    const auto first = static_cast<unsigned char>((*head)[0]);
    std::size_t size = static_cast<unsigned char>((*head)[1]) & 0x7fU;
    if (size >= 126) {
        const auto more = receive(size == 126 ? 2 : 8);
        if (!more) return std::nullopt;
        size = 0;
        for (const char c : *more)
            size = size << 8U | static_cast<unsigned char>(c);
    }
    auto payload = receive(size);
    if (!payload) return std::nullopt;
    return Frame{.opcode = first & 0x0f,
                 .fin = (first & 0x80U) != 0,
                 .rsv1 = (first & 0x40U) != 0,
                 .payload = std::move(*payload)};
}

std::string RawClient::inflated(std::string_view payload) {
    if (inflater_ == nullptr) {
        auto* made = new z_stream{};
        ::inflateInit2(made, -15);
        inflater_ = made;
    }
    auto& z = *static_cast<z_stream*>(inflater_);
    std::string in(payload);
    in.append("\x00\x00\xff\xff", 4);
    z.next_in = reinterpret_cast<Bytef*>(in.data());
    z.avail_in = static_cast<uInt>(in.size());
    std::string out;
    char chunk[64 << 10];
    do {
        z.next_out = reinterpret_cast<Bytef*>(chunk);
        z.avail_out = sizeof chunk;
        if (const int result = ::inflate(&z, Z_SYNC_FLUSH); result != Z_OK && result != Z_BUF_ERROR)
            return "not deflate";
        out.append(chunk, sizeof chunk - z.avail_out);
    } while (z.avail_out == 0);
    return out;
}

std::string RawClient::deflated(std::string_view payload) {
    z_stream z{};
    ::deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    std::string in(payload);
    std::string out(::deflateBound(&z, in.size()) + 16, '\0');
    z.next_in = reinterpret_cast<Bytef*>(in.data());
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    ::deflate(&z, Z_SYNC_FLUSH);
    out.resize(out.size() - z.avail_out - 4);
    ::deflateEnd(&z);
    return out;
}

HttpExchange http_on(RawClient& client, std::string_view method, std::string_view target,
                     std::string_view headers, std::string_view body) {
    std::string request = std::string(method) + " " + std::string(target) +
                          " HTTP/1.1\r\nHost: x\r\n" + std::string(headers);
    if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    client.send(request + "\r\n" + std::string(body));
    HttpExchange exchange;
    exchange.head = client.receive_head();
    if (exchange.head.size() > 12) exchange.status = std::atoi(exchange.head.c_str() + 9);
    const std::size_t at = exchange.head.find("Content-Length: ");
    if (at != std::string::npos && method != "HEAD") {
        exchange.body =
            client.receive(static_cast<std::size_t>(std::atol(exchange.head.c_str() + at + 16)))
                .value_or("");
    }
    return exchange;
}

HttpExchange http(std::uint16_t port, std::string_view method, std::string_view target,
                  std::string_view headers, std::string_view body) {
    RawClient client(port);
    return http_on(client, method, target, headers, body);
}

}  // namespace hob::server::test
