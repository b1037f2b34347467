#include "gremlin/steps/merge_search.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "gremlin/exec/elements.h"
#include "gremlin/steps/merge_map.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

constexpr std::size_t kRecordsMax = 50'000;  ///< Records that a long scan keeps cached.

enum class Pivot : std::size_t { kId = 1, kOut = 2, kIn = 3, kProperty = 4 };

/// Values that are equal (numbers of any width among them) have equal hashes.
std::size_t loose_hash(const Value& value) {
    if (value.is_number()) return std::hash<double>()(to_double(value));
    if (value.is_string() || value.kind() == Kind::kBool || value.kind() == Kind::kUuid) {
        return hash_of(value);
    }
    return 7;
}

std::size_t pivot_hash(Pivot pivot, std::size_t hash) {
    return hash * 31 + static_cast<std::size_t>(pivot) * 0x9e3779b97f4a7c15U;
}

std::size_t property_hash(std::string_view key, const Value& value) {
    return pivot_hash(Pivot::kProperty,
                      std::hash<std::string_view>()(key) * 1000003 + loose_hash(value));
}

/// Calls `visit(key, value)` for each property.
template <typename Visit>
void each_property(const Value& element, const VertexRecord* record, Visit visit) {
    if (record != nullptr) {
        for (const Value& property : record->properties) {
            const auto& object = property.as<VertexPropertyObject>();
            visit(object.key.text(), object.value);
        }
    } else if (element.kind() == Kind::kEdge) {
        for (const auto& [key, value] : element.as<EdgeObject>().properties) {
            visit(key.text(), value);
        }
    }
}

Value id_of(const Value& element) {
    return element.kind() == Kind::kVertex ? element.vertex_id() : element.as<EdgeObject>().id;
}

bool matches(const MergePattern& pattern, const Value& element, const VertexRecord* record) {
    if (pattern.impossible) return false;
    if (!pattern.id.is_null() && !identical(pattern.id, id_of(element))) return false;
    if (element.kind() == Kind::kEdge) {
        const auto& edge = element.as<EdgeObject>();
        if (pattern.label && edge.label.text() != *pattern.label) return false;
        if (!pattern.out.is_null() && !identical(pattern.out, edge.out)) return false;
        if (!pattern.in.is_null() && !identical(pattern.in, edge.in)) return false;
    } else if (pattern.label && record->label.text() != *pattern.label) {
        return false;
    }
    return std::all_of(pattern.properties.begin(), pattern.properties.end(), [&](const auto& p) {
        bool holds = false;
        each_property(element, record, [&](std::string_view key, const Value& value) {
            holds = holds || (key == p.first && equal(value, p.second));
        });
        return holds;
    });
}

}  // namespace

void MergeSearch::clear() {
    patterns_.clear();
    projection_.reset();
    by_map_.clear();
    by_pivot_.clear();
    without_pivot_.clear();
    places_.clear();
}

Result<std::size_t> MergeSearch::add(const Value& map) {
    const auto known = by_map_.find(map);
    if (known != by_map_.end()) return known->second;
    projection_.reset();
    MergePattern pattern;
    const auto& entries = map.as<MapObject>();
    if (const Value* id = find_token(entries, T::kId)) {
        const auto fitting =
            vertices_ ? ctx_.graph->vertex_id_of(*id) : ctx_.graph->edge_id_of(*id);
        pattern.impossible = !fitting.has_value();
        pattern.id = fitting.value_or(*id);
    }
    if (const Value* label = find_token(entries, T::kLabel)) pattern.label = label->text();
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        const Value* end = find_direction(entries, direction);
        if (end == nullptr) continue;
        // An end that is no vertex is an id that no vertex here can have.
        pattern.impossible = pattern.impossible || end->kind() != Kind::kVertex;
        (direction == Direction::kOut ? pattern.out : pattern.in) = *end;
    }
    for (const auto& [key, value] : entries.entries()) {
        if (!key.is_string()) continue;
        HOB_ASSIGN_OR_RETURN(MergeValue wanted, merge_value(value));
        // No element has a property that is null.
        pattern.impossible = pattern.impossible || wanted.value.is_null();
        pattern.properties.emplace_back(key.text(), std::move(wanted.value));
    }
    patterns_.push_back(std::move(pattern));
    by_map_.emplace(map, patterns_.size() - 1);
    file(patterns_.size() - 1);
    return patterns_.size() - 1;
}

void MergeSearch::file(std::size_t index) {
    const MergePattern& pattern = patterns_[index];
    if (!pattern.id.is_null()) {
        by_pivot_[pivot_hash(Pivot::kId, hash_of(pattern.id))].push_back(index);
    } else if (!pattern.out.is_null()) {
        by_pivot_[pivot_hash(Pivot::kOut, hash_of(pattern.out))].push_back(index);
    } else if (!pattern.in.is_null()) {
        by_pivot_[pivot_hash(Pivot::kIn, hash_of(pattern.in))].push_back(index);
    } else if (!pattern.properties.empty()) {
        const auto& [key, value] = pattern.properties.front();
        by_pivot_[property_hash(key, value)].push_back(index);
    } else {
        without_pivot_.push_back(index);
    }
}

void MergeSearch::offer(const Value& element, const VertexRecord* record) {
    std::vector<std::size_t> hits;
    const auto consider = [&](const std::vector<std::size_t>& indices) {
        for (const std::size_t index : indices) {
            if (matches(patterns_[index], element, record)) hits.push_back(index);
        }
    };
    const auto consider_pivot = [&](std::size_t hash) {
        if (const auto found = by_pivot_.find(hash); found != by_pivot_.end()) {
            consider(found->second);
        }
    };
    consider(without_pivot_);
    consider_pivot(pivot_hash(Pivot::kId, hash_of(id_of(element))));
    if (element.kind() == Kind::kEdge) {
        const auto& edge = element.as<EdgeObject>();
        consider_pivot(pivot_hash(Pivot::kOut, hash_of(edge.out)));
        consider_pivot(pivot_hash(Pivot::kIn, hash_of(edge.in)));
    }
    each_property(element, record, [&](std::string_view key, const Value& value) {
        consider_pivot(property_hash(key, value));
    });
    // Two equal properties lead to a pattern twice.
    std::sort(hits.begin(), hits.end());
    hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
    for (const std::size_t index : hits)
        patterns_[index].found.push_back(element);
    if (!hits.empty()) places_[element] = std::move(hits);
}

Status MergeSearch::update(const Value& element) {
    if (const auto places = places_.find(element); places != places_.end()) {
        for (const std::size_t index : places->second) {
            std::erase_if(patterns_[index].found,
                          [&](const Value& found) { return identical(found, element); });
        }
        places_.erase(places);
    }
    return offer_all(std::span(&element, 1));
}

const graph::Projection& MergeSearch::projection() {
    if (projection_) return *projection_;
    projection_ = ctx_.projection;
    auto& keys = projection_->keys;
    for (const MergePattern& pattern : patterns_) {
        for (const auto& [key, value] : pattern.properties)
            keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return *projection_;
}

Status MergeSearch::offer_all(std::span<const Value> elements) {
    if (!vertices_) {
        for (const Value& edge : elements)
            offer(edge, nullptr);
        return {};
    }
    std::vector<const VertexRecord*> records;
    HOB_TRY(ctx_.transaction->read_vertices(elements, projection(), records));
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (records[i] != nullptr) offer(elements[i], records[i]);
    }
    return {};
}

std::optional<graph::IndexSpec> MergeSearch::index_of(const MergePattern& pattern,
                                                      Value* value) const {
    const auto element = vertices_ ? graph::ElementType::kVertex : graph::ElementType::kEdge;
    for (const auto& [key, wanted] : pattern.properties) {
        auto index = ctx_.transaction->find_index(element, pattern.label.value_or(""), key);
        if (!index) continue;
        if (value != nullptr) *value = wanted;
        return index;
    }
    return std::nullopt;
}

bool MergeSearch::needs_scan(const MergePattern& pattern) const {
    if (pattern.impossible || !pattern.id.is_null()) return false;
    if (!pattern.out.is_null() || !pattern.in.is_null()) return false;
    return !index_of(pattern, nullptr).has_value();
}

Status MergeSearch::gather_by_id(std::vector<Value>& candidates) {
    std::vector<Value> ids;
    for (const MergePattern& pattern : patterns_) {
        if (!pattern.impossible && !pattern.id.is_null()) ids.push_back(pattern.id);
    }
    if (ids.empty()) return {};
    if (vertices_) {
        for (const Value& id : ids)
            candidates.push_back(Value::vertex(id));
        return {};
    }
    std::vector<Value> edges;
    HOB_TRY(ctx_.transaction->read_edges(ids, edges));
    for (Value& edge : edges) {
        if (!edge.is_null()) candidates.push_back(std::move(edge));
    }
    return {};
}

Status MergeSearch::gather_by_index(std::vector<Value>& candidates) {
    std::vector<std::pair<graph::IndexSpec, std::vector<Value>>> lookups;
    for (const MergePattern& pattern : patterns_) {
        const bool elsewhere =
            !pattern.id.is_null() || !pattern.out.is_null() || !pattern.in.is_null();
        if (pattern.impossible || elsewhere) continue;
        Value value;
        auto index = index_of(pattern, &value);
        if (!index) continue;
        const auto same = std::find_if(lookups.begin(), lookups.end(), [&](const auto& lookup) {
            return lookup.first.name == index->name;
        });
        if (same != lookups.end()) {
            same->second.push_back(std::move(value));
        } else {
            lookups.emplace_back(std::move(*index), std::vector<Value>{std::move(value)});
        }
    }
    for (const auto& [index, values] : lookups) {
        HOB_TRY(ctx_.transaction->index_lookup(index, values, candidates));
    }
    return {};
}

/// Edges of all patterns that know the end where `direction` starts: one expansion.
Status MergeSearch::gather_incident(Direction direction, std::vector<Value>& candidates) {
    graph::ExpandSpec spec;
    spec.direction = direction;
    spec.edges = true;
    spec.edge_properties = true;
    std::vector<Value> frontier;
    bool any_label = false;
    bool any_other = false;
    std::vector<Value> others;
    for (const MergePattern& pattern : patterns_) {
        if (pattern.impossible || !pattern.id.is_null()) continue;
        const bool out = !pattern.out.is_null();
        const Value& from = direction == Direction::kOut ? pattern.out : pattern.in;
        if (from.is_null() || (direction == Direction::kIn && out)) continue;
        frontier.push_back(from);
        any_label = any_label || !pattern.label;
        if (pattern.label) spec.labels.push_back(*pattern.label);
        any_other = any_other || !out || pattern.in.is_null();
        if (out && !pattern.in.is_null()) others.push_back(pattern.in);
    }
    if (frontier.empty()) return {};
    const std::size_t wanted = frontier.size();
    const auto distinct = [](std::vector<Value>& values) {
        absl::flat_hash_set<Value, ValueHash, ValueIdentical> seen;
        std::erase_if(values, [&seen](const Value& v) { return !seen.insert(v).second; });
    };
    distinct(frontier);
    distinct(others);
    std::sort(spec.labels.begin(), spec.labels.end());
    spec.labels.erase(std::unique(spec.labels.begin(), spec.labels.end()), spec.labels.end());
    if (any_label) spec.labels.clear();
    // Asking for every pair only pays while there are few more pairs than patterns.
    if (!any_other && frontier.size() * others.size() <= wanted * 4) {
        spec.other_ends = std::move(others);
    }
    HOB_ASSIGN_OR_RETURN(const auto expansion, ctx_.transaction->expand(frontier, spec));
    std::vector<graph::Incident> incidents;
    while (true) {
        HOB_TRY(ctx_.check());
        incidents.clear();
        HOB_TRY(expansion->next(kBatchMax, incidents));
        if (incidents.empty()) return {};
        for (graph::Incident& incident : incidents)
            candidates.push_back(std::move(incident.value));
    }
}

Status MergeSearch::gather(std::vector<Value>& candidates) {
    HOB_TRY(gather_by_id(candidates));
    HOB_TRY(gather_by_index(candidates));
    if (vertices_) return {};
    HOB_TRY(gather_incident(Direction::kOut, candidates));
    return gather_incident(Direction::kIn, candidates);
}

template <typename ElementScan>
Status MergeSearch::drain(ElementScan& scan) {
    std::vector<Value> elements;
    while (true) {
        HOB_TRY(ctx_.check());
        elements.clear();
        HOB_TRY(scan.next(kBatchMax, elements));
        if (elements.empty()) return {};
        HOB_TRY(offer_all(elements));
        ctx_.transaction->forget(kRecordsMax);
    }
}

Status MergeSearch::scan() {
    std::vector<std::string> labels;
    const bool any_label = std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& p) {
        if (p.label) labels.push_back(*p.label);
        return !p.label && !p.impossible;
    });
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    if (any_label) labels.clear();
    if (vertices_) {
        HOB_ASSIGN_OR_RETURN(const auto scan,
                             ctx_.transaction->scan_vertices(std::move(labels), projection()));
        return drain(*scan);
    }
    HOB_ASSIGN_OR_RETURN(const auto scan, ctx_.transaction->scan_edges(std::move(labels)));
    return drain(*scan);
}

Status MergeSearch::run() {
    // One walk over everything answers all the other patterns on its way.
    if (std::any_of(patterns_.begin(), patterns_.end(),
                    [this](const MergePattern& p) { return needs_scan(p); })) {
        return scan();
    }
    std::vector<Value> candidates;
    HOB_TRY(gather(candidates));
    absl::flat_hash_set<Value, ValueHash, ValueIdentical> seen;
    std::erase_if(candidates, [&seen](const Value& v) { return !seen.insert(v).second; });
    if (candidates.empty()) return {};
    return offer_all(candidates);
}

}  // namespace hob::gremlin
