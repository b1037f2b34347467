#include "server/run/outbox.h"

#include <algorithm>
#include <utility>

namespace hob::server {

Status Outbox::send(Message message, const store::CallContext& call) {
    std::unique_lock lock(mutex_);
    const auto may_go = [this, &message] {
        return is_closed_ || bytes_ == 0 || bytes_ + message.bytes.size() <= bytes_max_;
    };
    if (!may_go()) {
        if (call.deadline == std::chrono::steady_clock::time_point::max()) {
            space_.wait(lock, call.stop, may_go);
        } else {
            space_.wait_until(lock, call.stop, call.deadline, may_go);
        }
    }
    if (is_closed_ || call.stop.stop_requested())
        return Error{Code::kCancelled, "the client has left"};
    if (!may_go()) {
        return Error::make(Code::kTimeout, "the client did not read {} bytes of results in time",
                           bytes_);
    }
    put(std::move(message), lock);
    return {};
}

void Outbox::send_now(Message message) {
    std::unique_lock lock(mutex_);
    if (!is_closed_) put(std::move(message), lock);
}

void Outbox::put(Message message, std::unique_lock<std::mutex>& lock) {
    bytes_ += message.bytes.size();
    messages_.push_back(std::move(message));
    if (is_emptied_) return;
    is_emptied_ = true;
    const auto wake = wake_;
    lock.unlock();
    wake();
}

std::optional<Message> Outbox::take() {
    const std::lock_guard lock(mutex_);
    if (messages_.empty()) {
        is_emptied_ = false;
        return std::nullopt;
    }
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
}

void Outbox::written(std::size_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        bytes_ -= std::min(bytes, bytes_);
    }
    space_.notify_all();
}

bool Outbox::is_full() const {
    const std::lock_guard lock(mutex_);
    return bytes_ >= bytes_max_;
}

bool Outbox::is_idle() const {
    const std::lock_guard lock(mutex_);
    return messages_.empty() && bytes_ == 0;
}

void Outbox::close() {
    {
        const std::lock_guard lock(mutex_);
        is_closed_ = true;
        messages_.clear();
        wake_ = [] {};
    }
    space_.notify_all();
}

}  // namespace hob::server
