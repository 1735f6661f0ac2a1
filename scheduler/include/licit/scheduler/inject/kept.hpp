/// A list of items that needs no memory: each item has a link to the one before. The inject queue's for want of memory,
/// and each worker's inbox.
#ifndef LICIT_SCHEDULER_INJECT_KEPT_HPP
#define LICIT_SCHEDULER_INJECT_KEPT_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/link.hpp>

namespace licit::inline v0::detail {

/// Any thread, lock-free. A taker takes all items at once and puts back those that do not fit, so nobody reads a link
/// of an item that another thread has.
template <class T, class Policy>
class inject_kept {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;
  using link = inject_link<T>;

 public:
  /// Puts the item on top.
  void push(T item) noexcept { push(item, item); }

  /// Takes the oldest items, at most as many as fit, the oldest first. O(all items of the list).
  std::size_t take(std::span<T> into) noexcept {
    const T newest = take_all();
    std::size_t there = 0;
    for (T item = newest; item != T{}; item = link::get(item)) ++there;
    const std::size_t got = std::min(there, into.size());
    T item = newest;
    T last{};
    for (std::size_t n = there - got; n != 0; --n) last = std::exchange(item, link::get(item));
    for (std::size_t n = got; n != 0; item = link::get(item)) into[--n] = item;
    if (last != T{}) push(newest, last);
    return got;
  }

  /// Takes all items: returns the newest, which links to the one before it, and so on; or T{}. O(1).
  T take_all() noexcept { return top_.exchange(T{}, at<"drain.take">); }  // reads keep.push

  /// Hints whether the list is empty: for takers, and for `empty`.
  [[nodiscard]] bool any() const { return top_.load(at<"pop.kept">) != T{}; }
  [[nodiscard]] bool none() const { return top_.load(at<"empty.kept">) == T{}; }
  [[nodiscard]] bool some() const { return top_.load(at<"size.kept">) != T{}; }

 private:
  /// Adds a chain, from the newest to the oldest.
  void push(T newest, T oldest) noexcept {
    T top = top_.load(at<"keep.top">);
    do {
      link::set(oldest, top);
    } while (!top_.compare_exchange(top, newest, at<"keep.push">));  // read by drain.take
  }

  typename Policy::template atomic<T> top_;
};

}  // namespace licit::inline v0::detail

#endif
