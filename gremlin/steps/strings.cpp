// Steps on strings: asString concat format length lTrim rTrim trim replace split substring toLower
// toUpper, each over the object itself or (Scope.local) over the strings of a list.
#include "gremlin/exec/elements.h"
#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/scoping.h"
#include "gremlin/steps/step.h"
#include "gremlin/steps/strings_java.h"

namespace hob::gremlin {
namespace {

/// One string of a local step's list, null allowed.
template <typename Function>
Result<Value> apply_to_item(const Function& function, const std::string& name, const Value& item) {
    if (item.is_null()) return Value();
    if (item.is_string()) return function(item.text());
    return Error::execution(
        "The {}(local) step can only take string or list of strings, encountered {} in list", name,
        java_class(item));
}

template <typename Function>
Result<Value> apply_to_items(const Function& function, const std::string& name,
                             const Value& value) {
    if (value.is_null()) return Value();
    if (value.is_string()) return function(value.text());
    auto items = items_of(value);
    if (!items) {
        return Error::execution(
            "The {}(local) step can only take string or list of strings, encountered {}", name,
            java_class(value));
    }
    for (Value& item : *items) {
        HOB_ASSIGN_OR_RETURN(item, apply_to_item(function, name, item));
    }
    return Value::list(std::move(*items));
}

/// A step `Value f(std::string_view)` in both scopes.
template <typename Function>
Op* map_strings(Compiler& compiler, const Node& node, Op* input, Function function) {
    const std::string name = node.name;
    if (is_local(node, 0)) {
        return map_values(compiler, input, [function, name](const Value& value) -> Result<Value> {
            return apply_to_items(function, name, value);
        });
    }
    return map_values(compiler, input, [function, name](const Value& value) -> Result<Value> {
        if (value.is_null()) return Value();
        if (value.is_string()) return function(value.text());
        return Error::execution("The {}() step can only take string as argument, encountered {}",
                                name, java_class(value));
    });
}

Result<Op*> make_length(Compiler& compiler, const Node& node, Op* input) {
    return map_strings(compiler, node, input,
                       [](std::string_view text) { return Value::int_(java::length(text)); });
}

Result<Op*> make_to_lower(Compiler& compiler, const Node& node, Op* input) {
    return map_strings(compiler, node, input,
                       [](std::string_view text) { return Value::string(java::to_lower(text)); });
}

Result<Op*> make_to_upper(Compiler& compiler, const Node& node, Op* input) {
    return map_strings(compiler, node, input,
                       [](std::string_view text) { return Value::string(java::to_upper(text)); });
}

Result<Op*> make_trim(Compiler& compiler, const Node& node, Op* input) {
    const bool left = node.name != "rTrim";
    const bool right = node.name != "lTrim";
    return map_strings(compiler, node, input, [left, right](std::string_view text) {
        return Value::string(java::strip(text, left, right));
    });
}

Result<Op*> make_replace(Compiler& compiler, const Node& node, Op* input) {
    const auto args = after_scope(node);
    const std::size_t first = node.args.size() - args.size();
    for (std::size_t i = 0; i < 2; ++i) {
        if (args.size() <= i || !(args[i].is_string() || args[i].is_null())) {
            return bad_argument(node, first + i, "a text (string)");
        }
    }
    // commons-lang: without both texts nothing is replaced.
    const bool replaces = args[0].is_string() && args[1].is_string();
    const std::string old_text(replaces ? args[0].text() : "");
    const std::string new_text(replaces ? args[1].text() : "");
    return map_strings(compiler, node, input, [old_text, new_text](std::string_view text) {
        return Value::string(java::replace(text, old_text, new_text));
    });
}

Result<Op*> make_split(Compiler& compiler, const Node& node, Op* input) {
    const auto args = after_scope(node);
    const std::size_t first = node.args.size() - args.size();
    if (args.empty() || !(args[0].is_string() || args[0].is_null())) {
        return bad_argument(node, first, "a separator (string)");
    }
    std::optional<std::string> separator;
    if (args[0].is_string()) separator = args[0].text();
    return map_strings(compiler, node, input, [separator](std::string_view text) {
        std::vector<Value> parts;
        for (const std::string& part : java::split(text, separator)) {
            parts.push_back(Value::string(part));
        }
        return Value::list(std::move(parts));
    });
}

/// A negative index counts from the end; both ends are cut to the string.
std::int32_t place_of(std::int64_t index, std::int32_t length) {
    if (index < 0) return static_cast<std::int32_t>(std::max<std::int64_t>(0, length + index));
    return static_cast<std::int32_t>(std::min<std::int64_t>(index, length));
}

Result<Op*> make_substring(Compiler& compiler, const Node& node, Op* input) {
    const std::size_t first = node.args.size() - after_scope(node).size();
    HOB_ASSIGN_OR_RETURN(const std::int64_t start,
                         integer_argument(node, first, "a start index (int)"));
    std::int64_t end = INT32_MAX;
    if (node.args.size() > first + 1) {
        HOB_ASSIGN_OR_RETURN(end, integer_argument(node, first + 1, "an end index (int)"));
    }
    return map_strings(compiler, node, input, [start, end](std::string_view text) {
        const std::int32_t length = java::length(text);
        const std::int32_t from = place_of(start, length);
        const std::int32_t to = place_of(end, length);
        return Value::string(to <= from ? std::string() : java::substring(text, from, to));
    });
}

Result<Value> as_string(const Value& value) {
    if (value.is_null()) return Error::execution("Can't parse null as String.");
    return Value::string(to_text(value));
}

Result<Value> items_as_strings(const Value& value) {
    auto items = items_of(value);
    if (!items) return as_string(value);
    for (Value& item : *items) {
        HOB_ASSIGN_OR_RETURN(item, as_string(item));
    }
    return Value::list(std::move(*items));
}

Result<Op*> make_as_string(Compiler& compiler, const Node& node, Op* input) {
    return map_values(compiler, input, is_local(node, 0) ? items_as_strings : as_string);
}

// --- concat ---

/// A text that is null until something joins.
struct Joined {
    bool some = false;
    std::string text;
    Status join(const Value& part) {
        if (part.is_null()) return {};
        if (!part.is_string()) {
            return Error::execution(
                "String concat() can only take string as argument, encountered {}",
                java_class(part));
        }
        some = true;
        text += part.text();
        return {};
    }
};

class ConcatOp final : public TransformOp {
  public:
    ConcatOp(QueryContext& context, Op* input, Scope& scope, std::vector<Child> children,
             Joined suffix)
        : TransformOp(context, input, scope),
          children_(std::move(children)),
          suffix_(std::move(suffix)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Joined> joined(in.size());
        for (std::size_t i = 0; i < in.size(); ++i)
            HOB_TRY(joined[i].join(in[i].value));
        std::vector<Value> parts;
        for (Child& child : children_) {
            HOB_TRY(apply_child(child, in, "concat", parts));
            for (std::size_t i = 0; i < in.size(); ++i)
                HOB_TRY(joined[i].join(parts[i]));
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            const bool some = joined[i].some || suffix_.some;
            out.push_back(
                ctx_.split(in[i], some ? Value::string(joined[i].text + suffix_.text) : Value()));
        }
        return {};
    }

  private:
    std::vector<Child> children_;
    Joined suffix_;
};

Result<Op*> make_concat(Compiler& compiler, const Node& node, Op* input) {
    std::vector<Child> children;
    Joined suffix;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
        const Value& part = node.args[i];
        if (as_traversal(part) != nullptr) {
            HOB_ASSIGN_OR_RETURN(Child child, compiler.child(part));
            children.push_back(std::move(child));
        } else if (part.is_null() || part.is_string()) {
            HOB_TRY(suffix.join(part));
        } else {
            return bad_argument(node, i, "a text (string) or a traversal");
        }
    }
    return compiler.add<ConcatOp>(input, std::move(children), std::move(suffix));
}

// --- format ---

/// A run of plain text and the variable that follows it.
struct FormatPart {
    std::string before;
    ScopeKey variable;
    std::size_t by = SIZE_MAX;  ///< `%{_}`: which of the modulators.
};

struct FormatText {
    std::vector<FormatPart> parts;
    std::string rest;
};

/// `%{name}` is a variable unless another `%` stands before it.
FormatText parse_format(QueryContext& context, std::string_view format) {
    FormatText result;
    std::size_t begin = 0;
    std::size_t at = 0;
    while (true) {
        at = format.find("%{", at);
        if (at == std::string_view::npos) break;
        const std::size_t end = format.find('}', at + 2);
        if (at > 0 && format[at - 1] == '%') {
            ++at;
            continue;
        }
        if (end == std::string_view::npos) break;
        result.parts.push_back(
            {.before = std::string(format.substr(begin, at - begin)),
             .variable = scope_key(context, format.substr(at + 2, end - at - 2))});
        begin = end + 1;
        at = begin;
    }
    result.rest = format.substr(begin);
    return result;
}

class FormatOp final : public TransformOp {
  public:
    FormatOp(QueryContext& context, Op* input, Scope& scope, FormatText format, std::vector<By> bys)
        : TransformOp(context, input, scope), format_(std::move(format)), bys_(std::move(bys)) {
        std::size_t anonymous = 0;
        for (FormatPart& part : format_.parts) {
            if (part.variable.name == "_") {
                part.by = anonymous++ % bys_.size();
            } else {
                reads_properties_ = true;
            }
        }
    }

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<const VertexRecord*> records(in.size(), nullptr);
        if (reads_properties_) HOB_TRY(records_of(ctx_, in, false, records));
        std::vector<std::string> texts(in.size());
        std::vector<std::uint8_t> productive(in.size(), 1);
        std::vector<Value> values;
        std::vector<std::uint8_t> found;
        for (const FormatPart& part : format_.parts) {
            if (part.by != SIZE_MAX) HOB_TRY(bys_[part.by].apply(ctx_, in, values, found));
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (productive[i] == 0) continue;
                texts[i] += part.before;
                if (part.by == SIZE_MAX) {
                    HOB_ASSIGN_OR_RETURN(
                        productive[i], append_variable(in[i], records[i], part.variable, texts[i]));
                } else if (found[i] == 0 || values[i].is_null()) {
                    productive[i] = 0;
                } else {
                    texts[i] += to_text(values[i]);
                }
            }
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (productive[i] == 0) continue;
            out.push_back(ctx_.split(in[i], Value::string(texts[i] + format_.rest)));
        }
        return {};
    }

  private:
    /// 1 when there was something under that name.
    Result<std::uint8_t> append_variable(const Traverser& t, const VertexRecord* record,
                                         const ScopeKey& variable, std::string& out) const {
        std::size_t count = 0;
        const Value* value = nullptr;
        if (t.value.is_element()) value = property_value(t.value, record, variable.name, &count);
        if (count > 1) return ambiguous(variable.name).error();
        if (value == nullptr) {
            const auto known = scope_value(ctx_, t, variable, Pop::kLast);
            if (!known || known->is_null()) return std::uint8_t{0};
            out += to_text(*known);
            return std::uint8_t{1};
        }
        out += to_text(*value);
        return std::uint8_t{1};
    }

    FormatText format_;
    std::vector<By> bys_;
    bool reads_properties_ = false;
};

Result<Op*> make_format(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const std::string format, string_argument(node, 0, "a format (string)"));
    FormatText parsed = parse_format(compiler.context(), format);
    for (const FormatPart& part : parsed.parts) {
        if (part.variable.name != "_") want_property(compiler.context(), part.variable.name);
    }
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    return compiler.add<FormatOp>(input, std::move(parsed), std::move(bys));
}

}  // namespace

extern const StepSpec asString_step;
extern const StepSpec concat_step;
extern const StepSpec format_step;
extern const StepSpec length_step;
extern const StepSpec lTrim_step;
extern const StepSpec rTrim_step;
extern const StepSpec trim_step;
extern const StepSpec replace_step;
extern const StepSpec split_step;
extern const StepSpec substring_step;
extern const StepSpec toLower_step;
extern const StepSpec toUpper_step;

const StepSpec asString_step = {.name = "asString", .make = make_as_string};
const StepSpec concat_step = {.name = "concat", .make = make_concat};
const StepSpec format_step = {.name = "format", .modulators = kBy, .make = make_format};
const StepSpec length_step = {.name = "length", .make = make_length};
const StepSpec lTrim_step = {.name = "lTrim", .make = make_trim};
const StepSpec rTrim_step = {.name = "rTrim", .make = make_trim};
const StepSpec trim_step = {.name = "trim", .make = make_trim};
const StepSpec replace_step = {.name = "replace", .make = make_replace};
const StepSpec split_step = {.name = "split", .make = make_split};
const StepSpec substring_step = {.name = "substring", .make = make_substring};
const StepSpec toLower_step = {.name = "toLower", .make = make_to_lower};
const StepSpec toUpper_step = {.name = "toUpper", .make = make_to_upper};

}  // namespace hob::gremlin
