/// The thief's handle.
#ifndef LICIT_DEQUE_STEALER_HPP
#define LICIT_DEQUE_STEALER_HPP

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

#include <licit/deque/shared_deque.hpp>
#include <licit/deque/steal_half.hpp>

namespace licit::inline v0 {

template <class T, class Policy, template <class, class> class Structure>
class owner;

/// Steals from one structure. Copyable. Any number of stealers may exist, and several threads may use one at once. A
/// stealer keeps the structure alive: it can still take what a destroyed owner left. A moved-from stealer can only be
/// destroyed or assigned to.
template <class T, class Policy = native, template <class, class> class Structure = chase_lev>
class stealer {
  using shared_type = detail::shared_deque<T, Policy, Structure>;

 public:
  /// Any thread. Takes the oldest item, or says why there is none. Lock-free, O(1).
  ///
  /// Each thief gets items in the order of their push (FIFO). What happened before the push of an item happens before
  /// the return of the steal that takes it. `empty` is never returned while an item whose push happened before the call
  /// is still there; the one exception is a tagged deque whose owner renews its tags (tagged.md). In a split deque no
  /// thief can take what the owner has not published: `lost` then means that the owner was asked (split.hpp).
  stolen<T> steal() const { return adopted(shared_->deque.steal()); }

  /// The thread that owns `own`, which must be another structure (asserted). Takes half of the items that it sees,
  /// rounded up, at most `most`; with `most` 0 it takes nothing, reports `empty` and accesses no shared memory. Returns
  /// the oldest; the others are then in `own` in the order of their push, and `moved()` is their number. Never throws
  /// and loses nothing: it takes fewer items if `own` is full and cannot grow, or is a split deque or a run queue,
  /// which a theft does not grow. `empty`, `lost` and happens-before are as for `steal`. Lock-free, apart from the
  /// growth of `own`. O(most), by one compare-exchange in all. On the Chase-Lev deque it takes one compare-exchange for
  /// each item, and also stops early when another thread takes an item meanwhile.
  stolen<T> steal_half(owner<T, Policy, Structure>& own, std::size_t most = most_at_once) const {
    auto& victim = shared_->deque;
    assert(shared_ != own.shared_);
    if constexpr (requires { victim.steal_half(victim, most); }) {
      return adopted(victim.steal_half(own.shared_->deque, most));
    } else {
      return adopted(licit::steal_half(victim, own.shared_->deque, most));
    }
  }

  /// Any thread. An estimate of the number of items. Orders nothing. Wait-free, O(1).
  [[nodiscard]] std::size_t size() const { return shared_->deque.size(); }

  /// Any thread. `size() == 0`, also an estimate. Wait-free, O(1).
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
