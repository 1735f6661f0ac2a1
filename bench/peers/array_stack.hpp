/// The floor once more, by hand: an array, an index and a capacity. std::vector's push adds to its end in memory with
/// g++, since what it stores might be that end; a processor that forwards stores to loads for nothing does not forward
/// that.
#ifndef LICIT_BENCH_PEERS_ARRAY_STACK_HPP
#define LICIT_BENCH_PEERS_ARRAY_STACK_HPP

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace licit_bench {

class array_stack {
 public:
  static constexpr bool thieves = false;

  explicit array_stack(std::size_t capacity) : slots_{new void*[capacity]}, capacity_{capacity} {}

  void push(void* item) {
    const std::size_t n = size_;
    if (n == capacity_) [[unlikely]]
      grow();
    slots_[n] = item;
    size_ = n + 1;
  }

  void* pop() {
    const std::size_t n = size_;
    if (n == 0) return nullptr;
    size_ = n - 1;
    return slots_[n - 1];
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    std::unique_ptr<void*[]> wider{new void*[capacity_ * 2]};
    std::copy_n(slots_.get(), capacity_, wider.get());
    slots_ = std::move(wider);
    capacity_ *= 2;
  }

  std::unique_ptr<void*[]> slots_;
  std::size_t size_ = 0;
  std::size_t capacity_;
};

}  // namespace licit_bench

#endif
