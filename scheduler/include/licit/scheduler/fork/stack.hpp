/// How much of a thread's stack joins may use.
#ifndef LICIT_SCHEDULER_FORK_STACK_HPP
#define LICIT_SCHEDULER_FORK_STACK_HPP

#include <functional>
#include <stdexcept>

#include <licit/deque/version.hpp>

namespace licit::inline v0 {

/// Thrown by a join instead of a call that would leave less than 64 KiB of the thread's stack; of a small stack less
/// than a quarter, but at least 16 KiB and at most half. Neither callable has run; of three or more, the first may. Not
/// on a stack that is not the thread's, such as a fiber's.
class stack_exhausted : public std::runtime_error {
 public:
  stack_exhausted() : std::runtime_error("licit: join: the thread's stack is used up (a recursion without end?)") {}
};

namespace detail {

/// Where the calling thread's stack may not go any further; null: not known. The first call in a thread is slow.
const void* end_of_this_stack() noexcept;
/// Whether a frame that is beyond that end is in the thread's stack, and not in a fiber's.
bool is_of_this_stack(const void* frame) noexcept;

inline bool is_beyond(const void* frame, const void* end) noexcept { return std::less<>()(frame, end); }

/// Throws stack_exhausted if too little is left of the thread's stack, which ends there.
inline void require_stack(const void* end = end_of_this_stack()) {
  const void* const frame = __builtin_frame_address(0);
  if (is_beyond(frame, end) && is_of_this_stack(frame)) [[unlikely]]
    throw stack_exhausted();
}

}  // namespace detail

}  // namespace licit::inline v0

#endif
