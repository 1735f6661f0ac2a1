/// A thread pool with one queue: a list under a lock, and a word on which idle workers sleep.
#ifndef LICIT_SIMULATION_CENTRAL_QUEUE_HPP
#define LICIT_SIMULATION_CENTRAL_QUEUE_HPP

#include <cstdint>
#include <deque>
#include <memory>

#include "execution.hpp"

namespace licit_simulation {

/// A lock of three states on a futex (Drepper, "Futexes are tricky"), which spins a little first.
class futex_lock {
 public:
  void lock() {
    for (int i = 0; i != spins; ++i) {
      std::uint32_t seen = free;
      if (word_.load(own_site{}) == free && word_.compare_exchange(seen, taken, own_site{})) return;
      machine::current().spend(machine::current().prices().pause);
    }
    while (word_.exchange(awaited, own_site{}) != free) word_.futex_wait(awaited, own_site{});
  }
  void unlock() {
    if (word_.exchange(free, own_site{}) == awaited) word_.futex_wake_one("unlock");
  }

 private:
  static constexpr int spins = 40;
  static constexpr std::uint32_t free = 0, taken = 1, awaited = 2;
  alignas(64) simulated::atomic<std::uint32_t> word_;
};

template <class T>
class central_queue {
 public:
  void push(T one) {
    lock_.lock();
    length_.store(items_.size(), own_site{});  // the list's line
    items_.push_back(one);
    const bool wake = waiting_ != 0;
    if (wake) turn_.fetch_add(1, own_site{});
    lock_.unlock();
    if (wake) turn_.futex_wake_one("push");
  }

  /// Sleeps while there is none. T{}: stopped.
  T pop() {
    lock_.lock();
    while (items_.empty() && !stopped_) {
      const std::uint32_t seen = turn_.load(own_site{});
      ++waiting_;
      lock_.unlock();
      turn_.futex_wait(seen, own_site{});
      lock_.lock();
      --waiting_;
    }
    T one{};
    if (!stopped_) {
      one = items_.front();
      items_.pop_front();
      length_.store(items_.size(), own_site{});
    }
    lock_.unlock();
    return one;
  }

  void stop(std::size_t workers) {
    lock_.lock();
    stopped_ = true;
    turn_.fetch_add(1, own_site{});
    lock_.unlock();
    for (std::size_t i = 0; i != workers; ++i) turn_.futex_wake_one("stop");
  }

 private:
  futex_lock lock_;
  alignas(64) simulated::atomic<std::uint64_t> length_;
  alignas(64) simulated::atomic<std::uint32_t> turn_;
  std::deque<T> items_;
  std::size_t waiting_ = 0;
  bool stopped_ = false;
};

/// One queue for all. Every part goes through it.
class central_run {
 public:
  central_run(const program& of, const setting& s, const arrivals& service = {})
      : setting_{s},
        service_{service},
        machine_{s.prices, s.workers + service.threads, s.planted},
        run_{of, setting_} {}

  outcome run() {
    auto queue = std::make_unique<central_queue<task*>>();
    queue_ = queue.get();
    for (std::size_t i = 0; i != setting_.workers; ++i) machine_.start(i, [this, i] { work(i); });
    for (std::size_t i = 0; i != service_.threads; ++i) {
      machine_.start(setting_.workers + i, [this, i] {
        if (service_.requests == 0) return queue_->push(run_.make(run_.of().root, nullptr));
        arrive(run_, setting_, service_, i, [this](task* one, std::size_t /*to*/) { queue_->push(one); });
      });
    }
    machine_.run();
    return result_;
  }

 private:
  void work(std::size_t /*self*/) {
    while (task* const t = queue_->pop()) {
      const picoseconds begun = machine_.now();
      const std::size_t before = run_.roots_ended.size();
      ++result_.all.polls;
      run_.poll(t, [&](task* parent, const step& s) {
        for (std::size_t i = 0; i != s.forks; ++i) queue_->push(run_.make(s.parts[i], parent));
      });
      result_.all.busy += machine_.now() - begun;
      if (run_.roots_ended.size() == before) continue;
      if (service_.requests != 0) result_.latencies.push_back(run_.at.back() - run_.roots_ended.back()->arrived);
      if (run_.roots_ended.size() == std::max<std::size_t>(service_.requests, 1)) finish();
    }
  }
  void finish() {
    result_.time = run_.at.back();
    result_.wakes = machine_.wakes();
    result_.misses = machine_.misses();
    result_.accesses = machine_.accesses();
    for (std::size_t i = 0; i != setting_.workers; ++i) result_.asleep += machine_.asleep(i, result_.time);
    queue_->stop(setting_.workers);
  }

  const setting setting_;
  const arrivals service_;
  machine machine_;
  execution run_;
  central_queue<task*>* queue_ = nullptr;
  outcome result_;
};

}  // namespace licit_simulation

#endif
