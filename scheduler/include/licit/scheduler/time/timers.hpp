/// The timers of a scheduler: a wheel for each worker, and the driver, which one sleeping worker holds.
///
/// The promise (T1): while a timer is linked and a worker sleeps, a sleeping worker holds the driver and knows a
/// deadline no later than the timer's, or a thread that is awake is about to see to it. Who sets a timer that is nearer
/// than all others tells the holder; if there is none, it wakes a worker that sleeps. A worker that parks announces
/// itself in the idle set, passes a fence, and takes the driver if it is free. A worker that holds it gives it away
/// before it runs a task, and then sees to it that a sleeping worker takes it. scheduler/time.md.
#ifndef LICIT_SCHEDULER_TIMERS_HPP
#define LICIT_SCHEDULER_TIMERS_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/time/driver.hpp>
#include <licit/scheduler/time/timer_wheel.hpp>

namespace licit::inline v0 {

/// Without any of the first eight a timer, or an operation that is complete, may wait while a worker sleeps.
struct timers_rules {
  bool raises_first = true;     ///< a worker that fires raises the deadline before it looks into the wheels, not after
  bool tells_holder = true;     ///< a thread that sets a nearer timer tells the holder of the driver
  bool wakes_a_holder = true;   ///< or wakes a worker, if nobody holds it
  bool hands_over = true;       ///< a worker that gives the driver away wakes one that takes it
  bool lowers_again = true;     ///< a worker that has fired lowers the deadline to what is left
  bool passes_on = true;        ///< a worker that was woken and runs a task wakes another for a driver that is free
  bool takes_to_react = true;   ///< a worker that is about to sleep takes the driver also for the reactor alone
  bool gives_to_react = true;   ///< and somebody is woken for a free driver also for the reactor alone
  std::size_t alignment = 128;  ///< of the driver's word
  std::size_t most_wheels = std::numeric_limits<std::size_t>::max();  ///< if there are fewer, threads share the last
};

template <class Policy = native, class Task = task_header>
class timers {
  template <fixed_string Name>
  static constexpr auto at = site_of<timers_orders, Name>;
  static constexpr auto rules = rules_of<timers_rules, Policy>();

 public:
  using wheel = timer_wheel<Policy, Task>;
  using waiter_type = typename wheel::waiter_type;

  using timer = typename wheel::timer;

  /// One wheel more than workers, for other threads. `sleep(worker)` is that worker's parker. `reacts`: there is a
  /// reactor, so that a sleeping worker holds the driver though there is no deadline. Throws std::bad_alloc.
  template <class Sleep>
  timers(idle_set<Policy>& idle, std::size_t workers, Sleep&& sleep, bool reacts) : idle_{idle}, reacts_{reacts} {
    for (std::size_t i = 0; i != workers; ++i) sleep_.push_back(&sleep(i));
    for (std::size_t i = 0; i != std::min(workers + 1, rules.most_wheels); ++i)
      wheels_.push_back(std::make_unique<wheel>());
  }
  timers(const timers&) = delete;
  timers& operator=(const timers&) = delete;
  /// Precondition: no timer is linked.
  ~timers() = default;

  [[nodiscard]] bool reacts() const { return reacts_; }
  [[nodiscard]] std::size_t for_others() const { return sleep_.size(); }
  /// Any thread. No timer that is linked is due before.
  [[nodiscard]] timer_tick earliest() const { return driver_.earliest(); }
  [[nodiscard]] std::size_t holder() const { return driver_.look().holder; }

  /// Any thread; `in` should be its worker's number, or `for_others`. On `waits` the waiter will be answered. O(1);
  /// also a wake-up if no other timer is as near.
  [[nodiscard]] timer_start set(std::size_t in, waiter_type& who, timer& what) {
    const timer_tick when = what.when();  // the timer may be gone when the wheel's lock is free
    const timer_start how = wheels_[std::min(in, wheels_.size() - 1)]->set(who, what, driver_);
    if (how != timer_start::nearer) return how;
    lower(when, for_others());
    return timer_start::waits;
  }

  /// Any thread, with its worker's number or `for_others`. Fires all timers that are due at `now`, and returns how
  /// many. O(workers), and O(levels) a timer.
  std::size_t fire(std::size_t self, timer_tick now) {
    if (rules.raises_first) driver_.raise();
    std::size_t fired = 0;
    timer_tick next = driver<Policy>::never;
    for (const auto& each : wheels_) next = std::min(next, each->fire(now, fired));
    if (!rules.raises_first) driver_.raise();
    if (rules.lowers_again && next != driver<Policy>::never) lower(next, self);
    return fired;
  }

  /// After all workers have ended. Waiters are told, and from now on no timer can be set.
  void close() {
    for (const auto& each : wheels_) each->close();
  }

  // --- for workers

  /// A worker that is in the idle set and is about to sleep. Whether it holds the driver now.
  [[nodiscard]] bool take(std::size_t self) {
    Policy::fence(at<"rest.fence">);  // with tell.fence
    return driver_.take(self, reacts_ && rules.takes_to_react);
  }
  /// A worker that is awake and to poll the reactor. Whether it holds the driver now.
  [[nodiscard]] bool take_awake(std::size_t self) {
    return driver_.look().holder == driver<Policy>::nobody && driver_.take(self, true);
  }
  /// The holder, before it runs a task.
  void give() {
    driver_.give();
    if (rules.hands_over) see_to_it();
  }
  /// A worker that does not hold the driver, was woken, perhaps for it, and is about to run a task. One load unless
  /// nobody holds the driver and somebody must.
  void pass_on() {
    if (rules.passes_on) see_to_it();
  }

 private:
  /// If nobody holds the driver and somebody must, wakes a worker.
  void see_to_it() {
    const auto seen = driver_.look();
    const bool reacts = reacts_ && rules.gives_to_react;
    if (seen.holder != driver<Policy>::nobody || (seen.earliest == driver<Policy>::never && !reacts)) return;
    Policy::fence(at<"tell.fence">);  // with rest.fence
    if (const std::optional<std::size_t> worker = idle_.claim_any()) sleep_[*worker]->unpark();
  }
  /// Tells the holder, unless that is the caller, which looks before it sleeps.
  void lower(timer_tick when, std::size_t self) {
    const std::optional<std::size_t> holder = driver_.lower(when);
    if (!holder || *holder == self) return;
    if (*holder == driver<Policy>::nobody) {
      if (rules.wakes_a_holder) see_to_it();
    } else if (rules.tells_holder) {
      sleep_[*holder]->unpark();
    }
  }

  idle_set<Policy>& idle_;
  const bool reacts_;
  std::vector<parker<Policy>*> sleep_;
  std::vector<std::unique_ptr<wheel>> wheels_;
  alignas(rules.alignment) driver<Policy> driver_;  // written at each sleep of a holder; the rest is only read
};

}  // namespace licit::inline v0

#endif
