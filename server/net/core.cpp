#include "server/net/core.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hob::server {

void Core::add(std::uint64_t number, std::weak_ptr<Connection> connection) {
    const std::lock_guard lock(mutex_);
    connections_[number] = std::move(connection);
}

void Core::remove(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    connections_.erase(number);
}

std::size_t Core::connection_count() const {
    const std::lock_guard lock(mutex_);
    return connections_.size();
}

void Core::each_connection(const std::function<void(Connection&)>& visit) const {
    std::vector<std::shared_ptr<Connection>> alive;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, weak] : connections_) {
            if (auto connection = weak.lock()) alive.push_back(std::move(connection));
        }
    }
    for (const auto& connection : alive)
        visit(*connection);
}

bool Core::allows_origin(std::string_view origin) const {
    if (origin.empty()) return true;
    return std::any_of(
        options.cors_origins.begin(), options.cors_origins.end(),
        [origin](const std::string& allowed) { return allowed == "*" || allowed == origin; });
}

void Core::name_query(const std::string& query_id, std::stop_source stop) {
    const std::lock_guard lock(mutex_);
    named_queries_.insert_or_assign(query_id, std::move(stop));
}

void Core::forget_query(const std::string& query_id) {
    const std::lock_guard lock(mutex_);
    named_queries_.erase(query_id);
}

bool Core::cancel_query(const std::string& query_id) {
    std::stop_source stop{std::nostopstate};
    {
        const std::lock_guard lock(mutex_);
        const auto found = named_queries_.find(query_id);
        if (found == named_queries_.end()) return false;
        stop = found->second;
    }
    return stop.request_stop();
}

}  // namespace hob::server
