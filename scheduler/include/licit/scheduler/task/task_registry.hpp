/// The registry of the tasks that a shutdown has to find: those that can be suspended, which nobody else may know, and
/// those that run with a stop token.
///
/// A table of slots, one for each live task. A task leaves it when it completes, so no finished task is kept. A thread
/// that is stopped in a call stops nobody.
///
/// One of a registered task's references is the registry's: whoever takes the task out of its slot has that reference.
/// That is the thread that completes the task, or `cancel_all`. Both do it by a read-modify-write of the slot.
///
/// Slots are looked for from a hand that goes round. Only adders fill slots, and only at the hand, so every slot that
/// the hand passes in a round was in use when the round began. If these are three quarters of all, there are twice as
/// many slots for the next round; otherwise at least a quarter of the round's slots was free. Hence an `add` costs
/// O(1), amortised, and there are at most 8/3 slots for each of the tasks that were alive at once.
#ifndef LICIT_SCHEDULER_TASK_REGISTRY_HPP
#define LICIT_SCHEDULER_TASK_REGISTRY_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/task_registry_orders.hpp>

namespace licit::inline v0 {

struct task_registry_rules {
  bool looks_after = true;  ///< `add` looks whether the registry is closed after it has put the task there; or before
  bool forgets = true;      ///< a task that completes leaves its slot then, or when the registry is closed
};

/// Task has `request_stop()` and `release()`, for `cancel_all`.
template <class Policy, class Task>
class task_registry {
  template <fixed_string Name>
  static constexpr auto at = site_of<task_registry_orders, Name>;

 public:
  using slot = typename Policy::template atomic<Task*>;

  /// The first tasks make it allocate `first` slots, a power of two.
  explicit task_registry(std::pmr::memory_resource& memory, std::uint32_t first = 64)
      : memory_{memory}, first_{first} {}
  task_registry(const task_registry&) = delete;
  task_registry& operator=(const task_registry&) = delete;

  /// Precondition: no other thread uses the registry, and no task is in it. Frees the slots.
  ~task_registry() {
    for (std::uint32_t s = 0; s != most_segments; ++s) {
      slot* const all = segments_[s].load(at<"destroy.segment">);
      if (all == nullptr) break;  // a segment is made when those before it are full
      discard(all, size_of(s));
    }
  }

  /// Any thread, before the task is scheduled. Adds the task, and with it one of its references. Returns its slot; or
  /// null if the registry is closed, and nothing has changed. If the registry is closed meanwhile, the task may be in,
  /// and `cancel_all` cancels it. Throws what the memory resource throws; nothing has changed then. Lock-free.
  /// Amortised O(1).
  [[nodiscard]] slot* add(Task& task) {
    if (!rules.looks_after && is_closed()) return nullptr;
    slot& place = put(task);
    if (!rules.looks_after || !is_closed()) return &place;
    return remove(&place, task) ? nullptr : &place;
  }

  /// The thread that is about to complete the task, once. Takes the task out of its slot. False: `cancel_all` has taken
  /// it, and has the registry's reference. Wait-free.
  [[nodiscard]] static bool remove(slot* place, Task& task) {
    if (!rules.forgets) return false;
    Task* own = &task;
    return place->compare_exchange(own, nullptr, at<"remove.take">);
  }

  /// Any thread. Refuses new tasks from now on. Requests the existing ones to stop, cancels them and releases the
  /// registry's references. Stop callbacks of the tasks run in this call. Returns the number of tasks. Wait-free, apart
  /// from what it calls. O(slots).
  std::size_t cancel_all() {
    closed_.store(1, at<"close.set">);
    std::size_t number = 0;
    for (std::uint32_t s = 0; s != most_segments; ++s) {
      slot* const all = segments_[s].load(at<"close.segment">);  // reads grow.publish
      if (all == nullptr) break;
      for (std::size_t i = 0; i != size_of(s); ++i) {
        if (all[i].load(at<"close.look">) == nullptr) continue;         // reads add.claim
        Task* const task = all[i].exchange(nullptr, at<"close.take">);  // reads add.claim
        if (task == nullptr) continue;
        task->request_stop();
        task->release();
        ++number;
      }
    }
    return number;
  }

  /// Any thread. The number of slots: at most `first`, or 8/3 of the most tasks that were in the registry at once.
  /// Where several threads add, tasks that ended during a call of `add` count as if they were there at its end.
  [[nodiscard]] std::size_t slots() const {
    std::uint32_t s = 0;
    while (s != most_segments && segments_[s].load(at<"size.segment">) != nullptr) ++s;
    return s == 0 ? 0 : begin_of(s);
  }

 private:
  static constexpr auto rules = rules_of<task_registry_rules, Policy>();
  static constexpr std::uint32_t most_segments = 24;

  /// The hand: the number of the next slot, and how many in use it has passed in this round.
  struct hand {
    std::uint32_t next;
    std::uint32_t passed;
  };

  // Segment 0 has `first_` slots, and each other as many as all those before it together.
  [[nodiscard]] std::size_t begin_of(std::uint32_t segment) const {
    return segment == 0 ? 0 : std::size_t{first_} << (segment - 1);
  }
  [[nodiscard]] std::size_t size_of(std::uint32_t segment) const { return segment == 0 ? first_ : begin_of(segment); }
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t number) const {
    return static_cast<std::uint32_t>(std::bit_width(number / first_));
  }

  [[nodiscard]] bool is_closed() const { return closed_.load(at<"add.closed">) != 0; }  // reads close.set

  /// Puts the task into a free slot.
  slot& put(Task& task) {
    hand here = std::bit_cast<hand>(hand_.load(at<"add.hand">));
    for (;; ++here.next, ++here.passed) {
      slot& place = slot_at(here);
      Task* none = nullptr;
      if (place.load(at<"add.look">) != nullptr) continue;
      if (!place.compare_exchange(none, &task, at<"add.claim">)) continue;  // read by close.look, close.take
      ++here.next;
      hand_.store(std::bit_cast<std::uint64_t>(here), at<"add.moved">);
      return place;
    }
  }

  /// The slot at the hand. At the end of the round the hand goes to new slots or back to the beginning.
  slot& slot_at(hand& here) {
    for (;;) {
      const std::uint32_t s = segment_of(here.next);
      if (s < most_segments) {
        slot* all = segments_[s].load(at<"add.segment">);  // reads grow.publish
        if (all == nullptr && std::uint64_t{4} * here.passed >= std::uint64_t{3} * begin_of(s)) all = grow(s);
        if (all != nullptr) return all[here.next - begin_of(s)];
      } else if (here.passed == here.next) {
        throw std::bad_alloc();
      }
      here = {};
    }
  }

  /// The slots of the segment, which this or another thread has added.
  slot* grow(std::uint32_t segment) {
    const std::size_t number = size_of(segment);
    slot* const made = static_cast<slot*>(memory_.allocate(number * sizeof(slot), alignof(slot)));
    std::uninitialized_default_construct_n(made, number);
    slot* others = nullptr;
    if (segments_[segment].compare_exchange(others, made, at<"grow.publish">)) return made;  // read by add.segment,
    discard(made, number);                                                                   // close.segment, itself
    return others;
  }
  void discard(slot* all, std::size_t number) {
    std::destroy_n(all, number);
    memory_.deallocate(all, number * sizeof(slot), alignof(slot));
  }

  std::pmr::memory_resource& memory_;
  const std::uint32_t first_;
  typename Policy::template atomic<std::uint32_t> closed_;
  typename Policy::template atomic<std::uint64_t> hand_;
  std::array<typename Policy::template atomic<slot*>, most_segments> segments_;
};

}  // namespace licit::inline v0

#endif
