// math(): an expression over the object, labelled objects, side effects and map entries.
#include <algorithm>
#include <numbers>

#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/math_expression.h"
#include "gremlin/steps/scoping.h"
#include "gremlin/steps/step.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

struct Variable {
    ScopeKey key;
    bool current = false;            ///< `_`: the object itself.
    std::optional<double> constant;  ///< pi, e: what the name means when nothing else has it.
    std::size_t by = 0;
};

class MathOp final : public TransformOp {
  public:
    MathOp(QueryContext& context, Op* input, Scope& scope, MathExpression expression,
           std::vector<Variable> variables, std::vector<By> bys)
        : TransformOp(context, input, scope),
          expression_(std::move(expression)),
          variables_(std::move(variables)),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<std::vector<double>> numbers(in.size());
        std::vector<std::size_t> productive(in.size());
        for (std::size_t i = 0; i < in.size(); ++i)
            productive[i] = i;
        for (const Variable& variable : variables_) {
            HOB_TRY(evaluate(variable, in, productive, numbers));
        }
        for (const std::size_t i : productive) {
            HOB_ASSIGN_OR_RETURN(const double result, expression_.evaluate(numbers[i]));
            out.push_back(ctx_.split(in[i], Value::double_(result)));
        }
        return {};
    }

  private:
    /// Adds the variable's number to each traverser; drops those for which the modulator gives
    /// nothing.
    Status evaluate(const Variable& variable, const Batch& in, std::vector<std::size_t>& productive,
                    std::vector<std::vector<double>>& numbers) {
        Batch parents;
        std::vector<std::size_t> places;
        std::vector<std::size_t> kept;
        for (const std::size_t i : productive) {
            Traverser t = in[i];
            if (!variable.current) {
                auto value = scope_value(ctx_, t, variable.key, Pop::kLast);
                if (!value && variable.constant) {
                    numbers[i].push_back(*variable.constant);
                    kept.push_back(i);
                    continue;
                }
                if (!value) return no_number(variable, Value());
                t.value = std::move(*value);
            }
            parents.push_back(std::move(t));
            places.push_back(i);
        }
        std::vector<Value> values;
        std::vector<std::uint8_t> found;
        if (!parents.empty()) HOB_TRY(bys_[variable.by].apply(ctx_, parents, values, found));
        for (std::size_t p = 0; p < places.size(); ++p) {
            if (found[p] == 0) continue;
            if (!values[p].is_number()) return no_number(variable, values[p]);
            numbers[places[p]].push_back(to_double(values[p]));
            kept.push_back(places[p]);
        }
        std::sort(kept.begin(), kept.end());
        productive = std::move(kept);
        return {};
    }

    static Error no_number(const Variable& variable, const Value& value) {
        const std::string type = value.is_null() ? "null" : java_class(value).substr(6);
        return Error::execution(
            "The variable {} for math() step must resolve to a Number - it is instead of type {} "
            "with value {}",
            variable.key.name, type, to_text(value));
    }

    MathExpression expression_;
    std::vector<Variable> variables_;
    std::vector<By> bys_;
};

std::optional<double> constant_of(std::string_view name) {
    if (name == "pi") return std::numbers::pi;
    if (name == "e") return std::numbers::e;
    return std::nullopt;
}

Result<Op*> make_math(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const std::string text,
                         string_argument(node, 0, "an expression (string)"));
    HOB_ASSIGN_OR_RETURN(MathExpression expression, MathExpression::parse(text));
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    std::vector<Variable> variables;
    for (const std::string& name : expression.variables()) {
        variables.push_back({.key = scope_key(compiler.context(), name),
                             .current = name == "_",
                             .constant = constant_of(name),
                             .by = variables.size() % bys.size()});
    }
    return compiler.add<MathOp>(input, std::move(expression), std::move(variables), std::move(bys));
}

}  // namespace

extern const StepSpec math_step;
const StepSpec math_step = {.name = "math", .modulators = kBy, .make = make_math};

}  // namespace hob::gremlin
