#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store/hbase/hbase_store.h"

namespace hob::store {

namespace thrift2 {
class THBaseServiceClient;
}

struct Gateway {
    std::string host;
    int port = 0;
    [[nodiscard]] std::string name() const;
};

/// One connection to one gateway. Used by one thread at a time.
class HBaseConnection {
  public:
    HBaseConnection();
    ~HBaseConnection();
    HBaseConnection(const HBaseConnection&) = delete;
    HBaseConnection& operator=(const HBaseConnection&) = delete;

    [[nodiscard]] thrift2::THBaseServiceClient& client();
    struct Wire;  ///< Thrift's socket, transport and protocol (hbase_wire.h).
    [[nodiscard]] Wire& wire() { return *wire_; }

    [[nodiscard]] bool is_open() const { return wire_ != nullptr; }
    /// Throws Thrift's exceptions.
    void open(const Gateway& gateway, int connect_timeout_ms);
    void close();

    std::chrono::steady_clock::time_point used{};  ///< When it last answered.
    std::string gateway_name;

  private:
    std::unique_ptr<Wire> wire_;
};

/// A bounded pool of connections, and the one place where Thrift's exceptions become errors.
/// Thread-safe.
class HBasePool {
  public:
    /// Whether a call may be made again when the connection broke before its answer.
    enum class Repeat : std::uint8_t { kNever, kOnce };

    explicit HBasePool(const HBaseOptions& options, std::vector<Gateway> gateways);
    ~HBasePool();

    /// Runs `work` with a connection, within the deadline; `what` names the call in errors ("get of
    /// 512 rows").
    Status call(std::string_view what, const CallContext& context, Repeat repeat,
                const std::function<void(HBaseConnection&)>& work);

    /// How often a connection was made; tests read it.
    [[nodiscard]] std::size_t connects() const;

  private:
    class Lease;
    Result<std::unique_ptr<HBaseConnection>> borrow(const CallContext& context);
    void give_back(std::unique_ptr<HBaseConnection> connection);
    Status make_ready(HBaseConnection& connection, const CallContext& context);

    const HBaseOptions options_;
    const std::vector<Gateway> gateways_;
    mutable std::mutex mutex_;  ///< Guards what follows.
    std::condition_variable returned_;
    std::vector<std::unique_ptr<HBaseConnection>> idle_;
    std::size_t next_gateway_ = 0;
    std::size_t connects_ = 0;
};

/// "host:port" entries; kInvalidArgument for anything else, or none.
Result<std::vector<Gateway>> parse_gateways(const std::vector<std::string>& addresses);

}  // namespace hob::store
