/// licit's handles, as a program uses them.
#ifndef LICIT_BENCH_PEERS_LICIT_OWNER_HPP
#define LICIT_BENCH_PEERS_LICIT_OWNER_HPP

#include <cstddef>

#include <licit/deque.hpp>

namespace licit_bench {

class licit_owner {
 public:
  static constexpr bool thieves = true;

  explicit licit_owner(std::size_t capacity) : owner_{{.initial_capacity = capacity}}, stealer_{owner_.stealer()} {}

  void push(void* item) { owner_.push(item); }
  void* pop() { return owner_.pop().value_or(nullptr); }

  void* steal() {
    auto got = stealer_.steal();
    return got ? *got : nullptr;
  }

 private:
  licit::owner<void*> owner_;
  licit::stealer<void*> stealer_;
};

}  // namespace licit_bench

#endif
