#pragma once
#include <span>
#include <string_view>

#include "gremlin/language/signature.h"

namespace hob::gremlin {

/// One row of the table: a name with its overloads in one text, separated by " | ".
///
/// An overload is a list of arguments in parentheses; each is `type` or `name: type`. A `?` after
/// the type lets null in, `...` at the end takes any number of that argument. Types:
///   any        everything but predicates, strategies and lambdas     string, boolean, map, date a
///   value of that kind int        an integral number within 32 bits                     long an
///   integral number within 64 bits number     any number vertex   a vertex P          a predicate
///   (P or TextP)                              traversal  an anonymous traversal strategy   a
///   strategy with or without configuration T Order Scope Pop Column Cardinality Operator Merge DT
///   GType Barrier Direction   a constant of that enumeration function   T or Column
struct SignatureRow {
    std::string_view name;
    SignatureKind kind;
    bool spawns;
    std::string_view overloads;
};

std::span<const SignatureRow> signature_rows();

}  // namespace hob::gremlin
