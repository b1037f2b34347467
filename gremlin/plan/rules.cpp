// Optimizer rules: what a step can learn from its neighbours. Each keeps the answers; it only saves
// reads.
#include "gremlin/plan/rules.h"

#include <algorithm>

#include "gremlin/exec/predicate.h"
#include "gremlin/steps/look_up.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

bool is_expand(const Node& node, bool edges) {
    return edges ? node.name == "outE" || node.name == "inE" || node.name == "bothE"
                 : node.name == "out" || node.name == "in" || node.name == "both";
}

/// The members of an eq or within argument that are plain values; false for anything else.
bool equality_values(const Value& argument, std::vector<Value>& out) {
    const PredicateObject* predicate = as_predicate(argument);
    if (predicate == nullptr) {
        if (argument.kind() == Kind::kForeign) return false;
        out.push_back(argument);
        return true;
    }
    if (predicate->name != "eq" && predicate->name != "within") return false;
    for (const Value& operand : predicate->operands) {
        if (operand.kind() == Kind::kForeign) return false;
        out.push_back(operand);
    }
    return true;
}

/// Whether an index row of the value holds nothing but equal values (layout/index_rows.h): not so
/// where equal keys can hide a difference (dates with offsets, NaN, collections).
bool is_exact_key(const Value& value) {
    switch (value.kind()) {
        case Kind::kBool:
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
        case Kind::kString:
        case Kind::kUuid:
            return true;
        default:
            return false;
    }
}

/// Rule "look-up": conditions right behind V() or E() become ids, labels or an index look-up of its
/// own. The conditions stay; what an index has made certain they do not test again, and where its
/// entries must be checked, an expansion right behind brings what the test needs (LookUp).
void fold_look_up(std::vector<Node>& nodes, std::size_t at) {
    Node& start = nodes[at];
    const auto look_up = std::make_shared<LookUp>();
    start.look_up = look_up;
    bool only_plain = true;
    for (std::size_t i = at + 1; i < nodes.size(); ++i) {
        Node& has = nodes[i];
        // What a strategy or a user filters in between may as well be asked of fewer elements.
        if (has.name == "filter" && has.labels.empty() && !contains_visible(has)) {
            only_plain = false;
            continue;
        }
        if (has.name == "hasId" ||
            (has.name == "has" && has.args.size() == 2 && has.args[0].is_enum(EnumType::kT) &&
             has.args[0].enum_ordinal() == static_cast<std::uint8_t>(T::kId))) {
            std::vector<Value> ids;
            bool plain = !has.args.empty();
            for (std::size_t k = has.name == "has" ? 1 : 0; k < has.args.size(); ++k)
                plain = plain && equality_values(has.args[k], ids);
            if (plain && !start.has_ids) {
                start.has_ids = true;
                start.ids = std::move(ids);
            }
            continue;
        }
        std::vector<Value> labels;
        bool label_known = has.name == "hasLabel" && !has.args.empty();
        if (label_known) {
            for (const Value& arg : has.args)
                label_known = label_known && equality_values(arg, labels);
        } else if (has.name == "has" && has.args.size() == 3) {
            label_known = equality_values(has.args[0], labels);
        }
        label_known = label_known && std::all_of(labels.begin(), labels.end(),
                                                 [](const Value& v) { return v.is_string(); });
        if (label_known && start.scan_labels.empty()) {
            for (const Value& label : labels)
                start.scan_labels.emplace_back(label.text());
            if (labels.size() == 1) {
                look_up->label = start.scan_labels[0];
                has.is_looked_up_label = true;
            }
        }
        if (has.name == "has" && has.args.size() >= 2 && look_up->key.empty()) {
            const Value& key = has.args[has.args.size() - 2];
            std::vector<Value> values;
            if (key.is_string() && equality_values(has.args.back(), values)) {
                look_up->key = std::string(key.text());
                look_up->exact = std::all_of(values.begin(), values.end(), is_exact_key);
                look_up->values = std::move(values);
                has.is_looked_up_key = true;
            }
        }
        if (has.name != "has" && has.name != "hasLabel") {
            look_up->rides = only_plain && (is_expand(has, true) || is_expand(has, false));
            if (look_up->rides) has.look_up = look_up;
            break;
        }
        has.look_up = look_up;
        const bool nested = !has.args.empty() && as_traversal(has.args.back()) != nullptr;
        only_plain = only_plain && !nested;
    }
}

/// Rule "unchecked": vertices by id need no look whether they exist where the next step finds
/// nothing of one that doesn't (it has no edges and no properties).
void skip_check(std::vector<Node>& nodes, const QueryContext&, bool) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const Node& next = nodes[i + 1];
        const bool by_key = next.name == "has" && next.args.size() == 2 &&
                            next.args[0].is_string() && as_traversal(next.args[1]) == nullptr;
        if (nodes[i].name == "V" &&
            (is_expand(next, true) || is_expand(next, false) || next.name == "~countEdges" ||
             next.name == "values" || next.name == "properties" || by_key))
            nodes[i].unchecked = true;
    }
}

/// Rule "through": outE().inV() is out() when nobody looks at the edge.
void fold_through(std::vector<Node>& nodes, const QueryContext& context, bool) {
    if (context.path_mode == PathMode::kFull || context.sack.splits) return;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        Node& edge = nodes[i];
        if (!is_expand(edge, true) || !edge.labels.empty() || edge.per_vertex_max != 0) continue;
        Node& vertex = nodes[i + 1];
        std::string_view to;
        if (edge.name == "outE" && (vertex.name == "inV" || vertex.name == "otherV")) to = "out";
        if (edge.name == "inE" && (vertex.name == "outV" || vertex.name == "otherV")) to = "in";
        if (edge.name == "bothE" && vertex.name == "otherV") to = "both";
        if (to.empty()) continue;
        edge.name = to;
        edge.labels = vertex.labels;
        nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
}

/// Rule "count": an expansion that is only counted is read from keys.
void fold_count(std::vector<Node>& nodes, const QueryContext&, bool) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        Node& expand = nodes[i];
        if ((!is_expand(expand, true) && !is_expand(expand, false)) || !expand.labels.empty())
            continue;
        Node& count = nodes[i + 1];
        if (count.name != "count" || is_local(count, 0)) continue;
        const char first = expand.name[0];
        Node fused = count;
        fused.name = "~countEdges";
        fused.args = {Value::direction(first == 'o'   ? Direction::kOut
                                       : first == 'i' ? Direction::kIn
                                                      : Direction::kBoth)};
        fused.args.insert(fused.args.end(), expand.args.begin(), expand.args.end());
        nodes[i] = std::move(fused);
        nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
}

/// Rule "cut": limit(n) right behind an expansion never needs more than n of one vertex; an
/// existence test needs one.
void push_limits(std::vector<Node>& nodes, const QueryContext&, bool existence) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!is_expand(nodes[i], true) && !is_expand(nodes[i], false)) continue;
        std::optional<std::int64_t> most;
        if (i + 1 == nodes.size() && existence) most = 1;
        if (i + 1 < nodes.size() && nodes[i + 1].name == "limit" && nodes[i + 1].args.size() == 1)
            most = to_int64(nodes[i + 1].args[0]);
        if (i + 1 < nodes.size() && nodes[i + 1].name == "range" && nodes[i + 1].args.size() == 2)
            most = to_int64(nodes[i + 1].args[1]);
        if (most && *most > 0 && *most < UINT32_MAX)
            nodes[i].per_vertex_max = static_cast<std::uint32_t>(*most);
    }
}

/// Rule "bare edges": edges that only lead on to a vertex need no properties.
void drop_edge_properties(std::vector<Node>& nodes, const QueryContext& context, bool) {
    if (context.path_mode != PathMode::kNone) return;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const std::string& next = nodes[i + 1].name;
        if (is_expand(nodes[i], true) && nodes[i].labels.empty() &&
            (next == "inV" || next == "outV" || next == "otherV" || next == "bothV")) {
            nodes[i].edge_properties = false;
        }
    }
}

void fold_look_ups(std::vector<Node>& nodes, const QueryContext&, bool) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].name == "V" || nodes[i].name == "E") fold_look_up(nodes, i);
    }
}

/// In the order in which they run: what a rule fuses, those behind it see as one.
constexpr Rule kRules[] = {
    {"through", "outE().inV() is out() where nobody looks at the edge", fold_through},
    {"count", "an expansion that is only counted is read from keys", fold_count},
    {"cut", "limit(n) behind an expansion reads n edges of a vertex, an existence test one",
     push_limits},
    {"look-up", "conditions behind V() and E() become ids, labels and index look-ups",
     fold_look_ups},
    {"unchecked", "V(ids) is not looked for where the next step finds nothing of what is not there",
     skip_check},
    {"bare-edges", "edges that only lead on are read without properties", drop_edge_properties},
    {"projection", "only the property keys that steps name are read", nullptr},
    {"paths", "of a path only labelled objects are kept where no step asks for more", nullptr},
    {"bulk", "equal traversers travel as one", nullptr},
};

}  // namespace

std::span<const Rule> all_rules() {
    return kRules;
}

void apply_rules(std::vector<Node>& nodes, const QueryContext& context, bool existence) {
    for (const Rule& rule : kRules) {
        if (rule.apply != nullptr && context.applies(rule.name))
            rule.apply(nodes, context, existence);
    }
}

}  // namespace hob::gremlin
