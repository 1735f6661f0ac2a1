/// One item: what its owner put last, to be taken before all others, and that any thread may steal.
///
/// Sources: the LIFO slot of Go's and Tokio's schedulers. There it could not be stolen, or was made so and taken back
/// since every put woke a thief; here a put wakes nobody, and what is stolen is found by who is awake.
///
/// This class trusts its caller to be the right thread.
#ifndef LICIT_SCHEDULER_LIFO_SLOT_HPP
#define LICIT_SCHEDULER_LIFO_SLOT_HPP

#include <concepts>
#include <cstddef>

#include <licit/deque/native.hpp>
#include <licit/scheduler/lifo_slot_orders.hpp>

namespace licit::inline v0 {

/// Of words; `T{}` is no item. Wait-free throughout.
template <class T, class Policy = native>
class lifo_slot {
  static_assert(std::equality_comparable<T>, "licit: a slot compares its items with T{}, which stands for none");

  template <fixed_string Name>
  static constexpr auto at = site_of<lifo_slot_orders, Name>;

 public:
  using value_type = T;

  lifo_slot() : item_{T{}} {}

  /// No other thread may be using the slot, and all their uses happen before. An item left is not visited.
  ~lifo_slot() = default;

  lifo_slot(const lifo_slot&) = delete;
  lifo_slot& operator=(const lifo_slot&) = delete;

  /// Owner only; the item is not `T{}`. The item that was there before, or `T{}`. Wait-free: a store where the owner
  /// took the last one itself, else one read-modify-write.
  T put(T item) {
    Policy::invariant(51, !(item == T{}));
    if (maybe_full_.read()) return item_.exchange(item, at<"put.swap">);  // read by steal.swap
    maybe_full_.write(true);
    item_.store(item, at<"put.store">);  // read by steal.swap
    return T{};
  }

  /// Owner only: the item, or `T{}`. Wait-free: one read-modify-write, or none where the owner took the last one
  /// itself.
  T take() {
    if (!maybe_full_.read()) return T{};
    maybe_full_.write(false);
    return item_.exchange(T{}, at<"take.swap">);
  }

  /// Any thread: the item, or `T{}`. Wait-free: a load, and one read-modify-write if it saw an item. What was written
  /// before the item was put is visible. An item whose put happens before the call is not missed, unless somebody else
  /// takes it.
  T steal() {
    if (item_.load(at<"steal.look">) == T{}) return T{};
    return item_.exchange(T{}, at<"steal.swap">);  // reads put.store, put.swap
  }

  /// Any thread. Whether there was nothing at about this moment; a load, ordered with nothing.
  [[nodiscard]] bool empty() const { return item_.load(at<"empty.look">) == T{}; }

 private:
  // A cache line, and the one that the adjacent-line prefetcher fetches with it.
  static constexpr std::size_t line = 128;

  alignas(line) typename Policy::template atomic<T> item_;
  // False: there is nothing until the owner puts something, since others only take (I51).
  typename Policy::template plain<bool> maybe_full_{false};
};

}  // namespace licit::inline v0

#endif
