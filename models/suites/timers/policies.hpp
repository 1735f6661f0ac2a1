/// What the clients of timers run over: a policy, and the outside world.
#ifndef LICIT_SUITES_TIMERS_POLICIES_HPP
#define LICIT_SUITES_TIMERS_POLICIES_HPP

#include <licit/deque/order.hpp>
#include <licit/scheduler/time/timers.hpp>

#include "suites/altered.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// The wheels' lists are guarded by the checker's own mutex. One wheel of two levels with two slots each, for all.
template <class Model>
using few_ticks = with_rules<with_rules<specified_lock<Model>, timer_wheel_rules{.bits = 1, .levels = 2}>,
                             timers_rules{.alignment = 8, .most_wheels = 1}>;

/// The outside world, as a reactor (licit/scheduler/time/reactor.hpp): operations, which become complete, and an
/// interruption. Both are in one word, so that a thread waits for both.
template <class Model>
class outside_world {
 public:
  /// Any thread.
  void complete(unsigned operation) { events_.fetch_or(2U << operation, order::release, "outside.complete"); }
  void interrupt() noexcept { events_.fetch_or(interruption, order::relaxed, "outside.interrupt"); }
  template <class Parker>
  void ends_sleep_of(Parker& sleep) {
    sleep.interrupted_by({[](void* it) noexcept { static_cast<outside_world*>(it)->interrupt(); }, this});
  }

  // One thread at a time. `handle(operation)` for each operation that is complete.

  template <class Handle>
  void wait(Handle&& handle) {
    (void)events_.await_change(0, order::relaxed, "outside.wait");
    run(events_.exchange(0, order::acquire, "outside.take"), handle);
  }
  /// The next wait has its interruption still.
  template <class Handle>
  void poll(Handle&& handle) {
    run(events_.fetch_and(interruption, order::acquire, "outside.poll"), handle);
  }

 private:
  static constexpr unsigned interruption = 1;

  template <class Handle>
  static void run(unsigned events, Handle&& handle) {
    events >>= 1;
    for (unsigned operation = 0; events != 0; ++operation, events >>= 1) {
      if ((events & 1) != 0) handle(operation);
    }
  }

  typename Model::template atomic<unsigned> events_;
};

}  // namespace licit::suites

#endif
