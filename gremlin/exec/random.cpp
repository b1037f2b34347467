#include "gremlin/exec/random.h"

#include <random>

namespace hob::gremlin {
namespace {
constexpr std::uint64_t kMultiplier = 0x5DEECE66DULL;
constexpr std::uint64_t kMask = (1ULL << 48) - 1;
}  // namespace

Random::Random() {
    // The operating system is asked once a thread: every query has a generator, few draw from it.
    thread_local std::mt19937_64 seeds{std::random_device{}()};
    reseed(static_cast<std::int64_t>(seeds()));
}

void Random::reseed(std::int64_t seed) {
    state_ = (static_cast<std::uint64_t>(seed) ^ kMultiplier) & kMask;
}

std::int32_t Random::next(unsigned bits) {
    state_ = (state_ * kMultiplier + 0xBULL) & kMask;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(state_ >> (48U - bits)));
}

double Random::next_double() {
    const auto high = static_cast<std::int64_t>(next(26)) << 27;
    const auto low = static_cast<std::int64_t>(next(27));
    return static_cast<double>(high + low) * 0x1.0p-53;
}

std::int32_t Random::next_int(std::int32_t bound) {
    std::int32_t bits = next(31);
    const std::int32_t mask = bound - 1;
    if ((bound & mask) == 0) {
        return static_cast<std::int32_t>((static_cast<std::int64_t>(bound) * bits) >> 31);
    }
    std::int32_t value = bits % bound;
    // The last, incomplete run of `bound` numbers is thrown away, as the JDK's documentation
    // prescribes.
    while (static_cast<std::int64_t>(bits) - value + mask > INT32_MAX) {
        bits = next(31);
        value = bits % bound;
    }
    return value;
}

}  // namespace hob::gremlin
