// has() in all its forms, hasLabel, hasId, hasKey, hasValue, hasNot.
#include <algorithm>

#include "gremlin/exec/elements.h"
#include "gremlin/exec/predicate.h"
#include "gremlin/steps/look_up.h"
#include "gremlin/steps/scoping.h"

namespace hob::gremlin {
namespace {

/// One condition on an element: on a property, on a token, or just the presence of a property.
struct Condition {
    enum class On : std::uint8_t { kProperty, kToken, kPresent, kAbsent };
    On on = On::kProperty;
    std::string key;
    T token = T::kId;
    Predicate predicate = Predicate::equals(Value());
    bool on_text = false;           ///< The text of an id is tested, not the id.
    bool is_looked_up_key = false;  ///< See LookUp.
    bool is_looked_up_label = false;
};

class HasOp final : public TransformOp, public LookUp::Tests {
  public:
    HasOp(QueryContext& context, Op* input, Scope& scope, std::vector<Condition> conditions,
          std::shared_ptr<LookUp> look_up)
        : TransformOp(context, input, scope),
          conditions_(std::move(conditions)),
          look_up_(std::move(look_up)) {
        if (look_up_ != nullptr) look_up_->tests.push_back(this);
    }

    Status test(std::span<const Traverser> traversers, std::vector<std::uint8_t>& keep) override {
        records_.assign(traversers.size(), nullptr);
        const bool needs_records =
            std::any_of(conditions_.begin(), conditions_.end(), [this](const Condition& c) {
                return !is_implied(c) && (c.on != Condition::On::kToken || c.token != T::kId);
            });
        if (needs_records) HOB_TRY(records_of(ctx_, traversers, false, records_));
        for (const Condition& condition : conditions_) {
            if (is_implied(condition)) continue;
            for (std::size_t i = 0; i < traversers.size(); ++i) {
                if (keep[i] == 0) continue;
                HOB_ASSIGN_OR_RETURN(const bool kept,
                                     holds(condition, traversers[i].value, records_[i]));
                keep[i] = kept ? 1 : 0;
            }
        }
        return {};
    }

  protected:
    Status apply(Batch& in, Batch& out) override {
        keep_.assign(in.size(), 1);
        if (look_up_ == nullptr || !look_up_->is_put_off()) HOB_TRY(test(in, keep_));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep_[i] != 0) out.push_back(std::move(in[i]));
        }
        return {};
    }

  private:
    [[nodiscard]] bool is_implied(const Condition& condition) const {
        if (look_up_ == nullptr) return false;
        return (condition.is_looked_up_key && look_up_->implies_key()) ||
               (condition.is_looked_up_label && look_up_->implies_label());
    }

    static Result<bool> any_pair(const std::vector<std::pair<Value, Value>>& pairs,
                                 const Condition& condition) {
        for (const auto& [key, value] : pairs) {
            if (key.text() == condition.key) return condition.predicate.test(value);
        }
        return false;
    }

    Result<bool> holds(const Condition& condition, const Value& value,
                       const VertexRecord* record) const {
        if (condition.on == Condition::On::kToken) {
            HOB_ASSIGN_OR_RETURN(const TokenValue token, token_of(condition.token, value, record));
            if (!token.found) {
                if (value.is_element() || value.kind() == Kind::kProperty) return false;
                return Error::execution("has() needs an element, found {} ({})", to_text(value),
                                        type_name(value));
            }
            if (condition.on_text)
                return condition.predicate.test(Value::string(to_text(token.value)));
            return condition.predicate.test(token.value);
        }
        if (condition.on != Condition::On::kProperty) {
            if (!value.is_element()) {
                return Error::execution("has() needs an element, found {} ({})", to_text(value),
                                        type_name(value));
            }
            return (property_value(value, record, condition.key) != nullptr) ==
                   (condition.on == Condition::On::kPresent);
        }
        switch (value.kind()) {
            case Kind::kVertex:
                if (record == nullptr) return false;
                for (const Value& property : record->properties) {
                    const auto& object = property.as<VertexPropertyObject>();
                    if (object.key.text() != condition.key) continue;
                    HOB_ASSIGN_OR_RETURN(const bool holds, condition.predicate.test(object.value));
                    if (holds) return true;
                }
                return false;
            case Kind::kEdge:
                return any_pair(value.as<EdgeObject>().properties, condition);
            case Kind::kVertexProperty:
                return any_pair(value.as<VertexPropertyObject>().meta, condition);
            default:
                return Error::execution("has() needs an element, found {} ({})", to_text(value),
                                        type_name(value));
        }
    }

    std::vector<Condition> conditions_;
    std::shared_ptr<LookUp> look_up_;
    std::vector<const VertexRecord*> records_;
    std::vector<std::uint8_t> keep_;
};

/// Id operands in the form in which the graph's ids come: g.V().hasId("1") finds vertex 1 where ids
/// are long.
void widen_ids(const QueryContext& context, const Value& id, std::vector<Value>& out) {
    if (id.kind() == Kind::kList || id.kind() == Kind::kSet) {
        for (const Value& item : id.items())
            widen_ids(context, item, out);
        return;
    }
    if (id.kind() == Kind::kVertex) {
        out.push_back(id.vertex_id());
        return;
    }
    if (id.kind() == Kind::kEdge) {
        out.push_back(id.as<EdgeObject>().id);
        return;
    }
    if (id.kind() == Kind::kVertexProperty) {
        out.push_back(id.as<VertexPropertyObject>().id);
        return;
    }
    out.push_back(id);
    if (context.graph == nullptr) return;
    if (auto fitting = context.graph->vertex_id_of(id); fitting && !identical(*fitting, id))
        out.push_back(std::move(*fitting));
    if (auto fitting = context.graph->edge_id_of(id); fitting && !identical(*fitting, id))
        out.push_back(std::move(*fitting));
}

Result<Predicate> id_predicate(const QueryContext& context, const Value& argument) {
    HOB_ASSIGN_OR_RETURN(Predicate predicate, Predicate::make(argument));
    using Kind = Predicate::Kind;
    if (predicate.kind() != Kind::kEq && predicate.kind() != Kind::kNeq &&
        predicate.kind() != Kind::kWithin && predicate.kind() != Kind::kWithout) {
        return predicate;
    }
    std::vector<Value> ids;
    for (const Value& operand : predicate.operands())
        widen_ids(context, operand, ids);
    const bool negative = predicate.kind() == Kind::kNeq || predicate.kind() == Kind::kWithout;
    return Predicate::make(make_predicate(negative ? "without" : "within", std::move(ids)));
}

/// hasId(gt('2')), hasId(startingWith('2')): strings are compared with the ids' text. Equality
/// takes ids by value instead, see widen_ids().
bool compares_text(const Predicate& predicate) {
    using Kind = Predicate::Kind;
    const Kind kind = predicate.kind();
    const bool fits = (kind >= Kind::kLt && kind <= Kind::kInside) || kind == Kind::kBetween ||
                      (kind >= Kind::kStartingWith && kind <= Kind::kNotRegex);
    return fits && std::all_of(predicate.operands().begin(), predicate.operands().end(),
                               [](const Value& operand) { return operand.is_string(); });
}

/// A value or predicate on a token; a bare list is a choice.
Result<Condition> token_condition(const QueryContext& context, T token, const Value& argument) {
    Condition condition;
    condition.on = Condition::On::kToken;
    condition.token = token;
    if (token == T::kId) {
        HOB_ASSIGN_OR_RETURN(condition.predicate, id_predicate(context, argument));
        condition.on_text = compares_text(condition.predicate);
    } else {
        HOB_ASSIGN_OR_RETURN(condition.predicate, Predicate::make(argument));
    }
    return condition;
}

/// hasLabel('a','b'), hasKey(P), hasValue(1,2) ...: one predicate, or a choice of values.
Result<Op*> make_token_filter(Compiler& compiler, const Node& node, Op* input, T token) {
    std::vector<Condition> conditions;
    if (node.args.size() == 1) {
        HOB_ASSIGN_OR_RETURN(Condition condition,
                             token_condition(compiler.context(), token, node.args[0]));
        conditions.push_back(std::move(condition));
    } else {
        // Several predicates, or values: any of them.
        std::vector<Value> choices;
        bool predicates = false;
        for (const Value& arg : node.args)
            predicates = predicates || as_predicate(arg) != nullptr;
        Value choice;
        if (predicates) {
            for (const Value& arg : node.args) {
                choices.push_back(as_predicate(arg) != nullptr ? arg : make_predicate("eq", {arg}));
            }
            choice = make_predicate("or", std::move(choices));
        } else {
            choice = make_predicate("within", node.args);
        }
        HOB_ASSIGN_OR_RETURN(Condition condition,
                             token_condition(compiler.context(), token, choice));
        conditions.push_back(std::move(condition));
    }
    conditions.front().is_looked_up_label = node.is_looked_up_label;
    return compiler.add<HasOp>(input, std::move(conditions), node.look_up);
}
Result<Op*> make_has_label(Compiler& compiler, const Node& node, Op* input) {
    return make_token_filter(compiler, node, input, T::kLabel);
}
Result<Op*> make_has_id(Compiler& compiler, const Node& node, Op* input) {
    return make_token_filter(compiler, node, input, T::kId);
}
Result<Op*> make_has_key(Compiler& compiler, const Node& node, Op* input) {
    return make_token_filter(compiler, node, input, T::kKey);
}
Result<Op*> make_has_value(Compiler& compiler, const Node& node, Op* input) {
    return make_token_filter(compiler, node, input, T::kValue);
}

/// has(key, traversal): the values of the key go through the traversal.
Result<Op*> make_has_traversal(Compiler& compiler, const Node& node, Op* input, const Value& key,
                               const Value& traversal) {
    Traversal inner;
    if (key.is_enum(EnumType::kT)) {
        inner.steps.push_back(
            {static_cast<T>(key.enum_ordinal()) == T::kId ? "id" : "label", {}, node.at});
    } else {
        inner.steps.push_back({"values", {key}, node.at});
    }
    const auto& more = as_traversal(traversal)->traversal.steps;
    inner.steps.insert(inner.steps.end(), more.begin(), more.end());
    HOB_ASSIGN_OR_RETURN(Child compiled, compiler.child(make_traversal(std::move(inner)), true));
    auto child = std::make_shared<Child>(std::move(compiled));
    return transform(compiler, input, [child](QueryContext&, Batch& in, Batch& out) -> Status {
        std::vector<std::uint8_t> found;
        HOB_TRY(child->exists(in, found));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] != 0) out.push_back(std::move(in[i]));
        }
        return {};
    });
}

Result<Op*> make_has(Compiler& compiler, const Node& node, Op* input) {
    std::vector<Condition> conditions;
    std::size_t at = 0;
    if (node.args.size() == 3) {
        if (!node.args[0].is_string() && !node.args[0].is_null())
            return bad_argument(node, 0, "a label (string)");
        HOB_ASSIGN_OR_RETURN(Condition label,
                             token_condition(compiler.context(), T::kLabel, node.args[0]));
        label.is_looked_up_label = node.is_looked_up_label;
        conditions.push_back(std::move(label));
        at = 1;
    }
    if (node.args.size() <= at || node.args.size() > 3)
        return bad_argument(node, 0, "a property key (string) or a token");
    const Value& key = node.args[at];
    if (key.is_null())
        return filter_values(compiler, input, [](const Value&) -> Result<bool> { return false; });
    const bool presence = node.args.size() == at + 1;
    if (!presence && as_traversal(node.args[at + 1]) != nullptr) {
        Op* filtered = input;
        if (!conditions.empty())
            filtered = compiler.add<HasOp>(input, std::move(conditions), nullptr);
        return make_has_traversal(compiler, node, filtered, key, node.args[at + 1]);
    }
    if (key.is_enum(EnumType::kT)) {
        if (presence) return bad_argument(node, at + 1, "a value or a predicate");
        HOB_ASSIGN_OR_RETURN(Condition condition,
                             token_condition(compiler.context(), static_cast<T>(key.enum_ordinal()),
                                             node.args[at + 1]));
        conditions.push_back(std::move(condition));
    } else if (key.is_string()) {
        Condition condition;
        condition.key = std::string(key.text());
        condition.on = presence ? Condition::On::kPresent : Condition::On::kProperty;
        if (!presence) {
            HOB_ASSIGN_OR_RETURN(condition.predicate, Predicate::make(node.args[at + 1]));
        }
        condition.is_looked_up_key = node.is_looked_up_key;
        conditions.push_back(std::move(condition));
    } else {
        return bad_argument(node, at, "a property key (string) or a token");
    }
    return compiler.add<HasOp>(input, std::move(conditions), node.look_up);
}

Result<Op*> make_has_not(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() == 1 && node.args[0].is_null()) {
        return filter_values(compiler, input, [](const Value&) -> Result<bool> { return true; });
    }
    Condition condition;
    HOB_ASSIGN_OR_RETURN(condition.key, string_argument(node, 0, "a property key (string)"));
    condition.on = Condition::On::kAbsent;
    std::vector<Condition> conditions;
    conditions.push_back(std::move(condition));
    return compiler.add<HasOp>(input, std::move(conditions), nullptr);
}

}  // namespace

extern const StepSpec has_step;
const StepSpec has_step = {.name = "has", .make = make_has, .filter = true, .reads = true};
extern const StepSpec hasLabel_step;
const StepSpec hasLabel_step = {
    .name = "hasLabel", .make = make_has_label, .filter = true, .reads = true};
extern const StepSpec hasId_step;
const StepSpec hasId_step = {.name = "hasId", .make = make_has_id, .filter = true, .reads = true};
extern const StepSpec hasKey_step;
const StepSpec hasKey_step = {
    .name = "hasKey", .make = make_has_key, .filter = true, .reads = true};
extern const StepSpec hasValue_step;
const StepSpec hasValue_step = {
    .name = "hasValue", .make = make_has_value, .filter = true, .reads = true};
extern const StepSpec hasNot_step;
const StepSpec hasNot_step = {
    .name = "hasNot", .make = make_has_not, .filter = true, .reads = true};

}  // namespace hob::gremlin
