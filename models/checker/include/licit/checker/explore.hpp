/// Exploring a program on several processors or machines, with a thread stopped, and with the violation shrunk.
///
///     verdict v = licit::checker::explore<name>({.jobs = 4, .shrink = true});
///
/// run.hpp runs a program once, as its options say; this is what a tool does with it.
#ifndef LICIT_CHECKER_EXPLORE_HPP
#define LICIT_CHECKER_EXPLORE_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <licit/checker/options.hpp>
#include <licit/checker/run.hpp>
#include <licit/checker/verdict.hpp>

namespace licit::checker {

/// Runs the program that is meant, as `run` does.
using explorer = std::function<verdict(const options&)>;

/// One share of a search. The `count` shares are disjoint, and together they are the whole.
struct share {
  unsigned index = 0;  ///< from 0
  unsigned count = 1;
};

struct settings {
  checker::options options = {};
  /// This thread is stopped for good: after none of its steps, after one, … until it is not stopped any more. The sum
  /// of all is the verdict. Leaks are not looked for: what a stopped thread holds is lost.
  std::optional<unsigned> stall = {};
  checker::share share = {};  ///< only this share of the search
  unsigned jobs = 1;          ///< processes of this machine
  bool shrink = false;        ///< a violation is shown by a client as small as it can be made
  std::function<void(std::uint64_t done, std::uint64_t pieces)> progress = {};  ///< ten times a second, if jobs > 1
};

/// Explores the program, and says in the verdict by which rules and bounds (`verdict::bound`).
///
/// A share: its counts and the others' add up to those of the whole search, unless one of them ends in a violation or
/// at a limit. A violation above the cut is found by every share. Limits hold for the share alone.
///
/// Jobs: forked processes, each of which takes the next piece when it has done one. The counts are those of one
/// process, unless a violation or a limit ends the search: then the other processes are stopped, and any of several
/// violations may be the one reported. Limits hold for all processes together. The calling process must have one
/// thread. Its processes end with it, however it ends. One process explores when a thread is stopped, and in the modes
/// that are not exhaustive.
///
/// Throws std::invalid_argument for a share that does not exist, for a share in a mode that is not exhaustive, and for
/// `options::observe` with jobs, as it would be called in another process; std::runtime_error when a process crashes
/// (naming the piece that it explored), throws, or cannot be started.
verdict explore(const explorer& program, const settings& how = {});

/// Explores the program under C++20's release sequences, and under C++11's, whatever the options say of them. One
/// verdict is both's where no read would learn more by C++11's, for then both allow the same executions, with the same
/// happens-before; else the one under C++20's comes first. Of a sample or a share there are always two. What observes
/// executions is shown those of both searches, or of the one.
std::vector<verdict> explore_by_both_rules(const explorer& program, settings how = {});

template <template <class> class Program>
verdict explore(const settings& how = {}) {
  return explore([](const options& o) { return run<Program>(o); }, how);
}

}  // namespace licit::checker

#endif
