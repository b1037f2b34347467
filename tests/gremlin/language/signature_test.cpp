#include "gremlin/language/signature.h"

#include <catch2/catch.hpp>
#include <set>

#include "gremlin/language/script.h"

namespace hob::gremlin::test {
namespace {

std::string message_of(const Instruction& instruction) {
    const Status status = check_signature(instruction);
    return status.ok() ? "" : status.error().message;
}

Value list_of_one() {
    return Value::list({Value::int_(1)});
}

}  // namespace

TEST_CASE("The table names each step once and find_signature() finds it") {
    std::set<std::string_view> names;
    for (const Signature& signature : all_signatures()) {
        INFO(signature.name);
        CHECK(names.insert(signature.name).second);
        CHECK(find_signature(signature.name) == &signature);
        CHECK_FALSE(signature.overloads.empty());
        for (const std::string_view overload : signature.overloads) {
            CHECK(overload.front() == '(');
            CHECK(overload.back() == ')');
        }
    }
    CHECK(find_signature("store") == nullptr);
    CHECK(find_signature("") == nullptr);
    CHECK(find_signature("limit")->overloads[1] == "(Scope, count: long)");
    CHECK(find_signature("V")->spawns);
    CHECK(find_signature("io")->kind == SignatureKind::kSpawn);
    CHECK(find_signature("by")->kind == SignatureKind::kModulator);
    CHECK(find_signature("withPath")->kind == SignatureKind::kSource);
    CHECK(find_signature("next")->kind == SignatureKind::kTerminal);
}

TEST_CASE("Numbers count by value, not by width, where the step asks for an int or a long") {
    CHECK(check_signature({"times", {Value::long_(3)}}).ok());
    CHECK(check_signature({"times", {Value::byte(3)}}).ok());
    CHECK_FALSE(check_signature({"times", {Value::long_(1LL << 40)}}).ok());
    CHECK(check_signature({"limit", {Value::long_(1LL << 40)}}).ok());
    CHECK_FALSE(check_signature({"limit", {Value::double_(1)}}).ok());
    CHECK(check_signature({"coin", {Value::double_(0.5)}}).ok());
    CHECK(check_signature({"coin", {Value::int_(1)}}).ok());
}

TEST_CASE("null is taken only where an overload says so") {
    CHECK(check_signature({"out", {Value()}}).ok());
    CHECK(check_signature({"has", {Value(), Value()}}).ok());
    CHECK(check_signature({"as", {Value::string("a"), Value()}}).ok());
    CHECK_FALSE(check_signature({"as", {Value()}}).ok());
    CHECK_FALSE(check_signature({"map", {Value()}}).ok());
}

TEST_CASE("Unbound variables match anything, bound ones their value") {
    const Value open = make_binding("x", false, Value());
    CHECK(check_signature({"limit", {open}}).ok());
    CHECK(check_signature({"map", {open}}).ok());
    CHECK(check_signature({"limit", {make_binding("x", true, Value::int_(1))}}).ok());
    CHECK_FALSE(check_signature({"limit", {make_binding("x", true, Value::string("a"))}}).ok());
    CHECK_FALSE(check_signature({"limit", {open, open, open}}).ok());
}

TEST_CASE("Messages name step, argument, value, type and what is expected") {
    CHECK(message_of({"nothing", {}}) == "there is no step nothing()");
    CHECK(message_of({"limit", {Value::string("two")}, {3, 14}}) ==
          "limit(): argument 1 is 'two' (String), expected a count (long) or a Scope such as "
          "Scope.global at line 3, "
          "column 14");
    CHECK(message_of({"range", {Value::int_(1)}}) ==
          "range(): got 1 argument, expected range(low: long, high: long) or range(Scope, low: "
          "long, high: long)");
    CHECK(message_of({"range",
                      {Value::enumeration(EnumType::kScope, 1), Value::int_(1), list_of_one()}}) ==
          "range(): argument 3 is [1] (List), expected a high (long)");
    CHECK(message_of({"count", {Value::int_(1)}}) ==
          "count(): argument 1 is 1 (Integer), expected a Scope such as Scope.global");
    CHECK(message_of({"id", {Value::int_(1)}}) == "id(): got 1 argument, expected id()");
    const std::string long_text(500, 'x');
    CHECK(message_of({"limit", {Value::string(long_text)}}).size() < 250);
    CHECK(message_of({"map", {make_lambda("gremlin-groovy", "it.get()")}}).find("never run here") !=
          std::string::npos);
}

TEST_CASE("Predicates of bytecode are checked too") {
    CHECK(message_of({"is", {make_predicate("between", {Value::int_(1)})}}) ==
          "is(): between() takes 2 operands, got 1");
    CHECK(message_of({"is", {make_predicate("like", {Value::int_(1)})}}) ==
          "is(): there is no predicate like()");
    CHECK(check_signature({"is", {make_predicate("within", {})}}).ok());
    CHECK_FALSE(check_signature({"is", {make_predicate("not", {Value::int_(1)})}}).ok());
}

}  // namespace hob::gremlin::test
