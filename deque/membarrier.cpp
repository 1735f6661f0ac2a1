// The kernel's half of asymmetric fences.
//
// What membarrier(2) promises for MEMBARRIER_CMD_PRIVATE_EXPEDITED (Linux 4.14 and later): between the call and its
// return every running thread of the process passes a point where its memory accesses match program order; a thread
// that does not run is at such a point. Its table pairs a compiler barrier with membarrier as ordered, and a compiler
// barrier with a full fence, or with another compiler barrier, as not ordered: the checker's light fence, no more.
//
// Why that is a heavy fence. Let the owner's point be p. If its light fence comes before p in program order, all that
// stands before the fence is visible when the call returns, and the caller's later loads see it: the kernel has a full
// barrier after the last interrupt is acknowledged. If the light fence comes after p, the owner's loads after the fence
// come after p too, and see all that the caller wrote before the call: the kernel has a full barrier before it looks
// who runs. Threads that are switched in or out meanwhile pass the scheduler's full barriers, which pair with those
// two (kernel/sched/membarrier.c, scenarios A to E). A thread of another process is not covered, whatever memory it
// shares.
//
// The kernel leaves all of that out where the process has one thread, or the machine one processor. A full fence of our
// own before the call makes a heavy fence a full one for its thread also then, whatever it is paired with.
//
// The interrupt goes to the processors that run threads of this process, isolated and nohz_full ones among them: a
// thread there is disturbed for each steal from its process, and from no other.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>

#include <licit/deque/membarrier.hpp>
#include <licit/deque/native.hpp>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace licit::inline v0 {

namespace {

// As in <linux/membarrier.h>, which old kernels' headers have not.
enum class command : unsigned {
  query = 0,
  private_expedited = 1U << 3U,
  register_private_expedited = 1U << 4U,
};

/// Zero or more, or −1 with errno.
long call(command c) noexcept {
#if defined(__linux__) && defined(SYS_membarrier)
  return syscall(SYS_membarrier, static_cast<unsigned>(c), 0U, 0);
#else
  (void)c;
  errno = ENOSYS;
  return -1;
#endif
}

fence_choice choose() noexcept {
  const long offered = call(command::query);
  if (offered < 0) return {false, "membarrier is not there, or a sandbox refuses it", errno};
  constexpr auto wanted = static_cast<unsigned>(command::private_expedited);
  if ((static_cast<unsigned>(offered) & wanted) == 0) {
    return {false, "this kernel's membarrier has no private expedited form (Linux 4.14)", 0};
  }
  if (call(command::register_private_expedited) != 0) {
    return {false, "the kernel refuses to register the process for membarrier", errno};
  }
  if (call(command::private_expedited) != 0) {
    return {false, "membarrier is registered, but a first one is refused", errno};
  }
  return {true, "the kernel has membarrier and has registered this process", 0};
}

std::string words(int error) { return std::system_category().message(error); }

[[noreturn]] void die(int error, int tries) noexcept {
  std::fprintf(stderr,
               "licit: a heavy fence cannot be had: membarrier fails with errno %d (%s), %d tries later still, though "
               "it worked when this process chose asymmetric fences. Was a sandbox that refuses it entered after the "
               "first deque was made, or after the first join? Enter it before, let it allow membarrier, or ask for "
               "full fences: licit::owner<T>, scheduler_options::join_fences.\n",
               error, words(error).c_str(), tries);
  std::abort();
}

/// ENOMEM passes. EPERM is also what the kernel says to a process whose registration is gone (restored from a
/// checkpoint, for one): it is asked for again.
[[gnu::noinline, gnu::cold]] void try_again() noexcept {
  constexpr int tries = 10;
  std::chrono::milliseconds pause{1};
  int error = errno;
  for (int i = 0; i != tries; ++i, pause *= 2) {
    std::this_thread::sleep_for(pause);
    if (error == EPERM) (void)call(command::register_private_expedited);
    if (call(command::private_expedited) == 0) return;
    error = errno;
  }
  die(error, tries);
}

}  // namespace

std::string fence_choice::text() const {
  return std::string(asymmetric ? "asymmetric fences: " : "symmetric fences: ") + why +
         (error != 0 ? " (errno " + std::to_string(error) + ", " + words(error) + ")" : "");
}

const fence_choice& asymmetric_fences() noexcept {
  static const fence_choice chosen = choose();
  return chosen;
}

void membarrier() noexcept {
  native::full_fence();
  if (call(command::private_expedited) != 0) [[unlikely]]
    try_again();
  native::compiler_barrier();
}

}  // namespace licit::inline v0
