/// What the inject queue is compared with: each takes node pointers, `push(node*)` and `pop(span)`.
#ifndef LICIT_BENCH_INJECT_LISTS_HPP
#define LICIT_BENCH_INJECT_LISTS_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

#include <licit/scheduler/inject/inject_queue.hpp>

namespace licit_bench {

/// What is injected: as a task, it has a link.
struct node {
  node* next = nullptr;
};

class licit_inject {
 public:
  void push(node* n) { items_.push(n); }
  std::size_t pop(std::span<node*> into) { return items_.pop(into); }

 private:
  licit::inject_queue<node*> items_;
};

/// A list under one mutex, its length readable without it.
class mutexed_list {
 public:
  void push(node* n) {
    n->next = nullptr;
    const std::lock_guard lock(mutex_);
    (last_ == nullptr ? first_ : last_->next) = n;
    last_ = n;
    size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  std::size_t pop(std::span<node*> into) {
    if (size_.load(std::memory_order_relaxed) == 0) return 0;
    const std::lock_guard lock(mutex_);
    std::size_t got = 0;
    for (; got != into.size() && first_ != nullptr; first_ = first_->next) into[got++] = first_;
    if (first_ == nullptr) last_ = nullptr;
    size_.store(size_.load(std::memory_order_relaxed) - got, std::memory_order_relaxed);
    return got;
  }

 private:
  alignas(128) std::mutex mutex_;
  node* first_ = nullptr;
  node* last_ = nullptr;
  std::atomic<std::size_t> size_{0};
};

/// Four of them: a producer keeps to one, a taker tries them all from where it found something last.
class sharded_lists {
 public:
  void push(node* n) { lists_[own()].push(n); }
  std::size_t pop(std::span<node*> into) {
    static thread_local std::size_t from = 0;
    for (std::size_t i = 0; i != lists_.size(); ++i) {
      if (const std::size_t got = lists_[from].pop(into); got != 0) return got;
      from = (from + 1) % lists_.size();
    }
    return 0;
  }

 private:
  static std::size_t own() {
    static std::atomic<std::size_t> threads{0};
    static thread_local const std::size_t mine = threads.fetch_add(1, std::memory_order_relaxed);
    return mine % 4;
  }
  std::array<mutexed_list, 4> lists_;
};

}  // namespace licit_bench

#endif
