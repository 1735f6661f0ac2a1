/// Items that are kept without memory: each has the link to the one before.
#ifndef LICIT_SCHEDULER_INJECT_KEPT_HPP
#define LICIT_SCHEDULER_INJECT_KEPT_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/inject/inject_queue_orders.hpp>

namespace licit::inline v0 {

/// Any thread, lock-free. All are taken at once (so that no link is read of an item that somebody else has), and those
/// that are not wanted put back.
template <class T, class Policy>
class inject_kept {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;
  using link = inject_link<T>;

 public:
  /// The item goes on top.
  void push(T item) noexcept { push(item, item); }

  /// The oldest, at most as many as fit, oldest first. O(all that are there).
  std::size_t take(std::span<T> into) noexcept {
    const T newest = top_.exchange(T{}, at<"drain.take">);  // reads keep.push
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

  /// Hints: for who takes, for who asks whether the queue is empty.
  [[nodiscard]] bool any() const { return top_.load(at<"pop.kept">) != T{}; }
  [[nodiscard]] bool none() const { return top_.load(at<"empty.kept">) == T{}; }
  [[nodiscard]] bool some() const { return top_.load(at<"size.kept">) != T{}; }

 private:
  /// A chain, from the newest to the oldest.
  void push(T newest, T oldest) noexcept {
    T top = top_.load(at<"keep.top">);
    do {
      link::set(oldest, top);
    } while (!top_.compare_exchange(top, newest, at<"keep.push">));  // read by drain.take
  }

  typename Policy::template atomic<T> top_;
};

}  // namespace licit::inline v0

#endif
