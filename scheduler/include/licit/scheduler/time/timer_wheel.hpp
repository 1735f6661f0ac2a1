/// A hierarchical wheel of timers, under a lock of a few instructions.
///
/// Level 0 has a slot for each of the next 64 ticks, level 1 one for each 64 of these, and so on. A timer is linked
/// where its tick first differs from the wheel's time, seen from the top: it moves down when the wheel's time comes to
/// its slot. Source: G. Varghese, A. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987; the choice of the level
/// by the highest bit that differs is that of Tokio's wheel.
#ifndef LICIT_SCHEDULER_TIMER_WHEEL_HPP
#define LICIT_SCHEDULER_TIMER_WHEEL_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>
#include <licit/scheduler/time/driver.hpp>

namespace licit::inline v0 {

struct timer_wheel_rules {
  unsigned bits = 6;        ///< of a tick, for each level
  unsigned levels = 8;      ///< the range is 2^(bits * levels) ticks: 8,900 years
  bool links_first = true;  ///< a thread that sets a timer looks at the earliest deadline after it has linked the timer
  bool cancels_locked = true;  ///< a cancellation looks under the lock whether its timer is linked
};

/// How setting a timer ended.
enum class timer_start : std::uint32_t {
  waits,   ///< it is linked
  nearer,  ///< the same, and it is nearer than the earliest deadline
  due,     ///< it is not linked: its tick is over
  closed,  ///< the same: no timer will fire any more
};

/// Linked timers lie in the frames of coroutines, and fire by the answer to their waiter.
template <class Policy = native, class Task = task_header>
class timer_wheel {
  using lock_type = typename lock_for<Policy>::type;
  static constexpr auto rules = rules_of<timer_wheel_rules, Policy>();
  static constexpr unsigned in_level = 1U << rules.bits;

 public:
  using waiter_type = waiter<Policy, Task>;
  static constexpr timer_tick last = (timer_tick{1} << (rules.bits * rules.levels)) - 1;  ///< the end of the range

  /// A timer, beside its waiter. It is destroyed when the waiter was answered, or after `cancel`.
  class timer {
   public:
    /// Before it is set; at most `last`.
    void due_at(timer_tick when) { when_ = when; }
    [[nodiscard]] timer_tick when() const { return when_; }

   private:
    friend class timer_wheel;
    timer_tick when_ = 0;
    timer_wheel* in_ = nullptr;
    unsigned slot_ = 0;
  };

  timer_wheel() = default;
  timer_wheel(const timer_wheel&) = delete;
  timer_wheel& operator=(const timer_wheel&) = delete;
  /// Precondition: no timer is linked.
  ~timer_wheel() = default;

  /// Any thread. O(1). On `nearer` the caller lowers the deadline of `known`, and tells its holder.
  [[nodiscard]] timer_start set(waiter_type& who, timer& what, const driver<Policy>& known) {
    const timer_tick when = what.when_;
    who.item.write(&what);
    what.in_ = this;
    timer_tick earliest = rules.links_first ? 0 : known.earliest();
    lock_.lock();
    if (closed_ || when <= elapsed_) {
      const timer_start how = closed_ ? timer_start::closed : timer_start::due;
      lock_.unlock();
      return how;
    }
    link(who, what);
    // Under the lock: who raised the deadline, and then looked into this wheel before this thread, is visible.
    if (rules.links_first) earliest = known.earliest();
    lock_.unlock();  // who waits may be answered from here on, and be gone
    return when < earliest ? timer_start::nearer : timer_start::waits;
  }

  /// Any thread, for a waiter that was set. Whether its timer was still linked; otherwise it has fired. O(1), and waits
  /// for nothing but the lock.
  [[nodiscard]] static bool cancel(waiter_type& who) {
    const timer& what = *static_cast<timer*>(who.item.read());
    timer_wheel& in = *what.in_;
    if (!rules.cancels_locked && !who.is_linked()) return false;
    in.lock_.lock();
    const bool linked = who.is_linked();
    if (linked) in.unlink(who, what);
    in.lock_.unlock();
    return linked;
  }

  /// Any thread. Fires what is due at `now`, a few timers at a time, and wakes their tasks without the lock. Returns
  /// the earliest tick of what is left, or an earlier one that is later than `now`; `never` if nothing is. O(1) for
  /// each timer and level.
  timer_tick fire(timer_tick now, std::size_t& fired) {
    wake_ups<Policy, Task> due;
    for (;;) {
      lock_.lock();
      const bool more = advance(std::min(now, last), due, fired);
      const timer_tick next = more ? 0 : earliest();
      lock_.unlock();
      due.wake();
      if (!more) return next;
    }
  }

  /// Any thread. Answers all timers `closed`; from now on none can be set.
  void close() {
    wake_ups<Policy, Task> due;
    for (bool more = true; more;) {
      lock_.lock();
      closed_ = true;
      for (more = occupied() != none; more && !due.full(); more = occupied() != none) {
        due.add(answer_first(occupied(), answer::closed));
      }
      lock_.unlock();
      due.wake();
    }
  }

 private:
  static constexpr unsigned slots = rules.levels * in_level;
  static constexpr unsigned none = slots;
  static constexpr unsigned steps = 64;  ///< timers moved or fired before the lock is freed

  // All under the lock.

  [[nodiscard]] static unsigned level_of(timer_tick when, timer_tick from) {
    const timer_tick differs = (when ^ from) | (in_level - 1);
    return (63U - static_cast<unsigned>(std::countl_zero(differs))) / rules.bits;
  }

  void link(waiter_type& who, timer& what) {
    const unsigned level = level_of(what.when_, elapsed_);
    const unsigned in = static_cast<unsigned>(what.when_ >> (level * rules.bits)) % in_level;
    what.slot_ = level * in_level + in;
    auto& list = lists_[what.slot_];
    timer_tick& first = first_[what.slot_];
    first = list.empty() ? what.when_ : std::min(first, what.when_);
    list.link(who);
    occupied_[level] |= std::uint64_t{1} << in;
  }
  void unlink(waiter_type& who, const timer& what) {
    lists_[what.slot_].unlink(who);
    clear_if_empty(what.slot_);
  }
  typename waiter_type::wake_up answer_first(unsigned slot, answer what) {
    const auto due = lists_[slot].answer_first(what);
    clear_if_empty(slot);
    return due;
  }
  void clear_if_empty(unsigned slot) {
    if (lists_[slot].empty()) occupied_[slot / in_level] &= ~(std::uint64_t{1} << (slot % in_level));
  }

  /// The first slot that has timers. All of a lower level are before those of a higher one.
  [[nodiscard]] unsigned occupied() const {
    for (unsigned level = 0; level != rules.levels; ++level) {
      const std::uint64_t some = occupied_[level];
      if (some != 0) return level * in_level + static_cast<unsigned>(std::countr_zero(some));
    }
    return none;
  }
  /// The first tick of a slot.
  [[nodiscard]] timer_tick start_of(unsigned slot) const {
    const unsigned shift = slot / in_level * rules.bits;
    const timer_tick above = elapsed_ >> shift >> rules.bits << rules.bits;
    return (above | slot % in_level) << shift;
  }
  [[nodiscard]] timer_tick earliest() const {
    const unsigned slot = occupied();
    return slot == none ? driver<Policy>::never : first_[slot];
  }

  /// Whether there is more to do.
  bool advance(timer_tick now, wake_ups<Policy, Task>& due, std::size_t& fired) {
    now = std::max(now, elapsed_);  // another thread, with a later time, has opened a slot: this one helps to empty it
    for (unsigned step = 0; step != steps && !due.full(); ++step) {
      const bool opens = open_ == none || lists_[open_].empty();
      const unsigned slot = opens ? occupied() : open_;
      if (opens) {
        if (slot == none || start_of(slot) > now) {
          elapsed_ = std::max(elapsed_, now);
          open_ = none;
          return false;
        }
        elapsed_ = std::max(elapsed_, start_of(slot));
        open_ = slot;
      }
      waiter_type& who = lists_[slot].front();
      timer& what = *static_cast<timer*>(who.item.read());
      if (what.when_ <= now) {
        due.add(answer_first(slot, answer::given));
        ++fired;
      } else {
        unlink(who, what);
        link(who, what);
      }
    }
    return true;
  }

  lock_type lock_;
  timer_tick elapsed_ = 0;  ///< what is due at this tick has fired, or is in the open slot
  unsigned open_ = none;    ///< a slot whose time has come, while it is being emptied
  bool closed_ = false;
  std::array<std::uint64_t, rules.levels> occupied_{};
  std::array<timer_tick, slots> first_{};  ///< no later than the first timer of the slot, if there is one
  std::array<waiter_list<Policy, Task>, slots> lists_;
};

}  // namespace licit::inline v0

#endif
