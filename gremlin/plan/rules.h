#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "gremlin/plan/nodes.h"

namespace hob::gremlin {

/// An optimizer rule: keeps the answers, saves reads or work. Each can be switched off by name
/// (with('hobgoblin.rulesOff', 'name,name')), so that a wrong answer can be bisected.
struct Rule {
    std::string_view name;
    std::string_view summary;
    /// Changes one level of a plan; null for a rule that Run::begin applies to the whole query.
    void (*apply)(std::vector<Node>& nodes, const QueryContext& context, bool existence);
};

/// All rules, in the order in which they are applied. Thread-safe.
std::span<const Rule> all_rules();

/// Applies those that the query has not switched off to one level. `existence`: only whether there
/// is a result matters.
void apply_rules(std::vector<Node>& nodes, const QueryContext& context, bool existence);

}  // namespace hob::gremlin
