/// Where a search is cut into pieces, so that each can be explored somewhere else.
#ifndef LICIT_CHECKER_CUT_HPP
#define LICIT_CHECKER_CUT_HPP

#include <cstdint>
#include <functional>

namespace licit::checker {

/// A search is a tree of alternatives: those that the first execution offers are at level 1, and what an alternative
/// offers is a level below it. An alternative at the cut's level is, with all below it, a *piece*. Whoever explores the
/// tree above the cut meets the same pieces in the same order, so a number names a piece.
struct cut {
  unsigned level = 0;                             ///< of the pieces; 0: the search is not cut
  bool above = true;                              ///< whether the executions above the cut are counted here
  std::function<bool(std::uint64_t)> takes = {};  ///< asked of each piece in turn: whether it is explored here
};

}  // namespace licit::checker

#endif
