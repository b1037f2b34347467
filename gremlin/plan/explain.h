#pragma once
#include <string>

#include "gremlin/exec/op.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// What a step's operator will ask of the store, in words; empty when nothing.
std::string storage_note(const QueryContext& context, const StepSpec& spec, const Node& node,
                         const Op& op);

/// The plan that ends in `last`, an operator a line with its storage calls; children indented below
/// the step that they belong to. `original` and `rewritten`: the traversal before and behind its
/// strategies.
std::string explain_plan(const Op& last, const std::string& original, const std::string& rewritten);

/// What profile() answers (kTraversalMetrics): a row for each step with traversers, time and
/// storage counters of its own; rows of the steps in child traversals are nested below it. A step's
/// row counts what its children did, too.
Value metrics_of_plan(const Op& last);

}  // namespace hob::gremlin
