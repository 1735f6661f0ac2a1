/// What happens when a program's property does not hold.
#ifndef LICIT_MODELS_STRESS_FAILURE_HPP
#define LICIT_MODELS_STRESS_FAILURE_HPP

#include <string_view>

namespace licit::stress {

/// Any thread of a program. Records the first such message; the calling thread takes no further step of the program.
[[noreturn]] void fail(std::string_view message);

/// The same for an invariant of deque/README.md.
[[noreturn]] void fail_invariant(int number);

}  // namespace licit::stress

#endif
