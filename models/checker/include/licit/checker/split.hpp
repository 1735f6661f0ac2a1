/// A search in shares, each explored by itself: on another processor, or on another machine.
#ifndef LICIT_MODELS_CHECKER_SPLIT_HPP
#define LICIT_MODELS_CHECKER_SPLIT_HPP

#include <cstdint>
#include <functional>

#include <licit/checker/options.hpp>

namespace licit::checker {

/// One share of a search, of `count` that are disjoint and together the whole.
struct share {
  unsigned index = 0;  ///< from 0
  unsigned count = 1;
};

/// Runs the program that is meant, as `run` does.
using explorer = std::function<verdict(const options&)>;

/// Where a search is to be cut, and what is above the cut.
struct survey {
  unsigned level = 0;
  std::uint64_t pieces = 0;
  verdict above;

  /// Nothing is left to explore: there is no piece, or the search ended above the cut.
  [[nodiscard]] bool complete() const { return pieces == 0 || above.end != ending::ok; }
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

/// Explores one share. Its counts and the others' add up to those of the whole search, unless one of them ends in a
/// violation or at a limit; a violation above the cut is found by every share. Limits hold for the share alone. Throws
/// std::invalid_argument for a share that there is not.
verdict explore(const explorer& run, const options& o, const share& which);

}  // namespace licit::checker

#endif
