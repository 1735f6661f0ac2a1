/// How long a thief backs off after small thefts; and how a thread pauses.
#ifndef LICIT_SCHEDULER_PATIENCE_HPP
#define LICIT_SCHEDULER_PATIENCE_HPP

#include <algorithm>
#include <cstddef>
#include <utility>

namespace licit::inline v0::detail {

/// So many pause instructions, of which each takes some ten nanoseconds.
inline void relax(unsigned times) {
  for (; times != 0; --times) {
#if defined(__x86_64__) || defined(__i386__)
    asm volatile("pause" ::: "memory");
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#else
    asm volatile("" ::: "memory");
#endif
  }
}

/// A worker that fills its queue and a thief that takes every item at once contend for the same cache lines, and both
/// are slower than one worker alone. So a thief that steals few items backs off before it searches again, twice as long
/// each time; meanwhile there is more to take. For one thread.
class patience {
 public:
  static constexpr std::size_t few = 8;               ///< a theft of fewer items doubles the next pause
  static constexpr std::size_t plenty = 2 * few;      ///< a theft of at least so many halves it
  static constexpr unsigned longest = (1U << 7) - 1;  ///< pause instructions: about 4 us if one takes 30 ns

  /// To be called after each theft, with its number of items.
  void caught(std::size_t items) {
    if (items < few) {
      wait_ = std::min(2 * wait_ + 1, longest);
    } else if (items >= plenty) {
      wait_ /= 2;
    }
    owed_ = wait_;
  }

  /// The pause instructions to execute before the next search; then 0, until the next theft.
  [[nodiscard]] unsigned due() { return std::exchange(owed_, 0); }

  /// Forgets earlier thefts, for example after a sleep.
  void forget() { wait_ = owed_ = 0; }

 private:
  unsigned wait_ = 0;
  unsigned owed_ = 0;
};

}  // namespace licit::inline v0::detail

#endif
