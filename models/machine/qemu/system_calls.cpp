// What system calls mean for an execution.
#include <fmt/format.h>
#include <utility>

#include "machine/qemu/options.hpp"
#include "machine/qemu/session.hpp"

namespace licit::qemu {

namespace {

// Linux' numbers on arm64 (include/uapi/asm-generic/unistd.h).
enum : std::int64_t {
  exit_thread = 93,
  futex_call = 98,
  nanosleep = 101,
  clock_nanosleep = 115,
  sched_yield = 124,
  clone = 220,
  membarrier = 283,
  clone3 = 435,
};

// include/uapi/linux/futex.h, membarrier.h
constexpr std::uint64_t futex_command = 0x7f;
enum : std::uint64_t { futex_wait = 0, futex_wake = 1, futex_wait_bitset = 9, futex_wake_bitset = 10 };
constexpr std::uint64_t private_expedited = 8;

}  // namespace

void session::during_execution(const system_call& call) {
  const auto& a = call.arguments;
  switch (call.number) {
    case futex_call: return futex(a[0], a[1], static_cast<std::uint32_t>(a[2]), a[3] != 0);
    case membarrier:
      if (a[0] != private_expedited) return;  // a query, or registration
      turn();
      return memory_.model().membarrier(mine->thread);
    case nanosleep:
    case clock_nanosleep:
    case sched_yield: mine->yields = true; return turn();
    case exit_thread: fail("a worker ends in an execution: it may between two");
    case clone:
    case clone3: fail("a thread or process is made in an execution: it may be before the first");
    default: return;
  }
}

void session::futex(std::uint64_t word, std::uint64_t operation, std::uint32_t value, bool timed) {
  switch (operation & futex_command) {
    case futex_wait:
    case futex_wait_bitset: return wait_on(word, value, timed);
    case futex_wake:
    case futex_wake_bitset: return wake(word, value);
    default: fail(fmt::format("futex operation {} in an execution is not modelled", operation & futex_command));
  }
}

// The kernel looks at the word and sleeps under one lock; that it reads the latest value is a choice among those it may
// have. After the wake-up the kernel is shown another value, so that it returns at once.
void session::wait_on(std::uint64_t word, std::uint32_t value, bool timed) {
  turn();
  if (machine_.read(word, sizeof value) != value) return;
  turns_.sleep(mine->thread, word, timed);
  mine->patched = word;
  mine->value = machine_.read(word, sizeof value);
  machine_.write(word, sizeof value, ~value);
}

// Who is woken sees what the waker did: the kernel's lock of the futex is between them.
void session::wake(std::uint64_t word, std::uint64_t most) {
  turn();
  for (const unsigned sleeper : turns_.wake(word, most)) memory_.model().synchronise(mine->thread, sleeper);
}

void session::after(const system_call& call) {
  if (mine == nullptr || call.number != futex_call) return;
  if (const auto word = std::exchange(mine->patched, std::nullopt)) {
    machine_.write(*word, sizeof(std::uint32_t), mine->value);
  }
}

}  // namespace licit::qemu
