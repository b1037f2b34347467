#pragma once
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// Whether `name` is one of these.
bool is_any(std::string_view name, std::initializer_list<std::string_view> names);

/// Folds modulators (as, by, option, from, to, with, until, emit, times, property after addV/addE)
/// into the steps they belong to. Errors: kInvalidArgument for a modulator that its step does not
/// take, kUnsupported for a step that is not executed yet. `infix`: or() and and() without
/// arguments stand between their operands.
Result<std::vector<Node>> fold_nodes(const Traversal& traversal, bool infix = true);
/// `a.or().b.and().c` means or(a, and(b, c)): TinkerPop's infix notation (ConnectiveStrategy).
std::vector<Instruction> without_infix(const std::vector<Instruction>& steps);

/// What a whole query (nested traversals included) needs.
struct Needs {
    PathMode path = PathMode::kNone;
    bool all_properties = false;
    std::vector<std::string> keys;       ///< Property keys that some step reads.
    bool sacks = false;                  ///< Some step reads or writes sacks.
    std::vector<std::string> mentioned;  ///< Names (sorted) that some step may read as a side
                                         ///< effect while the query still runs.
    bool passes_elements = false;        ///< The results are elements that the first step gave.
    bool nested_side_effects =
        false;  ///< A local child has side effects: bulks would be counted once.
};
Needs needs_of(const Traversal& traversal);

/// Whether a traversal holds (anywhere inside) a step with that trait.
bool contains_barrier(const Traversal& traversal);
bool contains_visible(const Node& node);
/// Whether a local child of the step fills a side effect (aggregate, group('x') ... inside local,
/// map, sideEffect ...) that is among the `mentioned`: how far it is filled can then be seen.
bool writes_seen_side_effects(const Node& node, const std::vector<std::string>& mentioned);

}  // namespace hob::gremlin
