/// The thief's handle.
#ifndef LICIT_DEQUE_STEALER_HPP
#define LICIT_DEQUE_STEALER_HPP

#include <cstddef>
#include <memory>
#include <utility>

#include <licit/deque/shared_deque.hpp>
#include <licit/deque/steal_half.hpp>

namespace licit::inline v0 {

template <class T, class Policy>
class owner;

/// Steals from one deque. Copyable; any number of stealers on any threads, and one stealer may be used by several
/// threads at once. It keeps the deque alive: items left by a destroyed owner can still be stolen.
template <class T, class Policy = native>
class stealer {
 public:
  /// Any thread. The oldest item, or why there is none. Lock-free, O(1).
  /// Items come in the order of their push (FIFO), as seen by any one thief. What happened before the push of an item
  /// happens before the return of the steal that takes it. An `empty` is never returned for an item whose push happens
  /// before the call, unless somebody else takes that item.
  stolen<T> steal() const {
    auto got = shared_->deque.steal();
    if (got) return stolen<T>::taken(payload<T>::adopt(*got));
    return got.is_lost() ? stolen<T>::lost() : stolen<T>::empty();
  }

  /// The thread that owns `own`, another deque: takes half of the items that it sees, rounded up and at most `most`,
  /// and hands back the oldest; the others (`moved()` says how many) are then in `own`, in the order of their push.
  /// Wait-free but for the growth of `own`; O(most): one compare-exchange an item, one full fence. It stops early when
  /// another thread takes an item meanwhile, and when `own` is full and cannot grow: never throws, loses nothing. What
  /// is said of a steal that is empty or lost, and of what happens before it, holds here too.
  stolen<T> steal_half(owner<T, Policy>& own, std::size_t most = 32) const {
    auto got = licit::steal_half(shared_->deque, own.shared_->deque, most);
    if (got) return stolen<T>::taken(payload<T>::adopt(*got), got.moved());
    return got.is_lost() ? stolen<T>::lost() : stolen<T>::empty();
  }

  /// Any thread. An estimate: the number of items at about this moment. Orders nothing. Wait-free, O(1).
  [[nodiscard]] std::size_t size() const { return shared_->deque.size(); }

  /// Any thread. `size() == 0`, with the same promise: none once it returns.
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  friend class owner<T, Policy>;
  explicit stealer(std::shared_ptr<shared_deque<T, Policy>> shared) : shared_{std::move(shared)} {}

  std::shared_ptr<shared_deque<T, Policy>> shared_;
};

}  // namespace licit::inline v0

#endif
