/// Random numbers that are the same wherever the checker is built.
#ifndef LICIT_CHECKER_WALK_RANDOM_HPP
#define LICIT_CHECKER_WALK_RANDOM_HPP

#include <cstdint>

namespace licit::checker::detail {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
class random_numbers {
 public:
  /// A stream for each seed and number.
  random_numbers(std::uint64_t seed, std::uint64_t number) : state_{mixed(seed) + number * increment} {
    state_ = mixed(state_);
  }

  std::uint64_t next() { return mixed(state_ += increment); }

  /// Below n, each as likely as the others but for n in 2^64.
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64U);
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;

  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

}  // namespace licit::checker::detail

#endif
