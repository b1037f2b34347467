#include "gremlin/steps/math_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace hob::gremlin {
namespace {

struct Function {
    std::string_view name;
    double (*apply)(double);
};

double signum(double v) {
    return v > 0 ? 1 : v < 0 ? -1 : 0;
}
double log2_as_java(double v) {
    return std::log(v) / std::log(2.0);
}

constexpr std::array kFunctions = {
    Function{"abs", [](double v) { return std::abs(v); }},
    Function{"acos", [](double v) { return std::acos(v); }},
    Function{"asin", [](double v) { return std::asin(v); }},
    Function{"atan", [](double v) { return std::atan(v); }},
    Function{"cbrt", [](double v) { return std::cbrt(v); }},
    Function{"ceil", [](double v) { return std::ceil(v); }},
    Function{"cos", [](double v) { return std::cos(v); }},
    Function{"cosh", [](double v) { return std::cosh(v); }},
    Function{"exp", [](double v) { return std::exp(v); }},
    Function{"floor", [](double v) { return std::floor(v); }},
    Function{"log", [](double v) { return std::log(v); }},
    Function{"log10", [](double v) { return std::log10(v); }},
    Function{"log2", log2_as_java},
    Function{"signum", signum},
    Function{"sin", [](double v) { return std::sin(v); }},
    Function{"sinh", [](double v) { return std::sinh(v); }},
    Function{"sqrt", [](double v) { return std::sqrt(v); }},
    Function{"tan", [](double v) { return std::tan(v); }},
    Function{"tanh", [](double v) { return std::tanh(v); }},
};

constexpr int kSignPrecedence = 5000;
constexpr std::size_t kDepthMax = 500;

/// 0: not an operator.
int precedence_of(char symbol) {
    switch (symbol) {
        case '+':
        case '-':
            return 500;
        case '*':
        case '/':
        case '%':
            return 1000;
        case '^':
            return 10000;
        default:
            return 0;
    }
}

/// The bracket that closes `open`, or 0.
char closing_of(char open) {
    switch (open) {
        case '(':
            return ')';
        case '[':
            return ']';
        case '{':
            return '}';
        default:
            return 0;
    }
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr std::string_view kPi = "\xcf\x80";
constexpr std::string_view kPhi = "\xcf\x86";

}  // namespace

/// Precedence climbing into reverse Polish order.
class MathParser {
  public:
    MathParser(std::string_view text, MathExpression& out) : text_(text), out_(out) {}

    Status parse() {
        HOB_TRY(parse_operation(0));
        skip_blank();
        if (at_ < text_.size()) return fail("an operator");
        return {};
    }

  private:
    using Instruction = MathExpression::Instruction;
    using Kind = Instruction::Kind;

    Error fail(std::string_view expected) const {
        const std::string found =
            at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 10)) : "the end";
        return Error::invalid("math(): expected {} at character {} of '{}', found {}", expected,
                              at_ + 1, text_, found);
    }

    void skip_blank() {
        while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= ' ')
            ++at_;
    }

    bool take(std::string_view what) {
        if (!text_.substr(at_).starts_with(what)) return false;
        at_ += what.size();
        return true;
    }

    void emit(Instruction instruction) { out_.program_.push_back(instruction); }

    /// An operand and the operators behind it that bind at least as strongly as `weakest`.
    Status parse_operation(int weakest) {
        if (++depth_ > kDepthMax) {
            return Error::invalid("math(): the expression is nested deeper than {} levels",
                                  kDepthMax);
        }
        HOB_TRY(parse_operand());
        while (true) {
            skip_blank();
            const char symbol = at_ < text_.size() ? text_[at_] : '\0';
            const int precedence = precedence_of(symbol);
            if (precedence == 0 || precedence < weakest) break;
            ++at_;
            HOB_TRY(parse_operation(symbol == '^' ? precedence : precedence + 1));
            emit({.kind = Kind::kBinary, .symbol = symbol});
        }
        --depth_;
        return {};
    }

    Status parse_operand() {
        skip_blank();
        if (at_ >= text_.size()) return fail("a number, a name or '('");
        const char c = text_[at_];
        if (c == '-' || c == '+') {
            ++at_;
            HOB_TRY(parse_operation(kSignPrecedence));
            if (c == '-') emit({.kind = Kind::kNegate});
            return {};
        }
        if (closing_of(c) != 0) return parse_bracket(closing_of(c));
        if (is_digit(c) || c == '.') return parse_number();
        if (starts_name(c)) return parse_name();
        if (take(kPi)) {
            emit({.kind = Kind::kNumber, .number = std::numbers::pi});
            return {};
        }
        if (take(kPhi)) {
            emit({.kind = Kind::kNumber, .number = std::numbers::phi});
            return {};
        }
        return fail("a number, a name or '('");
    }

    Status parse_bracket(char closing) {
        ++at_;
        HOB_TRY(parse_operation(0));
        skip_blank();
        if (at_ >= text_.size() || text_[at_] != closing) {
            return fail(fmt::format("an operator or '{}'", closing));
        }
        ++at_;
        return {};
    }

    Status parse_number() {
        Instruction number{.kind = Kind::kNumber};
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), number.number);
        if (error != std::errc()) return fail("a number");
        at_ = static_cast<std::size_t>(end - text_.data());
        emit(number);
        return {};
    }

    Status parse_name() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && (starts_name(text_[end]) || is_digit(text_[end])))
            ++end;
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end;
        const auto function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                           [name](const Function& f) { return f.name == name; });
        if (function == kFunctions.end()) {
            emit({.kind = Kind::kVariable, .index = variable(name)});
            return {};
        }
        skip_blank();
        const char closing = at_ < text_.size() ? closing_of(text_[at_]) : '\0';
        // Without brackets a function takes the whole rest, as in exp4j.
        if (closing != 0) {
            HOB_TRY(parse_bracket(closing));
        } else {
            HOB_TRY(parse_operation(0));
        }
        emit({.kind = Kind::kFunction,
              .index = static_cast<std::size_t>(function - kFunctions.begin())});
        return {};
    }

    std::size_t variable(std::string_view name) {
        auto& all = out_.variables_;
        const auto found = std::find(all.begin(), all.end(), name);
        if (found == all.end()) all.emplace_back(name);
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
    }

    std::string_view text_;
    MathExpression& out_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
};

Result<MathExpression> MathExpression::parse(std::string_view text) {
    MathExpression expression;
    HOB_TRY(MathParser(text, expression).parse());
    return expression;
}

namespace {

Result<double> binary(char symbol, double a, double b) {
    switch (symbol) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        case '^':
            return std::pow(a, b);
        default:
            if (b == 0) return Error::execution("Division by zero!");
            return symbol == '/' ? a / b : std::fmod(a, b);
    }
}

}  // namespace

Result<double> MathExpression::evaluate(std::span<const double> values) const {
    std::vector<double> stack;
    for (const Instruction& instruction : program_) {
        switch (instruction.kind) {
            case Instruction::Kind::kNumber:
                stack.push_back(instruction.number);
                break;
            case Instruction::Kind::kVariable:
                stack.push_back(values[instruction.index]);
                break;
            case Instruction::Kind::kNegate:
                stack.back() = -stack.back();
                break;
            case Instruction::Kind::kFunction:
                stack.back() = kFunctions[instruction.index].apply(stack.back());
                break;
            case Instruction::Kind::kBinary: {
                const double b = stack.back();
                stack.pop_back();
                HOB_ASSIGN_OR_RETURN(stack.back(), binary(instruction.symbol, stack.back(), b));
                break;
            }
        }
    }
    return stack.back();
}

}  // namespace hob::gremlin
