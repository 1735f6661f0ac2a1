/// The order in which a searching worker visits the others.
#ifndef LICIT_SCHEDULER_VICTIMS_HPP
#define LICIT_SCHEDULER_VICTIMS_HPP

#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/random.hpp>

namespace licit::inline v0::detail {

struct victims_rules {
  bool at_random = true;  ///< false: each round begins with the next worker, so that every run does the same
};

/// For one worker. Each round visits every other worker once, beginning with a random one, so that searchers do not all
/// begin with the same victim.
template <class Policy = native>
class victims {
 public:
  /// Preconditions: self < workers < 2^32. All workers may have the same seed.
  victims(std::size_t self, std::size_t workers, std::uint64_t seed = 0)
      : self_{self}, workers_{workers}, random_{seed * workers + self} {}

  /// Calls `look(victim)` for each until it returns true. Returns whether it did. O(workers) calls.
  template <class Look>
  bool visit(Look&& look) {
    if (workers_ < 2) return false;
    std::size_t victim = first();
    for (std::size_t i = 1; i != workers_; ++i) {
      if (look(victim)) return true;
      victim = after(victim);
    }
    return false;
  }

 private:
  std::size_t first() {
    const std::size_t chosen = self_ + 1 + steps();
    return chosen < workers_ ? chosen : chosen - workers_;
  }
  std::size_t steps() {
    if constexpr (rules_of<victims_rules, Policy>().at_random) {
      return random_.below(static_cast<std::uint32_t>(workers_ - 1));
    } else {
      return 0;
    }
  }
  [[nodiscard]] std::size_t after(std::size_t victim) const {
    const std::size_t next = victim + 1 == workers_ ? 0 : victim + 1;
    if (next != self_) return next;
    return next + 1 == workers_ ? 0 : next + 1;
  }

  std::size_t self_;
  std::size_t workers_;
  random random_;
};

}  // namespace licit::inline v0::detail

#endif
