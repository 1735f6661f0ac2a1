/// crossbeam-deque's FIFO worker: its steal_batch_and_pop takes up to 32 items by one compare-exchange.
#ifndef LICIT_BENCH_PEERS_CROSSBEAM_FIFO_HPP
#define LICIT_BENCH_PEERS_CROSSBEAM_FIFO_HPP

#include <cstddef>

#include "crossbeam_lifo.hpp"

namespace licit_bench {

class crossbeam_fifo : public crossbeam_lifo {
 public:
  explicit crossbeam_fifo(std::size_t /*capacity: its own, 64*/) : crossbeam_lifo{crossbeam_make_fifo()} {}

  std::size_t steal_half(crossbeam_fifo& own) { return crossbeam_steal_half(handle(), own.handle()); }
};

}  // namespace licit_bench

#endif
