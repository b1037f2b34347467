#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "gremlin/language/literals.h"
#include "gremlin/language/parser.h"
#include "gremlin/language/signature.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

constexpr std::size_t kRangeItemsMax = 1'000'000;

Value now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
    return Value::date_time(millis / 1000, static_cast<std::uint32_t>(millis % 1000) * 1'000'000U,
                            0);
}

bool is_step_name(std::string_view word) {
    const Signature* signature = find_signature(step_name(word));
    return signature != nullptr && signature->kind != SignatureKind::kSource &&
           signature->kind != SignatureKind::kTerminal;
}

bool starts_on_source(std::string_view word) {
    const Signature* signature = find_signature(word);
    return signature != nullptr && (signature->kind == SignatureKind::kSource || signature->spawns);
}

bool is_cardinality(std::string_view word) {
    return word == "single" || word == "list" || word == "set";
}

}  // namespace

bool Parser::parse_value(Context context, Value& out) {
    if (!parse_primary(context, out)) return false;
    return as_predicate(out) == nullptr || parse_connectives(out);
}

bool Parser::parse_primary(Context context, Value& out) {
    switch (token_.kind) {
        case TokenKind::kWord:
            return context == Context::kStrategy ? parse_strategy(out) : parse_word(context, out);
        case TokenKind::kInteger:
        case TokenKind::kReal:
            return parse_number(out);
        case TokenKind::kString:
            return parse_string(out);
        case TokenKind::kPunctuation:
            break;
        case TokenKind::kEnd:
        case TokenKind::kRange:
        case TokenKind::kBad:
            return fail_expected("an argument");
    }
    if (token_.is('-') || token_.is('+')) return parse_number(out);
    if (token_.is('[')) return parse_list_or_map(out);
    if (token_.is('{')) return parse_set(out);
    if (!token_.is('(')) return fail_expected("an argument");
    advance();
    if (!enter() || !parse_value(context, out)) return false;
    leave();
    return expect(')', "')'");
}

bool Parser::parse_number(Value& out) {
    const Token start = token_;
    const bool negative = token_.is('-');
    if (negative || token_.is('+')) {
        advance();
        const bool adjacent = token_.text.data() == start.text.data() + 1;
        if (adjacent && token_.is_word("Infinity")) {
            out = Value::double_(negative ? -HUGE_VAL : HUGE_VAL);
            advance();
            return true;
        }
        const bool number = token_.kind == TokenKind::kInteger || token_.kind == TokenKind::kReal;
        if (!adjacent || !number) return fail_expected("a number");
    }
    const bool integer = token_.kind == TokenKind::kInteger;
    Result<Value> value = number_value(token_, negative);
    if (!value.ok()) return fail(start, value.error().message);
    out = std::move(*value);
    advance();
    if (!integer || token_.kind != TokenKind::kRange) return true;
    const Value first = std::move(out);
    return parse_range(first, start, out);
}

bool Parser::parse_string(Value& out) {
    const Token start = token_;
    Result<Value> value = string_value(token_);
    if (!value.ok()) return fail(start, value.error().message);
    out = std::move(*value);
    advance();
    if (token_.kind != TokenKind::kRange) return true;
    const Value first = std::move(out);
    return parse_range(first, start, out);
}

/// `1..5` and 'a'..'e', upward or downward, both ends included; a list.
bool Parser::parse_range(const Value& first, const Token& at, Value& out) {
    advance();
    const Token end = token_;
    const bool same = first.is_string()
                          ? end.kind == TokenKind::kString
                          : end.kind == TokenKind::kInteger || end.is('-') || end.is('+');
    if (!same) return fail_expected(first.is_string() ? "a string" : "an integer");
    Value last;
    if (!(first.is_string() ? parse_string(last) : parse_number(last))) return false;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::string_view prefix;
    if (first.is_string()) {
        const std::string_view a = first.text();
        if (!last.is_string() || a.size() != last.text().size()) {
            return fail(at, "the ends of a range of strings have the same length");
        }
        if (a.empty()) {
            out = Value::list();
            return true;
        }
        prefix = a.substr(0, a.size() - 1);
        const auto low_byte = static_cast<unsigned char>(a.back());
        const auto high_byte = static_cast<unsigned char>(last.text().back());
        if (!last.text().starts_with(prefix) || low_byte >= 0x80 || high_byte >= 0x80) {
            return fail(at,
                        "the ends of a range of strings differ only in the last, ASCII, letter");
        }
        low = low_byte;
        high = high_byte;
    } else {
        if (first.kind() != Kind::kInt || last.kind() != Kind::kInt) {
            return fail(at, "the ends of a range are ints");
        }
        low = first.as_int64();
        high = last.as_int64();
    }
    range_items_ += static_cast<std::size_t>(low < high ? high - low : low - high) + 1;
    if (range_items_ > kRangeItemsMax) {
        return fail(at,
                    fmt::format("the ranges of the text give more than {} items", kRangeItemsMax));
    }
    std::vector<Value> items;
    const std::int64_t step = low <= high ? 1 : -1;
    for (std::int64_t i = low; i != high + step; i += step) {
        items.push_back(first.is_string()
                            ? Value::string(std::string(prefix) + static_cast<char>(i))
                            : Value::int_(static_cast<std::int32_t>(i)));
    }
    out = Value::list(std::move(items));
    return true;
}

/// A word directly before ':' is the key itself, whatever else it may mean.
bool Parser::parse_naked_key(Value& out) {
    const bool number = token_.text == "NaN" || token_.text == "Infinity";
    if (token_.kind != TokenKind::kWord || number || !peek().is(':')) return false;
    out = Value::string(token_.text);
    advance();
    return true;
}

bool Parser::parse_map_key(Value& out) {
    const Token start = token_;
    if (parse_naked_key(out)) return true;
    if (!parse_value(Context::kValue, out)) return false;
    if (out.kind() == Kind::kForeign && as_binding(out) == nullptr) {
        return fail(start, "a traversal or predicate can't be the key of a map");
    }
    return true;
}

bool Parser::parse_list_or_map(Value& out) {
    advance();
    if (!enter()) return false;
    if (token_.is(':')) {
        advance();
        leave();
        out = make_map();
        return expect(']', "']'");
    }
    std::vector<Value> items;
    while (!token_.is(']')) {
        Value item;
        const Token start = token_;
        const bool naked = items.empty() && parse_naked_key(item);
        if (!naked && !parse_value(Context::kValue, item)) return false;
        if (items.empty() && token_.is(':')) {
            if (item.kind() == Kind::kForeign && as_binding(item) == nullptr) {
                return fail(start, "a traversal or predicate can't be the key of a map");
            }
            return parse_map(std::move(item), out);
        }
        items.push_back(std::move(item));
        if (token_.is(',')) {
            advance();
        } else if (!token_.is(']')) {
            return fail_expected("']' or ','");
        }
    }
    leave();
    advance();
    out = Value::list(std::move(items));
    return true;
}

/// The present token is the ':' behind the first key.
bool Parser::parse_map(Value first_key, Value& out) {
    out = make_map();
    auto& map = out.mutate<MapObject>();
    Value key = std::move(first_key);
    while (true) {
        if (!expect(':', "':' between key and value")) return false;
        Value value;
        if (!parse_value(Context::kValue, value)) return false;
        map.put(std::move(key), std::move(value));
        if (token_.is(','))
            advance();
        else if (!token_.is(']'))
            return fail_expected("']' or ','");
        if (token_.is(']')) break;
        key = Value();
        if (!parse_map_key(key)) return false;
    }
    leave();
    advance();
    return true;
}

bool Parser::parse_set(Value& out) {
    const Token start = token_;
    advance();
    if (!enter()) return false;
    std::vector<Value> items;
    while (!token_.is('}')) {
        if (token_.is_word("it") || (token_.is('-') && peek().is('>')))
            return refuse_closure(start);
        Value item;
        if (!parse_value(Context::kValue, item)) return false;
        items.push_back(std::move(item));
        if (token_.is(',')) {
            advance();
        } else if (token_.is('-')) {
            return refuse_closure(start);
        } else if (!token_.is('}')) {
            return fail_expected("'}' or ','");
        }
    }
    leave();
    advance();
    out = Value::set(std::move(items));
    return true;
}

bool Parser::parse_word(Context context, Value& out) {
    const Token name = token_;
    advance();
    if (token_.is('(')) {
        if (name.text != "new") return parse_function(name, out);
    } else if (token_.is('.')) {
        if (context == Context::kValue || name.text == "GType") return parse_dotted(name, out);
    } else if (token_.is('{')) {
        return refuse_closure(token_);
    }
    return parse_bare(name, context, out);
}

bool Parser::parse_bare(const Token& name, Context context, Value& out) {
    const std::string_view word = name.text;
    if (context == Context::kGType) {
        if (const std::optional<Value> type = gtype_word(word)) {
            out = *type;
            return true;
        }
    }
    if (word == "null") {
        out = Value();
    } else if (word == "true" || word == "false") {
        out = Value::boolean(word == "true");
    } else if (word == "NaN") {
        out = Value::double_(std::numeric_limits<double>::quiet_NaN());
    } else if (word == "Infinity") {
        out = Value::double_(HUGE_VAL);
    } else if (word == "new") {
        const Token type = token_;
        if (type.kind != TokenKind::kWord) return fail_expected("a name after 'new'");
        advance();
        if (type.text.ends_with("Vertex") || type.text.ends_with("Edge"))
            return parse_element(type, out);
        return refuse(
            name, fmt::format("new {}(...) is Java, which is not run here; write a literal such "
                              "as datetime('2024-01-31') or [a:1]",
                              type.text));
    } else if (word == "g" || word == "__") {
        return fail(
            name, fmt::format("'{}' is not an argument: write a traversal such as __.out()", word));
    } else if (const std::optional<Value> constant =
                   is_assigned(word) ? std::nullopt : enum_word(word)) {
        out = *constant;
    } else {
        auto* variable = new BindingObject(std::string(word), false, Value());
        variable->at = name.at;
        out = Value::adopt(Kind::kForeign, variable);
    }
    return true;
}

/// `name(`: a literal, a predicate, a property with its cardinality, or the first step of an
/// anonymous traversal.
bool Parser::parse_function(const Token& name, Value& out) {
    if (name.text == "not" || name.text == "not_") return parse_not(name, out);
    if (is_step_name(name.text)) return parse_anonymous_from(name, out);
    if (find_predicate(name.text) != nullptr) return parse_predicate(name, out);
    if (is_cardinality(name.text)) return parse_cardinality_value(*enum_word(name.text), out);
    if (name.text.ends_with("Vertex") || name.text.ends_with("Edge"))
        return parse_element(name, out);
    if (result_call_kind(name.text) || find_signature(name.text) != nullptr) {
        return fail(name, fmt::format("{}() can't stand inside another traversal", name.text));
    }
    return parse_literal_function(name, out);
}

bool Parser::parse_literal_function(const Token& name, Value& out) {
    const bool date = name.text == "datetime" || name.text == "DateTime";
    const bool uuid = name.text == "UUID";
    if (!date && !uuid && name.text != "Duration") return unknown_step(name);
    std::vector<Value> arguments;
    if (!parse_arguments(Context::kValue, arguments)) return false;
    if (arguments.empty() && (date || uuid)) {
        out = date ? now() : random_uuid();
        script_.repeatable = false;
        return true;
    }
    if (arguments.size() != 1 || !arguments[0].is_string()) {
        return fail(name, fmt::format("{}() takes a text, such as {}", name.text,
                                      date   ? "datetime('2024-01-31T12:00:00Z')"
                                      : uuid ? "UUID('f47af10b-58cc-4372-a567-0f02b2f3d479')"
                                             : "Duration('PT1H30M')"));
    }
    const std::string_view text = arguments[0].text();
    Result<Value> value = date   ? parse_date_time(text)
                          : uuid ? parse_uuid(text)
                                 : parse_duration(text);
    if (!value.ok()) return fail(name, value.error().message);
    out = std::move(*value);
    return true;
}

/// ReferenceVertex(id, label) and ReferenceEdge(id, label, in, out), with or without `new`, under
/// any of their class names.
bool Parser::parse_element(const Token& name, Value& out) {
    std::vector<Value> arguments;
    if (!parse_arguments(Context::kValue, arguments)) return false;
    const bool is_vertex = name.text.ends_with("Vertex");
    const std::size_t most = is_vertex ? 2 : 4;
    bool fits = !arguments.empty() && arguments.size() <= most && !arguments[0].is_null() &&
                arguments[0].kind() != Kind::kForeign;
    fits = fits && (arguments.size() < 2 || arguments[1].is_string() || arguments[1].is_null());
    if (!is_vertex) {
        fits = fits && arguments.size() == most && arguments[2].kind() == Kind::kVertex &&
               arguments[3].kind() == Kind::kVertex;
    }
    if (!fits) {
        return fail(name, is_vertex ? "a vertex is written ReferenceVertex(id, 'label')"
                                    : "an edge is written ReferenceEdge(id, 'label', "
                                      "ReferenceVertex(in), ReferenceVertex(out))");
    }
    if (is_vertex) {
        out = Value::vertex(arguments[0]);
        return true;
    }
    auto* edge = new EdgeObject;
    edge->id = arguments[0];
    edge->label = arguments[1];
    edge->in = arguments[2];
    edge->out = arguments[3];
    edge->has_properties = false;
    out = Value::adopt(Kind::kEdge, edge);
    return true;
}

/// `name.`: the present token is the dot.
bool Parser::parse_dotted(const Token& name, Value& out) {
    advance();
    if (token_.kind != TokenKind::kWord) return fail_expected("a name after '.'");
    return name.text == "__" ? parse_anonymous(out) : parse_qualified(name, out);
}

/// `Owner.`: a predicate, a constant, or a whole traversal on a source; the present token is the
/// member.
bool Parser::parse_qualified(const Token& name, Value& out) {
    const std::string_view owner = name.text;
    if (owner == "P" || owner == "TextP") {
        const Token predicate = token_;
        advance();
        if (find_predicate(predicate.text) != nullptr) return parse_predicate(predicate, out);
        return fail(predicate, fmt::format("there is no predicate {}.{}()", owner, predicate.text));
    }
    if (enum_type_of(owner)) return parse_enum_constant(name, out);
    if (owner == "VertexProperty" || owner == "TraversalOptionParent" || owner == "SackFunctions") {
        const Token inner = token_;
        advance();
        if (enum_type_of(inner.text) && token_.is('.')) {
            advance();
            return parse_enum_constant(inner, out);
        }
        return fail(inner, fmt::format("there is no constant {}.{}", owner, inner.text));
    }
    if (is_constant_owner(owner)) {
        const Value* constant = library_constant(owner, token_.text);
        if (constant == nullptr) {
            return fail(token_, fmt::format("there is no constant {}.{}", owner, token_.text));
        }
        out = *constant;
        advance();
        return true;
    }
    if (starts_on_source(token_.text)) return parse_nested_root(name, out);
    return refuse_member(name, token_);
}

/// `Type.`: the present token is the constant.
bool Parser::parse_enum_constant(const Token& type, Value& out) {
    if (token_.kind != TokenKind::kWord) return fail_expected("a constant");
    const EnumType enumeration = *enum_type_of(type.text);
    std::optional<std::uint8_t> ordinal = ordinal_of(enumeration, token_.text);
    if (!ordinal && enumeration == EnumType::kGType) {
        if (const std::optional<Value> word = gtype_word(token_.text))
            ordinal = word->enum_ordinal();
    }
    if (!ordinal) {
        std::string known;
        for (std::uint8_t i = 0; !name_of(enumeration, i).empty(); ++i) {
            known.append(known.empty() ? "" : ", ").append(name_of(enumeration, i));
        }
        return fail(token_, fmt::format("{}.{} does not exist; {} has {}", type.text, token_.text,
                                        type.text, known));
    }
    out = Value::enumeration(enumeration, *ordinal);
    advance();
    if (enumeration == EnumType::kCardinality && token_.is('(')) {
        Value cardinality = std::move(out);
        return parse_cardinality_value(std::move(cardinality), out);
    }
    return true;
}

/// Behind `__.`; `__.start()` is the traversal without steps.
bool Parser::parse_anonymous(Value& out) {
    Traversal traversal;
    if (token_.text == "start" && peek().is('(')) {
        const Token start = token_;
        advance();
        std::vector<Value> none;
        if (!parse_arguments(Context::kValue, none)) return false;
        if (!none.empty()) return fail(start, "start() takes no arguments");
        if (!token_.is('.')) {
            out = make_traversal(std::move(traversal));
            return true;
        }
        advance();
    }
    if (!parse_chain(traversal.steps)) return false;
    out = make_traversal(std::move(traversal));
    return true;
}

/// The first step's name is read; the present token is its '('.
bool Parser::parse_anonymous_from(const Token& first, Value& out) {
    Traversal traversal;
    if (!admit(first, traversal, false)) return false;
    const Context context = first.text == "asNumber" ? Context::kGType : Context::kValue;
    if (!parse_instruction(first, context, traversal.steps.emplace_back())) return false;
    if (token_.is('.')) {
        advance();
        if (!parse_chain(traversal.steps)) return false;
    }
    out = make_traversal(std::move(traversal));
    return true;
}

/// not(x): a predicate when x is one, else the step.
bool Parser::parse_not(const Token& name, Value& out) {
    std::vector<Value> arguments;
    if (!parse_arguments(Context::kValue, arguments)) return false;
    if (arguments.size() == 1 && as_predicate(arguments[0]) != nullptr) {
        out = make_predicate("not", std::move(arguments));
        return true;
    }
    Traversal traversal;
    traversal.steps.push_back({"not", std::move(arguments), name.at});
    if (Status fits = check_signature(traversal.steps.front()); !fits.ok()) {
        return fail_with(name, std::move(fits.error()));
    }
    if (token_.is('.')) {
        advance();
        if (!parse_chain(traversal.steps)) return false;
    }
    out = make_traversal(std::move(traversal));
    return true;
}

/// The predicate's name is read; the present token is its '('.
bool Parser::parse_predicate(const Token& name, Value& out) {
    std::vector<Value> operands;
    const Context context = name.text == "typeOf" ? Context::kGType : Context::kValue;
    if (!parse_arguments(context, operands)) return false;
    out = make_predicate(std::string(name.text), std::move(operands));
    if (Status fits = check_predicate(*as_predicate(out)); !fits.ok()) {
        return fail(name, fits.error().message);
    }
    return true;
}

/// `.and(p)`, `.or(p)`, `.negate()` behind a predicate, from left to right. Each change of the
/// connective nests what stands before it one level deeper.
bool Parser::parse_connectives(Value& out) {
    const std::size_t depth = depth_;
    while (token_.is('.')) {
        advance();
        const Token name = token_;
        if (name.kind != TokenKind::kWord) return fail_expected("and(...), or(...) or negate()");
        advance();
        if (!parse_connective(name, out)) return false;
    }
    depth_ = depth;
    return true;
}

bool Parser::parse_connective(const Token& name, Value& out) {
    const std::string_view word = step_name(name.text);
    const bool negate = word == "negate";
    if (!negate && word != "and" && word != "or") {
        return fail(
            name,
            fmt::format("a predicate is followed by and(...), or(...) or negate(), not by {}()",
                        name.text));
    }
    std::vector<Value> operands;
    if (!parse_arguments(Context::kValue, operands)) return false;
    if (operands.size() != (negate ? 0 : 1)) {
        return fail(name, negate ? "negate() takes no arguments"
                                 : "and() and or() of a predicate take one predicate");
    }
    const bool variable = !negate && as_binding(operands[0]) != nullptr;
    if (!negate && !variable && as_predicate(operands[0]) == nullptr) {
        return fail(name, fmt::format("{}() of a predicate takes predicates, not {}", word,
                                      print_value(operands[0])));
    }
    if (!negate && as_predicate(out)->name == word) {
        out.mutate<PredicateObject>().operands.push_back(std::move(operands[0]));
        return true;
    }
    operands.insert(operands.begin(), std::move(out));
    out = make_predicate(negate ? "not" : std::string(word), std::move(operands));
    return enter();
}

/// single(x), list(x), set(x): what drivers send for it, a traversal with one source instruction.
bool Parser::parse_cardinality_value(Value cardinality, Value& out) {
    const Token at = token_;
    std::vector<Value> arguments{std::move(cardinality)};
    if (!parse_arguments(Context::kValue, arguments)) return false;
    if (arguments.size() != 2) return fail(at, "a cardinality takes one value, as in list('a')");
    Traversal traversal;
    traversal.sources.push_back({"CardinalityValueTraversal", std::move(arguments), at.at});
    out = make_traversal(std::move(traversal));
    return true;
}

/// `g.V(1).next()` as an argument: run before the statement, its result in a variable that no text
/// can name twice.
bool Parser::parse_nested_root(const Token& source, Value& out) {
    Statement before;
    if (!enter() || !parse_root(source, before.expression, nullptr)) return false;
    if (!parse_result_calls(before.expression)) return false;
    leave();
    if (before.expression.calls.empty()) {
        return fail(source, fmt::format("a traversal inside another starts with __, not with {0}: "
                                        "write __.V(1) instead of {0}.V(1)",
                                        source.text));
    }
    before.assign_to = fmt::format("${}", ++nested_results_);
    out = make_binding(before.assign_to, false, Value());
    script_.statements.push_back(std::move(before));
    return true;
}

/// `ReadOnlyStrategy`, `new SubgraphStrategy(vertices: hasLabel('x'))`,
/// `ReadOnlyStrategy.instance()`.
bool Parser::parse_strategy(Value& out) {
    if (token_.text == "new") advance();
    if (token_.kind != TokenKind::kWord) return fail_expected("the name of a strategy");
    const Token name = token_;
    advance();
    std::vector<std::pair<std::string, Value>> configuration;
    if (token_.is('.')) {
        advance();
        if (!token_.is_word("instance")) {
            return refuse(
                token_, fmt::format("builders are Java; write new {}(key: value, ...)", name.text));
        }
        advance();
        std::vector<Value> none;
        if (!parse_arguments(Context::kValue, none)) return false;
    } else if (token_.is('(')) {
        if (!parse_configuration(configuration)) return false;
    }
    out = make_strategy(std::string(name.text), std::move(configuration));
    return true;
}

bool Parser::parse_configuration(std::vector<std::pair<std::string, Value>>& configuration) {
    advance();
    if (!enter()) return false;
    while (!token_.is(')')) {
        Value key;
        if (token_.kind == TokenKind::kWord) {
            key = Value::string(token_.text);
            advance();
        } else if (token_.kind != TokenKind::kString) {
            return fail_expected("a key such as vertices:");
        } else if (!parse_string(key)) {
            return false;
        }
        if (!key.is_string()) return fail_expected("a key such as vertices:");
        if (!expect(':', "':' between key and value")) return false;
        Value value;
        if (!parse_value(Context::kValue, value)) return false;
        configuration.emplace_back(key.text(), std::move(value));
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

}  // namespace hob::gremlin
