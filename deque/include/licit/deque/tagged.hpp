/// The tagged deque: a Chase-Lev deque from which a thief takes up to half by one compare-exchange, over any memory
/// policy.
///
/// `top` carries a tag. The owner pops the younger half of the items freely, since no thief can reach it. Nearer to the
/// top it raises the tag first, so that the claims of all thieves that looked before fail. deque/tagged.md has the
/// proof.
///
/// Sources: the deque of chase_lev.hpp; the tag is new here. That the younger half is safe from a thief that takes half
/// comes from D. Hendler, N. Shavit, "Non-blocking steal-half work queues", PODC 2002, whose owner moves a range of its
/// own.
///
/// Use the handles in owner.hpp and stealer.hpp. This class does not check that the right thread calls.
#ifndef LICIT_DEQUE_TAGGED_HPP
#define LICIT_DEQUE_TAGGED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
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
  static constexpr auto at = site_by<Policy, tagged_orders, tagged_asymmetric_orders, Name>();
  static constexpr auto rules = rules_of<tagged_rules, Policy>();
  using word = tagged_word<rules.tag_bits>;

 public:
  using value_type = T;

  /// Throws std::invalid_argument (options out of range) or what the memory resource throws. O(initial capacity).
  explicit tagged_deque(const deque_options& options = {})
      : top_{word::of(rules.first)},
        bottom_{rules.first},
        drained_{rules.first},
        high_{rules.first},
        memory_{options.memory != nullptr ? *options.memory : *Policy::memory()},
        maximum_{options.maximum_capacity} {
    options.validate();
    ring_type* made = ring_type::create(memory_, options.initial_capacity, nullptr);
    ring_.store(made, at<"make.ring">);
    adopt(*made, rules.first);
  }

  /// Precondition: no other thread uses the deque, and all uses happen before this call. Does not visit remaining
  /// items.
  ~tagged_deque() { ring_type::destroy(memory_, newest_.read()); }

  tagged_deque(const tagged_deque&) = delete;
  tagged_deque& operator=(const tagged_deque&) = delete;

  /// Owner only. Wait-free unless the ring is full; then it grows. Amortised O(1), no locked instruction on x86. Throws
  /// capacity_error at the maximum capacity, index_error after 2^56 indices, and what the memory resource throws; the
  /// deque is then unchanged. Each item that is stolen, or popped as the last one, uses up an index: two years of one a
  /// nanosecond.
  void push(T item) {
    const index b = bottom_.load(at<"push.own">);
    if (b == limit_.read()) [[unlikely]]
      return push_into_full(item, b);
    own_slot(b).store(item, at<"push.item">);
    bottom_.store(b + 1, at<"push.publish">);  // read by steal.bottom
  }

  /// Owner only. Takes the youngest item, or returns nothing. Wait-free, amortised O(1), one fence. An item in the
  /// younger half of what was there when the owner last changed `top` costs no more. Any other item costs one or two
  /// read-modify-writes of `top`; popping all items needs as many as the depth has binary digits. After 255 of them
  /// without a theft, the next moves the remaining items to new indices (`renew`; at most as many as were popped since
  /// the change before), and meanwhile thieves find the deque empty.
  std::optional<T> pop() {
    const index b = bottom_.load(at<"pop.own">) - 1;
    if (b < drained_.read()) return std::nullopt;  // nothing was pushed since it was last found empty
    if (rules.is_higher(b + 1, high_.read())) high_.write(b + 1);
    bottom_.store(b, at<"pop.reserve">);  // read by steal.bottom
    fences_(at<"pop.fence">);             // with steal.fence
    const std::uint64_t w = top_.load(at<"pop.top">);
    Policy::invariant(2, word::index_of(w) <= b + 1);
    if (rules.is_free(word::index_of(w), b, high_.read())) [[likely]]
      return own_slot(b).load(at<"pop.item">);
    return pop_near(b, w);
  }

  /// Any thread. Takes the oldest item, or says why there is none. Lock-free: a lost claim means that another thread's
  /// succeeded, or that the owner popped. O(1): one full fence and one compare-exchange.
  stolen<T> steal() {
    const sight s = look();
    if (s.size <= 0) return stolen<T>::empty();
    const T guess = guess_of(seen_ring(), s.oldest);
    if (!claim(s, 1)) return stolen<T>::lost();
    return stolen<T>::taken(guess);
  }

  /// The thread that owns `own`, which must be another deque. Takes half of the items that it sees, rounded up, at most
  /// `most` and what `own` has room for or can grow to, but at least one; with `most` 0 nothing: it reports `empty` and
  /// accesses no deque. Returns the oldest; the others (`moved()`)
  /// are then in `own` in the order of their push, and may be stolen from there. Lock-free as `steal`. O(items): one
  /// full fence, one compare-exchange, one publishing store. Throws nothing: if `own` cannot grow it takes fewer.
  /// Before the claim succeeds nothing has changed, except that `own` may have grown.
  stolen<T> steal_half(tagged_deque& own, std::size_t most = most_at_once) {
    if (most == 0) return stolen<T>::empty();
    const sight s = look();
    if (s.size <= 0) return stolen<T>::empty();
    const index cap = static_cast<index>(std::min<std::size_t>(most, deque_options::largest_capacity));
    const index b = own.bottom_.load(at<"half.own">);
    const index others = own.room_for(b, std::min(rules.share(s.size), cap) - 1);
    ring_type& from = seen_ring();
    const T oldest = guess_of(from, s.oldest);
    for (index i = 0; i != others; ++i) own.own_slot(b + i).store(guess_of(from, s.oldest + 1 + i), at<"half.item">);
    if (rules.claims_before_it_publishes && !claim(s, 1 + others)) return stolen<T>::lost();
    if (others != 0) own.bottom_.store(b + others, at<"half.publish">);  // read by steal.bottom
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
  [[nodiscard]] std::size_t capacity() const { return mask_.read() + 1; }

 private:
  using index = detail::index;
  using ring_type = detail::ring<T, Policy>;
  using slot_type = typename ring_type::slot_type;
  template <class U>
  using atomic = typename Policy::template atomic<U>;
  template <class U>
  using plain = typename Policy::template plain<U>;

  [[nodiscard]] slot_type& own_slot(index i) { return slots_.read()[static_cast<std::size_t>(i) & mask_.read()]; }

  /// Item b is reserved, and thieves may reach it. At most two changes of `top`: one fails only if a theft came first,
  /// and that theft has cleared the tag.
  [[gnu::noinline]] std::optional<T> pop_near(index b, std::uint64_t w) {
    if (const index t = word::index_of(w); t < b && word::exhausted(w)) {
      if (top_.compare_exchange(w, word::of(b), at<"renew.claim">)) return renew(t, b);  // read by steal.top
    }
    if (word::index_of(w) < b) return pop_raised(b);
    std::optional<T> item;
    if (word::index_of(w) == b) {
      item = own_slot(b).load(at<"pop.last">);
      if (!top_.compare_exchange(w, word::of(b + 1), at<"pop.claim">)) item.reset();
    }
    found_empty(b + 1);
    return item;
  }

  /// Raises the tag. Thieves that read `top` before it fail to claim; thieves that read it afterwards see the
  /// reservation. The tag does not overflow into the index: only the owner raises it, having seen that there is room,
  /// and claims clear it.
  std::optional<T> pop_raised(index b) {
    const std::uint64_t before = top_.fetch_add(word::tag, at<"pop.raise">);  // read by steal.top
    Policy::invariant(41, !word::exhausted(before));
    if (word::index_of(before) > b) {
      found_empty(b + 1);
      return std::nullopt;
    }
    high_.write(b);
    return own_slot(b).load(at<"pop.near">);
  }

  /// Thieves have taken all items, or the owner has taken the last one.
  void found_empty(index b) {
    bottom_.store(b, at<"pop.restore">);
    drained_.write(b);
    high_.write(b);
  }

  /// The tag is used up, and top is now b: items t to b belong to the owner alone. It keeps the last and puts the
  /// others, in order, at b and after. There is room: item b was not free, so they end below the highest bottom, whose
  /// slots were free before. An item's new slot is its own, or one whose item has already moved.
  std::optional<T> renew(index t, index b) {
    const T item = own_slot(b).load(at<"renew.item">);
    const index end = b + (b - t);
    Policy::invariant(43, end < high_.read() && end <= limit_.read());
    for (index i = t; i != b; ++i) {
      own_slot(i + (b - t)).store(own_slot(i).load(at<"renew.read">), at<"renew.copy">);
    }
    bottom_.store(end, at<"renew.publish">);  // read by steal.bottom
    high_.write(end);
    return item;
  }

  /// What a thief sees: `top`, the index of the oldest item, and how many there are.
  struct sight {
    std::uint64_t top;
    index oldest;
    index size;
  };

  sight look() {
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
  bool claim(const sight& s, index n) {
    std::uint64_t w = s.top;
    return top_.compare_exchange(w, word::of(s.oldest + n), at<"steal.claim">);  // read by push.room
  }

  /// Out of line and in tail position: g++ then inlines `push`, and its fast path saves no registers.
  [[gnu::noinline, gnu::cold]] void push_into_full(T item, index b) {
    make_room(b);
    push(item);
  }

  /// For how many of the items there are free slots from b on, after growing if possible.
  index room_for(index b, index items) {
    if (limit_.read() - b >= items) return items;
    const index t = reclaim(b);
    const index end = std::min(b + items, word::last);
    (void)detail::succeeds([&] {  // without memory it takes what fits
      while (limit_.read() < end && capacity() != maximum_) grow(t, b);
    });
    return std::min(limit_.read() - b, items);
  }

  /// Frees a slot at b: what thieves have taken since the last look, or by growing.
  void make_room(index b) {
    const index t = reclaim(b);
    if (b == word::last) detail::raise(index_error(word::last));
    if (limit_.read() == b) grow(t, b);
  }

  /// Looks what thieves have taken since the last look, and returns the oldest item's index.
  index reclaim(index b) {
    const index t = word::index_of(top_.load(at<"push.room">));  // reads steal.claim
    Policy::invariant(1, t <= b && static_cast<std::size_t>(b - t) <= capacity());
    limit_.write(end_of(t));
    return t;
  }

  void grow(index t, index b) {
    if (capacity() == maximum_) detail::raise(capacity_error(maximum_));
    ring_type* wider = ring_type::create(memory_, capacity() * 2, newest_.read());
    for (index i = t; i != b; ++i) wider->slot(i).store(own_slot(i).load(at<"grow.read">), at<"grow.copy">);
    ring_.store(wider, at<"grow.publish">);  // read by steal.ring
    adopt(*wider, t);
  }

  void adopt(ring_type& r, index t) {
    newest_.write(&r);
    slots_.write(r.slots());
    mask_.write(r.capacity() - 1);
    limit_.write(end_of(t));
  }

  /// The bottom at which the ring is full, or the indices are used up.
  [[nodiscard]] index end_of(index t) const { return std::min(t + static_cast<index>(capacity()), word::last); }

  // Two cache lines, and the pair that the adjacent-line prefetcher fetches with each.
  static constexpr std::size_t line = 128;

  // Thieves write here, and the owner when it takes an item that thieves may reach.
  alignas(line) atomic<std::uint64_t> top_;  ///< oldest item, and the tag; only grows (I1, I41)
  atomic<ring_type*> ring_;

  // The owner writes here; thieves read bottom_ only.
  alignas(line) atomic<index> bottom_;  ///< one past the youngest item
  [[no_unique_address]] typename Policy::fences fences_;
  plain<index> limit_;       ///< bottom at which push must look for room: a top once acquired + capacity (I3)
  plain<index> drained_;     ///< bottom at which the owner last found the deque empty (I4)
  plain<index> high_;        ///< the highest bottom that a thief can act on, pushes since the last pop apart (I42)
  plain<slot_type*> slots_;  ///< of the newest ring
  plain<std::size_t> mask_;
  plain<ring_type*> newest_;
  std::pmr::memory_resource& memory_;
  const std::size_t maximum_;
};

}  // namespace licit::inline v0

#endif
