/// How long a thief waits before it searches again, if what it stole was little.
#ifndef LICIT_SCHEDULER_PATIENCE_HPP
#define LICIT_SCHEDULER_PATIENCE_HPP

#include <algorithm>
#include <cstddef>
#include <utility>

namespace licit::inline v0 {

/// A worker that fills its queue, and a thief that takes every item as soon as it is there, work on the same cache
/// lines all the time, and both are slower than one worker alone. After each theft of few items the thief waits twice
/// as long as after the one before; meanwhile there is more to take. One thread's.
class patience {
 public:
  static constexpr std::size_t few = 8;               ///< items: fewer, and the next wait is longer
  static constexpr std::size_t plenty = 2 * few;      ///< from so many on it is shorter
  static constexpr unsigned longest = (1U << 7) - 1;  ///< pauses, about 4 us where one takes 30 ns

  /// So many items were stolen at once.
  void caught(std::size_t items) {
    if (items < few) {
      wait_ = std::min(2 * wait_ + 1, longest);
    } else if (items >= plenty) {
      wait_ /= 2;
    }
    owed_ = wait_;
  }

  /// Pauses to make before the next search, once for each theft.
  [[nodiscard]] unsigned due() { return std::exchange(owed_, 0); }

  /// What was stolen before says nothing of what comes now.
  void forget() { wait_ = owed_ = 0; }

 private:
  unsigned wait_ = 0;
  unsigned owed_ = 0;
};

}  // namespace licit::inline v0

#endif
