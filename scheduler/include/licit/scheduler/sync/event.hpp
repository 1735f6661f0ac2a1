/// Something that has happened, or not yet.
#ifndef LICIT_SCHEDULER_EVENT_HPP
#define LICIT_SCHEDULER_EVENT_HPP

#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

/// Stays set until it is reset. Must outlive every call on it.
class event {
  struct waiting {
    static constexpr const char* what = "co_await wait";
    gate<>* of;

    [[nodiscard]] bool try_now() const noexcept { return of->is_open(); }
    [[nodiscard]] bool hold() const noexcept { return try_now(); }
    [[nodiscard]] bool begin(waiter<>& who) const noexcept { return of->pass_or_wait(who); }
    [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return of->cancel(who); }
    void undo() const noexcept {}
    void finish(detail::ending /*how*/, answer /*what*/) const noexcept {}
  };

 public:
  explicit event(bool is_set = false) : gate_{is_set ? 0U : 1U} {}

  /// Any thread. Wakes all waiters. What the caller did before is visible to them. Lock-free except for a lock of a few
  /// instructions.
  void set() noexcept { gate_.open(); }
  /// Any thread. A wait that begins from now on waits for the next `set`; those that waited at the last one go on. One
  /// short lock.
  void reset() noexcept { gate_.shut(1); }
  /// Any thread. Wait-free.
  [[nodiscard]] bool is_set() const noexcept { return gate_.is_open(); }

  /// `co_await e.wait();` in a coroutine that was spawned or runs in `block_on`. Goes on once the event has been set,
  /// even if it is reset meanwhile. One load if it is set; costs one of the budget. Throws std::logic_error if it has
  /// to wait outside of such a coroutine.
  [[nodiscard]] auto wait() noexcept { return detail::sync_awaiter<waiting>(&gate_); }
  /// A thread that is in no task. Blocks. Throws std::system_error (resource_deadlock_would_occur) in a task.
  void blocking_wait() { detail::wait_in_thread(waiting{&gate_}); }

 private:
  gate<> gate_;
};

}  // namespace licit::inline v0

#endif
