#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/net/core.h"
#include "server/run/outbox.h"

namespace hob::server {

/// The requests of one WebSocket connection: takes messages apart, refuses what can't be run, hands
/// the rest to the workers, cancels all when the client leaves. `on_message` is called by the
/// connection's strand; the rest is thread-safe.
class WsRequests : public std::enable_shared_from_this<WsRequests> {
  public:
    WsRequests(Core& core, Peer peer, std::uint64_t connection, std::function<void()> wake);

    void on_message(std::string_view message, bool is_text);
    /// A message was larger than allowed; `head` is its beginning.
    void on_oversized(std::string_view head, bool is_text);
    /// Cancels every request.
    void cancel();
    /// The client is gone.
    void close();
    [[nodiscard]] bool has_running() const;
    Outbox& outbox() { return outbox_; }

  private:
    class Reply;
    struct Running {
        std::stop_source stop;
        std::size_t bytes = 0;
    };

    void start(Job job, const Serializer& serializer, bool is_text, std::size_t bytes);
    void refuse(const Serializer& serializer, bool is_text, std::string_view id,
                const StatusLine& line);
    void forget(const std::string& id);

    Core& core_;
    const Peer peer_;
    const std::uint64_t connection_;
    Outbox outbox_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Running> running_;  ///< guarded by mutex_
    std::size_t running_bytes_ = 0;                     ///< guarded by mutex_
};

}  // namespace hob::server
