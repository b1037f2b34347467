#include <algorithm>

#include "gremlin/plan/engine.h"

namespace hob::gremlin {

Session::Session() = default;
Session::~Session() = default;

graph::Transaction& Session::transaction(graph::Graph& graph) {
    const auto found = std::find_if(transactions_.begin(), transactions_.end(),
                                    [&graph](const auto& t) { return t.first == &graph; });
    if (found != transactions_.end()) return *found->second;
    transactions_.emplace_back(&graph, graph.begin());
    return *transactions_.back().second;
}

Status Session::commit() {
    Status result;
    for (auto& [graph, transaction] : transactions_) {
        if (!result.ok()) {
            transaction->rollback();
            continue;
        }
        result = transaction->commit();
    }
    transactions_.clear();
    return result;
}

void Session::rollback() {
    for (auto& [graph, transaction] : transactions_)
        transaction->rollback();
    transactions_.clear();
}

const SourceSpec* Catalog::find(std::string_view name) const {
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [name](const SourceSpec& s) { return s.name == name; });
    return found == sources.end() ? nullptr : &*found;
}

}  // namespace hob::gremlin
