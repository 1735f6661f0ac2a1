/// Where a parallel algorithm is tested: on which workers, from which thread, over how many items.
#ifndef LICIT_TESTS_PARALLEL_EVERYWHERE_HPP
#define LICIT_TESTS_PARALLEL_EVERYWHERE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"

namespace licit_test {

/// Sizes around the limits of chunks, of words of 64 bits, and of what is few.
inline const std::vector<std::size_t> sizes{0, 1, 2, 3, 7, 63, 64, 65, 127, 1000, 1023, 1024, 1025, 5000, 33'000};

/// Under a sanitizer, and emulated, where the same work takes ten times as long or more.
inline constexpr bool slow = scale < 80;

/// Calls `body(whether)` in a scheduler of 1, 2, 4 and 7 workers: in a task, in block_on and in a foreign thread. It is
/// true in one of these places for each number of workers, and in each place for some number.
template <class Body>
void everywhere_once_in_full(Body body) {
  unsigned full = 0;
  for (const std::size_t workers : {1, 2, 4, 7}) {
    SCOPED_TRACE(std::to_string(workers) + " workers");
    licit::scheduler all{{.workers = workers}};
    all.spawn([&] { body(full == 0); }).get();
    all.block_on([&]() -> licit::task<> {
      body(full == 1);
      co_return;
    });
    all.enter([&] { body(full == 2); });
    full = (full + 1) % 3;
  }
}

/// Calls `body()` in all of them.
template <class Body>
void everywhere(Body body) {
  everywhere_once_in_full([&](bool /*full*/) { body(); });
}

/// Calls `body()` in all of them; under a sanitizer and emulated, in one for each number of workers.
template <class Body>
void everywhere_or_once(Body body) {
  everywhere_once_in_full([&](bool full) {
    if (full || !slow) body();
  });
}

/// The same for each size, without a grain and with some: `body(n, options)`.
template <class Body>
void everywhere_of_sizes(Body body) {
  everywhere_once_in_full([&](bool full) {
    for (const std::size_t n : sizes) {
      if (n > 127 && slow && !full) continue;
      SCOPED_TRACE(std::to_string(n) + " items");
      body(n, licit::parallel_options{});
      for (const std::size_t grain : {std::size_t{1}, std::size_t{64}, std::size_t{1000}}) {
        if (n > 5000 && (grain == 1 || slow)) continue;
        if (n > 1025 && grain == 1 && slow) continue;
        SCOPED_TRACE("grain " + std::to_string(grain));
        body(n, licit::parallel_options{.grain = grain});
      }
    }
  });
}

/// n numbers below `limit`, the same for the same n.
inline std::vector<int> numbers(std::size_t n, int limit = 1'000'000) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<int> made(n);
  for (int& each : made) each = static_cast<int>(random() % static_cast<unsigned>(limit));
  return made;
}

/// How often a random test repeats.
inline int rounds() {
  const char* const asked = std::getenv("LICIT_PARALLEL_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : 3;
}

}  // namespace licit_test

#endif
