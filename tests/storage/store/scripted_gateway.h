#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace hob::store::testing {

/// A port on the loopback that answers the first message of every connection with given bytes, and
/// is silent from then on: what a gateway that hangs, or is another kind of server, looks like.
class ScriptedGateway {
  public:
    explicit ScriptedGateway(std::string first_answer);
    ~ScriptedGateway();
    ScriptedGateway(const ScriptedGateway&) = delete;
    ScriptedGateway& operator=(const ScriptedGateway&) = delete;

    [[nodiscard]] std::string address() const;
    [[nodiscard]] int connections() const { return connections_; }
    /// An address that nobody listens on.
    static std::string closed_address();

    /// Thrift's reply to getThriftServerType: 1 or 2.
    static std::string type_reply(char type);
    /// Thrift's refusal of a method that the server does not know.
    static std::string unknown_method_reply();

  private:
    void serve(const std::stop_token& stop);

    std::string first_answer_;
    int socket_;
    std::atomic<int> connections_ = 0;
    std::jthread thread_;
};

}  // namespace hob::store::testing
