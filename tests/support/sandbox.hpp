/// A sandbox for one system call: membarrier is refused, or handed to a handler, for the rest of the process's life.
#ifndef LICIT_TESTS_SUPPORT_SANDBOX_HPP
#define LICIT_TESTS_SUPPORT_SANDBOX_HPP

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace licit_test {

/// A third argument that the kernel ignores, and the sandbox lets pass.
inline constexpr unsigned passport = 0x11c17;

/// The call itself, past the library and any sandbox that looks for the passport.
inline long raw_membarrier(int command) { return syscall(SYS_membarrier, command, 0U, passport); }

inline bool kernel_has_membarrier() {
  const long offered = raw_membarrier(MEMBARRIER_CMD_QUERY);
  return offered > 0 && (offered & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}

/// Whether a filter of system calls can be had at all: no filter is a bad address, and an emulator does not look at it.
inline bool kernel_has_filters() {
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == -1 && errno == EFAULT;
}

inline constexpr int every_command = -1;

/// From now on membarrier calls with this command end in `action` (SECCOMP_RET_…), in all threads.
inline void confine_membarrier(std::uint32_t action, int command = every_command) {
  constexpr auto low_word = [](std::size_t argument) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
  };
  const bool all = command == every_command;
  std::array<sock_filter, 8> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low_word(2)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, passport, 3, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low_word(0)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(command), 0,
               static_cast<std::uint8_t>(all ? 0 : 1)),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{.len = filter.size(), .filter = filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    std::perror("sandbox");
    std::abort();
  }
}

inline void refuse_membarrier(int error, int command = every_command) {
  confine_membarrier(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error), command);
}

}  // namespace licit_test

#endif
