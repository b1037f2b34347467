#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/error.h"

namespace hob::gremlin {

/// An expression of math(), in the language of exp4j: + - * / % ^ (to the right, before a sign),
/// parentheses, functions of one argument, numbers, names. Immutable after construction.
class MathExpression {
  public:
    /// Errors: kInvalidArgument, with the place in the text.
    static Result<MathExpression> parse(std::string_view text);
    /// Names in the order of their first appearance; `_` is one. π and φ are numbers, not names.
    [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
    /// `values` go with `variables()`. Errors: kExecution (division by zero).
    [[nodiscard]] Result<double> evaluate(std::span<const double> values) const;

  private:
    friend class MathParser;
    /// One step of the stack machine that the text becomes.
    struct Instruction {
        enum class Kind : std::uint8_t { kNumber, kVariable, kNegate, kBinary, kFunction };
        Kind kind = Kind::kNumber;
        char symbol = 0;        ///< kBinary
        double number = 0;      ///< kNumber
        std::size_t index = 0;  ///< kVariable: in variables(); kFunction: in the table of functions
    };
    std::vector<Instruction> program_;
    std::vector<std::string> variables_;
};

}  // namespace hob::gremlin
