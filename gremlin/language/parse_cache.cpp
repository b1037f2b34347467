#include <list>
#include <mutex>
#include <unordered_map>

#include "gremlin/language/script.h"

namespace hob::gremlin {

/// Least recently used texts leave at the end of the list. Parsing happens outside the lock: two
/// threads may parse one new text.
struct ParseCache::State {
    struct Entry {
        std::string text;
        std::shared_ptr<const Script> script;
    };
    using Entries = std::list<Entry>;

    std::size_t entries_max;
    std::size_t text_bytes_max;
    std::mutex mutex;
    Entries entries;
    std::unordered_map<std::string_view, Entries::iterator> by_text;  ///< Keys lie in the entries.

    std::shared_ptr<const Script> find(std::string_view text) {
        const std::lock_guard lock(mutex);
        const auto found = by_text.find(text);
        if (found == by_text.end()) return nullptr;
        entries.splice(entries.begin(), entries, found->second);
        return found->second->script;
    }

    void keep(std::string_view text, std::shared_ptr<const Script> script) {
        const std::lock_guard lock(mutex);
        if (by_text.contains(text)) return;
        entries.push_front({std::string(text), std::move(script)});
        by_text.emplace(entries.front().text, entries.begin());
        if (entries.size() > entries_max) {
            by_text.erase(entries.back().text);
            entries.pop_back();
        }
    }
};

ParseCache::ParseCache(std::size_t entries_max, std::size_t text_bytes_max)
    : state_(std::make_unique<State>()) {
    state_->entries_max = entries_max;
    state_->text_bytes_max = text_bytes_max;
}

ParseCache::~ParseCache() = default;

Result<std::shared_ptr<const Script>> ParseCache::parse(std::string_view text,
                                                        const ParseOptions& options) {
    const bool small = text.size() <= state_->text_bytes_max;
    if (small) {
        if (std::shared_ptr<const Script> script = state_->find(text)) return script;
    }
    Result<std::shared_ptr<const Script>> script = parse_script(text, options);
    if (small && script.ok() && (*script)->repeatable) state_->keep(text, *script);
    return script;
}

}  // namespace hob::gremlin
