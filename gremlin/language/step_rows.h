#pragma once

// clang-format off
/// The table of all steps: one row each, its name, where it may stand (kInside a traversal, kStarts one, or kAnywhere), and its overloads as
/// signature_table.h describes them. A new step is a row here and a `<name>_step` in a file of gremlin/steps (docs/steps.md).
#define HOB_STEP_ROWS(row) \
    row(addE, kAnywhere, "(label: string) | (label: traversal)") \
    row(addV, kAnywhere, "() | (label: string) | (label: traversal)") \
    row(aggregate, kInside, "(key: string) | (Scope, key: string)") \
    row(all, kInside, "(P)") \
    row(and, kInside, "(filters: traversal...)") \
    row(any, kInside, "(P)") \
    row(asBool, kInside, "()") \
    row(asDate, kInside, "()") \
    row(asNumber, kInside, "() | (GType)") \
    row(asString, kInside, "() | (Scope)") \
    row(barrier, kInside, "() | (size: int) | (Barrier)") \
    row(both, kInside, "(labels: string?...)") \
    row(bothE, kInside, "(labels: string?...)") \
    row(bothV, kInside, "()") \
    row(branch, kInside, "(choice: traversal) | (choice: function)") \
    row(call, kAnywhere, "() | (service: string) | (service: string, parameters: map) | (service: string, parameters: traversal) | (service: string, static: map, parameters: traversal)") \
    row(cap, kInside, "(keys: string, keys: string?...)") \
    row(choose, kInside, "(choice: traversal) | (choice: function) | (if: traversal, then: traversal) | (if: traversal, then: traversal, else: traversal) | (if: P, then: traversal) | (if: P, then: traversal, else: traversal)") \
    row(coalesce, kInside, "(branches: traversal...)") \
    row(coin, kInside, "(probability: number)") \
    row(combine, kInside, "(values: any?)") \
    row(concat, kInside, "(parts: traversal, parts: traversal...) | (parts: string?...)") \
    row(conjoin, kInside, "(delimiter: string)") \
    row(connectedComponent, kInside, "()") \
    row(constant, kInside, "(value: any?)") \
    row(count, kInside, "() | (Scope)") \
    row(cyclicPath, kInside, "()") \
    row(dateAdd, kInside, "(unit: DT, value: int)") \
    row(dateDiff, kInside, "(other: date) | (other: traversal)") \
    row(dedup, kInside, "(labels: string?...) | (Scope, labels: string?...)") \
    row(difference, kInside, "(values: any?)") \
    row(discard, kInside, "()") \
    row(disjunct, kInside, "(values: any?)") \
    row(drop, kInside, "()") \
    row(E, kAnywhere, "(ids: any?...)") \
    row(element, kInside, "()") \
    row(elementMap, kInside, "(keys: string?...)") \
    row(fail, kInside, "() | (message: string)") \
    row(filter, kInside, "(P) | (traversal)") \
    row(flatMap, kInside, "(traversal)") \
    row(fold, kInside, "() | (seed: any?, Operator)") \
    row(format, kInside, "(format: string)") \
    row(group, kInside, "() | (key: string)") \
    row(groupCount, kInside, "() | (key: string)") \
    row(has, kInside, "(key: string?) | (key: string?, value: any?) | (key: string?, P) | (T, value: any?) | (T, P) | (label: string?, key: string?, value: any?) | (label: string?, key: string?, P)") \
    row(hasId, kInside, "(P) | (ids: any?, ids: any?...)") \
    row(hasKey, kInside, "(P) | (keys: string?, keys: string?...)") \
    row(hasLabel, kInside, "(P) | (labels: string?, labels: string?...)") \
    row(hasNot, kInside, "(key: string?)") \
    row(hasValue, kInside, "(P) | (values: any?, values: any?...)") \
    row(id, kInside, "()") \
    row(identity, kInside, "()") \
    row(in, kInside, "(labels: string?...)") \
    row(index, kInside, "()") \
    row(inE, kInside, "(labels: string?...)") \
    row(inject, kAnywhere, "(values: any?...)") \
    row(intersect, kInside, "(values: any?)") \
    row(inV, kInside, "()") \
    row(io, kStarts, "(file: string)") \
    row(is, kInside, "(value: any?) | (P)") \
    row(key, kInside, "()") \
    row(label, kInside, "()") \
    row(length, kInside, "() | (Scope)") \
    row(limit, kInside, "(count: long) | (Scope, count: long)") \
    row(local, kInside, "(traversal)") \
    row(loops, kInside, "() | (name: string)") \
    row(lTrim, kInside, "() | (Scope)") \
    row(map, kInside, "(traversal)") \
    row(match, kInside, "(patterns: traversal...)") \
    row(math, kInside, "(expression: string)") \
    row(max, kInside, "() | (Scope)") \
    row(mean, kInside, "() | (Scope)") \
    row(merge, kInside, "(values: any?)") \
    row(mergeE, kAnywhere, "() | (search: map?) | (search: traversal)") \
    row(mergeV, kAnywhere, "() | (search: map?) | (search: traversal)") \
    row(min, kInside, "() | (Scope)") \
    row(none, kInside, "(P)") \
    row(not, kInside, "(filter: traversal)") \
    row(optional, kInside, "(traversal)") \
    row(or, kInside, "(filters: traversal...)") \
    row(order, kInside, "() | (Scope)") \
    row(otherV, kInside, "()") \
    row(out, kInside, "(labels: string?...)") \
    row(outE, kInside, "(labels: string?...)") \
    row(outV, kInside, "()") \
    row(pageRank, kInside, "() | (alpha: number)") \
    row(path, kInside, "()") \
    row(peerPressure, kInside, "()") \
    row(product, kInside, "(values: any?)") \
    row(project, kInside, "(keys: string, keys: string?...)") \
    row(properties, kInside, "(keys: string?...)") \
    row(property, kInside, "(map?) | (Cardinality, map?) | (key: any?, value: any?, metaProperties: any?...) | (Cardinality, key: any?, value: any?, metaProperties: any?...)") \
    row(propertyMap, kInside, "(keys: string?...)") \
    row(range, kInside, "(low: long, high: long) | (Scope, low: long, high: long)") \
    row(repeat, kInside, "(traversal) | (name: string, traversal)") \
    row(replace, kInside, "(old: string?, new: string?) | (Scope, old: string?, new: string?)") \
    row(reverse, kInside, "()") \
    row(rTrim, kInside, "() | (Scope)") \
    row(sack, kInside, "() | (Operator)") \
    row(sample, kInside, "(count: int) | (Scope, count: int)") \
    row(select, kInside, "(Column) | (keys: string, keys: string?...) | (Pop, keys: string, keys: string?...) | (key: traversal) | (Pop, key: traversal)") \
    row(shortestPath, kInside, "()") \
    row(sideEffect, kInside, "(traversal)") \
    row(simplePath, kInside, "()") \
    row(skip, kInside, "(count: long) | (Scope, count: long)") \
    row(split, kInside, "(separator: string?) | (Scope, separator: string?)") \
    row(subgraph, kInside, "(key: string)") \
    row(substring, kInside, "(start: int) | (start: int, end: int) | (Scope, start: int) | (Scope, start: int, end: int)") \
    row(sum, kInside, "() | (Scope)") \
    row(tail, kInside, "() | (count: long) | (Scope) | (Scope, count: long)") \
    row(timeLimit, kInside, "(milliseconds: long)") \
    row(toE, kInside, "(Direction, labels: string?...)") \
    row(toLower, kInside, "() | (Scope)") \
    row(toUpper, kInside, "() | (Scope)") \
    row(toV, kInside, "(Direction)") \
    row(tree, kInside, "() | (key: string)") \
    row(trim, kInside, "() | (Scope)") \
    row(unfold, kInside, "()") \
    row(union, kAnywhere, "(branches: traversal...)") \
    row(V, kAnywhere, "(ids: any?...)") \
    row(value, kInside, "()") \
    row(valueMap, kInside, "(keys: string?...) | (includeTokens: boolean, keys: string?...)") \
    row(values, kInside, "(keys: string?...)") \
    row(where, kInside, "(P) | (traversal) | (label: string, P)")
// clang-format on
