/// Which fences this process has: asymmetric ones, by the kernel's membarrier, or full ones everywhere.
#ifndef LICIT_DEQUE_MEMBARRIER_HPP
#define LICIT_DEQUE_MEMBARRIER_HPP

#include <string>

namespace licit::inline v0 {

struct fence_choice {
  bool asymmetric;  ///< light fences are free, heavy ones are a membarrier; else both are full fences
  const char* why;  ///< what decided, in words
  int error;        ///< the errno of the call that was refused; 0 if none was

  /// All of it, for a log.
  [[nodiscard]] std::string text() const;
};

/// Any thread. What was chosen, once and for the whole process, before the first structure over `asymmetric` was made;
/// the first call chooses, and takes as long as a registration with the kernel (some milliseconds if other threads
/// run). After that a load. The child of a fork has what its parent had.
const fence_choice& asymmetric_fences() noexcept;

/// Any thread. The heavy fence where the choice is asymmetric: a full fence of the calling thread, and each of the
/// process's other threads passes a full barrier somewhere between call and return. A kernel call: it interrupts the
/// processors that run threads of this process and waits for them. A failure is tried again, ten times within about a
/// second; then it ends the process with a message, since owners rely on it and cannot be told.
void membarrier() noexcept;

}  // namespace licit::inline v0

#endif
