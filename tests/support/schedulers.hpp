/// The schedulers that a test runs with: few and many workers, in each order.
#ifndef LICIT_TESTS_SUPPORT_SCHEDULERS_HPP
#define LICIT_TESTS_SUPPORT_SCHEDULERS_HPP

#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

namespace licit_test {

/// Each combination, named in the failures of `body(options)`.
template <class Body>
void each_kind(const std::vector<std::size_t>& workers, Body body) {
  for (const std::size_t number : workers) {
    for (const licit::local_order order : {licit::local_order::fifo, licit::local_order::lifo}) {
      SCOPED_TRACE(std::to_string(number) + " workers, " + (order == licit::local_order::fifo ? "fifo" : "lifo"));
      licit::scheduler_options options;
      options.workers = number;
      options.order = order;
      body(options);
    }
  }
}
template <class Body>
void each_kind(Body body) {
  each_kind({2, 4, 8}, std::move(body));
}

/// Waits in a thread that is no worker, or in one whose scheduler has others.
template <class Condition>
void await(Condition holds) {
  while (!holds()) std::this_thread::yield();
}

/// Whether so many workers sleep, or are about to. A worker that is in the idle set may still find a task by its last
/// look; it counts its park after that.
inline bool asleep(const licit::scheduler& all, std::size_t number) {
  const licit::scheduler_snapshot seen = all.metrics();
  const auto counts = seen.total().counts;
  return seen.parked == number && counts.parks == counts.wakes + number;
}
inline bool all_asleep(const licit::scheduler& all) { return asleep(all, all.workers()); }

/// A task that is stopped here, with its worker, until it is told to go on.
class gate {
 public:
  gate() = default;
  /// Waits for those that have arrived: they read the gate when they leave it.
  ~gate() {
    while (left_ != arrived_) std::this_thread::yield();
  }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

  /// Any number of tasks.
  void pass() {
    arrived_.fetch_add(1);
    arrived_.notify_all();
    open_.wait(false);
    left_.fetch_add(1);
  }
  void open() {
    open_ = true;
    open_.notify_all();
  }
  /// Blocks until so many tasks stand there.
  void await_arrivals(int number) {
    for (int seen = arrived_; seen < number; seen = arrived_) arrived_.wait(seen);
  }

 private:
  std::atomic<int> arrived_ = 0;
  std::atomic<int> left_ = 0;
  std::atomic<bool> open_ = false;
};

/// Counts blocks, from any thread; gives none when it is told so.
class shared_memory final : public std::pmr::memory_resource {
 public:
  std::atomic<bool> failing = false;
  [[nodiscard]] int live() const { return live_; }
  [[nodiscard]] std::size_t live_bytes() const { return live_bytes_; }
  [[nodiscard]] int refused() const { return refused_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (failing) {
      ++refused_;
      throw std::bad_alloc();
    }
    ++live_;
    live_bytes_ += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    --live_;
    live_bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::atomic<int> live_ = 0;
  std::atomic<std::size_t> live_bytes_ = 0;
  std::atomic<int> refused_ = 0;
};

/// Runs the body on the calling thread, and in a task, over each kind of scheduler; nothing stays allocated.
template <class Body>
void everywhere(const std::vector<std::size_t>& workers, Body body) {
  each_kind(workers, [&](const licit::scheduler_options& usual) {
    shared_memory memory;
    licit::scheduler_options options = usual;
    options.memory = &memory;
    {
      licit::scheduler all(options);
      all.block_on(body);
      all.spawn(body).get();
    }
    EXPECT_EQ(memory.live(), 0);
  });
}

}  // namespace licit_test

#endif
