#include "gremlin/exec/context.h"

#include <algorithm>

namespace hob::gremlin {

std::uint32_t LabelTable::label(std::string_view name) {
    for (std::uint32_t i = 0; i < names_.size(); ++i) {
        if (names_[i].text() == name) return i;
    }
    names_.push_back(Value::string(name));
    return static_cast<std::uint32_t>(names_.size() - 1);
}

LabelSetId LabelTable::set(std::vector<std::uint32_t> labels) {
    std::vector<std::uint32_t> distinct;
    for (const std::uint32_t label : labels) {
        if (std::find(distinct.begin(), distinct.end(), label) == distinct.end())
            distinct.push_back(label);
    }
    const auto found = std::find(sets_.begin(), sets_.end(), distinct);
    if (found != sets_.end()) return static_cast<LabelSetId>(found - sets_.begin());
    sets_.push_back(std::move(distinct));
    return static_cast<LabelSetId>(sets_.size() - 1);
}

LabelSetId LabelTable::unite(LabelSetId a, LabelSetId b) {
    if (a == LabelSetId::kNone || a == b) return b;
    if (b == LabelSetId::kNone) return a;
    std::vector<std::uint32_t> all = labels(a);
    const auto& more = labels(b);
    all.insert(all.end(), more.begin(), more.end());
    return set(std::move(all));
}

bool LabelTable::contains(LabelSetId set, std::uint32_t label) const {
    const auto& all = labels(set);
    return std::find(all.begin(), all.end(), label) != all.end();
}

bool QueryContext::applies(std::string_view rule) const {
    return std::find(rules_off.begin(), rules_off.end(), rule) == rules_off.end();
}

void QueryContext::cut(std::string_view step, std::string_view cap, std::int64_t count) {
    const std::string name = std::string(step) + '.' + std::string(cap);
    const auto found = std::find_if(cuts.begin(), cuts.end(),
                                    [&name](const auto& known) { return known.first == name; });
    if (found == cuts.end()) {
        cuts.emplace_back(name, Value::long_(count));
    } else {
        found->second = Value::long_(found->second.as_int64() + count);
    }
}

Status QueryContext::check() const {
    HOB_TRY(call.check());
    if (transaction != nullptr && transaction->stats().cells > limits.max_cells) {
        return Error::make(Code::kLimit,
                           "the query read {} cells, its budget maxCells is {}; narrow the "
                           "traversal or raise the budget with "
                           "g.with('maxCells', n)",
                           transaction->stats().cells, limits.max_cells);
    }
    return {};
}

Status QueryContext::hold(std::uint64_t bytes, std::string_view step) {
    memory_bytes += bytes;
    if (memory_bytes <= limits.max_memory_bytes) return {};
    return Error::make(Code::kLimit,
                       "{}() holds about {} MiB, the query's budget maxMemory is {} MiB; limit the "
                       "traversal before it or raise the "
                       "budget with g.with('maxMemory', bytes)",
                       step, memory_bytes >> 20, limits.max_memory_bytes >> 20);
}

Traverser QueryContext::split(const Traverser& t, Value value) const {
    Traverser moved;
    moved.bulk = t.bulk;
    moved.slot = t.slot;
    moved.tag = t.tag;
    if (path_mode == PathMode::kFull) {
        moved.path = t.path.push(value, LabelSetId::kNone);
    } else {
        moved.path = t.path;
    }
    if (sack.used) {
        moved.sack = t.sack;
        if (sack.splits) {
            if (auto split_sack = apply_operator(sack.split, t.sack, t.sack); split_sack.ok())
                moved.sack = std::move(*split_sack);
        }
    }
    moved.value = std::move(value);
    return moved;
}

Traverser QueryContext::start(Value value, std::uint32_t slot) const {
    Traverser t;
    t.slot = slot;
    if (path_mode == PathMode::kFull) t.path = PathRef().push(value, LabelSetId::kNone);
    if (sack.used) t.sack = sack.initial;
    t.value = std::move(value);
    return t;
}

Value QueryContext::path_value(const Traverser& t) const {
    auto* path = new PathObject;
    Value result = Value::adopt(Kind::kPath, path);
    const std::size_t length = t.path.get() == nullptr ? 0 : t.path.get()->length;
    path->objects.resize(length);
    path->labels.resize(length);
    std::size_t at = length;
    for (const PathNode* node = t.path.get(); node != nullptr; node = node->previous) {
        --at;
        path->objects[at] = node->object;
        for (const std::uint32_t label : labels.labels(node->labels))
            path->labels[at].push_back(labels.name(label));
    }
    return result;
}

void QueryContext::labelled(const Traverser& t, std::uint32_t label,
                            std::vector<Value>& out) const {
    const std::size_t begin = out.size();
    for (const PathNode* node = t.path.get(); node != nullptr; node = node->previous) {
        if (labels.contains(node->labels, label)) out.push_back(node->object);
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

const Value* QueryContext::newest(const Traverser& t, std::uint32_t label) const {
    for (const PathNode* node = t.path.get(); node != nullptr; node = node->previous) {
        if (labels.contains(node->labels, label)) return &node->object;
    }
    return nullptr;
}

Status QueryContext::records(std::span<const Value> vertices, bool all,
                             std::vector<const VertexRecord*>& out) {
    return transaction->read_vertices(vertices, all ? graph::Projection::everything() : projection,
                                      out);
}

}  // namespace hob::gremlin
