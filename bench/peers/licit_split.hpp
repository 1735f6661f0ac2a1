/// licit::split_deque: the owner publishes when it is asked.
#ifndef LICIT_BENCH_PEERS_LICIT_SPLIT_HPP
#define LICIT_BENCH_PEERS_LICIT_SPLIT_HPP

#include <cstddef>

#include <licit/deque/split.hpp>

namespace licit_bench {

class licit_split {
 public:
  static constexpr bool thieves = true;
  static constexpr bool waits_for_owner = true;  ///< thieves get nothing while the owner does nothing

  explicit licit_split(std::size_t capacity) : deque_{{.initial_capacity = capacity}} {}

  void push(void* item) { deque_.push(item); }
  void* pop() { return deque_.pop().value_or(nullptr); }

  void* steal() {
    auto got = deque_.steal();
    return got ? *got : nullptr;
  }

  std::size_t steal_half(licit_split& own) {
    const auto got = deque_.steal_half(own.deque_);
    return got ? 1 + got.moved() : 0;
  }

 private:
  licit::split_deque<void*> deque_;
};

}  // namespace licit_bench

#endif
