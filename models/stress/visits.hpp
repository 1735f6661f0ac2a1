/// Whether an execution comes to a site for the first time.
#ifndef LICIT_MODELS_STRESS_VISITS_HPP
#define LICIT_MODELS_STRESS_VISITS_HPP

#include <atomic>
#include <cstdint>

namespace licit::stress {

/// Which execution runs, from 1; written between executions by the main thread.
inline std::uint64_t execution_number = 0;

/// Any thread. Adds no order: relaxed.
template <class Site>
bool first_visit() {
  static std::atomic<std::uint64_t> last{0};
  return last.exchange(execution_number, std::memory_order_relaxed) != execution_number;
}

}  // namespace licit::stress

#endif
