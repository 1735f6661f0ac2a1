/// How a program is explored, and what came of it.
#ifndef LICIT_MODELS_CHECKER_OPTIONS_HPP
#define LICIT_MODELS_CHECKER_OPTIONS_HPP

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <licit/checker/calls.hpp>
#include <licit/checker/cut.hpp>
#include <licit/checker/execution.hpp>
#include <licit/checker/record.hpp>

#include "core/coherence.hpp"

namespace licit::checker {

/// A thread that is stopped for good when it has taken so many steps: operations on shared memory, plain ones too.
struct stall {
  static constexpr unsigned nobody = ~0U;
  unsigned thread = nobody;
  unsigned after = 0;
};

/// How executions are come by: all of them by the search, or some by a walk.
enum class mode : std::uint8_t {
  exhaustive,
  random,  ///< a sample, each choice as likely as the others
  pct,     ///< a sample, by random priorities (chooser.cpp says what that guarantees)
  bytes,   ///< one, chosen by bytes: for fuzzers
  replay,  ///< one, as recorded
};

/// Of the modes that are not exhaustive.
struct sampling {
  std::uint64_t executions = 100'000;        ///< of `random` and `pct`
  std::uint64_t seed = 1;                    ///< the same seed, the same executions
  unsigned depth = 3;                        ///< of `pct`
  std::span<const std::uint8_t> bytes = {};  ///< where they end, choices are canonical
  const record* steps = nullptr;             ///< of `replay`
};

struct options {
  release_sequences sequences = release_sequences::cxx20;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  unsigned max_events = 5000;                      ///< of one execution: more is a loop that never ends
  bool ghosts = true;                              ///< guesses are checked as their sites say (ghosts.hpp)
  bool leaks = true;                               ///< memory that is not freed at the end is a violation
  bool timeouts = true;                            ///< a timed wait may end at any moment; false: never
  bool deadlocks = true;                           ///< a deadlock is a violation; false: it is counted, and shown
  stall stalled = {};                              ///< the others must do without this thread, and none of them waits
  std::function<void(const graph&)> observe = {};  ///< is shown every complete execution that counts
  std::function<void(const graph&)> observe_blocked = {};  ///< and every blocked one
  left_out without = {};                                   ///< operations of the client that are not done
  cut where = {};                                          ///< whether the search is cut, and which pieces are explored
  mode how = mode::exhaustive;                             ///< of anything else, the verdict is of a sample
  sampling sample = {};
};

enum class ending : std::uint8_t { ok, violation, limit };

enum class violation : std::uint8_t {
  none,
  assertion,       ///< a check or an invariant of the program does not hold
  race,            ///< conflicting accesses that happens-before does not order, one of them not atomic
  use_after_free,  ///< also of a destroyed object
  bad_free,        ///< of something freed before, or never allocated
  leak,
  deadlock,          ///< every thread that has not ended waits for what never comes
  lost_wakeup,       ///< the same, and one sleeps although the value has changed
  endless,           ///< a loop makes no progress, or one execution goes on and on
  steps,             ///< an operation took more steps than are stated
  retries,           ///< a thread tried again though nobody else had got further
  exception,         ///< one left a thread
  nondeterministic,  ///< the program did something else when it was given the same values again
  unlike_record,     ///< what is replayed cannot be: it is of another program, or spoilt
};

constexpr std::string_view name(violation v) {
  switch (v) {
    case violation::none: return "none";
    case violation::assertion: return "assertion";
    case violation::race: return "data race";
    case violation::use_after_free: return "use after free";
    case violation::bad_free: return "bad free";
    case violation::leak: return "leak";
    case violation::deadlock: return "deadlock";
    case violation::lost_wakeup: return "lost wake-up";
    case violation::endless: return "endless loop";
    case violation::steps: return "too many steps";
    case violation::retries: return "retry without progress";
    case violation::exception: return "uncaught exception";
    case violation::nondeterministic: return "program not deterministic";
    case violation::unlike_record: return "not as recorded";
  }
  return "";
}

struct verdict {
  ending end = ending::ok;       ///< `ok`: every execution was explored and is right; every one of the sample
  std::uint64_t executions = 0;  ///< complete ones
  std::uint64_t blocked = 0;     ///< those in which a thread still waits, though not for ever
  std::uint64_t deadlocked = 0;  ///< those in which every thread left waits for ever; a violation unless asked for
  double seconds = 0;
  violation kind = violation::none;
  std::string message;
  execution picture = {};        ///< the violating execution: what offends, and what that has behind it
  std::vector<call> calls = {};  ///< the client's operations that were begun in it, those left out apart
  std::string trace;             ///< the same as text
  record steps = {};             ///< all of it, to replay it
  bool sampled = false;          ///< executions were chosen, not all explored
  std::uint64_t number = 0;      ///< of the sample's last execution, from 0; the violating one, if there is one
  std::uint64_t rejected = 0;    ///< graphs that were built and found inconsistent
  bool stalled = false;          ///< in some execution the thread came to the step that it is stopped before
  std::size_t depth = 0;         ///< the most graphs alive at once
  std::uint64_t pieces = 0;      ///< at the cut, if the search was cut
  std::uint64_t taken = 0;       ///< of the pieces, those that were explored: if not all, the verdict is of a part
};

}  // namespace licit::checker

#endif
