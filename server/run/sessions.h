#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gremlin/plan/engine.h"
#include "server/run/query_service.h"
#include "server/run/worker_pool.h"
#include "storage/base/error.h"

namespace hob::server {

/// The sessions of all connections: each has variables, perhaps an open transaction, and runs one
/// request at a time in the order in which they came. A session belongs to the connection that
/// began it and ends with it, on `close`, or when idle too long: what it has open is then rolled
/// back. Thread-safe.
class Sessions {
  public:
    using Clock = std::chrono::steady_clock;
    /// Runs with the session, on a worker, alone. Null: the session ended before.
    using Task = std::function<void(gremlin::Session*)>;

    Sessions(QueryService& service, WorkerPool& pool, std::size_t count_max,
             std::chrono::milliseconds idle_max);

    /// Queues the task behind the session's others, beginning the session when there is none of
    /// that id. Errors: kUnavailable (too many sessions or requests), kInvalidArgument (another
    /// connection's session).
    Status submit(const std::string& id, std::uint64_t connection, Task task);
    /// Ends the session once its requests are done; no-op when there is none or it is another
    /// connection's.
    void close(const std::string& id, std::uint64_t connection);
    /// Ends all sessions of a connection that is gone.
    void close_all_of(std::uint64_t connection);
    /// Ends those that are idle for too long at `now`; gives how many.
    std::size_t expire(Clock::time_point now);
    [[nodiscard]] std::size_t size() const;

  private:
    struct Entry {
        std::uint64_t connection = 0;
        std::shared_ptr<gremlin::Session> session;
        std::deque<Task> waiting;
        bool is_running = false;
        bool is_ending = false;
        Clock::time_point last_used;
    };
    /// Requests of one session that wait; a driver sends one after the other.
    static constexpr std::size_t kWaitingMax = 256;

    void drain(const std::shared_ptr<Entry>& entry);
    void end(const std::shared_ptr<Entry>& entry);

    QueryService& service_;
    WorkerPool& pool_;
    const std::size_t count_max_;
    const std::chrono::milliseconds idle_max_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<Entry>>
        entries_;  ///< guarded by mutex_, the entries' fields too
};

}  // namespace hob::server
