/// The textbook deque: figure 1 of N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and Efficient Work-Stealing
/// for Weak Memory Models", PPoPP 2013, with its orderings. Made as fast as the figure allows, so that a ratio to it
/// means something: a mask in place of the modulo, the two ends on lines of their own, a bare pointer with null for
/// "none". Arrays that were outgrown live until the deque dies, which the figure leaves open.
#ifndef LICIT_BENCH_PEERS_TEXTBOOK_HPP
#define LICIT_BENCH_PEERS_TEXTBOOK_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace licit_bench {

class textbook {
 public:
  static constexpr bool thieves = true;

  explicit textbook(std::size_t capacity) : newest_{std::make_unique<array>(capacity, nullptr)} {
    array_.store(newest_.get(), std::memory_order_relaxed);
  }

  void push(void* item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    const std::int64_t t = top_.load(std::memory_order_acquire);
    array* a = array_.load(std::memory_order_relaxed);
    if (b - t > a->mask) [[unlikely]]
      a = grow(t, b);
    a->slot(b).store(item, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(b + 1, std::memory_order_relaxed);
  }

  void* pop() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    array* a = array_.load(std::memory_order_relaxed);
    bottom_.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::int64_t t = top_.load(std::memory_order_relaxed);
    if (t > b) {
      bottom_.store(b + 1, std::memory_order_relaxed);
      return nullptr;
    }
    void* item = a->slot(b).load(std::memory_order_relaxed);
    if (t != b) [[likely]]
      return item;
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) item = nullptr;
    bottom_.store(b + 1, std::memory_order_relaxed);
    return item;
  }

  void* steal() {
    std::int64_t t = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::int64_t b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return nullptr;
    void* item = array_.load(std::memory_order_acquire)->slot(t).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return nullptr;
    return item;
  }

 private:
  struct array {
    array(std::size_t capacity, std::unique_ptr<array> outgrown)
        : mask{static_cast<std::int64_t>(capacity) - 1},
          slots{new std::atomic<void*>[capacity]},
          previous{std::move(outgrown)} {}
    std::atomic<void*>& slot(std::int64_t i) { return slots[static_cast<std::size_t>(i & mask)]; }

    const std::int64_t mask;
    const std::unique_ptr<std::atomic<void*>[]> slots;
    const std::unique_ptr<array> previous;
  };

  [[gnu::noinline, gnu::cold]] array* grow(std::int64_t t, std::int64_t b) {
    array& narrow = *newest_;
    newest_ = std::make_unique<array>(static_cast<std::size_t>(narrow.mask + 1) * 2, std::move(newest_));
    for (std::int64_t i = t; i != b; ++i) {
      newest_->slot(i).store(narrow.slot(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    array_.store(newest_.get(), std::memory_order_release);
    return newest_.get();
  }

  alignas(128) std::atomic<std::int64_t> top_{0};
  alignas(128) std::atomic<std::int64_t> bottom_{0};
  std::atomic<array*> array_;
  std::unique_ptr<array> newest_;
};

/// The textbook deque behind a function call. Crossbeam is reached through one, being in another language: what the
/// call costs is the difference between this and the textbook.
class called_textbook {
 public:
  static constexpr bool thieves = true;

  explicit called_textbook(std::size_t capacity) : deque_{capacity} {}

  [[gnu::noinline]] void push(void* item) { deque_.push(item); }
  [[gnu::noinline]] void* pop() { return deque_.pop(); }
  [[gnu::noinline]] void* steal() { return deque_.steal(); }

 private:
  textbook deque_;
};

}  // namespace licit_bench

#endif
