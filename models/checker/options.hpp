/// How a program is explored, and what came of it.
#ifndef LICIT_MODELS_CHECKER_OPTIONS_HPP
#define LICIT_MODELS_CHECKER_OPTIONS_HPP

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include <licit/checker/coherence.hpp>

namespace licit::checker {

struct options {
  release_sequences sequences = release_sequences::cxx20;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  unsigned max_events = 5000;                              ///< of one execution: more is a loop that never ends
  bool ghosts = true;                                      ///< guesses are checked as their sites say (ghosts.hpp)
  bool leaks = true;                                       ///< memory that is not freed at the end is a violation
  std::function<void(const graph&)> observe = {};          ///< is shown every complete execution
  std::function<void(const graph&)> observe_blocked = {};  ///< and every blocked one
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
  endless,           ///< one execution goes on and on
  exception,         ///< one left a thread
  nondeterministic,  ///< the program did something else when it was given the same values again
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
    case violation::endless: return "endless loop";
    case violation::exception: return "uncaught exception";
    case violation::nondeterministic: return "program not deterministic";
  }
  return "";
}

struct verdict {
  ending end = ending::ok;       ///< `ok` says that every execution was explored and is right
  std::uint64_t executions = 0;  ///< complete ones
  std::uint64_t blocked = 0;     ///< those in which a thread still waits, though not for ever
  double seconds = 0;
  violation kind = violation::none;
  std::string message;
  std::string trace;           ///< of the violating execution, a line an event
  std::uint64_t rejected = 0;  ///< graphs that were built for nothing: no thread ran on them
  std::size_t depth = 0;       ///< the most graphs alive at once
};

}  // namespace licit::checker

#endif
