/// licit::chase_lev as it is. The policy is a parameter so that fences.cpp can change one thing at a time.
#ifndef LICIT_BENCH_PEERS_LICIT_DEQUE_HPP
#define LICIT_BENCH_PEERS_LICIT_DEQUE_HPP

#include <cstddef>

#include <licit/deque/chase_lev.hpp>

namespace licit_bench {

template <class Policy>
class licit_deque_over {
 public:
  static constexpr bool thieves = true;

  explicit licit_deque_over(std::size_t capacity) : deque_{{.initial_capacity = capacity}} {}

  void push(void* item) { deque_.push(item); }
  void* pop() { return deque_.pop().value_or(nullptr); }

  void* steal() {
    auto got = deque_.steal();
    return got ? *got : nullptr;
  }

 protected:
  licit::chase_lev<void*, Policy> deque_;
};

using licit_deque = licit_deque_over<licit::native>;

}  // namespace licit_bench

#endif
