#pragma once
#include <cstdint>
#include <random>
#include <string>

#include "storage/value/value.h"

namespace hob::test {

/// Random values of every kind that can be stored, the edges of each kind's range more often than
/// chance would have it.
class RandomValues {
  public:
    explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

    Value scalar();
    Value storable(std::size_t depth = 3);
    /// An integral number of any width.
    Value integral();
    Value real();
    Value decimal();
    Value string();
    std::string bytes(std::size_t size_max);
    std::int64_t integer();
    std::uint64_t below(std::uint64_t n) { return engine_() % n; }

  private:
    std::mt19937_64 engine_;
};

/// A seed that differs from run to run, or the one in HOB_SEED; tests print it with their failures.
std::uint64_t run_seed();

}  // namespace hob::test
