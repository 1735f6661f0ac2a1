/// A bounded queue of items, with waiters for room and waiters for items: the protocol of the channel.
///
/// A waiter for an item is told that there is one. The item is then reserved: it stays in the queue until the waiter
/// takes it. So a waiter that is cancelled holds no item, and the reservation goes to the next waiter. A waiter for
/// room has its item in its own frame; the thread that makes room moves the item from there into the queue.
#ifndef LICIT_SCHEDULER_LINE_OF_ITEMS_HPP
#define LICIT_SCHEDULER_LINE_OF_ITEMS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

namespace licit::inline v0 {

/// How a send ended.
enum class sent : std::uint32_t {
  yes,     ///< the item is in the channel
  full,    ///< there is no room
  closed,  ///< nobody will take it
};

struct line_of_items_rules {
  bool passes_on = true;  ///< a waiter that is told of an item, and is cancelled, lets the next one have it
  bool reserves = true;   ///< nobody takes an item of which another was told
  bool tells_end = true;  ///< the taker of a closed channel's last item tells the other waiters
  bool ends_late = true;  ///< a close tells the waiters for an item only where no item is left
  bool drops_end = true;  ///< whoever drops the items tells the waiters, too
};

/// Ring has `item`, `push(item&&)`, `pop()`, `size()` and `full()`.
template <class Ring, class Policy = native, class Task = task_header>
class line_of_items {
  using lock_type = typename lock_for<Policy>::type;
  using due_type = wake_ups<Policy, Task>;

 public:
  using item = typename Ring::item;
  using waiter_type = waiter<Policy, Task>;

  template <class... With>
  explicit line_of_items(With&&... with) : items_(std::forward<With>(with)...) {}
  line_of_items(const line_of_items&) = delete;
  line_of_items& operator=(const line_of_items&) = delete;
  /// Precondition: nobody waits.
  ~line_of_items() = default;

  /// Any thread. Moves from the item only if it is sent.
  [[nodiscard]] sent try_send(item& what) {
    lock_.lock();
    return send_locked(what);
  }
  /// Any thread. The same; if there is no room, links the waiter. Its answer is `given` when the item was moved out of
  /// `what`, or `closed`.
  [[nodiscard]] sent send_or_wait(item& what, waiter_type& who) {
    lock_.lock();
    if (closed_.read() || !items_.full()) return send_locked(what);
    who.item.write(std::addressof(what));
    senders_.link(who);
    lock_.unlock();
    return sent::full;
  }
  /// For a waiter for room that is cancelled. Whether it was still linked.
  [[nodiscard]] bool cancel_send(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) senders_.unlink(who);
    lock_.unlock();
    return linked;
  }

  /// Any thread. Nothing: there is no item, or others were told of all of them.
  [[nodiscard]] std::optional<item> try_take() {
    lock_.lock();
    if (!has_free()) return lock_.unlock(), std::nullopt;
    return take_locked();
  }
  /// What `take_or_wait` came to.
  struct taken {
    std::optional<item> what;
    bool waits = false;  ///< with neither: the channel is closed, and nothing will come
  };
  /// Any thread. The same, or links the waiter. Its answer is `given` when an item is reserved for it, which it takes
  /// by `take_reserved`; or `closed`: nothing will come.
  [[nodiscard]] taken take_or_wait(waiter_type& who) {
    lock_.lock();
    if (has_free()) return {take_locked()};
    if (ended()) return lock_.unlock(), taken{};
    receivers_.link(who);
    lock_.unlock();
    return {std::nullopt, true};
  }
  /// Any thread. Whether there is an item; it is then reserved for the caller, as by an answer.
  [[nodiscard]] bool reserve() {
    lock_.lock();
    const bool has = has_free();
    if (has) told_.write(told_.read() + 1);
    lock_.unlock();
    return has;
  }
  /// For a waiter that does not use its reservation: the next one gets it.
  void give_back_reservation() {
    due_type due;
    lock_.lock();
    told_.write(told_.read() - 1);
    if constexpr (rules.passes_on) tell_one(due);
    lock_.unlock();
    due.wake();
  }
  /// For a waiter that was answered with `given`. Nothing only if the items were dropped meanwhile.
  [[nodiscard]] std::optional<item> take_reserved() {
    lock_.lock();
    told_.write(told_.read() - 1);
    if (items_.size() == 0) return lock_.unlock(), std::nullopt;
    return take_locked();
  }
  /// For a waiter for an item that is cancelled. Whether it was still linked.
  [[nodiscard]] bool cancel_take(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) receivers_.unlink(who);
    lock_.unlock();
    if (!linked && who.answered() == answer::given) give_back_reservation();
    return linked;
  }

  /// Any thread. No further item comes in; those that are there can be taken. Waiters for room are told, and so are
  /// waiters for an item when there is none. Returns whether it was open.
  bool close() {
    lock_.lock();
    const bool first = !closed_.read();
    closed_.write(true);
    end_waits();
    return first;
  }
  /// Any thread. The same, and the items go to the caller, which destroys them. Calls `drops(number)` before any waiter
  /// is told.
  template <class Drops>
  [[nodiscard]] Ring close_and_drop(Ring empty, Drops&& drops) {
    lock_.lock();
    closed_.write(true);
    using std::swap;
    swap(items_, empty);
    drops(empty.size());
    if (rules.drops_end) {
      end_waits();
    } else {
      lock_.unlock();
    }
    return empty;
  }

  [[nodiscard]] bool is_closed() {
    lock_.lock();
    const bool closed = closed_.read();
    lock_.unlock();
    return closed;
  }
  /// Whether it is closed and empty.
  [[nodiscard]] bool is_ended() {
    lock_.lock();
    const bool over = ended();
    lock_.unlock();
    return over;
  }
  [[nodiscard]] std::size_t size() {
    lock_.lock();
    const std::size_t items = items_.size();
    lock_.unlock();
    return items;
  }

 private:
  static constexpr auto rules = rules_of<line_of_items_rules, Policy>();

  // Each of these that returns something to the caller frees the lock.

  [[nodiscard]] bool has_free() const { return items_.size() > (rules.reserves ? told_.read() : 0); }
  [[nodiscard]] bool ended() const { return closed_.read() && items_.size() == 0; }

  /// Tells the waiter that has waited longest of an item that is not reserved.
  void tell_one(due_type& due) {
    if (receivers_.empty() || items_.size() <= told_.read()) return;
    told_.write(told_.read() + 1);
    due.add(receivers_.answer_first(answer::given));
  }
  [[nodiscard]] sent send_locked(item& what) {
    const bool closed = closed_.read();
    if (closed || items_.full()) {
      const sent how = closed ? sent::closed : sent::full;
      lock_.unlock();
      return how;
    }
    items_.push(std::move(what));
    due_type due;
    tell_one(due);
    lock_.unlock();
    due.wake();
    return sent::yes;
  }
  /// Takes the first item. The sender that has waited longest gets the room.
  [[nodiscard]] std::optional<item> take_locked() {
    std::optional<item> first(items_.pop());
    due_type due;
    if (!senders_.empty()) {
      items_.push(std::move(*static_cast<item*>(senders_.front().item.read())));
      due.add(senders_.answer_first(answer::given));
      tell_one(due);
    }
    if (rules.tells_end && ended() && !receivers_.empty()) {
      end_waits();
    } else {
      lock_.unlock();
    }
    due.wake();
    return first;
  }
  /// For a closed channel: answers the waiters for room and, if no item is left, the waiters for an item.
  void end_waits() {
    due_type::in_rounds(lock_, [&](due_type& due) {
      const bool over = rules.ends_late ? ended() : closed_.read();
      while (!due.full() && !senders_.empty()) due.add(senders_.answer_first(answer::closed));
      while (!due.full() && over && !receivers_.empty()) due.add(receivers_.answer_first(answer::closed));
      return due.full();
    });
  }

  lock_type lock_;
  waiter_list<Policy, Task> senders_;
  waiter_list<Policy, Task> receivers_;
  Ring items_;
  typename Policy::template plain<std::size_t> told_;  ///< receivers that were told of an item and have not taken it
  typename Policy::template plain<bool> closed_;
};

}  // namespace licit::inline v0

#endif
