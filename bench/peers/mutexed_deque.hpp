/// std::deque under a std::mutex: what one writes without a library.
#ifndef LICIT_BENCH_PEERS_MUTEXED_DEQUE_HPP
#define LICIT_BENCH_PEERS_MUTEXED_DEQUE_HPP

#include <cstddef>
#include <deque>
#include <mutex>

namespace licit_bench {

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
