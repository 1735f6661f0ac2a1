/// crossbeam-deque's LIFO worker with its steal_batch_and_pop, which claims item by item.
#ifndef LICIT_BENCH_PEERS_CROSSBEAM_BATCHES_HPP
#define LICIT_BENCH_PEERS_CROSSBEAM_BATCHES_HPP

#include <cstddef>

#include "crossbeam_lifo.hpp"

namespace licit_bench {

class crossbeam_batches : public crossbeam_lifo {
 public:
  using crossbeam_lifo::crossbeam_lifo;

  std::size_t steal_half(crossbeam_batches& own) { return crossbeam_steal_half(handle(), own.handle()); }
};

}  // namespace licit_bench

#endif
