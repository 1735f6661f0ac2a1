/// licit::tagged_deque. The policy is a parameter: licit_tagged_asymmetric.hpp has the other fences.
#ifndef LICIT_BENCH_PEERS_LICIT_TAGGED_HPP
#define LICIT_BENCH_PEERS_LICIT_TAGGED_HPP

#include <cstddef>

#include <licit/deque/tagged.hpp>

namespace licit_bench {

template <class Policy>
class licit_tagged_over {
 public:
  static constexpr bool thieves = true;

  explicit licit_tagged_over(std::size_t capacity) : deque_{{.initial_capacity = capacity}} {}

  void push(void* item) { deque_.push(item); }
  void* pop() { return deque_.pop().value_or(nullptr); }

  void* steal() {
    auto got = deque_.steal();
    return got ? *got : nullptr;
  }

  std::size_t steal_half(licit_tagged_over& own) {
    const auto got = deque_.steal_half(own.deque_);
    return got ? 1 + got.moved() : 0;
  }

 private:
  licit::tagged_deque<void*, Policy> deque_;
};

using licit_tagged = licit_tagged_over<licit::native>;

}  // namespace licit_bench

#endif
