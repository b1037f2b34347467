#include "storage/store/hbase/hbase_pool.h"

#include <sys/socket.h>

#include <algorithm>
#include <charconv>

#include "storage/store/hbase/hbase_wire.h"

namespace hob::store {
namespace {

using apache::thrift::TApplicationException;
using apache::thrift::protocol::TProtocolException;
using apache::thrift::transport::TTransportException;
using Clock = std::chrono::steady_clock;

/// The gateway drops connections that were idle for 60 s, and the next call on one is lost.
constexpr auto kIdleMax = std::chrono::seconds(50);

/// Milliseconds until the deadline, at most `most_ms`, at least 1 (0 would mean "for ever").
int time_left_ms(const CallContext& context, int most_ms) {
    if (context.deadline == Clock::time_point::max()) return most_ms;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(context.deadline - Clock::now())
            .count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 1, most_ms));
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// HBase said no. `canRetry` can't be trusted; the class name at the message's start can.
Error from_hbase(const thrift2::TIOError& failure, std::string_view what,
                 const std::string& gateway) {
    const std::string text = first_line(failure.message);
    const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
    Code code = Code::kUnavailable;
    if (has("TableNotFoundException") || has("NoSuchColumnFamilyException") ||
        has("NamespaceNotFoundException")) {
        code = Code::kNotFound;
    } else if (has("TableExistsException") || has("NamespaceExistException")) {
        code = Code::kAlreadyExists;
    } else if (has("RequestTooBigException")) {
        code = Code::kLimit;
    } else if (has("CallTimeoutException") || has("time out before")) {
        code = Code::kTimeout;
    }
    return Error::make(code, "hbase {} through {}: {}", what, gateway, text);
}

}  // namespace

std::string Gateway::name() const {
    return fmt::format("{}:{}", host, port);
}

Result<std::vector<Gateway>> parse_gateways(const std::vector<std::string>& addresses) {
    if (addresses.empty())
        return Error::invalid("the hbase store needs at least one gateway, as host:port");
    std::vector<Gateway> gateways;
    for (const auto& address : addresses) {
        const std::size_t colon = address.rfind(':');
        Gateway gateway;
        if (colon != std::string::npos) {
            gateway.host = address.substr(0, colon);
            const char* end = address.data() + address.size();
            const auto parsed = std::from_chars(address.data() + colon + 1, end, gateway.port);
            if (parsed.ec != std::errc() || parsed.ptr != end) gateway.port = 0;
        }
        if (gateway.host.empty() || gateway.port < 1 || gateway.port > 65'535) {
            return Error::invalid(
                "hbase gateway '{}': expected host:port, for example 127.0.0.1:9090", address);
        }
        gateways.push_back(std::move(gateway));
    }
    return gateways;
}

HBaseConnection::HBaseConnection() = default;
HBaseConnection::~HBaseConnection() {
    close();
}

thrift2::THBaseServiceClient& HBaseConnection::client() {
    return *wire_->client;
}

void HBaseConnection::open(const Gateway& gateway, int connect_timeout_ms) {
    auto wire = std::make_unique<Wire>();
    wire->socket = std::make_shared<apache::thrift::transport::TSocket>(gateway.host, gateway.port);
    wire->socket->setNoDelay(true);
    wire->socket->setConnTimeout(connect_timeout_ms);
    const auto transport =
        std::make_shared<apache::thrift::transport::TBufferedTransport>(wire->socket, 64U << 10);
    wire->protocol = std::make_shared<Protocol>(transport);
    wire->client = std::make_unique<thrift2::THBaseServiceClient>(wire->protocol);
    transport->open();
    wire_ = std::move(wire);
    gateway_name = gateway.name();
}

void HBaseConnection::close() {
    // Resets the connection: a late answer on it would be taken for the next call's.
    if (wire_ != nullptr) wire_->socket->close();
    wire_.reset();
}

HBasePool::HBasePool(const HBaseOptions& options, std::vector<Gateway> gateways)
    : options_(options), gateways_(std::move(gateways)) {
    for (std::size_t i = 0; i < std::max<std::size_t>(1, options.connections); ++i) {
        idle_.push_back(std::make_unique<HBaseConnection>());
    }
}

HBasePool::~HBasePool() = default;

std::size_t HBasePool::connects() const {
    const std::lock_guard lock(mutex_);
    return connects_;
}

Result<std::unique_ptr<HBaseConnection>> HBasePool::borrow(const CallContext& context) {
    std::unique_lock lock(mutex_);
    while (idle_.empty()) {
        // Looks up now and then, so that a cancelled caller does not wait for another's call to
        // end.
        returned_.wait_for(lock, std::chrono::milliseconds(time_left_ms(context, 100)));
        HOB_TRY(context.check());
    }
    // The one used last is the least likely to have gone stale.
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
}

void HBasePool::give_back(std::unique_ptr<HBaseConnection> connection) {
    {
        const std::lock_guard lock(mutex_);
        if (connection->is_open()) {
            idle_.push_back(std::move(connection));
        } else {
            idle_.insert(idle_.begin(), std::move(connection));
        }
    }
    returned_.notify_one();
}

Status HBasePool::make_ready(HBaseConnection& connection, const CallContext& context) {
    if (connection.is_open() && Clock::now() - connection.used > kIdleMax) connection.close();
    if (connection.is_open()) return {};
    std::string failures;
    std::size_t first = 0;
    {
        const std::lock_guard lock(mutex_);
        first = next_gateway_++;
        ++connects_;
    }
    for (std::size_t i = 0; i < gateways_.size(); ++i) {
        HOB_TRY(context.check());
        const Gateway& gateway = gateways_[(first + i) % gateways_.size()];
        try {
            connection.open(gateway, time_left_ms(context, options_.connect_timeout_ms));
            return {};
        } catch (const apache::thrift::TException& failure) {
            failures += fmt::format("{}{}: {}", failures.empty() ? "" : "; ", gateway.name(),
                                    failure.what());
        }
    }
    return Error::make(
        Code::kUnavailable,
        "no HBase Thrift2 gateway answers ({}): start one with `hbase thrift2 start`, or check the "
        "store's gateways",
        failures);
}

/// Gives the connection back when the call is over, however it ended.
class HBasePool::Lease {
  public:
    Lease(HBasePool& pool, std::unique_ptr<HBaseConnection> connection)
        : pool_(pool), connection_(std::move(connection)) {}
    ~Lease() { pool_.give_back(std::move(connection_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    HBaseConnection& operator*() const { return *connection_; }

  private:
    HBasePool& pool_;
    std::unique_ptr<HBaseConnection> connection_;
};

Status HBasePool::call(std::string_view what, const CallContext& context, Repeat repeat,
                       const std::function<void(HBaseConnection&)>& work) {
    const int attempts_max = repeat == Repeat::kOnce ? 2 : 1;
    for (int attempt = 1;; ++attempt) {
        HOB_TRY(context.check());
        HOB_ASSIGN_OR_RETURN(auto borrowed, borrow(context));
        const Lease lease(*this, std::move(borrowed));
        HBaseConnection& connection = *lease;
        HOB_TRY(make_ready(connection, context));
        const int timeout_ms = time_left_ms(context, options_.call_timeout_ms);
        bool has_timed_out = false;
        std::string failure;
        try {
            auto& socket = *connection.wire().socket;
            socket.setRecvTimeout(timeout_ms);
            socket.setSendTimeout(timeout_ms);
            // A cancelled query does not wait for its answer.
            const std::stop_callback hang_up(
                context.stop, [fd = socket.getSocketFD()] { ::shutdown(fd, SHUT_RDWR); });
            work(connection);
            connection.used = Clock::now();
            return {};
        } catch (const thrift2::TIOError& refused) {
            connection.used = Clock::now();
            return from_hbase(refused, what, connection.gateway_name);
        } catch (const TApplicationException& refused) {
            if (refused.getType() != TApplicationException::INTERNAL_ERROR) connection.close();
            return Error::internal("hbase {} through {} was refused: {}", what,
                                   connection.gateway_name, refused.what());
        } catch (const TTransportException& broken) {
            has_timed_out = broken.getType() == TTransportException::TIMED_OUT;
            failure = broken.what();
        } catch (const std::exception& broken) {
            failure = broken.what();
        }
        connection.close();
        HOB_TRY(context.check());
        if (has_timed_out) {
            return Error::make(Code::kTimeout, "hbase {} from {} timed out after {} ms", what,
                               connection.gateway_name, timeout_ms);
        }
        if (attempt >= attempts_max) {
            return Error::make(Code::kUnavailable,
                               "hbase {} through {} failed (attempt {} of {}): {}", what,
                               connection.gateway_name, attempt, attempts_max, failure);
        }
    }
}

}  // namespace hob::store
