#include "gremlin/language/signature_table.h"

#include <array>

namespace hob::gremlin {
namespace {

constexpr SignatureKind kSource = SignatureKind::kSource;
constexpr SignatureKind kSpawn = SignatureKind::kSpawn;
constexpr SignatureKind kStep = SignatureKind::kStep;
constexpr SignatureKind kModulator = SignatureKind::kModulator;
constexpr SignatureKind kTerminal = SignatureKind::kTerminal;

// clang-format off
constexpr auto kRows = std::to_array<SignatureRow>({
    // What may follow the source and gives a source again.
    {"with", kModulator, false, "(key: string) | (key: string, value: any?)"},
    {"withBulk", kSource, false, "(useBulk: boolean)"},
    {"withComputer", kSource, false, "()"},
    {"withPath", kSource, false, "()"},
    {"withSack", kSource, false, "(initial: any?) | (initial: any?, merge: Operator)"},
    {"withSideEffect", kSource, false, "(key: string, initial: any?) | (key: string, initial: any?, reducer: Operator)"},
    {"withStrategies", kSource, false, "(strategies: strategy, strategies: strategy...)"},
    {"withoutStrategies", kSource, false, "(strategies: strategy, strategies: strategy...)"},
    {"tx", kSource, false, "() | (operation: string)"},

    // Steps that also start a traversal.
    {"V", kStep, true, "(ids: any?...)"},
    {"E", kStep, true, "(ids: any?...)"},
    {"addV", kStep, true, "() | (label: string) | (label: traversal)"},
    {"addE", kStep, true, "(label: string) | (label: traversal)"},
    {"mergeV", kStep, true, "() | (search: map?) | (search: traversal)"},
    {"mergeE", kStep, true, "() | (search: map?) | (search: traversal)"},
    {"inject", kStep, true, "(values: any?...)"},
    {"union", kStep, true, "(branches: traversal...)"},
    {"call", kStep, true, "() | (service: string) | (service: string, parameters: map) | (service: string, parameters: traversal) | "
                          "(service: string, static: map, parameters: traversal)"},
    {"io", kSpawn, true, "(file: string)"},

    {"aggregate", kStep, false, "(key: string) | (Scope, key: string)"},
    {"all", kStep, false, "(P)"},
    {"and", kStep, false, "(filters: traversal...)"},
    {"any", kStep, false, "(P)"},
    {"as", kModulator, false, "(labels: string, labels: string?...)"},
    {"asBool", kStep, false, "()"},
    {"asDate", kStep, false, "()"},
    {"asNumber", kStep, false, "() | (GType)"},
    {"asString", kStep, false, "() | (Scope)"},
    {"barrier", kStep, false, "() | (size: int) | (Barrier)"},
    {"both", kStep, false, "(labels: string?...)"},
    {"bothE", kStep, false, "(labels: string?...)"},
    {"bothV", kStep, false, "()"},
    {"branch", kStep, false, "(choice: traversal) | (choice: function)"},
    {"by", kModulator, false, "() | (Order) | (key: string) | (function) | (traversal) | (key: string, Order) | "
                              "(function, Order) | (traversal, Order)"},
    {"cap", kStep, false, "(keys: string, keys: string?...)"},
    {"choose", kStep, false, "(choice: traversal) | (choice: function) | (if: traversal, then: traversal) | "
                             "(if: traversal, then: traversal, else: traversal) | (if: P, then: traversal) | "
                             "(if: P, then: traversal, else: traversal)"},
    {"coalesce", kStep, false, "(branches: traversal...)"},
    {"coin", kStep, false, "(probability: number)"},
    {"combine", kStep, false, "(values: any?)"},
    {"concat", kStep, false, "(parts: traversal, parts: traversal...) | (parts: string?...)"},
    {"conjoin", kStep, false, "(delimiter: string)"},
    {"connectedComponent", kStep, false, "()"},
    {"constant", kStep, false, "(value: any?)"},
    {"count", kStep, false, "() | (Scope)"},
    {"cyclicPath", kStep, false, "()"},
    {"dateAdd", kStep, false, "(unit: DT, value: int)"},
    {"dateDiff", kStep, false, "(other: date) | (other: traversal)"},
    {"dedup", kStep, false, "(labels: string?...) | (Scope, labels: string?...)"},
    {"difference", kStep, false, "(values: any?)"},
    {"discard", kStep, false, "()"},
    {"disjunct", kStep, false, "(values: any?)"},
    {"drop", kStep, false, "()"},
    {"element", kStep, false, "()"},
    {"elementMap", kStep, false, "(keys: string?...)"},
    {"emit", kModulator, false, "() | (P) | (traversal)"},
    {"fail", kStep, false, "() | (message: string)"},
    {"filter", kStep, false, "(P) | (traversal)"},
    {"flatMap", kStep, false, "(traversal)"},
    {"fold", kStep, false, "() | (seed: any?, Operator)"},
    {"format", kStep, false, "(format: string)"},
    {"from", kModulator, false, "(label: string) | (vertex: traversal) | (vertex)"},
    {"group", kStep, false, "() | (key: string)"},
    {"groupCount", kStep, false, "() | (key: string)"},
    {"has", kStep, false, "(key: string?) | (key: string?, value: any?) | (key: string?, P) | (T, value: any?) | (T, P) | "
                          "(label: string?, key: string?, value: any?) | (label: string?, key: string?, P)"},
    {"hasId", kStep, false, "(P) | (ids: any?, ids: any?...)"},
    {"hasKey", kStep, false, "(P) | (keys: string?, keys: string?...)"},
    {"hasLabel", kStep, false, "(P) | (labels: string?, labels: string?...)"},
    {"hasNot", kStep, false, "(key: string?)"},
    {"hasValue", kStep, false, "(P) | (values: any?, values: any?...)"},
    {"id", kStep, false, "()"},
    {"identity", kStep, false, "()"},
    {"in", kStep, false, "(labels: string?...)"},
    {"inE", kStep, false, "(labels: string?...)"},
    {"inV", kStep, false, "()"},
    {"index", kStep, false, "()"},
    {"intersect", kStep, false, "(values: any?)"},
    {"is", kStep, false, "(value: any?) | (P)"},
    {"key", kStep, false, "()"},
    {"label", kStep, false, "()"},
    {"lTrim", kStep, false, "() | (Scope)"},
    {"length", kStep, false, "() | (Scope)"},
    {"limit", kStep, false, "(count: long) | (Scope, count: long)"},
    {"local", kStep, false, "(traversal)"},
    {"loops", kStep, false, "() | (name: string)"},
    {"map", kStep, false, "(traversal)"},
    {"match", kStep, false, "(patterns: traversal...)"},
    {"math", kStep, false, "(expression: string)"},
    {"max", kStep, false, "() | (Scope)"},
    {"mean", kStep, false, "() | (Scope)"},
    {"merge", kStep, false, "(values: any?)"},
    {"min", kStep, false, "() | (Scope)"},
    {"none", kStep, false, "(P)"},
    {"not", kStep, false, "(filter: traversal)"},
    {"option", kModulator, false, "(traversal) | (P, traversal) | (Merge, map?) | (Merge, map?, Cardinality) | (Merge, traversal) | "
                                  "(token: any?, traversal)"},
    {"optional", kStep, false, "(traversal)"},
    {"or", kStep, false, "(filters: traversal...)"},
    {"order", kStep, false, "() | (Scope)"},
    {"otherV", kStep, false, "()"},
    {"out", kStep, false, "(labels: string?...)"},
    {"outE", kStep, false, "(labels: string?...)"},
    {"outV", kStep, false, "()"},
    {"pageRank", kStep, false, "() | (alpha: number)"},
    {"path", kStep, false, "()"},
    {"peerPressure", kStep, false, "()"},
    {"product", kStep, false, "(values: any?)"},
    {"profile", kStep, false, "() | (key: string)"},
    {"project", kStep, false, "(keys: string, keys: string?...)"},
    {"properties", kStep, false, "(keys: string?...)"},
    {"property", kStep, false, "(map?) | (Cardinality, map?) | (key: any?, value: any?, metaProperties: any?...) | "
                               "(Cardinality, key: any?, value: any?, metaProperties: any?...)"},
    {"propertyMap", kStep, false, "(keys: string?...)"},
    {"rTrim", kStep, false, "() | (Scope)"},
    {"range", kStep, false, "(low: long, high: long) | (Scope, low: long, high: long)"},
    {"read", kStep, false, "()"},
    {"repeat", kStep, false, "(traversal) | (name: string, traversal)"},
    {"replace", kStep, false, "(old: string?, new: string?) | (Scope, old: string?, new: string?)"},
    {"reverse", kStep, false, "()"},
    {"sack", kStep, false, "() | (Operator)"},
    {"sample", kStep, false, "(count: int) | (Scope, count: int)"},
    {"select", kStep, false, "(Column) | (keys: string, keys: string?...) | (Pop, keys: string, keys: string?...) | (key: traversal) | "
                             "(Pop, key: traversal)"},
    {"shortestPath", kStep, false, "()"},
    {"sideEffect", kStep, false, "(traversal)"},
    {"simplePath", kStep, false, "()"},
    {"skip", kStep, false, "(count: long) | (Scope, count: long)"},
    {"split", kStep, false, "(separator: string?) | (Scope, separator: string?)"},
    {"subgraph", kStep, false, "(key: string)"},
    {"substring", kStep, false, "(start: int) | (start: int, end: int) | (Scope, start: int) | (Scope, start: int, end: int)"},
    {"sum", kStep, false, "() | (Scope)"},
    {"tail", kStep, false, "() | (count: long) | (Scope) | (Scope, count: long)"},
    {"timeLimit", kStep, false, "(milliseconds: long)"},
    {"times", kModulator, false, "(loops: int)"},
    {"to", kModulator, false, "(label: string) | (vertex: traversal) | (vertex) | (Direction, labels: string?...)"},
    {"toE", kStep, false, "(Direction, labels: string?...)"},
    {"toLower", kStep, false, "() | (Scope)"},
    {"toUpper", kStep, false, "() | (Scope)"},
    {"toV", kStep, false, "(Direction)"},
    {"tree", kStep, false, "() | (key: string)"},
    {"trim", kStep, false, "() | (Scope)"},
    {"unfold", kStep, false, "()"},
    {"until", kModulator, false, "(P) | (traversal)"},
    {"value", kStep, false, "()"},
    {"valueMap", kStep, false, "(keys: string?...) | (includeTokens: boolean, keys: string?...)"},
    {"values", kStep, false, "(keys: string?...)"},
    {"where", kStep, false, "(P) | (traversal) | (label: string, P)"},
    {"write", kStep, false, "()"},

    // What ends a traversal. explain() stays in the traversal as its last step.
    {"explain", kTerminal, false, "()"},
    {"hasNext", kTerminal, false, "()"},
    {"iterate", kTerminal, false, "()"},
    {"next", kTerminal, false, "() | (count: int)"},
    {"toBulkSet", kTerminal, false, "()"},
    {"toList", kTerminal, false, "()"},
    {"toSet", kTerminal, false, "()"},
    {"tryNext", kTerminal, false, "()"},
});
// clang-format on

}  // namespace

std::span<const SignatureRow> signature_rows() {
    return kRows;
}

}  // namespace hob::gremlin
