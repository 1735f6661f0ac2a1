/// The Chase-Lev work-stealing deque: the algorithm, over any memory policy.
///
/// Sources: D. Chase, Y. Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005; N. M. Lê, A. Pop, A. Cohen,
/// F. Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP 2013. The orderings
/// (chase_lev_orders.hpp) are ours: they differ from the papers' and are correct under C++20's release sequences.
///
/// Use the handles in owner.hpp and stealer.hpp. This class does not check that the right thread calls.
#ifndef LICIT_DEQUE_CHASE_LEV_HPP
#define LICIT_DEQUE_CHASE_LEV_HPP

#include <cstddef>
#include <optional>

#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/errors.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/options.hpp>
#include <licit/deque/ring.hpp>
#include <licit/deque/stolen.hpp>

namespace licit::inline v0 {

namespace detail {
template <class T, class Policy, class Own>
class half_thief;  // steal_half.hpp
}  // namespace detail

template <class T, class Policy = native>
class chase_lev {
  template <fixed_string Name>
  static constexpr auto at = detail::site_by<Policy, chase_lev_orders, chase_lev_asymmetric_orders, Name>();

 public:
  using value_type = T;

  using fences = typename Policy::fences;

  /// `by`: its fences, where the policy offers a choice. Throws std::invalid_argument (options out of range) or what
  /// the memory resource throws. O(initial capacity).
  explicit chase_lev(const deque_options& options = {}, const fences& by = {})
      : top_{index{0}}, bottom_{index{0}}, fences_{by}, mine_{options} {
    ring_.store(mine_.newest(), at<"make.ring">);
    found_room(0, 0);
  }

  /// Precondition: no other thread uses the deque, and all uses happen before this call. Does not visit remaining
  /// items.
  ~chase_lev() = default;

  chase_lev(const chase_lev&) = delete;
  chase_lev& operator=(const chase_lev&) = delete;

  /// Owner only. Wait-free unless the ring is full; then it grows. Amortised O(1), no locked instruction on x86. Throws
  /// capacity_error at the maximum capacity and what the memory resource throws; the deque is then unchanged.
  [[gnu::always_inline]] void push(T item) {  // g++ would call it in a large translation unit
    const index b = bottom_.load(at<"push.own">);
    if (b == mine_.end()) [[unlikely]]
      return push_at_end(item, b);
    mine_.near(b).store(item, at<"push.item">);
    Policy::fence(at<"push.fence">);           // none in this form
    bottom_.store(b + 1, at<"push.publish">);  // read by steal.bottom
  }

  /// Owner only. Takes the youngest item, or returns nothing. Wait-free, O(1): one full fence (a compiler barrier if
  /// fences are asymmetric), and one compare-exchange for the last item. Neither if the deque is known to be empty.
  std::optional<T> pop() { return pop_as<std::optional<T>>(std::nullopt); }
  /// The same for items that fit a register: `none` if there is no item.
  [[gnu::always_inline]] T pop_or(T none) { return pop_as<T>(none); }

  /// Owner only. As `pop` if the item is the youngest; otherwise nothing happens, without a fence. Whether it took it.
  bool pop_if(const T& item) {
    const index b = bottom_.load(at<"pop.own">) - 1;
    return b >= drained_.read() && mine_.slot(b).load(at<"pop.item">) == item && pop().has_value();
  }

  /// Any thread. Takes the oldest item, or says why there is none. Lock-free: a lost claim means that another thread's
  /// succeeded. O(1): one full fence and one compare-exchange. With asymmetric fences the fence is a heavy one, a
  /// system call. If the deque looks empty, `empty` may then come without a fence, and orders nothing.
  stolen<T> steal() {
    return steal_if([](const T& /*item*/) { return true; });
  }

  /// The same, but claims the item only if `admit(item)` returns true; otherwise nothing changes, and it returns
  /// `empty`. `admit` runs between the read of the item and its claim: if the claim succeeds, the item was in the deque
  /// meanwhile. What was written before its push is visible to `admit`. The item may have been taken by then, so
  /// `admit` must not look into what it points to. Throws what `admit` throws.
  template <class Admit>
  stolen<T> steal_if(Admit&& admit) {
    index t = top_.load(at<"steal.top">);
    if constexpr (Policy::asymmetric) {
      if (t >= bottom_.load(at<"steal.look">)) return stolen<T>::empty();  // no heavy fence for nothing
    }
    fences_(at<"steal.fence">);  // with pop.fence
    const index b = bottom_.load(at<"steal.bottom">);
    if (t >= b) return stolen<T>::empty();
    const T guess = ring_.load(at<"steal.ring">)->slot(t).load(at<"steal.item">);
    if (!admit(guess)) return stolen<T>::empty();
    if (!top_.compare_exchange(t, t + 1, at<"steal.claim">)) return stolen<T>::lost();  // read by push.room
    return stolen<T>::taken(guess);
  }

  /// Owner only. Makes room for one more item, by growing if need be, so that the next push throws nothing. False at
  /// the maximum capacity and if the memory resource throws; the deque is then unchanged.
  bool make_room_for_one() noexcept {
    if (items() < mine_.length()) return true;  // never too few
    if (mine_.at_maximum()) return false;
    return detail::succeeds([this] { make_room(mine_.limit()); });  // where bottom stands when all slots are taken
  }

  /// Any thread. An estimate of the number of items, by two loads that order nothing. For the owner it is never too
  /// low: thieves can only have taken some since.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(items()); }

  /// Owner only. The number of slots of the ring; a push grows it when `size()` reaches this number.
  [[nodiscard]] std::size_t capacity() const { return mine_.capacity(); }

 private:
  template <class U, class P, class Own>
  friend class detail::half_thief;

  using index = typename detail::addressing<T, Policy>::index;
  using ring_type = detail::ring<T, Policy>;
  template <class U>
  using atomic = typename Policy::template atomic<U>;
  template <class U>
  using plain = typename Policy::template plain<U>;

  index items() const {
    const index t = top_.load(at<"size.top">);
    const index b = bottom_.load(at<"size.bottom">);
    return b > t ? b - t : index{0};
  }

  /// `Result` holds an item, or is `none`.
  template <class Result>
  [[gnu::always_inline]] Result pop_as(Result none) {
    const index b = bottom_.load(at<"pop.own">) - 1;
    if (b < mine_.begin()) [[unlikely]]
      return pop_before_begin(b, none);
    return pop_at(b, none, detail::as_in_table(fences_));
  }

  /// Takes item b, or the last one if that is another, or none.
  template <class Result, class Fence>
  [[gnu::always_inline]] Result pop_at(index b, Result none, const Fence& fence) {
    bottom_.store(b, at<"pop.reserve">);  // read by steal.bottom
    fence(at<"pop.fence">);               // with steal.fence
    const index t = top_.load(at<"pop.top">);
    Policy::invariant(2, t <= b + 1);
    if (t < b) [[likely]]
      return mine_.near(b).load(at<"pop.item">);
    if constexpr (Policy::calls_compare_exchange) return pop_last_apart(b, t, none);
    return pop_last(b, t, none);
  }

  /// The deque is known to be empty, or item b is of the lap before, or the owner's fence is full after all. Out of
  /// line and in tail position.
  template <class Result>
  [[gnu::noinline]] Result pop_before_begin(index b, Result none) {
    if (b < drained_.read()) return none;  // nothing was pushed since it was last found empty
    turn(b);
    return pop_at(b, none, fences_);
  }

  /// Takes the last item, which thieves may claim too (t == b), or finds none (t == b + 1).
  template <class Result>
  Result pop_last(index b, index t, Result none) {
    Result item = none;
    if (t == b) {
      item = mine_.near(b).load(at<"pop.last">);
      if (!top_.compare_exchange(t, t + 1, at<"pop.claim">)) item = none;
    }
    bottom_.store(b + 1, at<"pop.restore">);
    drained_.write(b + 1);
    mine_.raise_begin(b + 1);
    return item;
  }

  /// Out of line and in tail position: a pop that takes no last item saves no registers.
  template <class Result>
  [[gnu::noinline]] Result pop_last_apart(index b, index t, Result none) {
    return pop_last(b, t, none);
  }

  /// Out of line and in tail position: g++ then inlines `push`, and its fast path saves no registers.
  [[gnu::noinline, gnu::cold]] void push_at_end(T item, index b) {
    b == mine_.limit() ? make_room(b) : turn(b);
    push(item);
  }

  /// Makes slot b free: looks whether thieves have taken items since the last look, and otherwise grows the ring.
  /// Bottom is b.
  void make_room(index b) {
    const index t = top_.load(at<"push.room">);  // reads steal.claim
    Policy::invariant(1, t <= b && b - t <= mine_.length());
    if (b - t == mine_.length()) grow(t, b);
    found_room(t, b);
  }

  void grow(index t, index b) {
    ring_type& wider = mine_.wider();
    detail::addressing<T, Policy>::each(
        t, b, [&](index i) { wider.slot(i).store(mine_.slot(i).load(at<"grow.read">), at<"grow.copy">); });
    ring_.store(&wider, at<"grow.publish">);  // read by steal.ring
    mine_.adopt(wider);
  }

  /// Slots from t on are free but for the items: t is a top that was acquired (I3), or no slot was used yet.
  void found_room(index t, index b) {
    mine_.set_limit(t + mine_.length());
    turn(b);
  }

  /// The owner's next operations are near item i, which is bottom or the item below it.
  void turn(index i) { mine_.turn(i, detail::all_full(fences_) ? mine_.never : drained_.read()); }

  // Thieves write here.
  alignas(detail::lines_apart) atomic<index> top_;  ///< oldest item; only grows (I1)
  atomic<ring_type*> ring_;

  // The owner writes here; thieves read bottom_ only.
  alignas(detail::lines_apart) atomic<index> bottom_;  ///< one past the youngest item
  [[no_unique_address]] fences fences_;
  plain<index> drained_;  ///< bottom at which the owner last found the deque empty (I4)
  detail::own_rings<T, Policy> mine_;
};

}  // namespace licit::inline v0

#endif
