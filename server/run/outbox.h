#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "storage/base/error.h"
#include "storage/store/row_store.h"

namespace hob::server {

/// One message to a client.
struct Message {
    std::string bytes;
    bool is_text = false;
    bool is_last = false;  ///< No more of this request follows.
};

/// Where answers go.
class ReplySink {
  public:
    virtual ~ReplySink() = default;
    /// Blocks while too much waits for a slow reader (back-pressure). Errors: kCancelled (the
    /// client is gone), kTimeout (it did not read before the query's deadline).
    virtual Status send(Message message, const store::CallContext& call) = 0;
    /// Never blocks and ignores bounds: for the short message that ends a request which failed.
    virtual void send_now(Message message) = 0;
};

/// The messages that wait to be written to one connection: workers put them in, the connection's
/// strand takes them out. At most `bytes_max` wait, or one message of any size. Thread-safe.
class Outbox final : public ReplySink {
  public:
    /// `wake` is called, from any thread, when a message came into an empty box that nobody
    /// empties.
    Outbox(std::size_t bytes_max, std::function<void()> wake)
        : bytes_max_(bytes_max), wake_(std::move(wake)) {}

    Status send(Message message, const store::CallContext& call) override;
    /// The connection stops reading requests while `is_full`, so this is bounded too.
    void send_now(Message message) override;
    /// The next message; the caller writes it, then calls `written`. Nothing: the caller stops
    /// emptying until woken.
    std::optional<Message> take();
    /// The message taken last, of that size, is on its way: waiting senders may go on.
    void written(std::size_t bytes);
    [[nodiscard]] bool is_full() const;
    [[nodiscard]] bool is_idle() const;
    /// The client is gone: drops what waits, fails senders now and later. `wake` is not called any
    /// more.
    void close();

  private:
    void put(Message message, std::unique_lock<std::mutex>& lock);

    const std::size_t bytes_max_;
    std::function<void()> wake_;  ///< guarded by mutex_
    mutable std::mutex mutex_;
    std::condition_variable_any space_;  ///< with mutex_
    std::deque<Message> messages_;       ///< guarded by mutex_
    std::size_t bytes_ = 0;              ///< guarded by mutex_; the one being written included
    bool is_emptied_ = false;            ///< guarded by mutex_; somebody takes messages
    bool is_closed_ = false;             ///< guarded by mutex_
};

}  // namespace hob::server
