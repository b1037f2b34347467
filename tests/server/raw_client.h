#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hob::server::test {

/// One WebSocket frame as it came.
struct Frame {
    int opcode = 0;
    bool fin = true;
    bool rsv1 = false;
    std::string payload;
};

/// A client on a bare socket, so that the tests see each frame and can send what no library would.
/// Every receive gives up after ten seconds (then nothing).
class RawClient {
  public:
    explicit RawClient(std::uint16_t port);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void send(std::string_view bytes);
    std::optional<std::string> receive(std::size_t bytes);
    /// Up to and with the blank line.
    std::string receive_head();
    /// True when the other side has closed.
    bool is_at_end();
    void hang_up();

    /// Upgrades at `path`; gives the head of the answer.
    std::string upgrade(std::string_view path = "/gremlin", std::string_view more_headers = {});
    void send_frame(int opcode, std::string_view payload, bool fin = true, bool rsv1 = false);
    std::optional<Frame> receive_frame();
    /// Of a compressed message (RSV1), with the connection's shared window.
    std::string inflated(std::string_view payload);
    static std::string deflated(std::string_view payload);

  private:
    int socket_ = -1;
    std::string buffered_;
    void* inflater_ = nullptr;
};

/// An HTTP exchange over a fresh connection: head and body.
struct HttpExchange {
    int status = 0;
    std::string head;
    std::string body;
};
HttpExchange http(std::uint16_t port, std::string_view method, std::string_view target,
                  std::string_view headers = {}, std::string_view body = {});
HttpExchange http_on(RawClient& client, std::string_view method, std::string_view target,
                     std::string_view headers = {}, std::string_view body = {});

}  // namespace hob::server::test
