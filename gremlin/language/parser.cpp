#include "gremlin/language/parser.h"

#include <algorithm>
#include <array>

#include "gremlin/language/signature.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

struct ResultWord {
    std::string_view word;
    ResultCall::Kind kind;
};

constexpr auto kResultWords = std::to_array<ResultWord>({
    {"next", ResultCall::Kind::kNext},
    {"toList", ResultCall::Kind::kToList},
    {"toSet", ResultCall::Kind::kToSet},
    {"toBulkSet", ResultCall::Kind::kToBulkSet},
    {"iterate", ResultCall::Kind::kIterate},
    {"hasNext", ResultCall::Kind::kHasNext},
    {"tryNext", ResultCall::Kind::kTryNext},
    {"size", ResultCall::Kind::kSize},
});

constexpr auto kGroovyWords = std::to_array<std::string_view>(
    {"import", "println", "print", "for",    "while", "if",     "else", "try",   "class",
     "switch", "assert",  "throw", "static", "final", "do",     "void", "break", "continue",
     "catch",  "System",  "java",  "groovy", "org",   "Thread", "Math", "graph", "it"});

constexpr std::string_view kOneLineForm =
    "this server runs Gremlin, not Groovy: traversals such as "
    "g.V().has('name','marko').values('age'), variables "
    "(x = g.V(1).next()), literals, and next(), toList(), size() or [n] on results";

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::optional<ResultCall::Kind> result_call_kind(std::string_view word) {
    for (const ResultWord& result : kResultWords) {
        if (result.word == word) return result.kind;
    }
    return std::nullopt;
}

Result<std::shared_ptr<const Script>> Parser::run() {
    advance();
    while (true) {
        while (token_.is(';'))
            advance();
        if (token_.kind == TokenKind::kEnd) break;
        if (!parse_statement() || !end_of_statement()) return std::move(*error_);
    }
    if (script_.statements.empty()) {
        Statement nothing;
        nothing.expression.empty = true;
        script_.statements.push_back(std::move(nothing));
    }
    return std::shared_ptr<const Script>(std::make_shared<Script>(std::move(script_)));
}

bool Parser::end_of_statement() {
    if (token_.is('{')) return refuse_closure(token_);
    if (token_.kind == TokenKind::kEnd || token_.is(';')) return true;
    static constexpr std::string_view kOperators = "=+-*/%<>!?&|^~";
    if (token_.kind == TokenKind::kPunctuation &&
        kOperators.find(token_.text.front()) != std::string_view::npos) {
        return refuse(token_,
                      fmt::format("'{}' is an operator of Groovy; {}", token_.text, kOneLineForm));
    }
    if (token_.after_newline && token_.kind != TokenKind::kPunctuation) return true;
    if (token_.after_newline && (token_.is('[') || token_.is('('))) return true;
    // The grammar lets one traversal follow another without any separator.
    const bool traversal =
        script_.statements.back().expression.kind == Expression::Kind::kTraversal;
    if (traversal && token_.kind == TokenKind::kWord && peek().is('.')) return true;
    return fail_expected("'.', ';' or the end");
}

/// `x =`, `def x =`, `String x =`; leaves everything in place when it is none.
bool Parser::parse_assignment_target(Statement& statement) {
    if (token_.kind != TokenKind::kWord) return false;
    Lexer bookmark = lexer_;
    Token name = token_;
    Token next = bookmark.next();
    if (next.kind == TokenKind::kWord && !next.after_newline && name.text != "new") {
        name = next;
        next = bookmark.next();
    }
    if (!next.is('=')) return false;
    Lexer behind = bookmark;
    if (behind.next().is('=')) return false;
    statement.assign_to = name.text;
    assigned_.push_back(name.text);
    lexer_ = bookmark;
    advance();
    return true;
}

bool Parser::parse_statement() {
    Statement statement;
    if (token_.is_word("return") && !peek().is('=')) advance();
    const Token target = token_;
    if (parse_assignment_target(statement) && statement.assign_to == "g") {
        return fail(target, "'g' is the graph's source and can't be assigned; take another name");
    }
    statement.expression.at = token_.at;
    if (!parse_expression(statement)) return false;
    script_.statements.push_back(std::move(statement));
    return true;
}

bool Parser::parse_expression(Statement& statement) {
    if (token_.is(':')) {
        return refuse(
            token_,
            "':' starts a command of the Gremlin Console (:remote, :>); send the Gremlin alone");
    }
    if (token_.kind == TokenKind::kWord) return parse_word_expression(statement);
    if (token_.is('{')) {
        const Token next = peek();
        if (next.kind == TokenKind::kWord || next.is('-')) return refuse_closure(token_);
    }
    return parse_literal(statement.expression);
}

bool Parser::parse_literal(Expression& expression) {
    const Token start = token_;
    if (!parse_value(Context::kValue, expression.literal)) return false;
    if (as_traversal(expression.literal) != nullptr) {
        return fail(start,
                    "an anonymous traversal (__) does nothing by itself; start with the source, "
                    "such as g.V()");
    }
    if (expression.literal.is_number() && !fold_arithmetic(expression.literal)) return false;
    return parse_result_calls(expression);
}

/// `1 + 2 * 3` of numbers, as health checks send it.
bool Parser::fold_arithmetic(Value& left) {
    Value sum = std::move(left);
    Value term;
    char pending = '\0';
    const auto add_term = [&]() -> Result<Value> {
        if (pending == '+') return add(sum, term);
        if (pending == '-') return subtract(sum, term);
        return sum;
    };
    while (!token_.after_newline && (token_.is('+') || token_.is('-') || token_.is('*'))) {
        const Token op = token_;
        advance();
        Value right;
        if (!parse_value(Context::kValue, right)) return false;
        if (!right.is_number()) return fail(op, "arithmetic takes numbers on both sides");
        Result<Value> result = Value();
        if (op.is('*')) {
            Value& factor = pending == '\0' ? sum : term;
            result = multiply(factor, right);
            if (result.ok()) factor = *result;
        } else {
            result = add_term();
            if (result.ok()) {
                sum = *result;
                pending = op.text.front();
                term = std::move(right);
            }
        }
        if (!result.ok()) return fail(op, result.error().message);
    }
    Result<Value> result = add_term();
    if (!result.ok()) return fail(token_, result.error().message);
    left = std::move(*result);
    return true;
}

/// A statement that starts with a word: a traversal, a variable, a constant or something of Groovy.
bool Parser::parse_word_expression(Statement& statement) {
    const Token name = token_;
    const Token next = peek();
    Expression& expression = statement.expression;
    if (next.is('.')) return parse_member_expression(name, statement);
    if (next.is('{')) return refuse_closure(next);
    const bool groovy =
        std::find(kGroovyWords.begin(), kGroovyWords.end(), name.text) != kGroovyWords.end();
    if (groovy && !is_assigned(name.text)) return refuse_statement(name);
    const bool known = name.text == "null" || name.text == "true" || name.text == "false" ||
                       name.text == "NaN" || name.text == "Infinity" || name.text == "new";
    if (next.is('(') || known || (!is_assigned(name.text) && enum_word(name.text))) {
        const Signature* signature = find_signature(step_name(name.text));
        if (next.is('(') && signature != nullptr && signature->spawns) {
            return fail(name,
                        fmt::format("'{0}()' needs a source before it: g.{0}(...)", name.text));
        }
        return parse_literal(expression);
    }
    if (next.kind == TokenKind::kWord && !next.after_newline) return refuse_statement(name);
    advance();
    if (const Alias* alias = find_alias(name.text)) {
        if (alias->transaction) return fail(name, "a transaction is used as in tx.commit()");
        return source_value(name.text, statement);
    }
    if (name.text == "g") return source_value(name.text, statement);
    if (name.text == "__") return fail_expected("'.' and a step");
    expression.kind = Expression::Kind::kVariable;
    expression.variable = name.text;
    return parse_result_calls(expression);
}

/// A source alone, `g` or `g2 = g.withPath()`: remembered as an alias; its value is what the
/// Console shows.
bool Parser::source_value(std::string_view name, Statement& statement) {
    Alias alias{statement.assign_to, std::string(name), {}, false};
    if (const Alias* known = find_alias(name)) {
        alias.source = known->source;
        alias.instructions = known->instructions;
    }
    statement.expression.literal = Value::string("graphtraversalsource[" + alias.source + "]");
    if (!statement.assign_to.empty()) {
        alias.name = assigned_.back();
        aliases_.push_back(std::move(alias));
    }
    return true;
}

/// `name.member...` at the start of a statement; the present token is the name.
bool Parser::parse_member_expression(const Token& name, Statement& statement) {
    Expression& expression = statement.expression;
    Lexer bookmark = lexer_;
    bookmark.next();
    const Token member = bookmark.next();
    const Alias* alias = find_alias(name.text);
    const bool constant = enum_type_of(name.text) || is_constant_owner(name.text) ||
                          name.text == "P" || name.text == "TextP" || name.text == "VertexProperty";
    if (constant && alias == nullptr && !is_assigned(name.text)) return parse_literal(expression);
    if (name.text == "__") {
        return fail(name,
                    "an anonymous traversal (__) does nothing by itself; start with the source, "
                    "such as g.V()");
    }
    advance();
    advance();
    if (token_.kind != TokenKind::kWord) return fail_expected("a name after '.'");
    if (alias != nullptr && alias->transaction)
        return transaction_call(std::string(alias->source), statement);
    if (member.text == "tx") {
        return parse_transaction(
            alias != nullptr ? std::string(alias->source) : std::string(name.text), statement);
    }
    if (result_call_kind(member.text) && name.text != "g" && alias == nullptr) {
        expression.kind = Expression::Kind::kVariable;
        expression.variable = name.text;
        if (!parse_result_call(expression.calls)) return false;
        return parse_result_calls(expression);
    }
    const Signature* signature = find_signature(member.text);
    const bool on_source = signature != nullptr && (signature->kind == SignatureKind::kSource ||
                                                    signature->spawns || member.text == "with");
    if (!on_source && name.text != "g" && alias == nullptr) return refuse_member(name, member);
    std::vector<Instruction> settings;
    if (!parse_root(name, expression, &settings)) return false;
    if (expression.traversal != nullptr) return parse_result_calls(expression);
    if (expression.kind == Expression::Kind::kLiteral) return true;
    expression.kind = Expression::Kind::kLiteral;
    const std::string source = std::move(expression.source);
    expression.source.clear();
    expression.literal = Value::string("graphtraversalsource[" + source + "]");
    if (!statement.assign_to.empty()) {
        aliases_.push_back({assigned_.back(), source, std::move(settings), false});
    }
    return true;
}

/// `g.tx()` and what follows; the present token is `tx`.
bool Parser::parse_transaction(std::string_view source, Statement& statement) {
    advance();
    std::vector<Value> none;
    const Token at = token_;
    if (!parse_arguments(Context::kValue, none)) return false;
    if (!none.empty()) return fail(at, "tx() takes no arguments");
    if (token_.is('.')) {
        advance();
        return transaction_call(source, statement);
    }
    if (statement.assign_to.empty())
        return fail_expected("'.' and begin(), commit() or rollback()");
    aliases_.push_back({assigned_.back(), std::string(source), {}, true});
    statement.expression.literal = Value::string("transaction[" + std::string(source) + "]");
    return true;
}

/// The present token is begin, commit, rollback, open or close.
bool Parser::transaction_call(std::string_view source, Statement& statement) {
    std::string_view method = token_.text;
    if (method == "open") method = "begin";
    if (method == "close") method = "rollback";
    if (method != "begin" && method != "commit" && method != "rollback") {
        return fail_expected("begin(), commit() or rollback()");
    }
    advance();
    std::vector<Value> none;
    const Token at = token_;
    if (!parse_arguments(Context::kValue, none)) return false;
    if (!none.empty()) return fail(at, fmt::format("{}() takes no arguments", method));
    statement.expression.kind = Expression::Kind::kTransaction;
    statement.expression.source = source;
    statement.expression.literal = Value::string(method);
    // `gtx = tx.begin()`: gtx is the source from now on; there is no value to keep.
    if (!statement.assign_to.empty()) {
        aliases_.push_back({assigned_.back(), std::string(source), {}, false});
        statement.assign_to.clear();
    }
    return true;
}

/// next(), toList(), [0], size() ... as long as they come.
bool Parser::parse_result_calls(Expression& expression) {
    while (true) {
        if (token_.is('[') && !token_.after_newline) {
            if (!parse_index(expression.calls)) return false;
        } else if (token_.is('.')) {
            advance();
            if (!parse_result_call(expression.calls)) return false;
        } else {
            return true;
        }
    }
}

bool Parser::parse_result_call(std::vector<ResultCall>& calls) {
    const Token name = token_;
    const std::optional<ResultCall::Kind> kind = result_call_kind(name.text);
    if (!kind) {
        if (name.kind == TokenKind::kWord && find_signature(step_name(name.text)) != nullptr) {
            return fail(
                name,
                fmt::format("{0}() can't follow a result: put it before next() or toList(), as in "
                            "g.V(1).{0}(...)",
                            name.text));
        }
        return fail_expected(
            "next(), toList(), toSet(), iterate(), hasNext(), tryNext() or size()");
    }
    advance();
    std::vector<Value> arguments;
    if (!parse_arguments(Context::kValue, arguments)) return false;
    ResultCall call{*kind, 0};
    if (*kind == ResultCall::Kind::kNext && arguments.size() == 1 && arguments[0].is_integral() &&
        arguments[0].as_int64() >= 0) {
        call = {ResultCall::Kind::kNextN, arguments[0].as_int64()};
    } else if (!arguments.empty()) {
        return fail(name, *kind == ResultCall::Kind::kNext
                              ? "next() takes a count, as in next(2)"
                              : fmt::format("{}() takes no arguments", name.text));
    }
    calls.push_back(call);
    return true;
}

bool Parser::parse_index(std::vector<ResultCall>& calls) {
    advance();
    const Token at = token_;
    Value index;
    if (!parse_value(Context::kValue, index)) return false;
    if (!index.is_integral()) return fail(at, "the index of a result is an integer, as in [0]");
    calls.push_back({ResultCall::Kind::kIndex, index.as_int64()});
    return expect(']', "']'");
}

bool Parser::refuse_statement(const Token& name) {
    return refuse(name, fmt::format("'{}' is not Gremlin; {}", name.text, kOneLineForm));
}

bool Parser::refuse_member(const Token& name, const Token& member) {
    const bool step = find_signature(step_name(member.text)) != nullptr;
    if (step || member.text == "get" || member.text == "keySet") {
        return refuse(
            member,
            fmt::format("{0}.{1}() asks a method of a result; go on with a traversal, as in "
                        "g.V({0}).{1}(...)",
                        name.text, member.text));
    }
    return refuse(member,
                  fmt::format("'{}.{}' is not Gremlin; {}", name.text, member.text, kOneLineForm));
}

bool Parser::refuse_closure(const Token& at) {
    return refuse(
        at,
        "closures (Groovy code between braces) are not run here: say it with steps, for example "
        "filter(has('age', gt(30))) for filter{it.get().value('age') > 30}, or "
        "values('name').toUpper() for "
        "map{it.get().value('name').toUpperCase()}");
}

bool Parser::expect(char c, std::string_view expected) {
    if (!token_.is(c)) return fail_expected(expected);
    advance();
    return true;
}

bool Parser::enter() {
    if (++depth_ <= options_.depth_max) return true;
    return fail(token_, fmt::format("nested deeper than {} levels", options_.depth_max));
}

std::string Parser::found(const Token& token) {
    static constexpr std::size_t kBytesMax = 40;
    if (token.kind == TokenKind::kEnd) return "the end of the text";
    if (token.kind == TokenKind::kBad) {
        return token.text.front() == '/' ? "a comment that does not end"
                                         : "a string that does not end";
    }
    if (token.text.size() <= kBytesMax) return fmt::format("'{}'", token.text);
    std::size_t end = kBytesMax;
    while (is_continuation(token.text[end]))
        --end;
    return fmt::format("'{}...'", token.text.substr(0, end));
}

/// The token's line, cut around it when long, and a line with a caret under its first character.
std::string Parser::excerpt(const Token& at) const {
    static constexpr std::size_t kBefore = 60;
    static constexpr std::size_t kAfter = 60;
    const auto offset = static_cast<std::size_t>(at.text.data() - text_.data());
    std::size_t begin = offset;
    while (begin > 0 && text_[begin - 1] != '\n' && offset - begin < kBefore)
        --begin;
    while (begin > 0 && begin < offset && is_continuation(text_[begin]))
        ++begin;
    std::size_t end = offset;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r' && end - offset < kAfter)
        ++end;
    while (end < text_.size() && end > offset && is_continuation(text_[end]))
        --end;
    const std::string_view before = text_.substr(begin, offset - begin);
    std::string line(text_.substr(begin, end - begin));
    std::replace(line.begin(), line.end(), '\t', ' ');
    const bool cut_before = begin > 0 && text_[begin - 1] != '\n';
    const bool cut_after = end < text_.size() && text_[end] != '\n' && text_[end] != '\r';
    return fmt::format("{}{}{}\n{}^", cut_before ? "..." : "", line, cut_after ? "..." : "",
                       std::string(characters(before) + (cut_before ? 3 : 0), ' '));
}

bool Parser::fail(const Token& at, std::string_view message) {
    if (!error_) {
        error_ = Error::parse("syntax error at line {}, column {}: {}\n{}", at.at.line,
                              at.at.column, message, excerpt(at));
    }
    return false;
}

bool Parser::fail_expected(std::string_view expected) {
    return fail(token_, fmt::format("expected {} but found {}", expected, found(token_)));
}

/// An error that says its place itself.
bool Parser::fail_with(const Token& at, Error error) {
    if (!error_) {
        error.message += "\n" + excerpt(at);
        error_ = std::move(error);
    }
    return false;
}

bool Parser::refuse(const Token& at, std::string_view message) {
    if (!error_) {
        error_ = Error::parse("at line {}, column {}: {}\n{}", at.at.line, at.at.column, message,
                              excerpt(at));
    }
    return false;
}

bool Parser::is_assigned(std::string_view name) const {
    return std::find(assigned_.begin(), assigned_.end(), name) != assigned_.end();
}

const Parser::Alias* Parser::find_alias(std::string_view name) const {
    const auto found = std::find_if(aliases_.rbegin(), aliases_.rend(),
                                    [name](const Alias& alias) { return alias.name == name; });
    return found == aliases_.rend() ? nullptr : &*found;
}

Result<std::shared_ptr<const Script>> parse_script(std::string_view text,
                                                   const ParseOptions& options) {
    if (text.size() > options.text_bytes_max) {
        return Error::make(Code::kLimit,
                           "the text has {} bytes, at most {} are read (text_bytes_max)",
                           text.size(), options.text_bytes_max);
    }
    return Parser(text, options).run();
}

}  // namespace hob::gremlin
