/// How a program is explored.
#ifndef LICIT_CHECKER_OPTIONS_HPP
#define LICIT_CHECKER_OPTIONS_HPP

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <licit/checker/calls.hpp>
#include <licit/checker/record.hpp>

namespace licit::checker {

/// A search is a tree of alternatives: those that the first execution offers are at level 1, and what an alternative
/// offers is a level below it. An alternative at the cut's level is, with all below it, a *piece*. Whoever explores the
/// tree above the cut meets the same pieces in the same order, so a number names a piece.
struct cut {
  unsigned level = 0;                             ///< of the pieces; 0: the search is not cut
  bool above = true;                              ///< whether the executions above the cut are counted here
  std::function<bool(std::uint64_t)> takes = {};  ///< asked of each piece in turn: whether it is explored here
};

namespace detail {
class graph;
}

/// What continues a release sequence: read-modify-writes only, or also later stores by the same thread.
enum class release_sequences : std::uint32_t { cxx20, cxx11 };

/// A thread that is stopped for good after a number of steps: operations on shared memory, including plain ones.
struct stall {
  static constexpr unsigned nobody = ~0U;
  unsigned thread = nobody;
  unsigned after = 0;
};

/// Which executions are explored.
enum class mode : std::uint32_t {
  exhaustive,  ///< all of them
  random,      ///< a sample, each choice as likely as the others
  pct,         ///< a sample, by random priorities: finds bugs that need `depth` - 1 priority changes
  bytes,       ///< one, chosen by bytes: for fuzzers
  replay,      ///< one, as recorded
  estimate,    ///< a sample, to say how many there are: verdict::size
};

/// For the modes that are not exhaustive.
struct sampling {
  std::uint64_t executions = 100'000;        ///< `random` and `pct`: how many; `estimate`: how many probes, at most
  double seconds = 0.5;                      ///< `estimate`: no more probes after that
  std::uint64_t seed = 1;                    ///< the same seed gives the same executions
  unsigned depth = 3;                        ///< `pct`
  std::span<const std::uint8_t> bytes = {};  ///< `bytes`: where they end, the choices are canonical
  const record* steps = nullptr;             ///< `replay`
};

struct options {
  release_sequences sequences = release_sequences::cxx20;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  double max_step_seconds = 10;  ///< from one operation of a thread to its next; infinity: no limit
  unsigned max_events = 5000;    ///< in one execution: more is taken for a loop that never ends
  bool ghosts = true;            ///< guesses are checked, as model::ghost and site_rules.hpp say
  bool leaks = true;             ///< memory that is not freed at the end is a violation
  bool timeouts = true;          ///< a timed wait may end at any moment; false: never
  bool deadlocks = true;         ///< a deadlock is a violation; false: it is counted, and its picture kept
  stall stalled = {};            ///< the others must do without this thread, and may wait only for its end
  std::function<void(const detail::graph&)> observe = {};          ///< is shown every complete execution that counts
  std::function<void(const detail::graph&)> observe_blocked = {};  ///< and every blocked one
  /// Groups of equal threads: those of a group run the same code with the same arguments on the same objects, and none
  /// has an object of its own that the model sees. Of the executions that permutations of equal threads make of each
  /// other one is visited; `verdict::represented` counts all of them. Threads that are seen to differ are a violation
  /// (`unsupported`). Of effect in an exhaustive search and an estimate, unless operations are left out; a thread that
  /// is stopped is equal to none.
  std::vector<std::vector<unsigned>> equal = {};
  left_out without = {};        ///< operations of the client that are not done
  cut where = {};               ///< whether the search is cut, and which pieces are explored
  mode how = mode::exhaustive;  ///< any other mode gives a verdict on a sample
  sampling sample = {};
};

}  // namespace licit::checker

#endif
