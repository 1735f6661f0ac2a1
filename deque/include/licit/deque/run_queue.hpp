/// A bounded run queue: its owner pushes and pops in order (FIFO), and thieves take one item or half of them, also in
/// order.
///
/// Sources: the design follows tokio-rs/tokio's local queue (fixed ring, FIFO owner, thefts of half, overflow in one
/// batch), except for the claim. There a thief claims, then copies. Here it copies as a guess, then claims by one
/// compare-exchange of an index that every taker moves, as in crossbeam-deque's FIFO flavour. deque/run_queue.md
/// compares the two. This class does not check that the right thread calls.
#ifndef LICIT_DEQUE_RUN_QUEUE_HPP
#define LICIT_DEQUE_RUN_QUEUE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/options.hpp>
#include <licit/deque/overflow_sink.hpp>
#include <licit/deque/ring.hpp>
#include <licit/deque/rules.hpp>
#include <licit/deque/run_queue_options.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/stolen.hpp>

namespace licit::inline v0 {

/// What a run queue decides apart from memory orders. A policy may replace it (rules.hpp).
template <class Position = std::uint64_t>
struct run_queue_rules {
  using position = Position;  ///< counts items; 64 bits at one item a nanosecond come round after 584 years
  position start{};           ///< of a new queue
  bool counts_room = true;    ///< an item goes into a free slot only
};

template <class T, class Policy = native>
class run_queue {
  template <fixed_string Name>
  static constexpr auto at = site_of<run_queue_orders, Name>;

  static constexpr auto rules = rules_of<run_queue_rules<>, Policy>();

 public:
  using value_type = T;
  using options_type = run_queue_options;

  /// Throws std::invalid_argument (capacity out of range) or what the memory resource throws. O(capacity). Allocates
  /// all memory that the queue will ever use: the slots, and half as many items for the batch of an overflow.
  explicit run_queue(const run_queue_options& options = {})
      : head_{rules.start},
        tail_{rules.start},
        end_{rules.start},
        limit_{rules.start},
        seen_{rules.start},
        mask_{valid_capacity(options) - 1},
        memory_{options.memory != nullptr ? *options.memory : *Policy::memory()},
        batch_{reserved(options.capacity / 2 + 1, memory_)},
        ring_{ring_type::create(memory_, options.capacity, nullptr)},
        slots_{ring_->slots()} {
    limit_.write(after(rules.start, length()));
    turn(rules.start);
  }

  /// Precondition: no other thread uses the queue, and all uses happen before this call. Does not visit remaining
  /// items.
  ~run_queue() { ring_type::destroy(memory_, ring_); }

  run_queue(const run_queue&) = delete;
  run_queue& operator=(const run_queue&) = delete;

  /// Owner only. Returns false, with nothing changed, when the queue is full. Wait-free, O(1), no read-modify-write.
  /// Once a lap it reads the line that thieves write.
  [[nodiscard]] bool try_push(T item) {
    position t;
    return put_at_once(item, t) || push_at_end(item, t);
  }

  /// Owner only. Like try_push, but when the queue is full, its older half and then the item go to the sink in one
  /// batch, the oldest first. Wait-free apart from the sink; O(1), O(capacity) on overflow; does not allocate. Throws
  /// what `sink.reserve` throws; queue and item are then unchanged.
  template <class Sink>
  void push(T item, Sink& sink) {
    static_assert(overflow_sink<Sink, T>,
                  "licit: a sink has reserve(std::size_t), and take(std::span<const T>) that is noexcept");
    position t;
    if (!put_at_once(item, t)) [[unlikely]]
      push_or_overflow(item, t, sink);
  }

  /// Owner only. Takes the oldest item. Nothing means that the queue is empty, and stays so until its owner pushes.
  /// Wait-free: one compare-exchange if nobody stole since the last pop. The compare-exchange fails only if others took
  /// items: at most once for all thefts before the call and once for each theft during it, capacity + 1 in all. If the
  /// last pop found nothing and nothing was pushed since, a pop is two loads of the owner's own.
  std::optional<T> pop() { return pop_as<std::optional<T>>(std::nullopt); }
  /// The same for items that fit a register: `none` if there is no item.
  T pop_or(T none) { return pop_as<T>(none); }

  /// Any thread. Takes the oldest item, or says why there is none. Lock-free: a lost claim means that others took
  /// items. O(1): one compare-exchange. Never `empty` while an item whose push happened before the call is still there.
  stolen<T> steal() {
    position h = head_.load(at<"steal.head">);
    const position t = tail_.load(at<"steal.tail">);
    if (items(h, t) <= 0) return stolen<T>::empty();
    const T guess = slot(h).load(at<"steal.item">);
    if (!head_.compare_exchange(h, after(h, 1), at<"steal.claim">)) return stolen<T>::lost();  // read by room.head
    return stolen<T>::taken(guess);
  }

  /// The thread that owns `own`, which must be another queue. Takes the older half of the items here, rounded up, at
  /// most `most` and what fits; with `most` 0 nothing: it reports `empty` and accesses no queue. Returns the oldest;
  /// the others (`moved()`) are then at the end of `own`, in order. Lock-free as `steal`: one compare-exchange claims
  /// all or none. O(min(most, capacity)). A thread stopped in it stops nobody, and keeps at most the items that it has
  /// claimed.
  stolen<T> steal_half(run_queue& own, std::size_t most = most_at_once) {
    Policy::invariant(9, this != &own);
    const number limit = places::asked(most);
    if (limit == 0) return stolen<T>::empty();
    position h = head_.load(at<"half.head">);
    const position t = tail_.load(at<"half.tail">);
    const auto seen = items(h, t);
    if (seen <= 0) return stolen<T>::empty();
    const position end = own.tail_.load(at<"half.own">);
    using std::min;  // or that of the policy's numbers
    const number wish = min((static_cast<number>(seen) + 1) / 2, limit);
    const number n = places::claims(1 + own.room(end, wish - 1));
    const T first = slot(h).load(at<"half.first">);
    places::each(1, n, [&](number i) {
      own.slot(after(end, i - 1)).store(slot(after(h, i)).load(at<"half.item">), at<"half.copy">);
    });
    if (!head_.compare_exchange(h, after(h, n), at<"half.claim">)) return stolen<T>::lost();  // read by room.head
    if (n != 1) {
      own.tail_.store(after(end, n - 1), at<"half.publish">);
      own.turn(after(end, n - 1));
    }
    return stolen<T>::taken(first, places::moved(n - 1));
  }

  /// Any thread. An estimate of the number of items, by two loads that order nothing. For the owner it is never too
  /// low: thieves can only have taken some since.
  [[nodiscard]] std::size_t size() const {
    const position h = head_.load(at<"size.head">);
    const position t = tail_.load(at<"size.tail">);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(items(h, t), 0, static_cast<std::int64_t>(capacity())));
  }

  /// Any thread. `size() == 0`, an estimate too; for the owner true is certain until it pushes.
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// Any thread. The number of slots.
  [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }

 private:
  using places = detail::places<T, Policy, typename decltype(rules)::position>;
  using position = typename places::position;
  using number = typename places::count;  // of items
  using ring_type = detail::ring<T, Policy>;
  using slot_type = typename ring_type::slot_type;
  template <class U>
  using atomic = typename Policy::template atomic<U>;
  template <class U>
  using plain = typename Policy::template plain<U>;

  static std::size_t valid_capacity(const run_queue_options& options) {
    options.validate();
    return options.capacity;
  }
  static std::pmr::vector<T> reserved(std::size_t items, std::pmr::memory_resource& memory) {
    std::pmr::vector<T> made{&memory};
    made.reserve(items);
    return made;
  }
  static constexpr position after(position p, number n) { return places::after(p, n); }
  /// Negative if h is newer than t.
  static constexpr auto items(position h, position t) { return places::items(h, t); }
  /// `capacity()`, to compute positions with.
  [[nodiscard]] number length() const { return places::capacity(mask_); }
  [[nodiscard]] decltype(auto) slot(position p) const { return places::slot(slots_, p, mask_); }

  /// False at the end of the lap or of the known room.
  [[gnu::always_inline]] bool put_at_once(T item, position& t) {
    t = tail_.load(at<"push.own">);
    if (t == end_.read()) [[unlikely]]
      return false;
    put(t, item);
    return true;
  }
  void put(position t, T item) {
    near(t).store(item, at<"push.item">);
    tail_.store(after(t, 1), at<"push.publish">);  // read by steal.tail, half.tail
  }

  template <class Result>
  [[gnu::always_inline]] Result pop_as(Result none) {
    const position t = tail_.load(at<"pop.own">);
    position h = seen_.read();
    if (h == t) return none;
    if (claim_oldest(h)) [[likely]]
      return claimed(h);
    return pop_beside_thieves(h, t, none);
  }
  bool claim_oldest(position& h) { return head_.compare_exchange(h, after(h, 1), at<"pop.claim">); }
  /// An item that only its owner can overwrite.
  T claimed(position h) {
    seen_.write(after(h, 1));
    return slot(h).load(at<"pop.item">);
  }
  /// A thief has claimed items up to h. Out of line and in tail position.
  template <class Result>
  [[gnu::noinline]] Result pop_beside_thieves(position h, position t, Result none) {
    while (h != t) {
      if (claim_oldest(h)) return claimed(h);
    }
    seen_.write(h);
    return none;
  }

  /// Out of line and in tail position: the fast path of a push saves no registers.
  [[gnu::noinline, gnu::cold]] bool push_at_end(T item, position t) {
    if (room(t, 1) == 0) return false;
    turn(t);
    put(t, item);
    return true;
  }
  template <class Sink>
  [[gnu::noinline, gnu::cold]] void push_or_overflow(T item, position t, Sink& sink) {
    if (!push_at_end(item, t)) overflow(item, sink);
  }

  /// The slot of a position in the lap of the tail.
  [[nodiscard]] decltype(auto) near(position p) const {
    const auto found = places::address(origin_.read(), p);
    Policy::invariant(10, found == &slot(p));
    return places::near(found);
  }

  /// The next pushes are at t, up to the end of its lap or of the room that is known.
  void turn(position t) {
    using std::min;  // or that of the policy's numbers
    const number left = places::left(t, mask_);
    const number free = rules.counts_room ? static_cast<number>(items(t, limit_.read())) : left;
    origin_.write(places::origin_of(slots_, t, mask_));
    end_.write(after(t, min(left, free)));
  }

  /// How many slots from t on are free, up to `wanted`.
  number room(position t, number wanted) {
    using std::min;
    if constexpr (!rules.counts_room) return wanted;
    const auto free = [&] { return min(static_cast<number>(items(t, limit_.read())), wanted); };
    if (free() == wanted) return wanted;
    const position h = head_.load(at<"room.head">);  // reads steal.claim, half.claim
    Policy::invariant(6, items(h, t) >= 0 && static_cast<number>(items(h, t)) <= length());
    limit_.write(after(h, length()));
    seen_.write(h);
    return free();
  }

  /// Precondition: try_push found the queue full, so limit_ is the tail.
  template <class Sink>
  [[gnu::noinline, gnu::cold]] void overflow(T item, Sink& sink) {
    const number half = length() / 2;
    sink.reserve(half + 1);
    const position t = tail_.load(at<"overflow.own">);
    const auto oldest = static_cast<position>(t - length());
    position h = oldest;
    if (!head_.compare_exchange(h, after(oldest, half), at<"overflow.claim">)) {
      const bool pushed = try_push(item);  // thieves have made room
      Policy::invariant(6, pushed);
      return;
    }
    seen_.write(after(oldest, half));
    limit_.write(after(t, half));  // room.head acquired the oldest, and nobody but the owner reads these
    batch_.clear();
    places::each(0, half, [&](number i) { batch_.push_back(slot(after(oldest, i)).load(at<"overflow.item">)); });
    batch_.push_back(item);
    sink.take(std::span<const T>(batch_));
  }

  // Every taker writes here.
  alignas(
      detail::lines_apart) atomic<position> head_;  ///< oldest item; only grows, and by read-modify-writes only (I6)

  // The owner writes here; thieves read tail_, and what never changes.
  alignas(detail::lines_apart) atomic<position> tail_;  ///< one past the youngest item
  plain<position> end_;                                 ///< tail at which push must turn, or look for room (I10)
  plain<typename places::origin> origin_;               ///< where position 0 would be by the tail's lap
  plain<position> limit_;                               ///< tail at which the known room ends (I7)
  plain<position> seen_;                                ///< the newest head that the owner saw, for its next pop (I8)
  const std::size_t mask_;
  std::pmr::memory_resource& memory_;
  std::pmr::vector<T> batch_;  ///< of an overflow; its memory is there from the start
  ring_type* const ring_;
  slot_type* const slots_;
};

}  // namespace licit::inline v0

#endif
