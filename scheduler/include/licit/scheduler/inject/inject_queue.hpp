/// An unbounded queue that any thread pushes into, one item or a batch, and any thread takes batches from (FIFO).
///
/// Sources: one fetch_add for a ticket, and a cell for each ticket that pusher and taker meet at, is the FAA array
/// queue's form (Correia & Ramalhete 2016; Yang & Mellor-Crummey 2016). Here the word that gives the ticket has the
/// segment's address too, so that a ticket is a counted reference (as in Williams' split counts): no hazard pointers.
/// scheduler/inject.md says why nothing is lost, and has figures.
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
#include <licit/scheduler/inject/kept.hpp>
#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/inject/pool.hpp>
#include <licit/scheduler/inject/inject_queue_options.hpp>
#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/segment.hpp>
#include <licit/scheduler/inject/sink.hpp>
#include <licit/scheduler/inject/tail.hpp>
#include <licit/scheduler/inject/word.hpp>

namespace licit::inline v0 {

/// Items are words: neither T{} (all zero) nor all ones is one. Every operation but the constructor and the destructor
/// may be called by any thread and is lock-free; a thread that is stopped in one stops no other, and keeps what it has
/// claimed or was about to push, and the memory of one segment. Fewer than 15,000 threads may be in operations at once.
template <class T, class Policy = native>
class inject_queue {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(std::uint64_t) && sizeof(void*) == 8,
                "licit: the inject queue holds trivially copyable items of eight bytes, on 64-bit machines");

  using segment = inject_segment<Policy>;
  using word = inject_word<Policy>;
  using bits = std::uint64_t;

 public:
  using value_type = T;
  using options_type = inject_queue_options;

  /// What a worker's queue overflows into: `inject_queue::sink spill(queue); own.push(item, spill)`.
  class sink : public inject_sink<T, Policy> {
   public:
    explicit sink(inject_queue& queue) : inject_sink<T, Policy>(queue.tail_, queue.segments_) {}
  };

  /// Throws what the memory resource throws. Allocates the first segment, a page.
  explicit inject_queue(const inject_queue_options& options = {})
      : segments_{options.memory != nullptr ? *options.memory : *Policy::memory()},
        first_{segments_.obtain()},
        tail_{segments_, *first_},
        head_{word::of(first_, 0, 0).raw()} {}

  /// No other thread may be using the queue, and all their uses happen before. Items left are not visited.
  ~inject_queue() {  // the segments before the head's are gone: each went with its last ticket and claim
    for (auto* s = &segment::of(word{head_.load(at<"destroy.head">)}); s != nullptr;) {
      auto* next = s->next_at_last().template segment<segment>();
      segments_.destroy(*s);
      s = next;
    }
  }
  inject_queue(const inject_queue&) = delete;
  inject_queue& operator=(const inject_queue&) = delete;

  /// False when the queue is closed. One fetch_add and one compare-exchange; every 504th allocates, or uses the spare
  /// segment. Throws what the memory resource throws. After false or a throw the item is not in the queue.
  /// Items of one thread are taken in the order of their pushes. One whose taker comes between the two steps of its
  /// push is pushed anew, behind those that other threads have pushed meanwhile.
  bool push(T item) {
    if (refuses()) return false;
    tail_.push(std::bit_cast<bits>(item));
    return true;
  }

  /// All of them or, when the queue is closed or the memory resource throws, none. In order, not necessarily together.
  /// O(batch): a claim for what fits in the segment, at most 64.
  bool push(std::span<const T> batch) {
    if (refuses()) return false;
    sink all(*this);
    all.reserve(batch.size());
    all.take(batch);
    return true;
  }

  /// The item is in, whatever comes: closed, without memory. It must have a link (`inject_link`): without memory it is
  /// kept in a list, which pop looks at first.
  void push_certain(T item) noexcept
    requires inject_linked<T>
  {
    try {
      tail_.push(std::bit_cast<bits>(item));
    } catch (...) {
      kept_.push(item);
    }
  }

  /// The oldest items, at most as many as fit, by one claim: how many. 0 is never said of an item whose push
  /// happens before the call, or came before it by seq_cst fences, unless another thread takes it (or `into` is empty).
  /// O(items); where the list of push_certain is not empty it takes from that, in O(its length), and puts the others
  /// back.
  /// With several `sharers`, not more than one of them's share of all that is there, and one.
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
        seen = look();  // the head may be beyond an old tail
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

  /// Two loads, ordered with nothing, and one of push_certain's list, which counts as one item. How many there were at
  /// about this moment; also counts tickets whose items are not there yet or have gone elsewhere. Beyond four million
  /// items it is too low by a multiple of eight million, or 0.
  [[nodiscard]] std::size_t size() const {
    const word t = tail_.about();
    const word h{head_.load(at<"size.head">)};
    return (kept_.some() ? 1 : 0) + between(h, t);
  }

  /// Three loads. Never true while an item is in the queue whose push happens before the call, or came before it by
  /// seq_cst fences after the push and before the call; unless another thread takes it. May be false without an item
  /// until the next pop.
  [[nodiscard]] bool empty() const { return kept_.none() && look().are_empty(); }

  /// A push that this happens before is refused, but not push_certain or a sink's. One that is under way may still come
  /// in: who pushes, and then, after a seq_cst fence, finds closed() false, has come before anybody who closes, and
  /// then, after a seq_cst fence, takes what there is. Whether this call did it.
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
    /// In the head's segment.
    [[nodiscard]] std::size_t items() const { return (together() ? tail.used() : segment::cells) - head.used(); }
  };

  [[nodiscard]] bool refuses() const { return closed_.load(at<"push.closed">) != 0; }

  /// In this order: a head that is read after the tail is in the tail's segment in that life of it, or in a later one.
  [[nodiscard]] ends look() const {
    const auto head = [this] { return word{head_.load(at<"look.head">)}; };
    if constexpr (requires { Policy::looks_at_head_first; }) {  // a mutant's
      const word h = head();
      return {tail_.look(), h};
    }
    const word t = tail_.look();
    return {t, head()};
  }

  /// As many cells as fit, from the one on that was claimed first. Each cell is finished by its taker, and its ticket
  /// by the taker too if the item was there, or else by the pusher, who will find it taken.
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

  /// Away from a segment whose cells are all claimed, to the next. A claim beyond them keeps it from being freed
  /// meanwhile; so a tail that is elsewhere then has left it: the head never passes the tail. Gives the ends as they
  /// are then.
  [[gnu::noinline]] ends advance(ends seen) {
    bits now = seen.head.raw();
    if (!head_.compare_exchange(now, now + 1, at<"advance.claim">))
      return {seen.tail, word{now}};  // reads advance.head
    segment& s = segment::of(seen.head);
    segments_.finish(s, tail_.has_left(s) ? move(s, s.next_of_head()) + 1 : 1);
    return look();
  }

  /// Away from the segment, if the head is still there. What that finishes.
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

  inject_pool<Policy> segments_;
  segment* const first_;
  atomic<std::uint32_t> closed_;  ///< or not

  alignas(line) inject_tail<Policy> tail_;  // pushers write here

  alignas(line) atomic<bits> head_;  ///< takers write here: of the next claim; only read-modify-writes
  inject_kept<T, Policy> kept_;      ///< of push_certain
};

}  // namespace licit::inline v0

#endif
