#include "gremlin/language/normalize.h"

#include <algorithm>

#include "gremlin/language/script.h"
#include "gremlin/language/signature.h"

namespace hob::gremlin {
namespace {

/// "org.apache...ReadOnlyStrategy" and "Outer$Inner" to the last name.
std::string simple_name(std::string_view class_name) {
    const std::size_t at = class_name.find_last_of(".$");
    const bool outer = at != std::string_view::npos && at + 1 < class_name.size();
    return std::string(outer ? class_name.substr(at + 1) : class_name);
}

/// The class name in a GraphBinary body of type Class: a length and the name.
std::string_view class_name_of(const ExtendedObject& object) {
    static constexpr std::size_t kLengthBytes = 4;
    const std::string_view body = object.body;
    return body.substr(std::min(kLengthBytes, body.size()));
}

/// Functions answer whether they went well and keep the first failure in `error_`: frames stay
/// small, since traversals nest deeply.
class Normalizer {
  public:
    explicit Normalizer(const VariableLookup* value_of) : value_of_(value_of) {}

    Status run(Traversal& t) {
        if (!traversal(t)) return std::move(error_);
        return {};
    }

  private:
    bool traversal(Traversal& t) {
        if (!instructions(t.sources) || !instructions(t.steps)) return false;
        spread_sources(t.sources);
        return true;
    }

    bool instructions(std::vector<Instruction>& list) {
        for (Instruction& instruction : list) {
            const bool had_variable = replaced_;
            replaced_ = false;
            for (Value& argument : instruction.arguments) {
                if (!value(argument)) return false;
            }
            rename(instruction);
            if (replaced_ && !check(instruction)) return false;
            replaced_ = replaced_ || had_variable;
        }
        return true;
    }

    [[gnu::noinline]] bool check(const Instruction& instruction) {
        Status fits = check_signature(instruction);
        if (fits.ok()) return true;
        error_ = std::move(fits.error());
        return false;
    }

    [[gnu::noinline]] static void rename(Instruction& instruction) {
        if (instruction.name == "none" && instruction.arguments.empty()) {
            instruction.name = "discard";
        } else if (instruction.name == "with" && instruction.arguments.size() == 1) {
            instruction.arguments.push_back(Value::boolean(true));
        } else if (instruction.name == "aggregate" && instruction.arguments.size() == 2 &&
                   instruction.arguments[0].is_enum(EnumType::kScope)) {
            rename_aggregate(instruction);
        } else if (instruction.name == "withoutStrategies") {
            for (Value& argument : instruction.arguments)
                name_strategy(argument);
        }
    }

    static void rename_aggregate(Instruction& instruction) {
        const auto scope = static_cast<ScopeToken>(instruction.arguments[0].enum_ordinal());
        instruction.arguments.erase(instruction.arguments.begin());
        if (scope == ScopeToken::kGlobal) return;
        Traversal inner;
        inner.steps.push_back(std::move(instruction));
        const SourcePosition at = inner.steps.front().at;
        instruction = Instruction{"local", {make_traversal(std::move(inner))}, at};
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
    [[gnu::noinline]] static void spread_sources(std::vector<Instruction>& sources) {
        const auto has_options = [](const Instruction& source) {
            return source.name == "withComputer" || source.name == "withStrategies";
        };
        if (std::any_of(sources.begin(), sources.end(), has_options))
            sources = spread(std::move(sources));
    }

    static std::vector<Instruction> spread(std::vector<Instruction> sources) {
        std::vector<Instruction> result;
        for (Instruction& source : sources) {
            if (source.name == "withComputer") {
                result.push_back(
                    {"withStrategies", {make_strategy("VertexProgramStrategy", {})}, source.at});
                continue;
            }
            if (source.name != "withStrategies") {
                result.push_back(std::move(source));
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
                    result.push_back({"with", {Value::string(key), option}, source.at});
                }
            }
            if (others.empty()) continue;
            source.arguments = std::move(others);
            result.push_back(std::move(source));
        }
        return result;
    }

    bool value(Value& v) {
        switch (v.kind()) {
            case Kind::kForeign:
                return foreign_value(v);
            case Kind::kList:
            case Kind::kSet:
                return !may_hold_foreign(v) || collection(v);
            case Kind::kMap:
                return !may_hold_foreign(v) || map(v);
            default:
                return true;
        }
    }

    bool values(std::vector<Value>& items) {
        for (Value& item : items) {
            if (!value(item)) return false;
        }
        return true;
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

    [[gnu::noinline]] bool collection(Value& v) {
        std::vector<Value> items(v.items().begin(), v.items().end());
        if (!values(items)) return false;
        v = v.kind() == Kind::kSet ? Value::set(std::move(items)) : Value::list(std::move(items));
        return true;
    }

    [[gnu::noinline]] bool map(Value& v) {
        Value copy = make_map();
        for (const auto& [key, mapped] : v.as<MapObject>().entries()) {
            Value new_key = key;
            Value new_value = mapped;
            if (!value(new_key) || !value(new_value)) return false;
            copy.mutate<MapObject>().put(std::move(new_key), std::move(new_value));
        }
        v = std::move(copy);
        return true;
    }

    bool foreign_value(Value& v) {
        switch (v.as<ForeignObject>().foreign_class()) {
            case ForeignObject::Class::kBinding:
                return binding(v);
            case ForeignObject::Class::kTraversal:
                if (!v.object()->unique())
                    v = make_traversal(Traversal(v.as<TraversalObject>().traversal));
                return traversal(v.mutate<TraversalObject>().traversal);
            case ForeignObject::Class::kPredicate:
                return predicate(v);
            case ForeignObject::Class::kStrategy:
                return strategy(v);
            case ForeignObject::Class::kLambda:
            case ForeignObject::Class::kOther:
                return true;
        }
        return true;
    }

    [[gnu::noinline]] static void copy_traversal(Value& v) {
        v = make_traversal(Traversal(v.as<TraversalObject>().traversal));
    }

    [[gnu::noinline]] bool strategy(Value& v) {
        const auto& object = v.as<StrategyObject>();
        std::vector<std::pair<std::string, Value>> configuration = object.configuration;
        for (auto& [key, configured] : configuration) {
            if (!value(configured)) return false;
        }
        v = make_strategy(simple_name(object.name), std::move(configuration));
        return true;
    }

    [[gnu::noinline]] bool binding(Value& v) {
        const auto& variable = v.as<BindingObject>();
        if (variable.bound) {
            Value bound = variable.value;
            v = std::move(bound);
            return value(v);
        }
        if (value_of_ == nullptr) return true;
        const Value* found = (*value_of_)(variable.name);
        if (found == nullptr) {
            error_ = Error::invalid(
                "the variable {} at line {}, column {} has no value: send it with the request's "
                "bindings, or assign it before ({} = ...)",
                variable.name, variable.at.line, variable.at.column, variable.name);
            return false;
        }
        Value bound = *found;
        v = std::move(bound);
        replaced_ = true;
        return true;
    }

    [[gnu::noinline]] bool predicate(Value& v) {
        const auto& p = v.as<PredicateObject>();
        // Members that are lists themselves stay when variables are bound later.
        const bool fresh = value_of_ == nullptr ||
                           (p.operands.size() == 1 && as_binding(p.operands[0]) != nullptr);
        std::vector<Value> operands = p.operands;
        if (!values(operands)) return false;
        if (p.name == "within" || p.name == "without") {
            if (fresh && operands.size() == 1 && operands[0].is_collection()) {
                operands = members(operands[0]);
            }
        } else if (p.name == "and" || p.name == "or") {
            if (operands.empty()) {
                error_ = Error::invalid("{}() of predicates needs an operand", p.name);
                return false;
            }
            operands = flat(p.name, std::move(operands));
            if (operands.size() == 1) {
                v = std::move(operands[0]);
                return true;
            }
        }
        v = make_predicate(p.name, std::move(operands));
        return true;
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
    Error error_;
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
    return Normalizer(nullptr).run(traversal);
}

Status bind_variables(Traversal& traversal, const VariableLookup& value_of) {
    return Normalizer(&value_of).run(traversal);
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
