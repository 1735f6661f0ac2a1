/// Random numbers for choosing a victim: fast, small, and predictable for an adversary.
#ifndef LICIT_SCHEDULER_RANDOM_HPP
#define LICIT_SCHEDULER_RANDOM_HPP

#include <cstdint>

namespace licit::inline v0::detail {

/// For one thread. Wait-free, a few cycles a number. Source: xorshift64* (Vigna 2016, "An experimental exploration of
/// Marsaglia's xorshift generators, scrambled"), whose period is 2^64 - 1.
class random {
 public:
  /// Different seeds give different sequences, small seeds too.
  explicit constexpr random(std::uint64_t seed) : state_{spread(seed)} {}

  constexpr std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DU;
  }

  /// A number from 0 to n - 1; n is not 0. Lemire's multiply-shift (2019) without its rejection step: no division and
  /// no loop, but some numbers are likelier than others by at most one part in 2^32 / n.
  constexpr std::uint32_t below(std::uint32_t n) {
    const std::uint64_t high = next() >> 32;  // the low bits of xorshift64* are the weak ones
    return static_cast<std::uint32_t>((high * n) >> 32);
  }

 private:
  /// The finaliser of splitmix64, a bijection: seeds that are close give states that are not.
  static constexpr std::uint64_t spread(std::uint64_t seed) {
    seed += 0x9E3779B97F4A7C15U;
    seed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9U;
    seed = (seed ^ (seed >> 27)) * 0x94D049BB133111EBU;
    seed ^= seed >> 31;
    return seed == 0 ? 1 : seed;  // 0 is the one state that xorshift never leaves
  }

  std::uint64_t state_;
};

}  // namespace licit::inline v0::detail

#endif
