#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/language/script.h"

namespace hob::gremlin::test {

/// One case of a data file: a text and the lines of expectation behind it, without their mark.
struct Case {
    std::string text;
    std::vector<std::string> expected;
    std::size_t line = 0;
};

/// The cases of a file beside the tests. A case ends at an empty line; lines that start with `mark`
/// and a blank are expectations; lines that start with '#' are comments. Fails the test when the
/// file can't be read.
std::vector<Case> read_cases(std::string_view file, char mark);

/// True when the script names variables: a name such as `list` reads as a variable only behind its
/// assignment.
bool assigns(const Script& script);

/// What a script reads as: statements joined by "; ", each with its assignment and the calls on its
/// results.
std::string text_of(const Script& script);

}  // namespace hob::gremlin::test
