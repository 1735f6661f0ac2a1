/// A worker's own queue, of two kinds: FIFO and LIFO. Each wraps checked structures of deque/ in the calls that the
/// worker loop makes.
#ifndef LICIT_SCHEDULER_LOCAL_QUEUE_HPP
#define LICIT_SCHEDULER_LOCAL_QUEUE_HPP

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <optional>
#include <span>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/deque/run_queue.hpp>
#include <licit/deque/steal_half.hpp>
#include <licit/deque/stolen.hpp>

namespace licit::inline v0::detail {

/// The young items of a FIFO queue: how many there are at most, and who sees them. Unseen, one of them may wait while a
/// worker sleeps.
struct in_order_rules {
  std::size_t most_young = 16;
  bool counts_young = true;  ///< they count for `empty` and `size`
  bool gives_young = true;   ///< thieves take them
};

/// First in, first out: a run queue. When it is full, its older half goes to the sink. The few youngest items are in a
/// Chase-Lev deque, from which the owner can take back the one that it pushed last; when there are too many they go to
/// the end of the run queue, in their order. A push that does that has had all of them in its hands, so the owner must
/// announce it. Takers look into the run queue first.
template <class T, class Policy = native>
class in_order {
 public:
  /// A pushed item runs after all others in the queue.
  static constexpr bool first_in_first_out = true;

  in_order(std::size_t capacity, std::pmr::memory_resource* memory)
      : queue_{{.capacity = capacity, .memory = memory}},
        most_young_{std::min(rules.most_young, capacity / 2)},
        young_{{.initial_capacity = most_young_, .memory = memory}} {}

  /// Owner. Throws nothing if the sink does not. The item can be taken back, unless so many were pushed since the last
  /// time that the owner tried it that it seems not to do that.
  template <class Sink>
  void push(T item, Sink& sink) {
    if (takes_back_ && young_.size() < most_young_) {
      maybe_young_ = true;
      return young_.push(item);  // it never grows
    }
    takes_back_ = false;
    push_behind(item, sink);
  }
  /// The same, of an item that is not taken back.
  template <class Sink>
  void push_behind(T item, Sink& sink) {
    if (maybe_young_) [[unlikely]]
      age(sink);
    queue_.push(item, sink);
  }
  /// Owner. `none` if there is no item.
  T pop_or(T none) {
    if (const T item = queue_.pop_or(none); item != none || !maybe_young_) return item;
    return pop_young(none);
  }
  /// Owner. Takes the item if it is young and the one that was pushed last. Whether it did.
  bool take_back(T item) {
    takes_back_ = true;
    return maybe_young_ && young_.pop_if(item);
  }
  /// Owner. Takes each item out and, unless `discards(item)`, puts it back behind the others. Returns how many it has
  /// put back. The owner must announce them: each was in its hand. Throws nothing if the sink and the call do not.
  template <class Discards, class Sink>
  std::size_t sweep(Discards&& discards, Sink& sink) {
    std::size_t kept = 0;
    for (std::size_t n = size(); n != 0; --n) {
      const T one = pop_or(T{});
      if (one == T{}) break;
      if (!discards(one)) push_behind(one, sink), ++kept;
    }
    return kept;
  }
  /// The thread that owns `own`.
  stolen<T> steal_half(in_order& own, std::size_t most) {
    const auto got = queue_.steal_half(own.queue_, most);
    if (!got.is_empty() || !rules.gives_young) return got;
    own.maybe_young_ = true;
    return licit::steal_half(young_, own.young_, most);
  }
  /// Any thread. Never true while an item is there whose push precedes this call, with a fence in between on each side,
  /// unless the owner is in another push.
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Any thread. An estimate.
  [[nodiscard]] std::size_t size() const { return (rules.counts_young ? young_.size() : 0) + queue_.size(); }
  /// Owner. The number of items that certainly fit without use of the sink.
  [[nodiscard]] std::size_t room() const { return queue_.capacity() - std::min(size(), queue_.capacity()); }
  /// Any thread. Half of the items that fit.
  [[nodiscard]] std::size_t half() const { return queue_.capacity() / 2; }

 private:
  static constexpr auto rules = rules_of<in_order_rules, Policy>();

  template <class Sink>
  [[gnu::noinline]] void age(Sink& sink) {
    for (T oldest; (oldest = pop_young(T{})) != T{};) queue_.push(oldest, sink);
  }
  /// The oldest of the young ones.
  [[gnu::noinline]] T pop_young(T none) {
    while (young_.size() != 0) {
      if (const auto oldest = young_.steal()) return *oldest;
    }
    maybe_young_ = false;
    return none;
  }

  run_queue<T, Policy> queue_;
  const std::size_t most_young_;
  chase_lev<T, Policy> young_;  ///< all of them younger than those in the queue
  bool takes_back_ = true;      ///< the owner has tried it since the last time that there were too many
  bool maybe_young_ = false;    ///< false: there are none until the owner pushes one
};

/// Whether looks and thieves see the items that yielded. Without either, one of them may wait while a worker sleeps.
struct youngest_first_rules {
  bool counts_yielded = true;  ///< they count for `empty` and `size`
  bool gives_yielded = true;   ///< thieves take them
};

/// Last in, first out: a Chase-Lev deque, which grows. If it cannot grow, the item goes to the sink. Beside it is a run
/// queue for items that are to run behind all others: those of tasks that yield. Its older half goes to the sink when
/// it is full. Thieves look into the deque first.
template <class T, class Policy = native>
class youngest_first {
 public:
  static constexpr bool first_in_first_out = false;

  youngest_first(std::size_t capacity, std::pmr::memory_resource* memory)
      : stack_{{.initial_capacity = capacity, .memory = memory}}, yielded_{{.capacity = capacity, .memory = memory}} {}

  /// Owner. Throws nothing if the sink does not.
  template <class Sink>
  void push(T item, Sink& sink) {
    if (stack_.make_room_for_one()) [[likely]] {
      stack_.push(item);
    } else {
      sink.reserve(1);
      sink.take(std::span<const T>(&item, 1));
    }
  }
  /// Owner. The item runs after all others, the oldest of these first. Throws nothing if the sink does not.
  template <class Sink>
  void push_behind(T item, Sink& sink) {
    yielded_.push(item, sink);
  }
  /// Owner. The youngest pushed item; if there is none, the oldest of those behind, or `none`.
  T pop_or(T none) {
    if (const T item = stack_.pop_or(none); item != none) return item;
    return yielded_.pop_or(none);
  }
  /// Owner. Takes the item if it is the one that was pushed last. Whether it did.
  bool take_back(T item) { return stack_.pop_if(item); }
  /// Owner. In turn the oldest pushed item, and the oldest of those behind. May miss an item that a thief tries to
  /// take.
  std::optional<T> pop_oldest() {
    yielded_is_next_ = !yielded_is_next_;
    if (!yielded_is_next_) {
      if (auto item = yielded_.pop()) return item;
    }
    if (const auto item = stack_.steal()) return *item;
    return yielded_.pop();
  }
  /// As in_order's, of the items that were pushed. Those behind were running when they came.
  template <class Discards, class Sink>
  std::size_t sweep(Discards&& discards, Sink& sink) {
    std::size_t kept = 0;
    for (std::size_t n = stack_.size(); n != 0; --n) {
      const auto oldest = stack_.steal();
      if (oldest.is_empty()) break;
      if (oldest && !discards(*oldest)) push(*oldest, sink), ++kept;
    }
    return kept;
  }
  /// The thread that owns `own`.
  stolen<T> steal_half(youngest_first& own, std::size_t most) {
    const auto got = licit::steal_half(stack_, own.stack_, most);
    if (!got.is_empty() || !rules.gives_yielded) return got;
    return yielded_.steal_half(own.yielded_, most);
  }
  /// Any thread. Never true while an item is there whose push precedes this call, with a fence in between on each side.
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Any thread. An estimate.
  [[nodiscard]] std::size_t size() const { return stack_.size() + (rules.counts_yielded ? yielded_.size() : 0); }
  /// Any thread. The same, without the items behind.
  [[nodiscard]] std::size_t pushed() const { return stack_.size(); }

 private:
  static constexpr auto rules = rules_of<youngest_first_rules, Policy>();

  chase_lev<T, Policy> stack_;
  run_queue<T, Policy> yielded_;
  bool yielded_is_next_ = false;  ///< in pop_oldest
};

}  // namespace licit::inline v0::detail

#endif
