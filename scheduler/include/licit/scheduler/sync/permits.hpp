/// Permits, and the waiters for them: the protocol of the mutex, which has one permit, and of the semaphore.
///
/// One word has the number of free permits and a mark, which is set while the list of waiters is not empty. Without the
/// mark, taking and giving are one compare-exchange each. With it the word changes only under the lock, and permits
/// that are given go to the first waiter; nobody overtakes it.
#ifndef LICIT_SCHEDULER_PERMITS_HPP
#define LICIT_SCHEDULER_PERMITS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

namespace licit::inline v0 {

struct permits_rules {
  bool passes_on = true;     ///< a waiter that is cancelled gives back the permits that it was handed
  bool looks_behind = true;  ///< a waiter that is cancelled lets the one behind it have the permits if they are enough
  bool marks = true;         ///< a waiter sets the mark
  bool limits = true;        ///< no more are free than the limit, also while others wait
};

template <class Policy = native, class Task = task_header>
class permits {
  template <fixed_string Name>
  static constexpr auto at = site_of<waiters_orders, Name>;
  using lock_type = typename lock_for<Policy>::type;

 public:
  using waiter_type = waiter<Policy, Task>;
  static constexpr std::uint32_t most = (std::uint32_t{1} << 31) - 1;

  explicit permits(std::uint32_t free) : word_{free << 1} {}
  permits(const permits&) = delete;
  permits& operator=(const permits&) = delete;
  /// Precondition: nobody waits.
  ~permits() = default;

  /// Any thread. Takes `number` permits, if they are free and nobody waits. Lock-free.
  [[nodiscard]] bool try_take(std::uint32_t number) { return take_from(word_.load(at<"take.look">), number); }
  /// The same for a caller that expects `free` to be free. A look would make the compare-exchange after it wait for the
  /// last change of the word.
  [[nodiscard]] bool try_take_of(std::uint32_t free, std::uint32_t number) { return take_from(free << 1, number); }

  /// Any thread. The same, or links the waiter, which will be answered when it has the permits that it asks for. True:
  /// it has them now.
  [[nodiscard]] bool take_or_wait(waiter_type& who) {
    const auto number = static_cast<std::uint32_t>(who.asks.read());
    lock_.lock();
    std::uint32_t seen = word_.load(at<"wait.look">);
    while (!marked(seen)) {
      if (free_in(seen) >= number) {
        if (word_.compare_exchange(seen, seen - (number << 1), at<"wait.claim">)) {
          lock_.unlock();
          return true;
        }
      } else if (!rules.marks || word_.compare_exchange(seen, seen | 1U, at<"wait.mark">)) {
        break;
      }
    }
    waiting_.link(who);
    lock_.unlock();
    return false;
  }

  /// Any thread. Gives permits to the waiters, or to the next that ask. False: there would be more than `limit`, and
  /// nothing has changed. Lock-free if nobody waits.
  [[nodiscard]] bool give(std::uint32_t number, std::uint32_t limit) {
    return give_to(word_.load(at<"give.look">), number, limit);
  }
  /// The same, as `try_take_of`.
  [[nodiscard]] bool give_beside(std::uint32_t free, std::uint32_t number, std::uint32_t limit) {
    return give_to(free << 1, number, limit);
  }

  /// For a waiter that is cancelled. Unlinks it; or it was answered, and its permits go to the next. Whether it was
  /// still linked, so that no thread wakes it.
  [[nodiscard]] bool cancel(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) waiting_.unlink(who);
    lock_.unlock();
    if (linked) {
      if constexpr (rules.looks_behind) (void)settle(0, most);
    } else if constexpr (rules.passes_on) {
      // Those beyond the limit are dropped, as semaphore.hpp says.
      auto number = static_cast<std::uint32_t>(who.asks.read());
      while (number != 0 && !give(number, most)) number = std::min(number - 1, most - free_now());
    }
    return linked;
  }

  /// Any thread. How many were free a moment ago.
  [[nodiscard]] std::uint32_t free_now() const { return free_in(word_.load(at<"count.look">)); }

 private:
  static constexpr auto rules = rules_of<permits_rules, Policy>();

  static bool marked(std::uint32_t word) { return (word & 1U) != 0; }
  static std::uint32_t free_in(std::uint32_t word) { return word >> 1; }

  bool take_from(std::uint32_t seen, std::uint32_t number) {
    while (!marked(seen) && free_in(seen) >= number) {
      if (word_.compare_exchange(seen, seen - (number << 1), at<"take.claim">)) return true;  // reads give.add
    }
    return false;
  }
  bool give_to(std::uint32_t seen, std::uint32_t number, std::uint32_t limit) {
    while (!marked(seen)) {
      if (number > limit || free_in(seen) > limit - number) return false;
      if (word_.compare_exchange(seen, seen + (number << 1), at<"give.add">)) return true;  // read by take.claim
    }
    return settle(number, limit);
  }

  /// Adds permits where others waited, and hands them over. Between two rounds the mark keeps others from the rest.
  bool settle(std::uint32_t number, std::uint32_t limit) {
    wake_ups<Policy, Task> due;
    for (bool again = true; again;) {
      lock_.lock();
      const std::uint32_t seen = word_.load(at<"settle.look">);  // reads give.add
      if (!marked(seen)) {
        lock_.unlock();  // the last waiter has gone meanwhile
        return number == 0 || give(number, limit);
      }
      if (rules.limits && (number > limit || free_in(seen) > limit - number)) {
        lock_.unlock();
        return false;
      }
      std::uint32_t free = free_in(seen) + number;
      number = 0;
      while (fits(free) && !due.full()) {
        free -= static_cast<std::uint32_t>(waiting_.front().asks.read());
        due.add(waiting_.answer_first(answer::given));
      }
      again = fits(free);
      word_.store((free << 1) | (waiting_.empty() ? 0U : 1U), at<"settle.store">);  // read by take.claim, wait.claim
      lock_.unlock();
      due.wake();
    }
    return true;
  }
  [[nodiscard]] bool fits(std::uint32_t free) const {
    return !waiting_.empty() && waiting_.front().asks.read() <= free;
  }

  typename Policy::template atomic<std::uint32_t> word_;
  lock_type lock_;
  waiter_list<Policy, Task> waiting_;
};

}  // namespace licit::inline v0

#endif
