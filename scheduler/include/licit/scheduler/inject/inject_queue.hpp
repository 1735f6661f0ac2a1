/// An unbounded FIFO queue into which any thread pushes items or batches, and from which any thread takes batches.
///
/// Sources: one fetch_add for a ticket, and a cell for each ticket at which pusher and taker meet, come from the FAA
/// array queue (Correia & Ramalhete 2016; Yang & Mellor-Crummey 2016). Here the word that gives the ticket also holds
/// the segment's address, so a ticket is a counted reference, as in Williams' split counts, and no hazard pointers are
/// needed. scheduler/inject/README.md explains why nothing is lost.
#ifndef LICIT_SCHEDULER_INJECT_QUEUE_HPP
#define LICIT_SCHEDULER_INJECT_QUEUE_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <type_traits>

#include <licit/deque/native.hpp>
#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/inject_queue_rules.hpp>
#include <licit/scheduler/inject/kept.hpp>
#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/inject/pool.hpp>
#include <licit/scheduler/inject/segment.hpp>
#include <licit/scheduler/inject/sink.hpp>
#include <licit/scheduler/inject/tail.hpp>
#include <licit/scheduler/inject/word.hpp>

namespace licit::inline v0 {

/// Items are words except T{} (all zeros) and all ones. Any thread may call every operation except constructor and
/// destructor, and all are lock-free. A thread that is stopped in one stops no other; it keeps what it has claimed or
/// was about to push, and the memory of one segment. Fewer than 15,000 threads may be in operations at once.
template <class T, class Policy = native>
class inject_queue {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(std::uint64_t) && sizeof(void*) == 8,
                "licit: the inject queue holds trivially copyable items of eight bytes, on 64-bit machines");

  using segment = detail::inject_segment<Policy>;
  using word = detail::inject_word<Policy>;
  using bits = std::uint64_t;

 public:
  using value_type = T;
  using options_type = inject_queue_options;

  /// The sink for overflows of a worker's queue: `inject_queue::sink spill(queue); own.push(item, spill)`.
  class sink : public detail::inject_sink<T, Policy> {
   public:
    explicit sink(inject_queue& queue) : detail::inject_sink<T, Policy>(queue.tail_, queue.segments_) {}
  };

  /// Throws what the memory resource throws. Allocates the first segment, a page.
  explicit inject_queue(const inject_queue_options& options = {})
      : segments_{options.memory != nullptr ? *options.memory : *Policy::memory()},
        first_{segments_.obtain()},
        tail_{segments_, *first_},
        head_{word::of(first_, 0, 0).raw()} {}

  /// Precondition: no other thread uses the queue, and all uses happen before this call. Does not visit remaining
  /// items.
  ~inject_queue() {  // segments before the head's are gone: each was freed with its last ticket and claim
    for (auto* s = &segment::of(word{head_.load(at<"destroy.head">)}); s != nullptr;) {
      auto* next = s->next_at_last().template segment<segment>();
      segments_.destroy(*s);
      s = next;
    }
  }
  inject_queue(const inject_queue&) = delete;
  inject_queue& operator=(const inject_queue&) = delete;

  /// Pushes an item. False when the queue is closed. One fetch_add and one compare-exchange; every 504th push allocates
  /// or uses the spare segment. Throws what the memory resource throws. After false or an exception the item is not in
  /// the queue. Each taker gets one thread's items in the order of their pushes. If a taker comes between the two steps
  /// of a push, the item is pushed again, behind those that other threads have pushed meanwhile.
  bool push(T item) {
    if (refuses()) return false;
    tail_.push(std::bit_cast<bits>(item));
    return true;
  }

  /// Pushes all items, or none if the queue is closed or the memory resource throws. In order, not necessarily
  /// contiguous. O(batch); one claim for what fits in the segment, at most 64 items.
  bool push(std::span<const T> batch) {
    if (refuses()) return false;
    sink all(*this);
    all.reserve(batch.size());
    all.take(batch);
    return true;
  }

  /// Pushes the item even if the queue is closed or there is no memory. The item must have a link (`inject_link`):
  /// without memory it goes to a list, at which `pop` looks first.
  void push_certain(T item) noexcept
    requires inject_linked<T>
  {
    try {
      tail_.push(std::bit_cast<bits>(item));
    } catch (...) {
      kept_.push(item);
    }
  }

  /// Takes the oldest items, at most as many as fit into `into`, by one claim, and returns how many. With several
  /// `sharers`, at most one sharer's share of all items, and one. Never 0 while an item is there whose push happened
  /// before the call or precedes it by seq_cst fences (unless `into` is empty). O(items). If the list of push_certain
  /// is not empty, takes from that instead, in O(its length), and puts the others back: nobody sees those meanwhile, so
  /// a taker that `keeps()` some must tell the others.
  std::size_t pop(std::span<T> into, std::size_t sharers = 1) {
    if (into.empty()) return 0;
    if constexpr (inject_linked<T>) {
      if (kept_.any()) [[unlikely]] {
        if (const std::size_t got = kept_.take(into); got != 0) return got;
      }
    }
    for (ends seen = look();;) {
      if (seen.are_empty()) return 0;
      if (!seen.together() && tail_.is_old(seen.tail)) {
        seen = look();  // the head may have passed an old value of the tail
        continue;
      }
      if (seen.items() == 0) {
        seen = advance(seen);
        continue;
      }
      const std::size_t n = std::min({seen.items(), into.size(), between(seen.head, seen.tail) / sharers + 1});
      bits claimed = seen.head.raw();
      if (!head_.compare_exchange(claimed, claimed + n, at<"pop.claim">)) {  // reads advance.head
        seen.head = word{claimed};
        continue;
      }
      if (const std::size_t got = take(seen.head, into.first(n)); got != 0) return got;
      seen = look();
    }
  }

  /// Whether push_certain's list has items: a load. A taker that has put some back sees them, unless others took them.
  [[nodiscard]] bool keeps() const { return kept_.some(); }

  /// An estimate of the number of items. Two loads that order nothing, and one of push_certain's list, which counts as
  /// one item. Also counts tickets whose items are not there yet or went elsewhere. Beyond four million items the
  /// estimate is too low by a multiple of eight million, or 0.
  [[nodiscard]] std::size_t size() const {
    const word t = tail_.about();
    const word h{head_.load(at<"size.head">)};
    return (keeps() ? 1 : 0) + between(h, t);
  }

  /// Three loads. Never true while an item is in the queue whose push happened before the call, or precedes it by
  /// seq_cst fences after the push and before the call. May be false without an item, until the next pop.
  [[nodiscard]] bool empty() const { return kept_.none() && look().are_empty(); }

  /// Closes the queue, and returns whether this call did. Later pushes are refused, except push_certain's and a sink's.
  /// A push under way may still enter. If a thread pushes, passes a seq_cst fence and finds closed() false, then a
  /// thread that closes, passes a seq_cst fence and takes what is there finds the item.
  bool close() { return closed_.exchange(1, at<"close.flag">) == 0; }
  [[nodiscard]] bool closed() const { return closed_.load(at<"closed.flag">) != 0; }

 private:
  template <class U>
  using atomic = typename Policy::template atomic<U>;

  static std::size_t between(word h, word t) {
    const std::int64_t inside = h.segments_to(t) * static_cast<std::int64_t>(segment::cells) +
                                static_cast<std::int64_t>(t.used()) - static_cast<std::int64_t>(h.used());
    return static_cast<std::size_t>(std::max<std::int64_t>(inside, 0));
  }

  struct ends {
    word tail, head;
    [[nodiscard]] bool together() const { return head.same_segment(tail); }
    [[nodiscard]] bool are_empty() const { return together() && head.used() >= tail.used(); }
    /// Items in the head's segment.
    [[nodiscard]] std::size_t items() const { return (together() ? tail.used() : segment::cells) - head.used(); }
  };

  [[nodiscard]] bool refuses() const { return closed_.load(at<"push.closed">) != 0; }

  /// The order matters: a head that is read after the tail is in the tail's segment, in the same life of it, or in a
  /// later segment.
  [[nodiscard]] ends look() const {
    const auto head = [this] { return word{head_.load(at<"look.head">)}; };
    if constexpr (!rules_of<inject_queue_rules, Policy>().reads_tail_first) {
      const word h = head();
      return {tail_.look(), h};
    }
    const word t = tail_.look();
    return {t, head()};
  }

  /// Reads as many cells as were claimed, from the first on. The taker finishes each cell, and its ticket too if the
  /// item was there; otherwise the pusher, who will find the cell taken, finishes the ticket.
  std::size_t take(word claimed, std::span<T> into) {
    segment& s = segment::of(claimed);
    std::size_t got = 0;
    for (std::size_t i = 0; i != into.size(); ++i) {
      const bits item = s.take(claimed.tickets() + i);
      if (item != segment::nothing) into[got++] = std::bit_cast<T>(item);
    }
    segments_.finish(s, into.size() + got);
    return got;
  }

  /// Moves the head from a segment whose cells are all claimed to the next one. A claim beyond the cells prevents that
  /// the segment is freed meanwhile; so if the tail is elsewhere it has left the segment, and the head never passes the
  /// tail. Returns the new ends.
  [[gnu::noinline]] ends advance(ends seen) {
    bits now = seen.head.raw();
    if (!head_.compare_exchange(now, now + 1, at<"advance.claim">))
      return {seen.tail, word{now}};  // reads advance.head
    segment& s = segment::of(seen.head);
    segments_.finish(s, tail_.has_left(s) ? move(s, s.next_of_head()) + 1 : 1);
    return look();
  }

  /// Moves the head away from the segment if it is still there. Returns the units that this finishes.
  bits move(segment& s, word next) {
    Policy::invariant(61, next.raw() != segment::nothing);
    bits now = head_.load(at<"advance.look">);
    while (&segment::of(word{now}) == &s) {
      const word old{now};
      if (head_.compare_exchange(now, old.followed_by(next, 0).raw(), at<"advance.head">)) {  // read by pop.claim
        return segment::left - old.tickets();
      }
    }
    return 0;
  }

  // Two cache lines, and the pair that the adjacent-line prefetcher fetches with each.
  static constexpr std::size_t line = 128;

  detail::inject_pool<Policy> segments_;
  segment* const first_;
  atomic<std::uint32_t> closed_;  ///< 0 or 1

  alignas(line) detail::inject_tail<Policy> tail_;  // pushers write here

  alignas(line) atomic<bits> head_;      ///< takers write here: the next claim; read-modify-writes only
  detail::inject_kept<T, Policy> kept_;  ///< the list of push_certain
};

}  // namespace licit::inline v0

#endif
