// Steps on collections: combine difference disjunct intersect merge product (with a second one),
// conjoin, reverse, index, and the filters all any none.
#include <absl/container/flat_hash_set.h>

#include "gremlin/exec/predicate.h"
#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/step.h"
#include "gremlin/steps/strings_java.h"

namespace hob::gremlin {
namespace {

using Items = std::vector<Value>;
using Members = absl::flat_hash_set<Value, ValueHash, ValueIdentical>;

Members members_of(const Items& items) {
    return {items.begin(), items.end()};
}

// --- two collections ---

/// The second operand of such a step: a literal or a traversal's result for each traverser.
struct Operand {
    Value literal;
    std::optional<Child> child;
};

Result<Operand> make_operand(Compiler& compiler, const Node& node) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a collection or a traversal");
    Operand operand;
    if (as_traversal(node.args[0]) != nullptr) {
        HOB_ASSIGN_OR_RETURN(operand.child, compiler.child(node.args[0]));
    } else {
        operand.literal = node.args[0];
    }
    return operand;
}

Result<Items> incoming_items(const Value& value, std::string_view step) {
    if (value.is_null()) {
        return Error::execution("Incoming traverser for {} step can't be null.", step);
    }
    if (auto items = items_of(value)) return std::move(*items);
    return Error::execution(
        "{} step can only take an array or an Iterable type for incoming traversers, encountered "
        "{}",
        step, java_class(value));
}

Result<Items> operand_items(const Value& value, bool from_traversal, std::string_view step) {
    if (auto items = items_of(value)) return std::move(*items);
    if (from_traversal) {
        return Error::execution(
            "Provided traversal argument for {} step must yield an iterable type, {}{}", step,
            value.is_null() ? "not " : "encountered ", java_class(value));
    }
    if (value.is_null()) {
        return Error::execution("Argument provided for {} step can't be null.", step);
    }
    return Error::execution(
        "{} step can only take an array or an Iterable as an argument, encountered {}", step,
        java_class(value));
}

using JoinItems = Value (*)(const Items&, const Items&);

Value combine(const Items& a, const Items& b) {
    Items all(a);
    all.insert(all.end(), b.begin(), b.end());
    return Value::list(std::move(all));
}

Value unite(const Items& a, const Items& b) {
    Items all(a);
    all.insert(all.end(), b.begin(), b.end());
    return Value::set(std::move(all));
}

Items only_in(const Items& a, const Items& b) {
    const Members others = members_of(b);
    Items kept;
    for (const Value& item : a) {
        if (!others.contains(item)) kept.push_back(item);
    }
    return kept;
}

Value difference(const Items& a, const Items& b) {
    return Value::set(only_in(a, b));
}

Value disjunct(const Items& a, const Items& b) {
    Items kept = only_in(a, b);
    const Items others = only_in(b, a);
    kept.insert(kept.end(), others.begin(), others.end());
    return Value::set(std::move(kept));
}

Value intersect(const Items& a, const Items& b) {
    const Members members = members_of(a);
    Items kept;
    for (const Value& item : b) {
        if (members.contains(item)) kept.push_back(item);
    }
    return Value::set(std::move(kept));
}

Value product(const Items& a, const Items& b) {
    Items pairs;
    pairs.reserve(a.size() * b.size());
    for (const Value& first : a) {
        for (const Value& second : b)
            pairs.push_back(Value::list({first, second}));
    }
    return Value::list(std::move(pairs));
}

/// merge() of two maps: the second one's entries win.
Result<Value> merge_maps(const Value& a, const Value& b) {
    if (b.kind() != Kind::kMap) {
        return Error::execution(
            "merge step expected provided argument to evaluate to a Map, encountered {}",
            java_class(b));
    }
    Value merged = make_map();
    auto& map = merged.mutate<MapObject>();
    for (const auto& [key, value] : a.as<MapObject>().entries())
        map.put(key, value);
    for (const auto& [key, value] : b.as<MapObject>().entries())
        map.put(key, value);
    return merged;
}

class JoinItemsOp final : public TransformOp {
  public:
    JoinItemsOp(QueryContext& context, Op* input, Scope& scope, std::string step, JoinItems join,
                Operand operand)
        : TransformOp(context, input, scope),
          step_(std::move(step)),
          join_(join),
          operand_(std::move(operand)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        // A wrong object is refused before the traversal runs, as one traverser at a time would see
        // it.
        const bool merges_maps = join_ == unite;
        for (const Traverser& t : in) {
            if (merges_maps && t.value.kind() == Kind::kMap) continue;
            HOB_TRY(incoming_items(t.value, step_));
        }
        std::vector<Value> seconds;
        if (operand_.child) HOB_TRY(apply_child(*operand_.child, in, step_, seconds));
        for (std::size_t i = 0; i < in.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(
                Value result, joined(in[i].value, operand_.child ? seconds[i] : operand_.literal));
            out.push_back(ctx_.split(in[i], std::move(result)));
        }
        return {};
    }

  private:
    Result<Value> joined(const Value& first, const Value& second) const {
        if (join_ == unite) {
            if (first.kind() == Kind::kMap) return merge_maps(first, second);
            if (second.kind() == Kind::kMap && !operand_.child) {
                return Error::execution(
                    "{} step type mismatch: expected argument to be Iterable but got Map", step_);
            }
        }
        HOB_ASSIGN_OR_RETURN(const Items a, incoming_items(first, step_));
        HOB_ASSIGN_OR_RETURN(const Items b,
                             operand_items(second, operand_.child.has_value(), step_));
        return join_(a, b);
    }

    std::string step_;
    JoinItems join_;
    Operand operand_;
};

template <JoinItems kJoin>
Result<Op*> make_join(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(Operand operand, make_operand(compiler, node));
    return compiler.add<JoinItemsOp>(input, node.name, kJoin, std::move(operand));
}

// --- one collection ---

Result<Op*> make_conjoin(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() == 1 && node.args[0].is_null()) {
        return Error::invalid("Input delimiter to conjoin step can't be null.");
    }
    HOB_ASSIGN_OR_RETURN(const std::string delimiter,
                         string_argument(node, 0, "a delimiter (string)"));
    return map_values(compiler, input, [delimiter](const Value& value) -> Result<Value> {
        HOB_ASSIGN_OR_RETURN(const Items items, incoming_items(value, "conjoin"));
        std::string text;
        bool first = true;
        for (const Value& item : items) {
            if (item.is_null()) continue;
            if (!first) text += delimiter;
            first = false;
            text += to_text(item);
        }
        return Value::string(text);
    });
}

Result<Value> reverse_value(const Value& value) {
    if (value.is_string()) return Value::string(java::reverse(value.text()));
    auto items = items_of(value);
    if (!items) return value;
    return Value::list(Items(items->rbegin(), items->rend()));
}

Result<Op*> make_reverse(Compiler& compiler, const Node&, Op* input) {
    return map_values(compiler, input, reverse_value);
}

/// Whatever index() counts through: items, entries of a map, or the one object itself.
Items indexed_items(const Value& value) {
    if (auto items = items_of(value)) return std::move(*items);
    if (value.kind() != Kind::kMap) return {value};
    Items entries;
    for (const auto& [key, item] : value.as<MapObject>().entries()) {
        entries.push_back(Value::map_entry(key, item));
    }
    return entries;
}

Value index_as_list(const Value& value) {
    Items items = indexed_items(value);
    std::int32_t at = 0;
    for (Value& item : items)
        item = Value::list({item, Value::int_(at++)});
    return Value::list(std::move(items));
}

Value index_as_map(const Value& value) {
    Value map = make_map();
    std::int32_t at = 0;
    for (Value& item : indexed_items(value)) {
        map.mutate<MapObject>().put(Value::int_(at++), std::move(item));
    }
    return map;
}

constexpr std::string_view kIndexer = "~tinkerpop.index.indexer";

Result<Op*> make_index(Compiler& compiler, const Node& node, Op* input) {
    bool as_map = false;
    for (const auto& [key, option] : node.withs) {
        if (!key.is_string() || key.text() != kIndexer) continue;
        const bool known =
            option.is_integral() && (option.as_int64() == 0 || option.as_int64() == 1);
        if (!known) {
            return Error::invalid(
                "WithOptions.indexer requires a single Integer argument (possible values are: "
                "WithOptions.[list|map])");
        }
        as_map = option.as_int64() == 1;
    }
    return map_values(compiler, input, [as_map](const Value& value) -> Result<Value> {
        return as_map ? index_as_map(value) : index_as_list(value);
    });
}

// --- filters ---

enum class Quantifier : std::uint8_t { kAll, kAny, kNone };

Result<bool> holds(Quantifier quantifier, const Predicate& predicate, const Value& value) {
    const auto items = items_of(value);
    if (!items) return false;
    for (const Value& item : *items) {
        HOB_ASSIGN_OR_RETURN(const bool passes, predicate.test(item));
        if (passes != (quantifier == Quantifier::kAll)) return quantifier == Quantifier::kAny;
    }
    return quantifier != Quantifier::kAny;
}

template <Quantifier kQuantifier>
Result<Op*> make_quantifier(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty() && kQuantifier == Quantifier::kNone) {
        // Up to 3.7, none() was what discard() is now; drivers of that time still send it.
        return filter_values(compiler, input, [](const Value&) -> Result<bool> { return false; });
    }
    if (node.args.size() != 1 || node.args[0].is_null()) {
        return Error::invalid("Input predicate to {} step can't be null.", node.name);
    }
    if (as_predicate(node.args[0]) == nullptr) return bad_argument(node, 0, "a predicate (P)");
    HOB_ASSIGN_OR_RETURN(Predicate predicate, Predicate::make(node.args[0]));
    return filter_values(compiler, input, [predicate = std::move(predicate)](const Value& value) {
        return holds(kQuantifier, predicate, value);
    });
}

}  // namespace

extern const StepSpec combine_step;
extern const StepSpec conjoin_step;
extern const StepSpec difference_step;
extern const StepSpec disjunct_step;
extern const StepSpec intersect_step;
extern const StepSpec merge_step;
extern const StepSpec product_step;
extern const StepSpec reverse_step;
extern const StepSpec index_step;
extern const StepSpec all_step;
extern const StepSpec any_step;
extern const StepSpec none_step;

const StepSpec combine_step = {.name = "combine", .make = make_join<combine>};
const StepSpec conjoin_step = {.name = "conjoin", .make = make_conjoin};
const StepSpec difference_step = {.name = "difference", .make = make_join<difference>};
const StepSpec disjunct_step = {.name = "disjunct", .make = make_join<disjunct>};
const StepSpec intersect_step = {.name = "intersect", .make = make_join<intersect>};
const StepSpec merge_step = {.name = "merge", .make = make_join<unite>};
const StepSpec product_step = {.name = "product", .make = make_join<product>};
const StepSpec reverse_step = {.name = "reverse", .make = make_reverse};
const StepSpec index_step = {.name = "index", .modulators = kWith, .make = make_index};
const StepSpec all_step = {
    .name = "all", .make = make_quantifier<Quantifier::kAll>, .filter = true};
const StepSpec any_step = {
    .name = "any", .make = make_quantifier<Quantifier::kAny>, .filter = true};
const StepSpec none_step = {
    .name = "none", .make = make_quantifier<Quantifier::kNone>, .filter = true};

}  // namespace hob::gremlin
