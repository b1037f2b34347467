#pragma once

// clang-format off
/// The steps of the families strings, lists, dates, numbers, math, merge, match, tree and subgraph; the table of all steps takes them over.
#define HOB_FUNCTION_STEPS(row)                                                                \
    row(asString) row(concat) row(format) row(length) row(lTrim) row(rTrim) row(trim)          \
    row(replace) row(split) row(substring) row(toLower) row(toUpper)                           \
    row(combine) row(conjoin) row(difference) row(disjunct) row(intersect) row(merge)          \
    row(product) row(reverse) row(index) row(all) row(any) row(none)                           \
    row(asNumber) row(asBool)                                                                  \
    row(asDate) row(dateAdd) row(dateDiff) row(math)                                           \
    row(mergeV) row(mergeE) row(match) row(tree) row(subgraph)
// clang-format on
