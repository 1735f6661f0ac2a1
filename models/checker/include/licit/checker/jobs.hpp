/// A search in several processes of this machine.
#ifndef LICIT_MODELS_CHECKER_JOBS_HPP
#define LICIT_MODELS_CHECKER_JOBS_HPP

#include <cstdint>
#include <functional>

#include <licit/checker/split.hpp>

namespace licit::checker {

struct jobs {
  unsigned count = 1;                                                           ///< processes
  std::function<void(std::uint64_t done, std::uint64_t pieces)> progress = {};  ///< called ten times a second
};

/// Explores a share of a search by forked processes, each of which takes the next piece when it has done one. The same
/// counts as by one process, unless a violation or a limit ends the search: then the other processes are stopped, and
/// of several violations any may be the one reported. Limits hold for all processes together.
///
/// The calling process must have one thread. Its processes end with it, however it ends. Throws std::runtime_error when
/// a process crashes (naming the piece that it explored), throws, or cannot be started; and std::invalid_argument for
/// a share that there is not, or `options::observe`, which would be called in another process.
verdict explore(const explorer& run, const options& o, const share& which, const jobs& by);

}  // namespace licit::checker

#endif
