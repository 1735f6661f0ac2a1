/// licit::run_queue as it is: bounded, first in first out. Beyond its capacity items go to a sink that drops them.
#ifndef LICIT_BENCH_PEERS_LICIT_RUN_QUEUE_HPP
#define LICIT_BENCH_PEERS_LICIT_RUN_QUEUE_HPP

#include <cstddef>
#include <span>

#include <licit/deque/run_queue.hpp>

namespace licit_bench {

class licit_run_queue {
 public:
  static constexpr bool thieves = true;

  explicit licit_run_queue(std::size_t capacity) : queue_{{.capacity = capacity}} {}

  void push(void* item) { queue_.push(item, nowhere_); }
  void* pop() { return queue_.pop().value_or(nullptr); }

  void* steal() {
    auto got = queue_.steal();
    return got ? *got : nullptr;
  }

  std::size_t steal_half(licit_run_queue& own) {
    const auto got = queue_.steal_half(own.queue_);
    return got ? 1 + got.moved() : 0;
  }

 private:
  struct nowhere {
    void reserve(std::size_t /*items*/) {}
    void take(std::span<void* const> /*items*/) noexcept {}
  };

  licit::run_queue<void*> queue_;
  [[no_unique_address]] nowhere nowhere_;
};

}  // namespace licit_bench

#endif
