/// The thief's handle.
#ifndef LICIT_DEQUE_STEALER_HPP
#define LICIT_DEQUE_STEALER_HPP

#include <cstddef>
#include <memory>
#include <utility>

#include <licit/deque/shared_deque.hpp>
#include <licit/deque/steal_half.hpp>

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
  /// before the call, unless somebody else takes that item. The split deque is weaker: what its owner has not published
  /// nobody can take, and `lost` then means that the owner was asked (split.hpp).
  stolen<T> steal() const { return adopted(shared_->deque.steal()); }

  /// The thread that owns `own`, which is another than this: takes half of the items that it sees, rounded up and at
  /// most `most`, and hands back the oldest; the others (`moved()` says how many) are then in `own`, in the order of
  /// their push. Lock-free but for the growth of `own`; O(most): one compare-exchange in all, or one an item
  /// (deque/README.md says which structure). It stops early when `own` is full and cannot grow, and where items are
  /// claimed one by one when another thread takes one meanwhile: never throws, loses nothing. What is said of a steal
  /// that is empty or lost, and of what happens before it, holds here too.
  stolen<T> steal_half(owner<T, Policy, Structure>& own, std::size_t most = most_at_once) const {
    auto& victim = shared_->deque;
    if constexpr (requires { victim.steal_half(victim, most); }) {
      return adopted(victim.steal_half(own.shared_->deque, most));
    } else {
      return adopted(licit::steal_half(victim, own.shared_->deque, most));
    }
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
