/// What happens when a program's property does not hold.
#ifndef LICIT_MODELS_STRESS_FAILURE_HPP
#define LICIT_MODELS_STRESS_FAILURE_HPP

#include <string_view>

namespace licit::stress {

/// Any thread of a program. Records the first such message; the calling thread takes no further step of the program.
[[noreturn]] void fail(std::string_view message);

/// The same for an invariant of deque/README.md.
[[noreturn]] void fail_invariant(int number);

/// Calls a part of a program; an exception that leaves it is a failure.
template <class Part>
void guarded(Part&& part) {
  try {
    part();
  } catch (...) {
    fail("an exception left a thread");
  }
}

}  // namespace licit::stress

#endif
