#pragma once
#include <random>

#include "gremlin/language/traversal.h"

namespace hob::gremlin::test {

/// Makes traversals with random steps, overloads and arguments out of the signature table, already
/// normalized.
class RandomTraversal {
  public:
    explicit RandomTraversal(std::uint64_t seed) : random_(seed) {}
    /// A whole traversal: sources, a spawn step, steps.
    Traversal root();
    /// Any value that a text can write.
    Value value(int depth);

  private:
    std::size_t below(std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
    }
    bool chance(std::size_t one_in) { return below(one_in) == 0; }
    Value number();
    Value string();
    Value constant();
    Value collection(int depth);
    Value predicate(int depth);
    Value of_type(std::string_view type, int depth);
    Value nested(int depth);
    Value strategy(int depth);
    Instruction call(std::string_view name, int depth);
    std::string_view step();

    std::mt19937_64 random_;
};

}  // namespace hob::gremlin::test
