#pragma once
#include "gremlin/steps/functions_rows.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {

// clang-format off
/// The table of all steps: one row each. A new step is a row here and a `<name>_step` in its family's file.
#define HOB_STEPS(row)                                                                             \
    row(V) row(E) row(inject)                                                                      \
    row(out) row(in) row(both) row(outE) row(inE) row(bothE) row(outV) row(inV) row(bothV)         \
    row(otherV) row(to) row(toE) row(toV) row(count_edges)                                         \
    row(has) row(hasLabel) row(hasId) row(hasKey) row(hasValue) row(hasNot)                        \
    row(is) row(filter) row(where) row(and) row(or) row(not) row(identity) row(discard) row(coin)  \
    row(simplePath) row(cyclicPath) row(timeLimit)                                                 \
    row(values) row(properties) row(valueMap) row(propertyMap) row(elementMap) row(id) row(label)  \
    row(key) row(value) row(element) row(constant) row(unfold) row(path) row(loops)                \
    row(select) row(project)                                                                       \
    row(count) row(sum) row(min) row(max) row(mean) row(fold) row(barrier)                         \
    row(order) row(limit) row(range) row(skip) row(tail) row(sample) row(dedup)                    \
    row(group) row(groupCount) row(aggregate) row(cap) row(sideEffect) row(fail) row(sack)         \
    row(union) row(choose) row(branch) row(local) row(flatMap) row(map) row(coalesce)              \
    row(optional) row(repeat)                                                                      \
    row(addV) row(addE) row(property) row(drop) row(call)                                          \
    row(page_rank) row(peer_pressure) row(connected_component) row(shortest_path)                  \
    HOB_FUNCTION_STEPS(row)
// clang-format on

#define HOB_DECLARE(name) extern const StepSpec name##_step;
HOB_STEPS(HOB_DECLARE)
#undef HOB_DECLARE

}  // namespace hob::gremlin
