#include "server/run/sessions.h"

#include <utility>
#include <vector>

namespace hob::server {

Sessions::Sessions(QueryService& service, WorkerPool& pool, std::size_t count_max,
                   std::chrono::milliseconds idle_max)
    : service_(service), pool_(pool), count_max_(count_max), idle_max_(idle_max) {}

Status Sessions::submit(const std::string& id, std::uint64_t connection, Task task) {
    const std::lock_guard lock(mutex_);
    auto found = entries_.find(id);
    const bool is_new = found == entries_.end();
    if (is_new) {
        if (entries_.size() >= count_max_) {
            return Error::make(Code::kUnavailable,
                               "all {} sessions of this server are open; close one and retry, or "
                               "raise sessions.max",
                               count_max_);
        }
        auto entry = std::make_shared<Entry>();
        entry->connection = connection;
        entry->session = service_.new_session();
        found = entries_.emplace(id, std::move(entry)).first;
    }
    const auto entry = found->second;
    if (entry->connection != connection) {
        return Error::invalid("Session {} is not bound to the connecting client", id);
    }
    if (entry->waiting.size() >= kWaitingMax) {
        return Error::make(Code::kUnavailable,
                           "{} requests of session {} wait already; retry when some are answered",
                           kWaitingMax, id);
    }
    entry->last_used = Clock::now();
    entry->waiting.push_back(std::move(task));
    if (entry->is_running) return {};
    if (!pool_.submit([this, entry] { drain(entry); })) {
        entry->waiting.pop_back();
        if (is_new) entries_.erase(found);
        return Error{Code::kUnavailable, "the server is busy; retry later"};
    }
    entry->is_running = true;
    return {};
}

void Sessions::drain(const std::shared_ptr<Entry>& entry) {
    while (true) {
        Task task;
        {
            const std::lock_guard lock(mutex_);
            if (entry->waiting.empty()) {
                entry->is_running = false;
                entry->last_used = Clock::now();
                if (!entry->is_ending) return;
                break;
            }
            task = std::move(entry->waiting.front());
            entry->waiting.pop_front();
        }
        task(entry->session.get());
    }
    end(entry);
}

void Sessions::end(const std::shared_ptr<Entry>& entry) {
    if (entry->session != nullptr) {
        // The client is not there to hear of a rollback that failed, and nothing was kept.
        static_cast<void>(service_.end_transaction(*entry->session, false).ok());
        entry->session = nullptr;
    }
}

void Sessions::close(const std::string& id, std::uint64_t connection) {
    std::shared_ptr<Entry> entry;
    {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(id);
        if (found == entries_.end() || found->second->connection != connection) return;
        entry = found->second;
        entries_.erase(found);
        entry->is_ending = true;
        if (entry->is_running) return;
        entry->is_running = true;
    }
    end(entry);
}

void Sessions::close_all_of(std::uint64_t connection) {
    std::vector<std::string> ids;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, entry] : entries_) {
            if (entry->connection == connection) ids.push_back(id);
        }
    }
    for (const auto& id : ids)
        close(id, connection);
}

std::size_t Sessions::expire(Clock::time_point now) {
    std::vector<std::pair<std::string, std::uint64_t>> old;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, entry] : entries_) {
            if (!entry->is_running && now - entry->last_used > idle_max_)
                old.emplace_back(id, entry->connection);
        }
    }
    for (const auto& [id, connection] : old)
        close(id, connection);
    return old.size();
}

std::size_t Sessions::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

}  // namespace hob::server
