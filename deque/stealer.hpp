/// The thief's handle.
#ifndef LICIT_DEQUE_STEALER_HPP
#define LICIT_DEQUE_STEALER_HPP

#include <cstddef>
#include <memory>
#include <utility>

#include <licit/deque/shared_deque.hpp>

namespace licit::inline v0 {

template <class T, class Policy, template <class, class> class Structure>
class owner;

/// Steals from one structure. Copyable; any number of stealers on any threads, and one stealer may be used by several
/// threads at once. It keeps the structure alive: items left by a destroyed owner can still be stolen.
template <class T, class Policy = native, template <class, class> class Structure = chase_lev>
class stealer {
  using shared_type = shared_deque<T, Policy, Structure>;

 public:
  /// Any thread. The oldest item, or why there is none. Lock-free, O(1).
  /// Items come in the order of their push (FIFO), as seen by any one thief. What happened before the push of an item
  /// happens before the return of the steal that takes it. An `empty` is never returned for an item whose push happens
  /// before the call, unless somebody else takes that item.
  stolen<T> steal() const { return adopted(shared_->deque.steal()); }

  /// The thread that owns `mine`. Takes up to half of what it sees (rounded up, at most `most`): hands back the oldest
  /// item, and puts the others, in the order of their push, into `mine`: `moved()` of the result says how many. Never
  /// more than `mine` has room for or can grow to; then fewer, and none is lost. Lock-free; O(items), and what growing
  /// `mine` costs. `mine` is not the owner that it steals from.
  stolen<T> steal_half(owner<T, Policy, Structure>& mine, std::size_t most = most_at_once) const
    requires requires(shared_type& s) { s.deque.steal_half(s.deque, std::size_t{}); }
  {
    return adopted(shared_->deque.steal_half(mine.shared_->deque, most));
  }

  /// Any thread. An estimate: the number of items at about this moment. Orders nothing. Wait-free, O(1).
  [[nodiscard]] std::size_t size() const { return shared_->deque.size(); }

  /// Any thread. `size() == 0`, with the same promise: none once it returns.
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  friend class owner<T, Policy, Structure>;
  explicit stealer(std::shared_ptr<shared_type> shared) : shared_{std::move(shared)} {}

  static stolen<T> adopted(stolen<typename payload<T>::slot_value> got) {
    if (got) return stolen<T>::taken(payload<T>::adopt(*got), got.moved());
    return got.is_lost() ? stolen<T>::lost() : stolen<T>::empty();
  }

  std::shared_ptr<shared_type> shared_;
};

}  // namespace licit::inline v0

#endif
