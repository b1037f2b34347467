#include "gremlin/language/normalize.h"
#include "gremlin/language/parser.h"
#include "gremlin/language/signature.h"

namespace hob::gremlin {

std::string_view step_name(std::string_view word) {
    if (word.size() > 1 && word.back() == '_') {
        const std::string_view without = word.substr(0, word.size() - 1);
        const Signature* signature = find_signature(without);
        const bool step = signature != nullptr && (signature->kind == SignatureKind::kStep ||
                                                   signature->kind == SignatureKind::kModulator);
        if (step) return without;
    }
    return word;
}

bool Parser::unknown_step(const Token& name) {
    if (name.text == "store") {
        return refuse(name, "store() is gone since TinkerPop 3.8: write local(aggregate('x'))");
    }
    if (token_.is('{')) return refuse_closure(token_);
    const std::string_view similar = similar_step(name.text);
    if (similar.empty())
        return fail(name, fmt::format("there is no step or predicate {}()", name.text));
    return fail(name, fmt::format("there is no step or predicate {}(); did you mean {}()?",
                                  name.text, similar));
}

bool Parser::refuse_terminal(const Token& name) {
    return fail(name,
                fmt::format("{}() ends a traversal; it can't stand inside another", name.text));
}

/// Whether the step may stand here: sources first, `io` and relatives at the start.
bool Parser::admit(const Token& name, const Traversal& so_far, bool root) {
    const Signature* signature = find_signature(step_name(name.text));
    if (signature == nullptr) return unknown_step(name);
    const bool first = so_far.steps.empty();
    if (!first && so_far.steps.back().name == "explain") {
        return fail(name, fmt::format("{}() can't follow explain()", name.text));
    }
    switch (signature->kind) {
        case SignatureKind::kSource:
            if (root && first) return true;
            return fail(name,
                        fmt::format("{}() belongs right after the source, before the first step",
                                    name.text));
        case SignatureKind::kTerminal:
            if (root && !first) return true;
            if (!root) return refuse_terminal(name);
            return fail(name,
                        fmt::format("{}() needs a traversal before it, such as g.V()", name.text));
        case SignatureKind::kSpawn:
            if (root && first) return true;
            return fail(name,
                        fmt::format("{}() starts a traversal: g.{}(...)", name.text, name.text));
        case SignatureKind::kStep:
        case SignatureKind::kModulator:
            if (!root || !first || signature->spawns || signature->name == "with") return true;
            return fail(name, fmt::format("{}() can't follow the source: start with a step such as "
                                          "V(), E(), inject() or addV()",
                                          name.text));
    }
    return false;
}

bool Parser::parse_arguments(Context context, std::vector<Value>& arguments) {
    if (token_.is('{')) return refuse_closure(token_);
    if (!expect('(', "'('")) return false;
    if (!enter()) return false;
    while (!token_.is(')')) {
        Value argument;
        if (!parse_value(context, argument)) return false;
        arguments.push_back(std::move(argument));
        if (token_.is(',')) {
            advance();
        } else if (!token_.is(')')) {
            return fail_expected("')' or ','");
        }
    }
    leave();
    advance();
    return true;
}

/// Behind the step's name: its arguments, checked.
bool Parser::parse_instruction(const Token& name, Context context, Instruction& instruction) {
    instruction.name = step_name(name.text);
    instruction.at = name.at;
    if (!parse_arguments(context, instruction.arguments)) return false;
    if (instruction.name == "none" && instruction.arguments.empty()) instruction.name = "discard";
    if (Status fits = check_signature(instruction); !fits.ok()) {
        return fail_with(name, std::move(fits.error()));
    }
    return true;
}

/// Steps of an anonymous traversal; the present token is the first one's name.
bool Parser::parse_chain(std::vector<Instruction>& steps) {
    Traversal chain;
    chain.steps = std::move(steps);
    while (true) {
        if (token_.kind != TokenKind::kWord) return fail_expected("the name of a step");
        const Token name = token_;
        advance();
        if (result_call_kind(name.text)) return refuse_terminal(name);
        if (!admit(name, chain, false)) return false;
        const Context context = name.text == "asNumber" ? Context::kGType : Context::kValue;
        if (!parse_instruction(name, context, chain.steps.emplace_back())) return false;
        if (!token_.is('.')) break;
        advance();
    }
    steps = std::move(chain.steps);
    return true;
}

/// `.toString()`: the traversal's text instead of its results.
bool Parser::text_of(Traversal& traversal, Expression& expression) {
    std::vector<Value> none;
    const Token at = token_;
    if (!parse_arguments(Context::kValue, none)) return false;
    if (!none.empty()) return fail(at, "toString() takes no arguments");
    if (!finish_traversal(traversal)) return false;
    expression.kind = Expression::Kind::kLiteral;
    expression.literal = Value::string(print(traversal, expression.source));
    expression.source.clear();
    return true;
}

bool Parser::finish_traversal(Traversal& traversal) {
    if (Status done = normalize(traversal); !done.ok()) {
        return fail_with(token_, std::move(done.error()));
    }
    return true;
}

/// `g.` is read; the present token is the first method's name. Fills the expression and stops
/// behind the last step, at a result call such as next(), or, when only settings came
/// (`g.withPath()`), gives them in `settings_only` (refused when that is null).
bool Parser::parse_root(const Token& source, Expression& expression,
                        std::vector<Instruction>* settings_only) {
    Traversal traversal;
    expression.kind = Expression::Kind::kTraversal;
    expression.source = source.text;
    expression.at = source.at;
    if (const Alias* alias = find_alias(source.text)) {
        expression.source = alias->source;
        traversal.sources = alias->instructions;
    }
    while (true) {
        if (token_.kind != TokenKind::kWord) return fail_expected("the name of a step");
        if (result_call_kind(token_.text) && !traversal.steps.empty()) {
            if (!parse_result_call(expression.calls)) return false;
            break;
        }
        const Token name = token_;
        advance();
        if (name.text == "toString" && !traversal.steps.empty())
            return text_of(traversal, expression);
        if (!admit(name, traversal, true)) return false;
        const Signature* signature = find_signature(step_name(name.text));
        const bool setting = traversal.steps.empty() && !signature->spawns;
        Context context = name.text == "asNumber" ? Context::kGType : Context::kValue;
        if (signature->name.ends_with("Strategies")) context = Context::kStrategy;
        std::vector<Instruction>& list = setting ? traversal.sources : traversal.steps;
        if (!parse_instruction(name, context, list.emplace_back())) return false;
        const bool needs_search = signature->name == "mergeV" || signature->name == "mergeE";
        if (needs_search && traversal.steps.size() == 1 && list.back().arguments.empty()) {
            return fail(name, fmt::format("g.{}() takes what to look for: a map or a traversal",
                                          name.text));
        }
        if (!token_.is('.')) break;
        advance();
    }
    if (traversal.steps.empty()) {
        if (settings_only == nullptr) return fail_expected("'.' and a step such as V()");
        *settings_only = std::move(traversal.sources);
        return true;
    }
    if (!finish_traversal(traversal)) return false;
    expression.traversal = std::make_shared<const Traversal>(std::move(traversal));
    return true;
}

}  // namespace hob::gremlin
