#include <catch2/catch.hpp>

#include "gremlin/language/normalize.h"
#include "gremlin/language/script.h"

namespace hob::gremlin::test {
namespace {

std::string normalized(Traversal t) {
    const Status status = normalize(t);
    return status.ok() ? print(t) : "error: " + status.error().message;
}

Traversal steps(std::vector<Instruction> list) {
    return Traversal{{}, std::move(list)};
}
Traversal sources(std::vector<Instruction> list) {
    return Traversal{std::move(list), {{"V", {}}}};
}

Value class_value(std::string_view name) {
    auto* object = new ExtendedObject;
    object->type = ExtendedType::kClass;
    object->body = std::string("\0\0\0", 3) + static_cast<char>(name.size()) + std::string(name);
    return Value::adopt(Kind::kExtended, object);
}

Traversal parsed(std::string_view text) {
    const auto script = parse_script(text);
    REQUIRE(script.ok());
    return *(*script)->statements.back().expression.traversal;
}

}  // namespace

TEST_CASE("Bindings of drivers become their values, at any depth") {
    const Value one = make_binding("x", true, Value::int_(1));
    CHECK(normalized(steps({{"V", {one}}})) == "g.V(1)");
    const Value within = make_predicate(
        "within", {make_binding("l", true, Value::list({Value::int_(1), Value::int_(2)}))});
    CHECK(normalized(steps({{"V", {}}, {"hasId", {within}}})) == "g.V().hasId(P.within(1,2))");
    CHECK(normalized(steps({{"inject", {Value::list({one, Value::set({one})})}}})) ==
          "g.inject([1,{1}])");
    Value map = make_map();
    map.mutate<MapObject>().put(Value::string("k"), one);
    CHECK(normalized(steps({{"mergeV", {map}}})) == "g.mergeV(['k':1])");
    CHECK(normalized(steps({{"map", {make_traversal(steps({{"constant", {one}}}))}}})) ==
          "g.map(__.constant(1))");
    CHECK(normalized(steps({{"V", {make_binding("y", false, Value())}}})) == "g.V(y)");
}

TEST_CASE("3.7's forms become 3.8's") {
    CHECK(normalized(steps({{"V", {}}, {"none", {}}})) == "g.V().discard()");
    const Value local = Value::enumeration(EnumType::kScope, 1);
    const Value global = Value::enumeration(EnumType::kScope, 0);
    CHECK(normalized(steps({{"aggregate", {local, Value::string("x")}}})) ==
          "g.local(__.aggregate('x'))");
    CHECK(normalized(steps({{"aggregate", {global, Value::string("x")}}})) == "g.aggregate('x')");
}

TEST_CASE("Options and strategies of drivers meet with()") {
    const Value options = make_strategy(
        "org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy",
        {{"batchSize", Value::int_(5)}, {"x", Value::boolean(true)}});
    const Value read_only = make_strategy("a.b.ReadOnlyStrategy", {});
    CHECK(normalized(sources({{"withStrategies", {options}}})) ==
          "g.with('batchSize',5).with('x',true).V()");
    CHECK(normalized(sources({{"withStrategies", {read_only, options}}})) ==
          "g.with('batchSize',5).with('x',true).withStrategies(ReadOnlyStrategy).V()");
    CHECK(normalized(sources({{"with", {Value::string("x")}}})) == "g.with('x',true).V()");
    CHECK(normalized(sources({{"withComputer", {}}})) ==
          "g.withStrategies(VertexProgramStrategy).V()");
    CHECK(normalized(sources({{"withoutStrategies",
                               {class_value("a.b.CountStrategy"),
                                Value::string("c.Outer$EarlyLimitStrategy"), read_only}}})) ==
          "g.withoutStrategies(CountStrategy,EarlyLimitStrategy,ReadOnlyStrategy).V()");
}

TEST_CASE("Connectives of predicates are flat") {
    const auto p = [](std::string name, std::vector<Value> operands) {
        return make_predicate(std::move(name), std::move(operands));
    };
    const Value a = p("gt", {Value::int_(1)});
    const Value b = p("lt", {Value::int_(9)});
    const Value c = p("neq", {Value::int_(5)});
    CHECK(normalized(steps({{"is", {p("and", {p("and", {a, b}), c})}}})) ==
          "g.is(P.gt(1).and(P.lt(9)).and(P.neq(5)))");
    CHECK(normalized(steps({{"is", {p("or", {a, p("or", {b, p("and", {c, a})})})}}})) ==
          "g.is(P.gt(1).or(P.lt(9)).or(P.neq(5).and(P.gt(1))))");
    CHECK(normalized(steps({{"is", {p("and", {a})}}})) == "g.is(P.gt(1))");
    CHECK(normalized(steps({{"is", {p("and", {})}}})) ==
          "error: and() of predicates needs an operand");
}

TEST_CASE("normalize() leaves shared traversals of others untouched") {
    const Value shared = make_traversal(steps({{"none", {}}}));
    CHECK(normalized(steps({{"map", {shared}}, {"map", {shared}}})) ==
          "g.map(__.discard()).map(__.discard())");
    CHECK(print_value(shared) == "__.none()");
}

TEST_CASE("bind_variables() puts values in, checks them and spreads collections") {
    const Value ids = Value::list({Value::int_(1), Value::int_(2)});
    const Value five = Value::int_(5);
    const VariableLookup lookup = [&](std::string_view name) -> const Value* {
        if (name == "ids") return &ids;
        return name == "n" ? &five : nullptr;
    };
    Traversal t = parsed(
        "g.V(ids).has('a',within(ids)).has('b',within([[1]])).map(__.limit(n)).inject([(n):n])");
    REQUIRE(bind_variables(t, lookup).ok());
    CHECK(print(t) ==
          "g.V([1,2]).has('a',P.within(1,2)).has('b',P.within([[1]])).map(__.limit(5)).inject([(5):"
          "5])");

    Traversal unknown = parsed("g.V()\n.has('a', gt(x))");
    const Status missing = bind_variables(unknown, lookup);
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().message ==
          "the variable x at line 2, column 14 has no value: send it with the request's bindings, "
          "or assign it before "
          "(x = ...)");

    Traversal wrong = parsed("g.V().limit(ids)");
    const Status mismatch = bind_variables(wrong, lookup);
    REQUIRE_FALSE(mismatch.ok());
    CHECK(mismatch.error().message.find(
              "limit(): argument 1 is [1,2] (List), expected a count (long)") == 0);
}

TEST_CASE("check_signatures() looks into nested traversals") {
    CHECK(check_signatures(
              parsed("g.V().map(out().limit(1)).has('a', within(__.out())).property(list('x'), 1)"))
              .ok());
    const Value bad = make_traversal(steps({{"limit", {Value::string("x")}}}));
    CHECK_FALSE(check_signatures(steps({{"map", {bad}}})).ok());
    CHECK_FALSE(check_signatures(steps({{"inject", {Value::list({bad})}}})).ok());
    CHECK_FALSE(
        check_signatures(sources({{"withStrategies", {make_strategy("A", {{"vertices", bad}})}}}))
            .ok());
}

}  // namespace hob::gremlin::test
