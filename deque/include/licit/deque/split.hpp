/// The split deque: a private part, in which the owner pays for no synchronisation, a public part for thieves, and a
/// request by which thieves ask the owner to publish more.
///
/// Related work: T. van Dijk, J. C. van de Pol, "Lace: Non-blocking Split Deque for Work-Stealing", 2014; U. A. Acar,
/// A. Charguéraud, M. Rainey, "Scheduling Parallel Programs by Work Stealing with Private Deques", PPoPP 2013;
/// J. Dinan et al., "Scalable Work Stealing", SC 2009. Ours are the word that never repeats, claims of several items by
/// it, and the orderings (split_orders.hpp). deque/split.md states what thieves are promised.
///
/// This class does not check that the right thread calls.
#ifndef LICIT_DEQUE_SPLIT_HPP
#define LICIT_DEQUE_SPLIT_HPP

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <optional>

#include <licit/deque/errors.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/options.hpp>
#include <licit/deque/ring.hpp>
#include <licit/deque/rules.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/split_word.hpp>
#include <licit/deque/stolen.hpp>

namespace licit::inline v0 {

template <class T, class Policy = native>
class split_deque {
  template <fixed_string Name>
  static constexpr auto at = site_of<split_orders, Name>;

  static constexpr auto rules = rules_of<split_rules, Policy>();
  using word = split_word<Policy>;
  using bits = typename word::bits;

 public:
  using value_type = T;

  /// The most items that can be public at the same time.
  static constexpr std::size_t most_public = word::most_public;

  /// Throws std::invalid_argument (options out of range) or what the memory resource throws. O(initial capacity).
  explicit split_deque(const deque_options& options = {})
      : word_{word::of(word::first, 0, 0).value()},
        bottom_{word::first},
        end_{word::first},
        begin_{word::first},
        split_{word::first},
        mine_{options} {
    ring_.store(mine_.newest(), at<"make.ring">);
    mine_.set_limit(word::first + static_cast<index>(options.initial_capacity));
    mine_.turn(word::first, word::first);
    end_.store(mine_.end(), at<"make.end">);
  }

  /// Precondition: all other uses of the deque happen before this call. Does not visit remaining items.
  ~split_deque() = default;

  split_deque(const split_deque&) = delete;
  split_deque& operator=(const split_deque&) = delete;

  /// Owner only. Wait-free unless the ring is full; then it grows. Amortised O(1), no locked instruction unless a thief
  /// has asked. Throws capacity_error at the maximum capacity and what the memory resource throws; the deque is then
  /// unchanged.
  void push(T item) {
    const index b = bottom_.load(at<"push.own">);
    const index end = end_.load(at<"push.end">);  // reads ask.end
    if (b >= end) [[unlikely]]
      return push_slowly(item, b, end == asked_to_push);
    append(item, b);
  }

  /// Owner only. Takes the youngest item. Nothing means that the deque is empty, and stays so until a push. No locked
  /// instruction while there are private items and no thief has asked. Without private items one compare-exchange takes
  /// half of the public ones back. Wait-free: that is repeated only after a thief's claim, which shortens the public
  /// part.
  std::optional<T> pop() {
    const index b = bottom_.load(at<"pop.own">);
    const index begin = begin_.load(at<"pop.begin">);  // reads ask.begin
    if (b <= begin) [[unlikely]]
      return pop_slowly(b, begin == asked_to_pop);
    return take_youngest(b);
  }

  /// Any thread. Takes the oldest item, or says why there is none. O(1), one compare-exchange; lock-free if something
  /// is public. Lost: another thread was faster, or all items are private. Empty: there were no items. If nothing is
  /// public, the call asks the owner to publish, which it does at its next push or pop that leaves it a private item.
  /// Until then nobody else can take its private items.
  stolen<T> steal() {
    const word w = offered();
    if (w.count() == 0) return refused(w);
    const T oldest = guess(offered_in(), w.top());
    if (!claim(w, 1)) return stolen<T>::lost();
    return stolen<T>::taken(oldest);
  }

  /// The thread that owns `own`, which must be another deque. Takes half of the public items, rounded up, by one claim.
  /// Returns the oldest; the others (`moved()`) are then in `own` in their order, as if pushed. At most `most`
  /// (with 0 nothing: it reports `empty` and accesses no deque), and at most what `own` has room for: it does not grow
  /// `own`, allocate or throw. O(most); progress as `steal`.
  stolen<T> steal_half(split_deque& own, std::size_t most = most_at_once) {
    assert(this != &own);
    if (most == 0) return stolen<T>::empty();
    const word w = offered();
    if (w.count() == 0) return refused(w);
    const index b = own.bottom_.load(at<"half.own">);
    const bits wanted = std::min<bits>((w.count() + 1) / 2, most);
    const bits n = std::min<bits>(wanted, own.room(b, wanted - 1) + 1);
    ring_type& from = offered_in();
    const T oldest = guess(from, w.top());
    for (index i = 1; i < static_cast<index>(n); ++i) place(guess(from, w.top() + i), own.mine_.slot(b + i - 1));
    if (!claim(w, n)) return stolen<T>::lost();
    if (n != 1) own.received(b + static_cast<index>(n) - 1);
    return stolen<T>::taken(oldest, n - 1);
  }

  /// Any thread. An estimate of the number of items, private ones included. Counts every item whose push happened
  /// before the call and that nobody took. Wait-free: two loads.
  [[nodiscard]] std::size_t size() const { return held(word(word_.load(at<"size.word">))); }

  /// Owner only. The number of slots of the ring; a push grows it when `size()` reaches this number.
  [[nodiscard]] std::size_t capacity() const { return mine_.capacity(); }

 private:
  using index = detail::index;
  using ring_type = detail::ring<T, Policy>;
  using slot_type = typename ring_type::slot_type;
  template <class U>
  using atomic = typename Policy::template atomic<U>;
  template <class U>
  using plain = typename Policy::template plain<U>;

  // The owner's part.

  // A request makes every bottom too high to push and too low to pop at once.
  static constexpr index asked_to_push = std::numeric_limits<index>::min();
  static constexpr index asked_to_pop = std::numeric_limits<index>::max();

  static void place(T item, slot_type& slot) { slot.store(item, at<"push.item">); }
  void reach(index b) { bottom_.store(b, at<"push.bottom">); }
  void append(T item, index b) {
    place(item, mine_.near(b));
    reach(b + 1);
  }
  T take_youngest(index b) {
    const T item = mine_.near(b - 1).load(at<"pop.item">);
    bottom_.store(b - 1, at<"pop.bottom">);
    return item;
  }

  /// Out of line and in tail position, like `pop_slowly`: the fast paths save no registers.
  [[gnu::noinline, gnu::cold]] void push_slowly(T item, index b, bool asked) {
    if (b == mine_.end()) {
      if (b == mine_.limit() && room(b, 1) == 0) grow(b);
      if (turn(b)) asked = true;
    }
    append(item, b);
    if (asked) answer(b + 1);
  }

  [[gnu::noinline, gnu::cold]] std::optional<T> pop_slowly(index b, bool asked) {
    const bool reclaims = b == split_.read();
    if (reclaims && !reclaim(b)) return std::nullopt;
    if ((reclaims || b <= mine_.begin()) && turn(b - 1)) asked = true;
    const T item = take_youngest(b);
    if (asked) answer(b - 1);
    return item;
  }

  /// Turns to the lap of item i, bottom or the one below it. Returns true if it met a request, which stays.
  bool turn(index i) {
    const index end = mine_.end();
    const index begin = mine_.begin();
    mine_.turn(i, split_.read());
    const bool pushes = moves(end_, end, mine_.end(), at<"turn.end_seen">, at<"turn.end">);
    const bool pops = moves(begin_, begin, mine_.begin(), at<"turn.begin_seen">, at<"turn.begin">);
    return !(pushes && pops);
  }
  template <class Seen, class Exchange>
  static bool moves(atomic<index>& bound, index from, index to, Seen seen, Exchange exchange) {
    return from == to || (bound.load(seen) == from && bound.compare_exchange(from, to, exchange));
  }

  /// Publishes half of the private items, rounded up. If there are none, or the word has no room, the request stands.
  void answer(index b) {
    const bits mine = static_cast<bits>(b - split_.read());
    const word w(word_.load(at<"answer.word">));
    const bits more = std::min<bits>((mine + 1) / 2, word::most_public - w.count());
    if (more == 0) return;
    split_.write(split_.read() + static_cast<index>(more));
    mine_.turn(b, split_.read());
    if constexpr (rules.clears_first) clear();    // a thief that sees the word from now on sees this, and asks again
    word_.fetch_add(more, at<"answer.publish">);  // read by steal.word
    if constexpr (!rules.clears_first) clear();
  }
  void clear() {
    end_.store(mine_.end(), at<"answer.end">);
    begin_.store(mine_.begin(), at<"answer.begin">);
  }

  /// Precondition: nothing is private. Makes the younger half of the public items, rounded up, private; returns false
  /// if there are none. Each reclaim raises the tag. After the tag's last value it takes everything back and renumbers.
  bool reclaim(index& b) {
    word w(word_.load(at<"reclaim.word">));
    while (w.count() != 0) {
      const bool last = word::renumbers && w.tag() == word::last_tag;
      const bits n = last ? w.count() : (w.count() + 1) / 2;
      const word rest = last ? word(w.value() - n) : w.reclaimed(n);
      bits seen = w.value();
      if (word_.compare_exchange(seen, rest.value(), at<"reclaim.take">)) {
        split_.write(split_.read() - static_cast<index>(n));
        if (last) b = renumber(b);
        return true;
      }
      w = word(seen);
    }
    Policy::invariant(31, w.below(b) == 0);
    return false;
  }

  /// Nothing is public, so nobody else changes the word. Raises every index by the capacity, which leaves each item in
  /// its slot, in older rings too.
  index renumber(index b) {
    const auto step = static_cast<index>(capacity());
    bottom_.store(b + step, at<"renumber.bottom">);
    const bits up = word::of(step, 0, 0).value() - word::of(0, word::last_tag, 0).value();
    word_.fetch_add(up, at<"renumber.word">);  // read by steal.word and size.word
    split_.write(split_.read() + step);
    mine_.set_limit(mine_.limit() + step);
    return b + step;
  }

  /// The number of free slots from b on. If fewer than `wanted` are known, it looks what thieves have freed.
  bits room(index b, bits wanted) {
    if (static_cast<bits>(mine_.limit() - b) < wanted) {
      const word w(word_.load(at<"room.word">));  // reads steal.claim
      const index used = w.below(b);
      Policy::invariant(30, used >= 0 && static_cast<std::size_t>(used) <= capacity());
      mine_.set_limit(b - used + static_cast<index>(capacity()));
    }
    return static_cast<bits>(mine_.limit() - b);
  }

  /// Precondition: room.word has just shown that the ring is full.
  void grow(index b) {
    ring_type& wider = mine_.wider();
    const auto used = static_cast<index>(capacity());
    for (index i = b - used; i != b; ++i) wider.slot(i).store(mine_.slot(i).load(at<"grow.read">), at<"grow.copy">);
    ring_.store(&wider, at<"grow.publish">);  // read by steal.ring
    mine_.adopt(wider);
    mine_.set_limit(b + used);
  }

  /// Stolen items are in place. Counts as an operation of the owner, which looks for a request as in push and pop.
  void received(index b) {
    reach(b);
    const bool asked = begin_.load(at<"half.asked">) == asked_to_pop;  // reads ask.begin
    if ((b > mine_.end() && turn(b)) || asked) answer(b);
  }

  // The thieves' part.

  [[nodiscard]] word offered() const { return word(word_.load(at<"steal.word">)); }  // reads answer.publish
  ring_type& offered_in() { return *ring_.load(at<"steal.ring">); }                  // reads grow.publish
  T guess(ring_type& from, index i) { return from.slot(i).load(at<"steal.item">); }

  bool claim(word w, bits n) {
    bits seen = w.value();
    return word_.compare_exchange(seen, w.claimed(n).value(), at<"steal.claim">);  // read by room.word
  }

  /// Nothing is public: raises a request, unless there is one. Lost if there are private items, else empty.
  stolen<T> refused(word w) {
    if (end_.load(at<"ask.end_seen">) != asked_to_push) end_.store(asked_to_push, at<"ask.end">);  // read by push.end
    if (begin_.load(at<"ask.begin_seen">) != asked_to_pop) begin_.store(asked_to_pop, at<"ask.begin">);  // by pop.begin
    return held(w) != 0 ? stolen<T>::lost() : stolen<T>::empty();
  }

  [[nodiscard]] std::size_t held(word w) const {
    return static_cast<std::size_t>(std::max<index>(w.below(bottom_.load(at<"size.bottom">)), 0));
  }

  // Thieves write here; the owner does only to answer a request, or when it has no private items.
  alignas(detail::lines_apart) atomic<bits> word_;  ///< split_word: it only grows (I32)
  atomic<ring_type*> ring_;

  // The owner writes here, and thieves their request.
  alignas(detail::lines_apart) atomic<index> bottom_;  ///< one past the youngest item
  atomic<index> end_;                                  ///< bottom at which push cannot go on at once, or a request
  atomic<index> begin_;                                ///< bottom at which pop cannot go on at once, or a request
  plain<index> split_;                                 ///< first private item, if bottom is above it: top + count
  detail::own_rings<T, Policy> mine_;
};

}  // namespace licit::inline v0

#endif
