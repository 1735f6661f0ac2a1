/// A search in shares, each explored by itself: in another process, or on another machine.
#ifndef LICIT_CHECKER_PARALLEL_SPLIT_HPP
#define LICIT_CHECKER_PARALLEL_SPLIT_HPP

#include <cstdint>
#include <functional>

#include <licit/checker/explore.hpp>

namespace licit::checker::detail {

/// Where a search is to be cut, and what is above the cut.
struct survey {
  unsigned level = 0;
  std::uint64_t pieces = 0;
  verdict above;

  /// Nothing is left to explore: there is no piece, or the search ended above the cut.
  [[nodiscard]] bool complete() const { return pieces == 0 || above.outcome != outcome::ok; }
};

/// Finds a cut into many more pieces than shares, by exploring the tree above one level after another. The same for
/// every share of the same program and count.
survey take_survey(const explorer& run, const options& o, unsigned shares);

/// The options of an exploration of some of the pieces. The limit of executions is one higher: what comes after the
/// last execution that counts here need not count here, so only one more than the limit is too many.
options cut_options(const options& o, const survey& s, bool above, std::function<bool(std::uint64_t)> takes);

/// The verdict of a survey that left nothing to explore, as that of a share.
verdict surveyed(const survey& s, const share& which);

/// Makes of what was found beyond a survey the verdict of the share: ended at the limit if it went beyond, with the
/// survey's number of pieces. Throws std::runtime_error if pieces of the share are missing.
void complete(verdict& v, const survey& s, const options& o, const share& which);

/// Adds up what was counted.
void add(verdict& total, const verdict& more);

/// Explores one share in this process.
verdict explore_share(const explorer& run, const options& o, const share& which);

/// Explores one share in `jobs` processes.
verdict explore_share(const explorer& run, const options& o, const share& which, unsigned jobs,
                      const std::function<void(std::uint64_t done, std::uint64_t pieces)>& progress);

}  // namespace licit::checker::detail

#endif
