/// What an owner does in a shift. Each script is one way to bring owner and thieves together.
#ifndef LICIT_TESTS_SUPPORT_SCRIPTS_HPP
#define LICIT_TESTS_SUPPORT_SCRIPTS_HPP

#include <random>

#include "shift.hpp"

namespace licit_test::scripts {

/// The owner's pops and the thieves meet once, in the middle.
inline constexpr auto push_all_then_pop = [](auto& mine) {
  mine.push(mine.left());
  mine.await_theft();
  mine.pop_all();
};

/// Bursts of random length: the deque grows, empties, and its few last items are fought for.
inline constexpr auto mixed = [](auto& mine) {
  std::mt19937_64 random(11);
  while (mine.has_more()) {
    const number burst = random() % 64 + 1;
    mine.push(burst < mine.left() ? burst : mine.left());
    if (random() % 64 == 0) mine.await_theft();
    for (number pops = random() % 64; pops != 0 && mine.pop(); --pops) {
    }
  }
};

/// Never more items than fit: every slot is overwritten again and again, right after thieves have left it. The deque
/// may not grow, so this relies on the owner's size never being too low.
inline constexpr auto fill_to_the_brim = [](auto& mine) {
  std::mt19937_64 random(12);
  while (mine.has_more()) {
    while (mine.has_more() && mine.has_room()) mine.push();
    if (random() % 256 == 0) mine.await_theft();
    if (random() % 2 == 0) mine.pop();
  }
};

/// One item at a time: nearly every take is of the last item, and most looks find nothing.
inline constexpr auto one_by_one = [](auto& mine) {
  while (mine.has_more()) {
    mine.push();
    if (mine.pushed() % 256 == 0) mine.await_theft();
    mine.pop();
    if (mine.pushed() % 4 == 0) mine.pop();
  }
};

/// The owner's handle goes from thread to thread, each of which works with it for a while.
inline constexpr auto relay = [](auto& mine) {
  while (mine.has_more()) {
    mine.on_another_thread([&mine] {
      const number leg = mine.left() < 2000 ? mine.left() : 2000;
      mine.push(leg);
      mine.await_theft();
      for (number pops = leg / 3; pops != 0 && mine.pop(); --pops) {
      }
    });
    mine.pop();
  }
};

}  // namespace licit_test::scripts

#endif
