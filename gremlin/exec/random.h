#pragma once
#include <cstdint>

namespace hob::gremlin {

/// The linear congruential generator that java.util.Random's documentation specifies, so that
/// SeedStrategy gives the choices which clients of a JVM server know (coin, sample, shuffle).
class Random {
  public:
    Random();
    explicit Random(std::int64_t seed) { reseed(seed); }
    void reseed(std::int64_t seed);
    /// Uniform in [0, 1).
    double next_double();
    /// Uniform in [0, bound); `bound` > 0.
    std::int32_t next_int(std::int32_t bound);

  private:
    std::int32_t next(unsigned bits);
    std::uint64_t state_ = 0;
};

}  // namespace hob::gremlin
