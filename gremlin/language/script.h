#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// What a script does with an expression's results, in order of the text: `g.V().next(2)[0]`,
/// `x.size()`.
struct ResultCall {
    enum class Kind : std::uint8_t {
        kNext,   ///< next(): the first result; an error when there is none
        kNextN,  ///< next(n): a list of up to n results
        kToList,
        kToSet,
        kToBulkSet,
        kIterate,  ///< iterate(): run, no results
        kHasNext,
        kTryNext,
        kIndex,  ///< [n] on a list or on what a traversal gives
        kSize,   ///< size()
    };
    Kind kind = Kind::kToList;
    std::int64_t n = 0;
};

/// One expression of a script.
struct Expression {
    enum class Kind : std::uint8_t {
        kTraversal,    ///< `g.V()...`: `source` is the traversal source's variable, "g"
        kLiteral,      ///< `[1,2]`, `'x'`, also an empty script (then null and `empty` is true)
        kVariable,     ///< `x`: a session variable or binding
        kTransaction,  ///< `g.tx().commit()` ...: `literal` is the method name as string
    };
    Kind kind = Kind::kLiteral;
    bool empty = false;
    std::string source;
    std::shared_ptr<const Traversal> traversal;
    Value literal;
    std::string variable;
    std::vector<ResultCall> calls;
    SourcePosition at{};
};

struct Statement {
    std::string assign_to;  ///< Empty, or the variable of `x = ...`.
    Expression expression;
};

/// A parsed text. Immutable; shared by the parse cache.
struct Script {
    std::vector<Statement> statements;
    bool repeatable = true;  ///< False when the text holds datetime() or UUID() without argument:
                             ///< not to be cached.
};

/// What the text may use.
struct ParseOptions {
    std::size_t depth_max =
        1000;  ///< Nested traversals and collections; deeper is an error, not a crash.
    std::size_t text_bytes_max = 16 << 20;
};

/// Parses the text of a request: gremlin-lang 3.8 (and 3.7) and what people type in the Console.
/// Errors (kParse) carry line, column, the line with a caret and what was expected; Groovy closures
/// and arbitrary code are refused with the Gremlin way to say it. Thread-safe.
Result<std::shared_ptr<const Script>> parse_script(std::string_view text,
                                                   const ParseOptions& options = {});

/// Canonical Gremlin text of a traversal ("g.V().has('name','marko')" with `source` "g"; "__.out()"
/// style for anonymous ones when source is empty). parse_script(print(t)) gives t again.
std::string print(const Traversal& traversal, std::string_view source = "g");
/// Canonical text of an argument value (strings quoted and escaped, numbers with suffixes,
/// enumerations qualified).
std::string print_value(const Value& value);

/// A bounded, thread-safe parse cache keyed by the text (least recently used leaves).
class ParseCache {
  public:
    explicit ParseCache(std::size_t entries_max, std::size_t text_bytes_max = 64 << 10);
    ~ParseCache();
    Result<std::shared_ptr<const Script>> parse(std::string_view text,
                                                const ParseOptions& options = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hob::gremlin
