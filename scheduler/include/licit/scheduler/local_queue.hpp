/// A worker's own queue, of two kinds: FIFO and LIFO. Each wraps a checked structure of deque/ in the calls that the
/// worker loop makes.
#ifndef LICIT_SCHEDULER_LOCAL_QUEUE_HPP
#define LICIT_SCHEDULER_LOCAL_QUEUE_HPP

#include <cstddef>
#include <limits>
#include <memory_resource>
#include <optional>
#include <span>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/run_queue.hpp>
#include <licit/deque/steal_half.hpp>
#include <licit/deque/stolen.hpp>

namespace licit::inline v0::detail {

/// First in, first out: a run queue. When it is full, its older half goes to the sink.
template <class T, class Policy = native>
class in_order {
 public:
  /// A pushed task runs after all others in the queue.
  static constexpr bool first_in_first_out = true;

  in_order(std::size_t capacity, std::pmr::memory_resource* memory)
      : queue_{{.capacity = capacity, .memory = memory}} {}

  /// Owner. Throws nothing if the sink does not.
  template <class Sink>
  void push(T item, Sink& sink) {
    queue_.push(item, sink);
  }
  /// Owner.
  std::optional<T> pop() { return queue_.pop(); }
  /// The thread that owns `own`.
  stolen<T> steal_half(in_order& own, std::size_t most) { return queue_.steal_half(own.queue_, most); }
  /// Any thread.
  stolen<T> steal() { return queue_.steal(); }
  /// Any thread. Never true while an item is there whose push precedes this call, with a fence in between on each side.
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  /// Any thread. An estimate.
  [[nodiscard]] std::size_t size() const { return queue_.size(); }
  /// Owner. The number of items that certainly fit without use of the sink.
  [[nodiscard]] std::size_t room() const { return queue_.capacity() - queue_.size(); }

 private:
  run_queue<T, Policy> queue_;
};

/// Last in, first out: a Chase-Lev deque, which grows. If it cannot grow, the item goes to the sink.
template <class T, class Policy = native>
class youngest_first {
 public:
  static constexpr bool first_in_first_out = false;

  youngest_first(std::size_t capacity, std::pmr::memory_resource* memory)
      : queue_{{.initial_capacity = capacity, .memory = memory}} {}

  /// Owner. Throws nothing if the sink does not.
  template <class Sink>
  void push(T item, Sink& sink) {
    if (queue_.make_room_for_one()) [[likely]] {
      queue_.push(item);
    } else {
      sink.reserve(1);
      sink.take(std::span<const T>(&item, 1));
    }
  }
  /// Owner.
  std::optional<T> pop() { return queue_.pop(); }
  /// The thread that owns `own`.
  stolen<T> steal_half(youngest_first& own, std::size_t most) { return licit::steal_half(queue_, own.queue_, most); }
  /// Any thread.
  stolen<T> steal() { return queue_.steal(); }
  /// Any thread. Never true while an item is there whose push precedes this call, with a fence in between on each side.
  [[nodiscard]] bool empty() const { return queue_.size() == 0; }
  /// Any thread. An estimate.
  [[nodiscard]] std::size_t size() const { return queue_.size(); }
  /// Owner. Unlimited: the deque grows.
  [[nodiscard]] static std::size_t room() { return std::numeric_limits<std::size_t>::max(); }

 private:
  chase_lev<T, Policy> queue_;
};

}  // namespace licit::inline v0::detail

#endif
