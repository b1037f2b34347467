#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/net/server.h"
#include "server/run/sessions.h"
#include "server/run/worker_pool.h"

namespace hob::server {

/// A connection as the server sees it when it stops. Thread-safe.
class Connection {
  public:
    virtual ~Connection() = default;
    /// Cancels what runs for this client.
    virtual void cancel() = 0;
    /// Says goodbye and closes, once answers that wait are written.
    virtual void go_away() = 0;
};

/// What all connections share. Thread-safe.
class Core {
  public:
    Core(ServerOptions server_options, QueryService& query_service)
        : options(std::move(server_options)),
          service(query_service),
          pool(options.workers, options.queue_max),
          sessions(service, pool, options.sessions_max,
                   std::chrono::milliseconds(options.session_timeout_ms)),
          runner(service, options.run) {}

    const ServerOptions options;
    QueryService& service;
    WorkerPool pool;
    Sessions sessions;
    Runner runner;
    const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    std::atomic<bool> is_stopping{false};
    std::atomic<std::uint64_t> requests{0};

    /// A number no other connection has.
    std::uint64_t next_connection() { return ++connection_number_; }

    /// Remembers the connection while it lives.
    void add(std::uint64_t number, std::weak_ptr<Connection> connection);
    void remove(std::uint64_t number);
    [[nodiscard]] std::size_t connection_count() const;
    void each_connection(const std::function<void(Connection&)>& visit) const;

    /// Whether a page of that origin may ask ("" = no browser).
    [[nodiscard]] bool allows_origin(std::string_view origin) const;

    /// Queries that a client named (queryId), so that it can cancel them from another connection.
    void name_query(const std::string& query_id, std::stop_source stop);
    void forget_query(const std::string& query_id);
    bool cancel_query(const std::string& query_id);

  private:
    std::atomic<std::uint64_t> connection_number_{0};
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::weak_ptr<Connection>> connections_;  ///< guarded by mutex_
    std::map<std::string, std::stop_source> named_queries_;           ///< guarded by mutex_
};

}  // namespace hob::server
