/// How much of a thread's stack joins may use.
#ifndef LICIT_SCHEDULER_FORK_STACK_HPP
#define LICIT_SCHEDULER_FORK_STACK_HPP

#include <functional>
#include <stdexcept>

#include <licit/deque/version.hpp>

namespace licit::inline v0 {

/// Thrown by a join instead of a call that would leave less than 64 KiB of the thread's stack; of a small stack less
/// than a quarter, but at least 16 KiB and at most half. Neither callable has run; of three or more, the first may.
class stack_exhausted : public std::runtime_error {
 public:
  stack_exhausted() : std::runtime_error("licit: join: the thread's stack is used up (a recursion without end?)") {}
};

namespace detail {

/// Where the calling thread's stack may not go any further; null: not known. The first call in a thread is slow.
const void* end_of_this_stack() noexcept;

inline bool is_beyond(const void* frame, const void* end) noexcept { return std::less<>()(frame, end); }

/// Throws stack_exhausted if too little is left of the thread's stack, which ends there.
inline void require_stack(const void* end = end_of_this_stack()) {
  if (is_beyond(__builtin_frame_address(0), end)) [[unlikely]]
    throw stack_exhausted();
}

}  // namespace detail

}  // namespace licit::inline v0

#endif
