/// tbb::concurrent_queue. First in, first out at both ends: a pop takes what a steal would.
#ifndef LICIT_BENCH_PEERS_TBB_QUEUE_HPP
#define LICIT_BENCH_PEERS_TBB_QUEUE_HPP

#include <cstddef>

#include <tbb/concurrent_queue.h>

namespace licit_bench {

class tbb_queue {
 public:
  static constexpr bool thieves = true;

  explicit tbb_queue(std::size_t /*capacity*/) {}

  void push(void* item) { items_.push(item); }
  void* pop() { return steal(); }

  void* steal() {
    void* item = nullptr;
    return items_.try_pop(item) ? item : nullptr;
  }

 private:
  tbb::concurrent_queue<void*> items_;
};

}  // namespace licit_bench

#endif
