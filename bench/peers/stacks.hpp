/// What one writes without a library: stacks, which no thief can reach, the floor of what a deque's owner can cost; and
/// std::deque under a std::mutex.
#ifndef LICIT_BENCH_PEERS_STACKS_HPP
#define LICIT_BENCH_PEERS_STACKS_HPP

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace licit_bench {

/// The floor. Its begin, end and capacity lie in memory between operations (the benchmarks see to that for every
/// structure), as they would between a worker's tasks.
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

/// The floor once more, by hand: an array, an index and a capacity. std::vector's push adds to its end in memory with
/// g++, since what it stores might be that end; a processor that forwards stores to loads for nothing does not forward
/// that.
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

/// The floor of a theft: items that one thread wrote and another copies, all at once, with no protocol. What orders the
/// two threads is the benchmark's. Its cost is that of the cache lines.
class plain_items {
 public:
  static constexpr bool thieves = true;
  static constexpr bool only_halves = true;  ///< there is no single item to steal, and no owner to measure

  explicit plain_items(std::size_t capacity) : slots_{new void*[capacity]} {}

  void push(void* item) { slots_[size_++] = item; }
  void* pop() { return size_ == 0 ? nullptr : slots_[--size_]; }

  std::size_t steal_half(plain_items& own) {
    std::copy_n(slots_.get(), size_, own.slots_.get() + own.size_);
    own.size_ += size_;
    return std::exchange(size_, 0);
  }

 private:
  std::unique_ptr<void*[]> slots_;
  std::size_t size_ = 0;
};

/// std::deque under a std::mutex.
class mutexed_deque {
 public:
  static constexpr bool thieves = true;

  explicit mutexed_deque(std::size_t /*capacity*/) {}

  void push(void* item) {
    const std::lock_guard hold(mutex_);
    items_.push_back(item);
  }

  void* pop() {
    const std::lock_guard hold(mutex_);
    if (items_.empty()) return nullptr;
    void* item = items_.back();
    items_.pop_back();
    return item;
  }

  void* steal() {
    const std::lock_guard hold(mutex_);
    if (items_.empty()) return nullptr;
    void* item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::deque<void*> items_;
};

}  // namespace licit_bench

#endif
