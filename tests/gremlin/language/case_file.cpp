#include "tests/gremlin/language/case_file.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

namespace hob::gremlin::test {
namespace {

std::string text_of(const ResultCall& call) {
    switch (call.kind) {
        case ResultCall::Kind::kNext:
            return ".next()";
        case ResultCall::Kind::kNextN:
            return ".next(" + std::to_string(call.n) + ")";
        case ResultCall::Kind::kToList:
            return ".toList()";
        case ResultCall::Kind::kToSet:
            return ".toSet()";
        case ResultCall::Kind::kToBulkSet:
            return ".toBulkSet()";
        case ResultCall::Kind::kIterate:
            return ".iterate()";
        case ResultCall::Kind::kHasNext:
            return ".hasNext()";
        case ResultCall::Kind::kTryNext:
            return ".tryNext()";
        case ResultCall::Kind::kIndex:
            return "[" + std::to_string(call.n) + "]";
        case ResultCall::Kind::kSize:
            return ".size()";
    }
    return "?";
}

std::string text_of(const Expression& expression) {
    std::string text;
    switch (expression.kind) {
        case Expression::Kind::kTraversal:
            text = print(*expression.traversal, expression.source);
            break;
        case Expression::Kind::kLiteral:
            text = expression.empty ? "" : print_value(expression.literal);
            break;
        case Expression::Kind::kVariable:
            text = expression.variable;
            break;
        case Expression::Kind::kTransaction:
            text = std::string(expression.literal.text()) + " " + expression.source;
            break;
    }
    for (const ResultCall& call : expression.calls)
        text += text_of(call);
    return text;
}

}  // namespace

std::vector<Case> read_cases(std::string_view file, char mark) {
    const std::string path = std::string(HOB_TEST_FILES) + "/" + std::string(file);
    std::ifstream in(path);
    INFO(path);
    REQUIRE(in.good());
    std::vector<Case> cases;
    Case current;
    const auto finish = [&] {
        if (!current.text.empty()) cases.push_back(std::move(current));
        current = Case();
    };
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        if (line.empty()) {
            finish();
        } else if (line.front() == '#') {
            continue;
        } else if (line.size() > 1 && line[0] == mark && line[1] == ' ') {
            current.expected.push_back(line.substr(2));
        } else {
            if (current.text.empty())
                current.line = number;
            else
                current.text += '\n';
            current.text += line;
        }
    }
    finish();
    return cases;
}

bool assigns(const Script& script) {
    return std::any_of(script.statements.begin(), script.statements.end(),
                       [](const Statement& statement) { return !statement.assign_to.empty(); });
}

std::string text_of(const Script& script) {
    std::string text;
    for (const Statement& statement : script.statements) {
        if (!text.empty()) text += "; ";
        if (!statement.assign_to.empty()) text += statement.assign_to + " = ";
        text += text_of(statement.expression);
    }
    return text;
}

}  // namespace hob::gremlin::test
