/// Whether an execution comes to a site for the first time.
#ifndef LICIT_MODELS_STRESS_VISITS_HPP
#define LICIT_MODELS_STRESS_VISITS_HPP

#include <atomic>
#include <cstdint>

namespace licit::stress {

/// Which execution the calling thread is in, from 1.
inline thread_local std::uint64_t execution_number = 0;

/// Any thread. Adds no order: relaxed. A thread that is behind in another execution of those that run side by side is
/// not the first.
template <class Site>
bool first_visit() {
  static std::atomic<std::uint64_t> newest{0};
  std::uint64_t seen = newest.load(std::memory_order_relaxed);
  while (seen < execution_number) {
    if (newest.compare_exchange_weak(seen, execution_number, std::memory_order_relaxed)) return true;
  }
  return false;
}

}  // namespace licit::stress

#endif
