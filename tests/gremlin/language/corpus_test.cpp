#include <catch2/catch.hpp>
#include <set>

#include "gremlin/language/signature.h"
#include "tests/gremlin/language/case_file.h"

namespace hob::gremlin::test {
namespace {

void collect_names(const Value& v, std::set<std::string>& names);

void collect_names(const Traversal& t, std::set<std::string>& names) {
    for (const auto* list : {&t.sources, &t.steps}) {
        for (const Instruction& instruction : *list) {
            names.insert(instruction.name);
            for (const Value& argument : instruction.arguments)
                collect_names(argument, names);
        }
    }
}

void collect_names(const Value& v, std::set<std::string>& names) {
    if (const TraversalObject* nested = as_traversal(v)) collect_names(nested->traversal, names);
}

}  // namespace

TEST_CASE("Every text of valid.txt parses to its canonical form, which parses to the same") {
    for (const Case& c : read_cases("valid.txt", '=')) {
        INFO("valid.txt:" << c.line << ": " << c.text);
        const auto script = parse_script(c.text);
        INFO((script.ok() ? "" : script.error().message));
        REQUIRE(script.ok());
        const std::string canonical = text_of(**script);
        CHECK(canonical == (c.expected.empty() ? c.text : c.expected.front()));
        for (const Statement& statement : (*script)->statements) {
            if (statement.expression.traversal == nullptr || assigns(**script)) continue;
            const Traversal& traversal = *statement.expression.traversal;
            const auto again = parse_script(print(traversal));
            INFO((again.ok() ? "" : again.error().message));
            REQUIRE(again.ok());
            const Traversal& reread = *(*again)->statements.back().expression.traversal;
            CHECK(TraversalObject(traversal).same_as(TraversalObject(reread)));
        }
    }
}

TEST_CASE("Every text of invalid.txt is refused with its message") {
    for (const Case& c : read_cases("invalid.txt", '!')) {
        INFO("invalid.txt:" << c.line << ": " << c.text);
        REQUIRE_FALSE(c.expected.empty());
        const auto script = parse_script(c.text);
        REQUIRE_FALSE(script.ok());
        const std::string& message = script.error().message;
        const std::size_t end = message.find('\n');
        REQUIRE(end != std::string::npos);
        CHECK(message.substr(0, end) == c.expected[0]);
        // The last lines are the text's line and the caret; the caret stands under the column that
        // the message names.
        const std::string caret = message.substr(message.rfind('\n') + 1);
        CHECK(caret.find_first_not_of(' ') == caret.size() - 1);
        CHECK(caret.back() == '^');
        CHECK(message.find("column " + std::to_string(caret.size())) != std::string::npos);
        if (c.expected.size() > 1) CHECK(caret == c.expected[1]);
    }
}

TEST_CASE("Every row of the signature table has a text in valid.txt") {
    std::set<std::string> names;
    std::string texts;
    for (const Case& c : read_cases("valid.txt", '=')) {
        texts += c.text + "\n";
        const auto script = parse_script(c.text);
        REQUIRE(script.ok());
        for (const Statement& statement : (*script)->statements) {
            if (statement.expression.traversal != nullptr)
                collect_names(*statement.expression.traversal, names);
        }
    }
    for (const Signature& signature : all_signatures()) {
        INFO(signature.name);
        // Some never stay in a traversal: tx(), the calls on results, withComputer().
        const bool named = names.count(std::string(signature.name)) > 0;
        CHECK((named || texts.find(std::string(signature.name) + "(") != std::string::npos));
    }
}

TEST_CASE("An empty text is an empty literal") {
    for (const std::string text : {"", "  \n\t ", "// nothing", ";", "/* a */ ; // b"}) {
        INFO(text);
        const auto script = parse_script(text);
        REQUIRE(script.ok());
        REQUIRE((*script)->statements.size() == 1);
        const Expression& expression = (*script)->statements[0].expression;
        CHECK(expression.kind == Expression::Kind::kLiteral);
        CHECK(expression.empty);
        CHECK(expression.literal.is_null());
    }
}

TEST_CASE("Instructions, variables and expressions know their places") {
    const auto script = parse_script("x = 1\n  g.V(y)\n   .out('é').in()");
    REQUIRE(script.ok());
    const Expression& expression = (*script)->statements[1].expression;
    CHECK(expression.at.line == 2);
    CHECK(expression.at.column == 3);
    const std::vector<Instruction>& steps = expression.traversal->steps;
    REQUIRE(steps.size() == 3);
    CHECK(steps[0].at.column == 5);
    CHECK(as_binding(steps[0].arguments[0])->at.column == 7);
    CHECK(steps[1].at.line == 3);
    CHECK(steps[2].at.column == 14);
}

TEST_CASE("The codes of refusals tell syntax, arguments and bounds apart") {
    CHECK(parse_script("g.V(").error().code == Code::kParse);
    CHECK(parse_script("g.V().limit('a')").error().code == Code::kInvalidArgument);
    ParseOptions options;
    options.text_bytes_max = 10;
    CHECK(parse_script("g.V().count()", options).error().code == Code::kLimit);
}

}  // namespace hob::gremlin::test
