#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gremlin/language/traversal.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// A predicate ready to test values (TinkerPop's P and TextP). Values that don't compare give
/// false; not() negates that. Immutable after construction.
class Predicate {
  public:
    enum class Kind : std::uint8_t {
        kEq,
        kNeq,
        kLt,
        kLte,
        kGt,
        kGte,
        kInside,
        kOutside,
        kBetween,
        kWithin,
        kWithout,
        kStartingWith,
        kNotStartingWith,
        kEndingWith,
        kNotEndingWith,
        kContaining,
        kNotContaining,
        kRegex,
        kNotRegex,
        kTypeOf,
        kAnd,
        kOr,
        kNot,
    };

    /// From a predicate argument, or from a plain value (then: equals it). Errors: kInvalidArgument
    /// (bad operand, bad regex).
    static Result<Predicate> make(const Value& argument);
    static Predicate equals(Value value);
    [[nodiscard]] Result<bool> test(const Value& value) const;
    [[nodiscard]] Kind kind() const { return kind_; }
    /// Operands of the non-composite kinds. Step labels in where() are found here.
    [[nodiscard]] const std::vector<Value>& operands() const { return operands_; }
    [[nodiscard]] const std::vector<Predicate>& parts() const { return parts_; }
    /// The same predicate over other operands (where('a', gt('b')) puts labelled values in).
    [[nodiscard]] Predicate with_operands(std::vector<Value> operands) const;
    /// For within: whether membership can be looked up; values this predicate may equal, when it is
    /// eq or within; else empty.
    [[nodiscard]] bool is_equality() const { return kind_ == Kind::kEq || kind_ == Kind::kWithin; }

  private:
    struct Text;
    [[nodiscard]] Result<bool> test_text(const Value& value) const;
    Kind kind_ = Kind::kEq;
    std::vector<Value> operands_;
    std::vector<Predicate> parts_;
    std::shared_ptr<const Text> text_;  ///< The compiled regex.
};

/// Whether `value` is of the given GType (typeOf).
bool is_of_type(const Value& value, GType type);

}  // namespace hob::gremlin
