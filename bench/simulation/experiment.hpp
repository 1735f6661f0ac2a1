/// The programs and strategies of bench/simulation.md by name, one of which is a thread pool with one queue; and one
/// run.
#ifndef LICIT_SIMULATION_EXPERIMENT_HPP
#define LICIT_SIMULATION_EXPERIMENT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <licit/scheduler/local_queue.hpp>

#include "execution.hpp"
#include "programs.hpp"
#include "strategies.hpp"

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

struct strategy {
  const char* name;
  way how;
  outcome (*run)(const program&, const setting&, way, const arrivals&);
};

template <template <class, class> class Local, class Policy = simulated>
outcome by_loop(const program& p, const setting& s, way how, const arrivals& service) {
  return loop_run<Local, Policy>(p, s, how, service).run();
}
inline outcome by_central_queue(const program& p, const setting& s, way /*how*/, const arrivals& service) {
  return central_run(p, s, service).run();
}

using licit::detail::in_order;
using licit::detail::youngest_first;

/// `one-by-one`: as `lifo`, by the rules for few workers. `join-full`: as `join`, where the kernel has no membarrier.
/// `join-anything`: as `join-full`, but who waits runs any job.
inline constexpr strategy strategies[] = {{"lifo", way::steals, &by_loop<youngest_first>},
                                          {"fifo", way::steals, &by_loop<in_order>},
                                          {"join", way::joins, &by_loop<youngest_first>},
                                          {"join-full", way::joins, &by_loop<youngest_first, simulated_full_fences>},
                                          {"join-anything", way::joins, &by_loop<youngest_first, simulated_anything>},
                                          {"one-by-one", way::steals, &by_loop<youngest_first, simulated_one_by_one>},
                                          {"steal-one", way::steals_one, &by_loop<youngest_first>},
                                          {"split", way::split, &by_loop<youngest_first>},
                                          {"sharing", way::shares, &by_loop<youngest_first>},
                                          {"central", way::central_queue, &by_central_queue}};

inline std::vector<program> programs(bool small) {
  std::vector<program> all = tree_programs(small);
  all.push_back(rod());
  all.push_back(request());
  return all;
}

/// 32 requests a worker, at least 2,048, from one thread for 32 workers.
inline arrivals arrivals_for(const program& p, std::size_t workers) {
  if (p.name != "service") return {};
  return {.requests = std::max<std::size_t>(2048, 32 * workers), .threads = (workers + 31) / 32};
}

/// Throws deadlock.
inline outcome run(const program& p, const strategy& how, const setting& s) {
  const arrivals service = arrivals_for(p, s.workers);
  return how.run(p, s, how.how, service);
}

/// What a task costs beyond the accesses that are simulated: what was measured for a chain of tasks less what the
/// simulation makes of the same chain. Allocation, the header's own words, calls.
inline picoseconds own_cost_of_task(const costs& prices) {
  constexpr std::uint64_t links = 50'000;  // the wake-up at the beginning does not count
  const program chain{"chain", {links}, [](const part& p) {
                        if (p.size == 0) return step{};
                        return step{.forks = 1, .parts = {part{p.size - 1}}};
                      }};
  setting alone{.prices = prices};
  const outcome o = loop_run<in_order>(chain, alone, way::steals).run();
  const picoseconds each = o.time / links;
  return prices.task > each ? prices.task - each : 0;
}

}  // namespace licit_simulation

#endif
