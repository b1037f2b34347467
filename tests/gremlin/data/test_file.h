#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hob::testing {

/// One case of a `.test` file:
///
///     # What the case is about.
///     graph modern
///     query ordered reads=2
///     g.V().hasLabel('person').values('name')
///     ----
///     marko
///     vadas
///
/// `graph NAME` (modern, classic, crew, sink, empty, fan, small-fan) holds for the cases behind it;
/// each case gets a graph of its own. Kinds:
///   query [ordered] [typed] [reads=N]  results, one a line (sorted when not ordered; `typed`: as
///                                      Gremlin literals); at most N multi-gets
///   error CODE                         the error's code, and lines that its message contains
///   roundtrips N                       (without setup; over one shared graph) exactly N multi-gets
///   for frontiers of 10 and of 1,000
///                                      vertices, bound as `frontier`; no results are compared
/// Lines before the last one of a query are statements that set the graph up, one a line.
struct Case {
    enum class Kind : std::uint8_t { kQuery, kError, kRoundtrips };
    Kind kind = Kind::kQuery;
    std::size_t line = 0;  ///< Where it begins.
    std::string graph;
    std::vector<std::string> setup;
    std::string query;
    std::vector<std::string> expected;
    bool ordered = false;
    bool typed = false;
    std::optional<std::uint64_t> reads;
    std::string code;
};

/// The cases of a file. Throws std::runtime_error with file and line for what it can't read: a test
/// file with a fault must not pass.
std::vector<Case> read_cases(const std::string& path);

/// All `.test` files below a folder, sorted.
std::vector<std::string> test_files(const std::string& folder);

}  // namespace hob::testing
