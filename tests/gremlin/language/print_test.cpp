#include <catch2/catch.hpp>

#include "gremlin/language/script.h"
#include "gremlin/language/signature.h"
#include "tests/gremlin/language/random_traversal.h"

namespace hob::gremlin::test {

TEST_CASE("parse(print(t)) is t, for random traversals of the signature table") {
    const std::uint64_t seed = 20261130;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const Traversal t = RandomTraversal(seed + i).root();
        const std::string text = print(t);
        INFO("seed " << seed + i << ": " << text);
        const auto script = parse_script(text);
        INFO((script.ok() ? "" : script.error().message));
        REQUIRE(script.ok());
        const Traversal& reread = *(*script)->statements.back().expression.traversal;
        INFO(print(reread));
        REQUIRE(print(reread) == text);
        REQUIRE(TraversalObject(reread).same_as(TraversalObject(t)));
        REQUIRE(TraversalObject(reread).hash() == TraversalObject(t).hash());
    }
}

TEST_CASE("Values without a literal of their own print as what comes closest") {
    CHECK(print_value(Value::date(-1)) == "datetime('1969-12-31T23:59:59.999Z')");
    CHECK(print_value(Value::char_(U'x')) == "'x'");
    CHECK(print_value(make_lambda("gremlin-groovy", "it")) == "lambda[gremlin-groovy]");
    CHECK(print_value(make_traversal({})) == "__.start()");
    CHECK(print_value(Value::double_(1)) == "1.0");
    CHECK(print_value(Value::double_(1e22)) == "1e+22");
    CHECK(print_value(Value::float_(0.1F)) == "0.1f");
}

TEST_CASE("A source's name is printed, an anonymous traversal starts with two underscores") {
    const Traversal t{{}, {{"V", {}}, {"out", {Value::string("x")}}}};
    CHECK(print(t, "social") == "social.V().out('x')");
    CHECK(print(t, "") == "__.V().out('x')");
}

TEST_CASE("Traversals differ when a step, an argument or its type differs") {
    const auto differ = [](std::string_view a, std::string_view b) {
        const auto x = parse_script(a);
        const auto y = parse_script(b);
        REQUIRE(x.ok());
        REQUIRE(y.ok());
        return !TraversalObject(*(*x)->statements[0].expression.traversal)
                    .same_as(TraversalObject(*(*y)->statements[0].expression.traversal));
    };
    CHECK_FALSE(differ("g.V( 1 )", "g.V(1)"));
    CHECK(differ("g.V(1)", "g.V(1L)"));
    CHECK(differ("g.V(1)", "g.E(1)"));
    CHECK(differ("g.V(1)", "g.V(1,1)"));
    CHECK(differ("g.V().map(out())", "g.V().map(in())"));
    CHECK(differ("g.V().is(gt(1))", "g.V().is(gte(1))"));
    CHECK(differ("g.V(x)", "g.V(y)"));
    CHECK(differ("g.withStrategies(SeedStrategy(seed:1)).V()",
                 "g.withStrategies(SeedStrategy(seed:2)).V()"));
}

}  // namespace hob::gremlin::test
