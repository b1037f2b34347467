#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/value/value.h"

namespace hob::gremlin {

/// Where an instruction stood in its text; 1-based, 0 when it came as bytecode.
struct SourcePosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// One source instruction or step: its name as TinkerPop spells it and its arguments. Arguments are
/// values; predicates, nested traversals, strategies and unbound variables are kForeign values (the
/// classes below).
struct Instruction {
    std::string name;
    std::vector<Value> arguments;
    SourcePosition at{};
};

/// What text, GraphBinary bytecode and GraphSON bytecode all become: TinkerPop's Bytecode.
/// Immutable once shared.
struct Traversal {
    std::vector<Instruction>
        sources;  ///< withSideEffect, withStrategies, with, withSack, withPath, withBulk, tx ...
    std::vector<Instruction> steps;  ///< Spawn steps included.
};

/// A nested (anonymous) traversal as an argument.
class TraversalObject final : public ForeignObject {
  public:
    explicit TraversalObject(Traversal t)
        : ForeignObject(Class::kTraversal), traversal(std::move(t)) {}
    [[nodiscard]] bool same_as(const ForeignObject& other) const override;
    [[nodiscard]] std::size_t hash() const override;
    [[nodiscard]] std::string text() const override;
    Traversal traversal;
};

/// P or TextP. `name`: eq neq lt lte gt gte inside outside between within without, startingWith
/// notStartingWith endingWith notEndingWith containing notContaining regex notRegex, typeOf, and,
/// or, not. Operands of and/or/not are predicates; those of within/without are the members
/// themselves (a single collection argument is spread out by the readers).
class PredicateObject final : public ForeignObject {
  public:
    PredicateObject(std::string n, std::vector<Value> o)
        : ForeignObject(Class::kPredicate), name(std::move(n)), operands(std::move(o)) {}
    [[nodiscard]] bool same_as(const ForeignObject& other) const override;
    [[nodiscard]] std::size_t hash() const override;
    [[nodiscard]] std::string text() const override;
    std::string name;
    std::vector<Value> operands;
};

/// A strategy by its simple class name ("SubgraphStrategy") with its configuration.
class StrategyObject final : public ForeignObject {
  public:
    StrategyObject(std::string n, std::vector<std::pair<std::string, Value>> c)
        : ForeignObject(Class::kStrategy), name(std::move(n)), configuration(std::move(c)) {}
    [[nodiscard]] bool same_as(const ForeignObject& other) const override;
    [[nodiscard]] std::size_t hash() const override;
    [[nodiscard]] std::string text() const override;
    std::string name;
    std::vector<std::pair<std::string, Value>> configuration;
};

/// A variable of a text (no value yet: looked up in the request's bindings and the session when the
/// query is planned) or a driver's Binding (name and value).
class BindingObject final : public ForeignObject {
  public:
    BindingObject(std::string n, bool b, Value v)
        : ForeignObject(Class::kBinding), name(std::move(n)), bound(b), value(std::move(v)) {}
    [[nodiscard]] bool same_as(const ForeignObject& other) const override;
    [[nodiscard]] std::size_t hash() const override;
    [[nodiscard]] std::string text() const override;
    std::string name;
    bool bound;
    Value value;
    SourcePosition at{};
};

/// Code that a driver sent as a Lambda; never run, only named in the refusal.
class LambdaObject final : public ForeignObject {
  public:
    LambdaObject(std::string l, std::string s)
        : ForeignObject(Class::kLambda), language(std::move(l)), script(std::move(s)) {}
    [[nodiscard]] std::string text() const override;
    std::string language;
    std::string script;
};

inline Value make_traversal(Traversal t) {
    return Value::adopt(Kind::kForeign, new TraversalObject(std::move(t)));
}
inline Value make_predicate(std::string name, std::vector<Value> operands) {
    return Value::adopt(Kind::kForeign, new PredicateObject(std::move(name), std::move(operands)));
}
inline Value make_strategy(std::string name,
                           std::vector<std::pair<std::string, Value>> configuration) {
    return Value::adopt(Kind::kForeign,
                        new StrategyObject(std::move(name), std::move(configuration)));
}
inline Value make_binding(std::string name, bool bound, Value value) {
    return Value::adopt(Kind::kForeign,
                        new BindingObject(std::move(name), bound, std::move(value)));
}
inline Value make_lambda(std::string language, std::string script) {
    return Value::adopt(Kind::kForeign, new LambdaObject(std::move(language), std::move(script)));
}

/// The foreign object of that class, or null when the value is something else.
inline const ForeignObject* foreign(const Value& v, ForeignObject::Class c) {
    if (v.kind() != Kind::kForeign) return nullptr;
    const auto& o = v.as<ForeignObject>();
    return o.foreign_class() == c ? &o : nullptr;
}
inline const TraversalObject* as_traversal(const Value& v) {
    return static_cast<const TraversalObject*>(foreign(v, ForeignObject::Class::kTraversal));
}
inline const PredicateObject* as_predicate(const Value& v) {
    return static_cast<const PredicateObject*>(foreign(v, ForeignObject::Class::kPredicate));
}
inline const StrategyObject* as_strategy(const Value& v) {
    return static_cast<const StrategyObject*>(foreign(v, ForeignObject::Class::kStrategy));
}
inline const BindingObject* as_binding(const Value& v) {
    return static_cast<const BindingObject*>(foreign(v, ForeignObject::Class::kBinding));
}
inline const LambdaObject* as_lambda(const Value& v) {
    return static_cast<const LambdaObject*>(foreign(v, ForeignObject::Class::kLambda));
}

}  // namespace hob::gremlin
