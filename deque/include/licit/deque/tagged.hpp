/// The tagged deque: a Chase-Lev deque from which a thief takes up to half by one compare-exchange.
///
/// `top` carries a tag. The owner pops the younger half of the items freely, since no thief can reach it. Nearer to the
/// top it raises the tag first, so that the claims of all thieves that looked before fail. Proof: deque/tagged.md.
///
/// Sources: the deque of chase_lev.hpp; the tag is new here. That the younger half is safe from a thief that takes half
/// comes from D. Hendler, N. Shavit, "Non-blocking steal-half work queues", PODC 2002; their owner moves a range.
///
/// Use the handles in owner.hpp and stealer.hpp: this class does not check that the right thread calls.
#ifndef LICIT_DEQUE_TAGGED_HPP
#define LICIT_DEQUE_TAGGED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/deque/errors.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/options.hpp>
#include <licit/deque/ring.hpp>
#include <licit/deque/rules.hpp>
#include <licit/deque/stolen.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>
#include <licit/deque/tagged_rules.hpp>

namespace licit::inline v0 {

template <class T, class Policy = native>
class tagged_deque {
  template <fixed_string Name>
  static constexpr auto at = detail::site_by<Policy, tagged_orders, tagged_asymmetric_orders, Name>();
  static constexpr auto rules = rules_of<tagged_rules, Policy>();
  using word = tagged_word<rules.tag_bits>;

 public:
  using value_type = T;

  /// Throws std::invalid_argument (options out of range) or what the memory resource throws. O(initial capacity).
  explicit tagged_deque(const deque_options& options = {}) : mine_{options} {
    ring_.store(mine_.newest(), at<"make.ring">);
    found_room(rules.first);
    turn(rules.first);
  }

  /// Precondition: no other thread uses the deque, and all uses happen before this call. Visits no remaining item.
  ~tagged_deque() = default;

  /// Owner only. Wait-free unless the ring is full; then it grows. Amortised O(1), no locked instruction on x86. Throws
  /// capacity_error at the maximum capacity, index_error after 2^56 indices, and what the memory resource throws; the
  /// deque is then unchanged. An item that is stolen, or popped last, uses up an index: two years of one a nanosecond.
  void push(T item) {
    const index b = bottom_.load(at<"push.own">);
    if (b == mine_.end()) [[unlikely]]
      return push_at_end(item, b);
    mine_.near(b).store(item, at<"push.item">);
    bottom_.store(b + 1, at<"push.publish">);  // read by steal.bottom
  }

  /// Owner only. Takes the youngest item, or returns nothing. Wait-free, amortised O(1), one fence. An item in the
  /// younger half of what was there when the owner last changed `top` costs no more. Others cost one or two
  /// read-modify-writes of `top`; popping all needs as many as the depth has binary digits. After 255 without a theft,
  /// the next moves what is left to new indices (`renew`; at most as many items as were popped since the change
  /// before), and meanwhile thieves find the deque empty.
  std::optional<T> pop() { return pop_as<std::optional<T>>(std::nullopt); }
  T pop_or(T none) { return pop_as<T>(none); }  ///< the same for items that fit a register: `none` if there is no item

  /// Any thread. Takes the oldest item, or says why there is none. Lock-free: a lost claim means that another thread's
  /// succeeded, or that the owner popped. O(1): one full fence and one compare-exchange.
  stolen<T> steal() {
    const tagged_sight s = look();
    if (s.size <= 0) return stolen<T>::empty();
    const T guess = guess_of(seen_ring(), s.oldest);
    return claim(s, 1) ? stolen<T>::taken(guess) : stolen<T>::lost();
  }

  /// The thread that owns `own`, which must be another deque. Takes half of the items that it sees, rounded up, at most
  /// `most` and what `own` has room for or can grow to, but at least one; with `most` 0 nothing: it reports `empty` and
  /// accesses no deque. Returns the oldest; the others (`moved()`) are then in `own` in the order of their push, and
  /// may be stolen from there. Lock-free as `steal`. O(items): one full fence, one compare-exchange, one publishing
  /// store. Throws nothing: if `own` cannot grow it takes fewer. Before the claim succeeds nothing has changed, except
  /// that `own` may have grown.
  stolen<T> steal_half(tagged_deque& own, std::size_t most = most_at_once) {
    if (most == 0) return stolen<T>::empty();
    const tagged_sight s = look();
    if (s.size <= 0) return stolen<T>::empty();
    const auto cap = static_cast<index>(std::min<std::size_t>(most, deque_options::largest_capacity));
    const index b = own.bottom_.load(at<"half.own">);
    const index others = own.room_for(b, std::min(rules.share(s.size), cap) - 1);
    ring_type& from = seen_ring();
    const T oldest = guess_of(from, s.oldest);
    for (index i = 0; i != others; ++i) own.mine_.slot(b + i).store(guess_of(from, s.oldest + 1 + i), at<"half.item">);
    if (rules.claims_before_it_publishes && !claim(s, 1 + others)) return stolen<T>::lost();
    if (others != 0) {
      own.bottom_.store(b + others, at<"half.publish">);  // read by steal.bottom
      own.turn(b + others);
    }
    if (!rules.claims_before_it_publishes && !claim(s, 1 + others)) return stolen<T>::lost();
    return stolen<T>::taken(oldest, static_cast<std::size_t>(others));
  }

  /// Any thread. An estimate of the number of items, by two loads that order nothing. For the owner it is never too
  /// low: thieves can only have taken some since.
  [[nodiscard]] std::size_t size() const {
    const index t = word::index_of(top_.load(at<"size.top">));
    const index b = bottom_.load(at<"size.bottom">);
    return b > t ? static_cast<std::size_t>(b - t) : 0;
  }

  /// Owner only. The number of slots of the ring; a push grows it when `size()` reaches this number.
  [[nodiscard]] std::size_t capacity() const { return mine_.capacity(); }

 private:
  using index = detail::index;
  using ring_type = detail::ring<T, Policy>;
  template <class U>
  using atomic = typename Policy::template atomic<U>;
  template <class U>
  using plain = typename Policy::template plain<U>;

  /// `Result` holds an item, or is `none`.
  template <class Result>
  [[gnu::always_inline]] Result pop_as(Result none) {
    const index b = bottom_.load(at<"pop.own">) - 1;
    if (b < mine_.begin() || b >= high_.read()) [[unlikely]]
      return pop_beyond(b, none);
    const std::uint64_t w = reserve(b, detail::as_in_table(fences_));
    if (w == seen_.read()) [[likely]]
      return youngest(b);
    return pop_seeing(b, w, none);
  }
  T youngest(index b) { return mine_.near(b).load(at<"pop.item">); }

  /// Reserves item b, and returns `top` as it is then.
  template <class Fence>
  [[gnu::always_inline]] std::uint64_t reserve(index b, const Fence& fence) {
    bottom_.store(b, at<"pop.reserve">);  // read by steal.bottom
    fence(at<"pop.fence">);               // with steal.fence
    const std::uint64_t w = top_.load(at<"pop.top">);
    Policy::invariant(2, word::index_of(w) <= b + 1);
    return w;
  }

  /// Item b is not known to be free (I44), or the owner's fence is full after all. Out of line and in tail position.
  template <class Result>
  [[gnu::noinline]] Result pop_beyond(index b, Result none) {
    if (b < drained_.read()) return none;  // nothing was pushed since it was last found empty
    if (rules.is_higher(b + 1, high_.read())) high_.write(b + 1);
    return pop_seeing(b, reserve(b, fences_), none);
  }

  /// Item b is reserved.
  template <class Result>
  [[gnu::noinline]] Result pop_seeing(index b, std::uint64_t w, Result none) {
    if (b < rules.first_free(word::index_of(w), high_.read())) return pop_near(b, w, none);
    seen_.write(w);
    turn(b);
    return youngest(b);
  }

  /// Item b is reserved, and thieves may reach it. At most two changes of `top`: one fails only if a theft came first,
  /// and that theft has cleared the tag.
  template <class Result>
  Result pop_near(index b, std::uint64_t w, Result none) {
    if (const index t = word::index_of(w); t < b && word::exhausted(w)) {
      if (top_.compare_exchange(w, word::of(b), at<"renew.claim">)) return renew(t, b);  // read by steal.top
    }
    if (word::index_of(w) < b) return pop_raised(b, none);
    Result item = none;
    if (word::index_of(w) == b) {
      const T last = mine_.slot(b).load(at<"pop.last">);
      if (top_.compare_exchange(w, word::of(b + 1), at<"pop.claim">)) item = last;
    }
    found_empty(b + 1);
    return item;
  }

  /// Raises the tag. Thieves that read `top` before it fail to claim; thieves that read it afterwards see the
  /// reservation. The tag does not overflow into the index: only the owner raises it, having seen that there is room,
  /// and claims clear it.
  template <class Result>
  Result pop_raised(index b, Result none) {
    const std::uint64_t before = top_.fetch_add(word::tag, at<"pop.raise">);  // read by steal.top
    Policy::invariant(41, !word::exhausted(before));
    if (word::index_of(before) > b) {
      found_empty(b + 1);
      return none;
    }
    high_.write(b);
    seen_.write(before + word::tag);
    turn(b);
    return mine_.slot(b).load(at<"pop.near">);
  }

  /// Thieves have taken all items, or the owner has taken the last one.
  void found_empty(index b) {
    bottom_.store(b, at<"pop.restore">);
    drained_.write(b);
    high_.write(b);
    mine_.raise_begin(b);
  }

  /// The tag is used up, and top is now b: items t to b are the owner's alone. It keeps the last and puts the others,
  /// in order, at b and after. There is room: item b was not free, so they end below the highest bottom, whose slots
  /// were free before. An item's new slot is its own, or one whose item has already moved.
  T renew(index t, index b) {
    const T item = mine_.slot(b).load(at<"renew.item">);
    const index end = b + (b - t);
    Policy::invariant(43, end < high_.read() && end <= mine_.limit());
    for (index i = t; i != b; ++i)
      mine_.slot(i + (b - t)).store(mine_.slot(i).load(at<"renew.read">), at<"renew.copy">);
    bottom_.store(end, at<"renew.publish">);  // read by steal.bottom
    high_.write(end);
    seen_.write(word::of(b));
    turn(end);
    return item;
  }

  tagged_sight look() {
    const std::uint64_t w = top_.load(at<"steal.top">);
    const index t = word::index_of(w);
    if constexpr (Policy::asymmetric) {
      if (bottom_.load(at<"steal.look">) <= t) return {w, t, 0};  // no heavy fence for nothing
    }
    fences_(at<"steal.fence">);  // with pop.fence
    return {w, t, bottom_.load(at<"steal.bottom">) - t};
  }
  ring_type& seen_ring() { return *ring_.load(at<"steal.ring">); }
  static T guess_of(ring_type& r, index i) { return r.slot(i).load(at<"steal.item">); }
  bool claim(tagged_sight s, index n) {
    return top_.compare_exchange(s.top, word::of(s.oldest + n), at<"steal.claim">);  // read by push.room
  }

  /// Out of line and in tail position: the fast path saves no registers.
  [[gnu::noinline, gnu::cold]] void push_at_end(T item, index b) {
    if (b == mine_.limit()) {
      const index t = reclaim(b);
      if (b == word::last) detail::raise(index_error(word::last));
      if (mine_.limit() == b) grow(t, b);
    }
    turn(b);
    push(item);
  }

  /// For how many of the items there are free slots from b on, after growing if possible.
  index room_for(index b, index items) {
    if (mine_.limit() - b >= items) return items;
    const index t = reclaim(b);
    const index end = std::min(b + items, word::last);
    (void)detail::succeeds([&] {  // without memory it takes what fits
      while (mine_.limit() < end && !mine_.at_maximum()) grow(t, b);
    });
    turn(b);
    return std::min(mine_.limit() - b, items);
  }

  /// Looks what thieves have taken since the last look, and returns the oldest item's index.
  index reclaim(index b) {
    const index t = word::index_of(top_.load(at<"push.room">));  // reads steal.claim
    Policy::invariant(1, t <= b && static_cast<std::size_t>(b - t) <= capacity());
    found_room(t);
    return t;
  }

  void grow(index t, index b) {
    ring_type& wider = mine_.wider();
    for (index i = t; i != b; ++i) wider.slot(i).store(mine_.slot(i).load(at<"grow.read">), at<"grow.copy">);
    ring_.store(&wider, at<"grow.publish">);  // read by steal.ring
    mine_.adopt(wider);
    found_room(t);
  }

  /// Where the ring is full, or the indices are used up.
  void found_room(index t) { mine_.set_limit(std::min(t + static_cast<index>(capacity()), word::last)); }

  /// The owner's next operations are near item i, which is bottom or the item below it.
  void turn(index i) {
    const index free = rules.first_free(word::index_of(seen_.read()), high_.read());
    mine_.turn(i, detail::all_full(fences_) ? mine_.never : std::max(drained_.read(), free));
  }

  // Thieves write here, and the owner when it takes an item that thieves may reach.
  alignas(detail::lines_apart) atomic<std::uint64_t> top_{
      word::of(rules.first)};  ///< oldest item, and the tag; only grows (I1, I41)
  atomic<ring_type*> ring_;

  // The owner writes here; thieves read bottom_ only.
  alignas(detail::lines_apart) atomic<index> bottom_{rules.first};  ///< one past the youngest item
  [[no_unique_address]] typename Policy::fences fences_;
  plain<index> high_{
      rules.first};  ///< the highest bottom that a thief can act on, pushes since the last pop apart (I42)
  plain<std::uint64_t> seen_{word::of(rules.first)};  ///< `top`, by which the owner knows what is free
  plain<index> drained_{rules.first};                 ///< bottom at which the owner last found the deque empty (I4)
  detail::own_rings<T, Policy> mine_;
};

}  // namespace licit::inline v0

#endif
