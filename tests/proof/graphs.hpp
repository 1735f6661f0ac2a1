/// Orders in which the events of an execution graph can be made.
#ifndef LICIT_TESTS_PROOF_GRAPHS_HPP
#define LICIT_TESTS_PROOF_GRAPHS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string_view>
#include <vector>

#include "core/graph.hpp"

namespace licit::proof {

inline std::string_view site_of(const checker::detail::event& e) { return e.op.site == nullptr ? "" : e.op.site; }

/// Of each event its place in a linear extension of po and rf: at random, or without random numbers that of insertion
/// but for reads that were inserted before the write that they now read.
inline std::vector<std::size_t> extension(const checker::detail::graph& g, std::mt19937* random) {
  std::vector<std::size_t> place(g.size());
  std::array<std::size_t, checker::max_threads> done{};
  std::vector<bool> made(g.size());
  const auto next = [&](unsigned t) { return g.thread(t)[done[t]]; };
  for (std::size_t n = 0; n != place.size(); ++n) {
    std::vector<unsigned> ready;
    for (unsigned t = 0; t != checker::max_threads; ++t) {
      if (done[t] == g.thread(t).size()) continue;
      if (!g[next(t)].has_source() || made[g[next(t)].source]) ready.push_back(t);
    }
    const unsigned t = random != nullptr ? ready[(*random)() % ready.size()] : std::ranges::min(ready, {}, next);
    made[next(t)] = true;
    place[next(t)] = n;
    ++done[t];
  }
  return place;
}

}  // namespace licit::proof

#endif
