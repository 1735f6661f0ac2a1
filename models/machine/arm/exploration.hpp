/// Every execution that Armv8's model allows of a small program in AArch64 machine code, with load buffering or
/// without.
#ifndef LICIT_MODELS_ARM_EXPLORATION_HPP
#define LICIT_MODELS_ARM_EXPLORATION_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "machine/arm/execution.hpp"
#include "machine/arm/machine.hpp"

namespace licit::arm {

/// A thread begins at registers.pc, and ends when it comes to `program::finished`, by a return. Its stack, from one
/// address up to the other, is its own memory; that of another may not be accessed.
struct thread_start {
  machine registers;
  std::uint64_t stack_from = 0;
  std::uint64_t stack_to = 0;
};

struct program {
  arm::memory memory;  ///< code, constants and what is shared
  std::vector<thread_start> threads;
  std::uint64_t finished = 0;
  bool last_runs_behind = false;  ///< the last thread starts when all others have ended, and all is before it
};

/// At the end of an execution.
struct outcome {
  std::span<const machine> threads;
  const execution& of;
};

struct counts {
  std::uint64_t executions = 0;  ///< complete ones: one for each reads-from and coherence order
  std::uint64_t blocked = 0;     ///< given up: a read waited for a write that did not come, or an exclusive pair failed
  std::uint64_t too_long = 0;    ///< given up: more instructions than `exploration_limits` has
  bool complete = true;          ///< false: stopped by a limit or the visitor
};

struct exploration_limits {
  std::uint64_t executions = 100'000'000;
  unsigned instructions = 20'000;  ///< of a thread, in one execution
  bool always_wait = false;        ///< a read may wait for any thread, whether it writes there or not: slower, no more
  bool load_buffering = true;      ///< a load may read a store that, by program order and reads-from, comes behind it
};

/// Visits each; stops when the visitor says false. Some are visited twice: which values threads write, and where, is
/// found out on the way, and when there is a new one all begins again (the counts too). A thread runs until a read is
/// to see a write that has not come: then it waits for that write, and the others run. Each reads-from relation so has
/// one schedule, and no more. Where the write cannot come without what the thread does next (load buffering), the load
/// is foretold one of the values that others write there. Store-exclusives fail only where they must, and then the
/// execution counts as blocked: a retry would be another. Throws refused for an instruction or an access that is not
/// modelled.
counts explore(const program& p, const std::function<bool(const outcome&)>& visit, faults seeded = {},
               const exploration_limits& limits = {});

/// Runs one thread alone, on `memory` itself: to make what the others find. Throws refused, also when it takes more
/// instructions than the limit.
void run_alone(memory& on, thread_start& thread, std::uint64_t finished, std::uint64_t limit = 10'000'000);

}  // namespace licit::arm

#endif
