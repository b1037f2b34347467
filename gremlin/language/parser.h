#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/language/lexer.h"
#include "gremlin/language/script.h"
#include "gremlin/language/words.h"

namespace hob::gremlin {

/// Recursive descent over one text. Functions answer whether they went well; the first failure is
/// kept in `error_` with its place. Chains of steps are loops; only nesting recurses, up to
/// `ParseOptions::depth_max`. Used once.
class Parser {
  public:
    Parser(std::string_view text, const ParseOptions& options)
        : text_(text), options_(options), lexer_(text) {}
    Result<std::shared_ptr<const Script>> run();

  private:
    /// What a bare word may mean where an argument stands.
    enum class Context : std::uint8_t { kValue, kStrategy, kGType };

    /// A name that the text gave to a source with settings, or to its transaction: `g2 =
    /// g.withPath()`, `tx = g.tx()`.
    struct Alias {
        std::string_view name;
        std::string source;
        std::vector<Instruction> instructions;
        bool transaction = false;
    };

    // Statements (parser.cpp).
    bool parse_statement();
    bool parse_assignment_target(Statement& statement);
    bool end_of_statement();
    bool parse_expression(Statement& statement);
    bool parse_word_expression(Statement& statement);
    bool parse_member_expression(const Token& name, Statement& statement);
    bool parse_literal(Expression& expression);
    bool fold_arithmetic(Value& left);
    bool parse_transaction(std::string_view source, Statement& statement);
    bool transaction_call(std::string_view source, Statement& statement);
    bool source_value(std::string_view name, Statement& statement);
    bool parse_result_calls(Expression& expression);
    bool parse_result_call(std::vector<ResultCall>& calls);
    bool parse_index(std::vector<ResultCall>& calls);
    bool refuse_statement(const Token& name);
    bool refuse_member(const Token& name, const Token& member);

    // Traversals (chain.cpp).
    bool parse_root(const Token& source, Expression& expression,
                    std::vector<Instruction>* settings_only);
    bool parse_chain(std::vector<Instruction>& steps);
    bool parse_instruction(const Token& name, Context context, Instruction& instruction);
    bool parse_arguments(Context context, std::vector<Value>& arguments);
    bool admit(const Token& name, const Traversal& so_far, bool root);
    bool text_of(Traversal& traversal, Expression& expression);
    bool finish_traversal(Traversal& traversal);
    bool refuse_terminal(const Token& name);
    bool unknown_step(const Token& name);

    // Arguments (argument.cpp).
    bool parse_value(Context context, Value& out);
    bool parse_primary(Context context, Value& out);
    bool parse_number(Value& out);
    bool parse_string(Value& out);
    bool parse_range(const Value& first, const Token& at, Value& out);
    bool parse_list_or_map(Value& out);
    bool parse_map(Value first_key, Value& out);
    bool parse_map_key(Value& out);
    bool parse_naked_key(Value& out);
    bool parse_set(Value& out);
    bool parse_word(Context context, Value& out);
    bool parse_bare(const Token& name, Context context, Value& out);
    bool parse_function(const Token& name, Value& out);
    bool parse_literal_function(const Token& name, Value& out);
    bool parse_element(const Token& name, Value& out);
    bool parse_dotted(const Token& name, Value& out);
    bool parse_qualified(const Token& name, Value& out);
    bool parse_enum_constant(const Token& type, Value& out);
    bool parse_anonymous(Value& out);
    bool parse_anonymous_from(const Token& first, Value& out);
    bool parse_not(const Token& name, Value& out);
    bool parse_predicate(const Token& name, Value& out);
    bool parse_connectives(Value& out);
    bool parse_connective(const Token& name, Value& out);
    bool parse_cardinality_value(Value cardinality, Value& out);
    bool parse_nested_root(const Token& source, Value& out);
    bool parse_strategy(Value& out);
    bool parse_configuration(std::vector<std::pair<std::string, Value>>& configuration);

    // Tokens and errors (parser.cpp).
    void advance() { token_ = lexer_.next(); }
    [[nodiscard]] Token peek() const {
        Lexer bookmark = lexer_;
        return bookmark.next();
    }
    bool expect(char c, std::string_view expected);
    bool fail(const Token& at, std::string_view message);
    bool fail_expected(std::string_view expected);
    bool fail_with(const Token& at, Error error);
    bool refuse(const Token& at, std::string_view message);
    bool refuse_closure(const Token& at);
    bool enter();
    void leave() { --depth_; }
    [[nodiscard]] std::string excerpt(const Token& at) const;
    [[nodiscard]] static std::string found(const Token& token);
    [[nodiscard]] bool is_assigned(std::string_view name) const;
    [[nodiscard]] const Alias* find_alias(std::string_view name) const;

    std::string_view text_;
    ParseOptions options_;
    Lexer lexer_;
    Token token_;
    Script script_;
    std::vector<std::string_view> assigned_;
    std::vector<Alias> aliases_;
    std::optional<Error> error_;
    std::size_t depth_ = 0;
    std::size_t range_items_ = 0;  ///< What the text's ranges gave so far.
    std::size_t nested_results_ = 0;
};

/// The step's own name: `in_`, `as_`, `from_` ... as some clients write them.
std::string_view step_name(std::string_view word);
/// next, toList ...: what ends a traversal, explain() apart.
std::optional<ResultCall::Kind> result_call_kind(std::string_view word);

}  // namespace hob::gremlin
