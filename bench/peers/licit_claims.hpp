/// licit::chase_lev with thieves that take half, each item by a claim of its own.
#ifndef LICIT_BENCH_PEERS_LICIT_CLAIMS_HPP
#define LICIT_BENCH_PEERS_LICIT_CLAIMS_HPP

#include <cstddef>

#include <licit/deque/steal_half.hpp>

#include "licit_deque.hpp"

namespace licit_bench {

class licit_claims : public licit_deque {
 public:
  using licit_deque::licit_deque;

  std::size_t steal_half(licit_claims& own) {
    const auto got = licit::steal_half(deque_, own.deque_);
    return got ? 1 + got.moved() : 0;
  }
};

}  // namespace licit_bench

#endif
