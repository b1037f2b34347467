#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// The constant that a bare word stands for outside typeOf() and asNumber(): `id`, `desc`, `local`,
/// `OUT`, `onCreate`, `INT` ... Lower-case names of GType (int, string, vertex ...) are left to
/// variables.
std::optional<Value> enum_word(std::string_view word);
/// A GType by any of its spellings: INT, int, bigDecimal, vproperty.
std::optional<Value> gtype_word(std::string_view word);
/// `WithOptions.tokens`, `PageRank.times`, `IO.reader` ... as TinkerPop's own constants; null when
/// there is none.
const Value* library_constant(std::string_view owner, std::string_view name);
/// True for WithOptions, PageRank, PeerPressure, ShortestPath, ConnectedComponent, IO.
bool is_constant_owner(std::string_view word);

/// How many operands a predicate takes.
struct PredicateWord {
    std::string_view name;
    std::size_t least;
    std::size_t most;
    bool of_text;  ///< TextP: takes strings
};
/// By name ("eq", "startingWith", "not", "and" ...), or null.
const PredicateWord* find_predicate(std::string_view name);
/// Checks name and operands, nested predicates included. The error has no position.
Status check_predicate(const PredicateObject& predicate);

/// The word among the names of steps (and predicates) that is at most two typing errors away, or
/// empty.
std::string_view similar_step(std::string_view word);

}  // namespace hob::gremlin
