#include "gremlin/language/normalize.h"

#include <algorithm>

#include "gremlin/language/script.h"
#include "gremlin/language/signature.h"

namespace hob::gremlin {
namespace {

/// "org.apache...ReadOnlyStrategy" and "Outer$Inner" to the last name.
std::string simple_name(std::string_view class_name) {
    const std::size_t at = class_name.find_last_of(".$");
    return std::string(at == std::string_view::npos ? class_name : class_name.substr(at + 1));
}

/// The class name in a GraphBinary body of type Class: a length and the name.
std::string_view class_name_of(const ExtendedObject& object) {
    static constexpr std::size_t kLengthBytes = 4;
    const std::string_view body = object.body;
    return body.substr(std::min(kLengthBytes, body.size()));
}

class Normalizer {
  public:
    explicit Normalizer(const VariableLookup* value_of) : value_of_(value_of) {}

    Status traversal(Traversal& t) {
        HOB_TRY(instructions(t.sources));
        HOB_TRY(instructions(t.steps));
        spread_sources(t.sources);
        return {};
    }

  private:
    Status instructions(std::vector<Instruction>& list) {
        for (Instruction& instruction : list)
            HOB_TRY(one(instruction));
        return {};
    }

    Status one(Instruction& instruction) {
        const bool had_variable = replaced_;
        replaced_ = false;
        for (Value& argument : instruction.arguments)
            HOB_TRY(value(argument));
        rename(instruction);
        if (replaced_) HOB_TRY(check_signature(instruction));
        replaced_ = replaced_ || had_variable;
        return {};
    }

    static void rename(Instruction& instruction) {
        std::vector<Value>& arguments = instruction.arguments;
        if (instruction.name == "none" && arguments.empty()) {
            instruction.name = "discard";
        } else if (instruction.name == "with" && arguments.size() == 1) {
            arguments.push_back(Value::boolean(true));
        } else if (instruction.name == "aggregate" && arguments.size() == 2 &&
                   arguments[0].is_enum(EnumType::kScope)) {
            const bool local =
                static_cast<ScopeToken>(arguments[0].enum_ordinal()) == ScopeToken::kLocal;
            arguments.erase(arguments.begin());
            if (!local) return;
            Traversal inner;
            inner.steps.push_back(std::move(instruction));
            const SourcePosition at = inner.steps.front().at;
            instruction = Instruction{"local", {make_traversal(std::move(inner))}, at};
        } else if (instruction.name == "withoutStrategies") {
            for (Value& argument : arguments)
                name_strategy(argument);
        }
    }

    /// A class, a strategy with configuration or a name becomes a bare strategy.
    static void name_strategy(Value& argument) {
        if (const StrategyObject* strategy = as_strategy(argument)) {
            if (!strategy->configuration.empty()) argument = make_strategy(strategy->name, {});
        } else if (argument.is_string()) {
            argument = make_strategy(simple_name(argument.text()), {});
        } else if (argument.kind() == Kind::kExtended &&
                   argument.as<ExtendedObject>().type == ExtendedType::kClass) {
            argument = make_strategy(simple_name(class_name_of(argument.as<ExtendedObject>())), {});
        }
    }

    /// Rule 4: the options out of withStrategies(...).
    static void spread_sources(std::vector<Instruction>& sources) {
        const auto has_options = [](const Instruction& source) {
            return source.name == "withComputer" || source.name == "withStrategies";
        };
        if (std::none_of(sources.begin(), sources.end(), has_options)) return;
        std::vector<Instruction> spread;
        for (Instruction& source : sources) {
            if (source.name == "withComputer") {
                spread.push_back(
                    {"withStrategies", {make_strategy("VertexProgramStrategy", {})}, source.at});
                continue;
            }
            if (source.name != "withStrategies") {
                spread.push_back(std::move(source));
                continue;
            }
            std::vector<Value> others;
            for (Value& argument : source.arguments) {
                const StrategyObject* strategy = as_strategy(argument);
                if (strategy == nullptr || strategy->name != "OptionsStrategy") {
                    others.push_back(std::move(argument));
                    continue;
                }
                for (const auto& [key, option] : strategy->configuration) {
                    spread.push_back({"with", {Value::string(key), option}, source.at});
                }
            }
            if (others.empty()) continue;
            source.arguments = std::move(others);
            spread.push_back(std::move(source));
        }
        sources = std::move(spread);
    }

    Status value(Value& v) {
        switch (v.kind()) {
            case Kind::kForeign:
                return foreign_value(v);
            case Kind::kList:
            case Kind::kSet:
                return collection(v);
            case Kind::kMap:
                return map(v);
            default:
                return {};
        }
    }

    /// Only these can hold something to rewrite; the others need no copy.
    static bool may_hold_foreign(const Value& v) {
        switch (v.kind()) {
            case Kind::kForeign:
                return true;
            case Kind::kList:
            case Kind::kSet:
                return std::any_of(v.items().begin(), v.items().end(), may_hold_foreign);
            case Kind::kMap: {
                const auto& entries = v.as<MapObject>().entries();
                return std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
                    return may_hold_foreign(entry.first) || may_hold_foreign(entry.second);
                });
            }
            default:
                return false;
        }
    }

    Status collection(Value& v) {
        if (!may_hold_foreign(v)) return {};
        std::vector<Value> items(v.items().begin(), v.items().end());
        for (Value& item : items)
            HOB_TRY(value(item));
        v = v.kind() == Kind::kSet ? Value::set(std::move(items)) : Value::list(std::move(items));
        return {};
    }

    Status map(Value& v) {
        if (!may_hold_foreign(v)) return {};
        Value copy = make_map();
        for (const auto& [key, mapped] : v.as<MapObject>().entries()) {
            Value new_key = key;
            Value new_value = mapped;
            HOB_TRY(value(new_key));
            HOB_TRY(value(new_value));
            copy.mutate<MapObject>().put(std::move(new_key), std::move(new_value));
        }
        v = std::move(copy);
        return {};
    }

    Status foreign_value(Value& v) {
        switch (v.as<ForeignObject>().foreign_class()) {
            case ForeignObject::Class::kBinding:
                return binding(v);
            case ForeignObject::Class::kTraversal: {
                if (v.object()->unique()) return traversal(v.mutate<TraversalObject>().traversal);
                Traversal copy = v.as<TraversalObject>().traversal;
                HOB_TRY(traversal(copy));
                v = make_traversal(std::move(copy));
                return {};
            }
            case ForeignObject::Class::kPredicate:
                return predicate(v);
            case ForeignObject::Class::kStrategy: {
                const auto& strategy = v.as<StrategyObject>();
                std::vector<std::pair<std::string, Value>> configuration = strategy.configuration;
                for (auto& [key, configured] : configuration)
                    HOB_TRY(value(configured));
                v = make_strategy(simple_name(strategy.name), std::move(configuration));
                return {};
            }
            case ForeignObject::Class::kLambda:
            case ForeignObject::Class::kOther:
                return {};
        }
        return {};
    }

    Status binding(Value& v) {
        const auto& variable = v.as<BindingObject>();
        if (variable.bound) {
            Value bound = variable.value;
            v = std::move(bound);
            return value(v);
        }
        if (value_of_ == nullptr) return {};
        const Value* found = (*value_of_)(variable.name);
        if (found == nullptr) {
            return Error::invalid(
                "the variable {} at line {}, column {} has no value: send it with the request's "
                "bindings, or assign it before ({} = ...)",
                variable.name, variable.at.line, variable.at.column, variable.name);
        }
        Value bound = *found;
        v = std::move(bound);
        replaced_ = true;
        return {};
    }

    Status predicate(Value& v) {
        const auto& p = v.as<PredicateObject>();
        std::vector<Value> operands = p.operands;
        for (Value& operand : operands)
            HOB_TRY(value(operand));
        if (p.name == "within" || p.name == "without") {
            // Members that are lists themselves stay when variables are bound later.
            const bool fresh =
                value_of_ == nullptr || (!operands.empty() && as_binding(p.operands[0]) != nullptr);
            if (fresh && operands.size() == 1 && operands[0].is_collection()) {
                operands = members(operands[0]);
            }
        } else if (p.name == "and" || p.name == "or") {
            if (operands.empty())
                return Error::invalid("{}() of predicates needs an operand", p.name);
            operands = flat(p.name, std::move(operands));
            if (operands.size() == 1) {
                v = std::move(operands[0]);
                return {};
            }
        }
        v = make_predicate(p.name, std::move(operands));
        return {};
    }

    static std::vector<Value> members(const Value& collection) {
        std::vector<Value> items;
        if (collection.kind() == Kind::kBulkSet) {
            for (const auto& [item, count] : collection.as<BulkSetObject>().entries())
                items.push_back(item);
        } else {
            items.assign(collection.items().begin(), collection.items().end());
        }
        return items;
    }

    /// Operands are normalized, so one level is enough.
    static std::vector<Value> flat(std::string_view name, std::vector<Value> operands) {
        std::vector<Value> result;
        for (Value& operand : operands) {
            const PredicateObject* nested = as_predicate(operand);
            if (nested != nullptr && nested->name == name) {
                result.insert(result.end(), nested->operands.begin(), nested->operands.end());
            } else {
                result.push_back(std::move(operand));
            }
        }
        return result;
    }

    const VariableLookup* value_of_;
    bool replaced_ = false;  ///< A variable of the present call got its value.
};

Status check_value(const Value& v) {
    if (const TraversalObject* nested = as_traversal(v)) return check_signatures(nested->traversal);
    if (const PredicateObject* predicate = as_predicate(v)) {
        for (const Value& operand : predicate->operands)
            HOB_TRY(check_value(operand));
    } else if (const StrategyObject* strategy = as_strategy(v)) {
        for (const auto& [key, configured] : strategy->configuration)
            HOB_TRY(check_value(configured));
    } else if (v.kind() == Kind::kList || v.kind() == Kind::kSet) {
        for (const Value& item : v.items())
            HOB_TRY(check_value(item));
    } else if (v.kind() == Kind::kMap) {
        for (const auto& [key, mapped] : v.as<MapObject>().entries())
            HOB_TRY(check_value(mapped));
    }
    return {};
}

/// `single(x)` and relatives are no steps.
bool is_cardinality_value(const Traversal& t) {
    return t.steps.empty() && t.sources.size() == 1 &&
           t.sources[0].name == "CardinalityValueTraversal";
}

}  // namespace

Status normalize(Traversal& traversal) {
    return Normalizer(nullptr).traversal(traversal);
}

Status bind_variables(Traversal& traversal, const VariableLookup& value_of) {
    return Normalizer(&value_of).traversal(traversal);
}

Status check_signatures(const Traversal& traversal) {
    if (is_cardinality_value(traversal)) return check_value(traversal.sources[0].arguments.back());
    for (const auto* list : {&traversal.sources, &traversal.steps}) {
        for (const Instruction& instruction : *list) {
            HOB_TRY(check_signature(instruction));
            for (const Value& argument : instruction.arguments)
                HOB_TRY(check_value(argument));
        }
    }
    return {};
}

}  // namespace hob::gremlin
