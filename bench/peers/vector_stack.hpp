/// The floor: what a stack costs that no thief can reach. Its begin, end and capacity lie in memory between operations
/// (the benchmarks see to that for every structure), as they would between a worker's tasks.
#ifndef LICIT_BENCH_PEERS_VECTOR_STACK_HPP
#define LICIT_BENCH_PEERS_VECTOR_STACK_HPP

#include <cstddef>
#include <vector>

namespace licit_bench {

class vector_stack {
 public:
  static constexpr bool thieves = false;

  explicit vector_stack(std::size_t capacity) { items_.reserve(capacity); }

  void push(void* item) { items_.push_back(item); }

  void* pop() {
    if (items_.empty()) return nullptr;
    void* item = items_.back();
    items_.pop_back();
    return item;
  }

 private:
  std::vector<void*> items_;
};

}  // namespace licit_bench

#endif
