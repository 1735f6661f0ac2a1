/// A slot for one item: the one that its owner put last and will take before all others. Any thread may steal it.
///
/// Sources: the LIFO slot of Go's and Tokio's schedulers, which cannot be stolen from. Stealing is harmless here
/// because a put wakes nobody: only workers that are awake anyway find the item.
///
/// This class does not check that the right thread calls.
#ifndef LICIT_SCHEDULER_LIFO_SLOT_HPP
#define LICIT_SCHEDULER_LIFO_SLOT_HPP

#include <concepts>
#include <cstddef>

#include <licit/deque/native.hpp>
#include <licit/scheduler/lifo_slot_orders.hpp>

namespace licit::inline v0 {

/// Items are words; `T{}` stands for none. All operations are wait-free.
template <class T, class Policy = native>
class lifo_slot {
  static_assert(std::equality_comparable<T>, "licit: a slot compares its items with T{}, which stands for none");

  template <fixed_string Name>
  static constexpr auto at = site_of<lifo_slot_orders, Name>;

 public:
  using value_type = T;

  lifo_slot() : item_{T{}} {}

  /// Precondition: no other thread uses the slot, and all uses happen before this call. Does not visit a remaining
  /// item.
  ~lifo_slot() = default;

  lifo_slot(const lifo_slot&) = delete;
  lifo_slot& operator=(const lifo_slot&) = delete;

  /// Owner only; the item is not `T{}`. Returns the item that was there before, or `T{}`. Wait-free: a store if the
  /// owner took the last item itself, otherwise one read-modify-write.
  T put(T item) {
    Policy::invariant(51, !(item == T{}));
    if (maybe_full_.read()) return item_.exchange(item, at<"put.swap">);  // read by steal.swap
    maybe_full_.write(true);
    item_.store(item, at<"put.store">);  // read by steal.swap
    return T{};
  }

  /// Owner only. Takes the item, or returns `T{}`. Wait-free: one read-modify-write, or none if the owner took the last
  /// item itself.
  T take() {
    if (!maybe_full_.read()) return T{};
    maybe_full_.write(false);
    return item_.exchange(T{}, at<"take.swap">);
  }

  /// Owner only. Takes the item if it is this one. Whether it did. Wait-free: a load, and one read-modify-write if it
  /// saw the item.
  bool take_if(T item) {
    if (!maybe_full_.read() || item_.load(at<"take_if.look">) != item) return false;
    return take() == item;  // or a thief was faster: nobody else puts
  }

  /// Any thread. Takes the item, or returns `T{}`. Wait-free: a load, and one read-modify-write if it saw an item. What
  /// was written before the put is visible. Never misses an item whose put happened before the call and that nobody
  /// took.
  T steal() {
    if (item_.load(at<"steal.look">) == T{}) return T{};
    return item_.exchange(T{}, at<"steal.swap">);  // reads put.store, put.swap
  }

  /// Any thread. An estimate of whether the slot is empty: a load that orders nothing.
  [[nodiscard]] bool empty() const { return item_.load(at<"empty.look">) == T{}; }

 private:
  // A cache line, and its neighbour, which the adjacent-line prefetcher also fetches.
  static constexpr std::size_t line = 128;

  alignas(line) typename Policy::template atomic<T> item_;
  // False: the slot stays empty until the owner puts an item, since other threads only take (I51).
  typename Policy::template plain<bool> maybe_full_{false};
};

}  // namespace licit::inline v0

#endif
