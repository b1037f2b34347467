#include "gremlin/language/traversal.h"

#include <algorithm>

#include "gremlin/language/printer.h"

namespace hob::gremlin {
namespace {

std::size_t mix(std::size_t seed, std::size_t hash) {
    return seed ^ (hash + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U));
}

std::size_t hash_of_text(std::string_view text) {
    return std::hash<std::string_view>{}(text);
}

bool same_values(const std::vector<Value>& a, const std::vector<Value>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), identical);
}

bool same_instructions(const std::vector<Instruction>& a, const std::vector<Instruction>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Instruction& x, const Instruction& y) {
                          return x.name == y.name && same_values(x.arguments, y.arguments);
                      });
}

std::size_t hash_of_instructions(std::size_t seed, const std::vector<Instruction>& instructions) {
    for (const Instruction& instruction : instructions) {
        seed = mix(seed, hash_of_text(instruction.name));
        for (const Value& argument : instruction.arguments)
            seed = mix(seed, hash_of(argument));
    }
    return seed;
}

}  // namespace

bool TraversalObject::same_as(const ForeignObject& other) const {
    if (other.foreign_class() != Class::kTraversal) return false;
    const Traversal& theirs = static_cast<const TraversalObject&>(other).traversal;
    return same_instructions(traversal.sources, theirs.sources) &&
           same_instructions(traversal.steps, theirs.steps);
}
std::size_t TraversalObject::hash() const {
    return hash_of_instructions(hash_of_instructions(1, traversal.sources), traversal.steps);
}
std::string TraversalObject::text() const {
    return print_object(*this);
}

bool PredicateObject::same_as(const ForeignObject& other) const {
    if (other.foreign_class() != Class::kPredicate) return false;
    const auto& theirs = static_cast<const PredicateObject&>(other);
    return name == theirs.name && same_values(operands, theirs.operands);
}
std::size_t PredicateObject::hash() const {
    std::size_t seed = hash_of_text(name);
    for (const Value& operand : operands)
        seed = mix(seed, hash_of(operand));
    return seed;
}
std::string PredicateObject::text() const {
    return print_object(*this);
}

bool StrategyObject::same_as(const ForeignObject& other) const {
    if (other.foreign_class() != Class::kStrategy) return false;
    const auto& theirs = static_cast<const StrategyObject&>(other);
    return name == theirs.name &&
           std::equal(configuration.begin(), configuration.end(), theirs.configuration.begin(),
                      theirs.configuration.end(), [](const auto& x, const auto& y) {
                          return x.first == y.first && identical(x.second, y.second);
                      });
}
std::size_t StrategyObject::hash() const {
    std::size_t seed = hash_of_text(name);
    for (const auto& [key, value] : configuration) {
        seed = mix(mix(seed, hash_of_text(key)), hash_of(value));
    }
    return seed;
}
std::string StrategyObject::text() const {
    return print_object(*this);
}

bool BindingObject::same_as(const ForeignObject& other) const {
    if (other.foreign_class() != Class::kBinding) return false;
    const auto& theirs = static_cast<const BindingObject&>(other);
    return name == theirs.name && bound == theirs.bound && identical(value, theirs.value);
}
std::size_t BindingObject::hash() const {
    return mix(hash_of_text(name), bound ? 1 : 0);
}
std::string BindingObject::text() const {
    return name;
}

std::string LambdaObject::text() const {
    return "lambda[" + language + "]";
}

}  // namespace hob::gremlin
