/// The fences of this process: asymmetric ones, by the kernel's membarrier, or full ones everywhere.
#ifndef LICIT_DEQUE_MEMBARRIER_HPP
#define LICIT_DEQUE_MEMBARRIER_HPP

#include <string>

namespace licit::inline v0 {

struct fence_choice {
  bool asymmetric;  ///< light fences are compiler barriers, heavy ones a membarrier; otherwise both are full fences
  const char* why;  ///< the reason, in words
  int error;        ///< the errno of the refused call, or 0

  /// All three, for a log.
  [[nodiscard]] std::string text() const;
};

/// Any thread. The choice for the whole process. The first call, the first structure over `asymmetric`, or the first
/// fork of a scheduler, chooses: it registers with the kernel, which takes some milliseconds if other threads run.
/// Later calls cost a load. The child of a fork keeps its parent's choice.
const fence_choice& asymmetric_fences() noexcept;

/// Any thread. The heavy fence if the choice is asymmetric: a full fence of the calling thread, and between call and
/// return every other thread of the process passes a full barrier. A system call, which interrupts the processors that
/// run threads of this process and waits for them. After a failure it retries ten times within about a second, then
/// ends the process with a message, since owners rely on it and cannot be told.
void membarrier() noexcept;

}  // namespace licit::inline v0

#endif
