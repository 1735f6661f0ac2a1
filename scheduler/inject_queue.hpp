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
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/deque/overflow_sink.hpp>
#include <licit/scheduler/inject_link.hpp>
#include <licit/scheduler/inject_queue_options.hpp>
#include <licit/scheduler/inject_queue_orders.hpp>
#include <licit/scheduler/inject_segment.hpp>
#include <licit/scheduler/inject_word.hpp>

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
  class sink;

  /// Throws what the memory resource throws. Allocates the first segment, a page.
  explicit inject_queue(const inject_queue_options& options = {})
      : memory_{options.memory != nullptr ? *options.memory : *Policy::memory()},
        first_{make()},
        tail_{word::of(first_, 0, 0).raw()},
        head_{word::of(first_, 0, 0).raw()} {}

  /// No other thread may be using the queue, and all their uses happen before. Items left are not visited.
  ~inject_queue();

  inject_queue(const inject_queue&) = delete;
  inject_queue& operator=(const inject_queue&) = delete;

  /// False when the queue is closed. One fetch_add and one compare-exchange; every 504th allocates, or uses the spare
  /// segment. Throws what the memory resource throws. After false or a throw the item is not in the queue.
  /// Items of one thread are taken in the order of their pushes, but one whose pusher was overtaken by the taker
  /// between its two steps comes later.
  bool push(T item) {
    if (refuses()) return false;
    enter(item);
    return true;
  }

  /// All of them or, when the queue is closed or the memory resource throws, none. In order, not necessarily together.
  /// O(batch): a claim for what fits in the segment.
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
      enter(item);
    } catch (...) {
      keep(item, item);
    }
  }

  /// The oldest items, at most as many as fit, by one claim: how many. 0 is never said of an item whose push
  /// happens before the call, or came before it by seq_cst fences, unless another thread takes it (or `into` is empty).
  /// O(items); where the list of push_certain is not empty it takes from that, in O(its length), and puts the others
  /// back.
  std::size_t pop(std::span<T> into);

  /// Two loads, ordered with nothing, and one of push_certain's list, which counts as one item. How many there were at
  /// about this moment; also counts tickets whose items are not there yet or have gone elsewhere.
  [[nodiscard]] std::size_t size() const {
    const word t{tail_.load(at<"size.tail">)};
    const word h{head_.load(at<"size.head">)};
    const std::size_t outside = kept_.load(at<"size.kept">) == T{} ? 0 : 1;
    const std::int64_t inside = h.segments_to(t) * static_cast<std::int64_t>(segment::cells) +
                                static_cast<std::int64_t>(t.used()) - static_cast<std::int64_t>(h.used());
    return outside + static_cast<std::size_t>(std::max<std::int64_t>(inside, 0));
  }

  /// Three loads. Never true while an item is in the queue whose push happens before the call, or came before it by
  /// seq_cst fences after the push and before the call; unless another thread takes it. May be false without an item
  /// until the next pop.
  [[nodiscard]] bool empty() const {
    if (kept_.load(at<"empty.kept">) != T{}) return false;
    const word t{tail_.load(at<"empty.tail">)};  // reads move.tail
    const word h{head_.load(at<"empty.head">)};
    return h.same_segment(t) && h.used() >= t.used();
  }

  /// A push that this happens before is refused, but not push_certain or a sink's. One that is under way may still come
  /// in: who pushes, and then, after a seq_cst fence, finds closed() false, has come before anybody who closes, and
  /// then, after a seq_cst fence, takes what there is. Whether this call did it.
  bool close() { return closed_.exchange(1, at<"close.flag">) == 0; }
  [[nodiscard]] bool closed() const { return closed_.load(at<"closed.flag">) != 0; }

 private:
  template <class U>
  using atomic = typename Policy::template atomic<U>;

  [[nodiscard]] bool refuses() const { return closed_.load(at<"push.closed">) != 0; }
  word ticket() { return word{tail_.fetch_add(1, at<"push.ticket">)}; }  // reads move.tail
  static segment& of(word w) { return *w.template segment<segment>(); }

  void enter(T item) {
    const word w = ticket();
    if (w.tickets() < segment::cells) [[likely]] {
      if (of(w).put(w.tickets(), std::bit_cast<bits>(item))) [[likely]]
        return;
    }
    enter_late(item, w);
  }
  void enter_late(T item, word w);
  void enter_batch(std::span<const T> items, segment*& fresh);
  std::size_t put_all(segment& s, std::size_t cell, std::span<const T> items);
  bool extend(segment& s, std::span<const T> items, segment*& fresh);
  bits move_tail(segment& s, word next);

  struct ends {
    word tail, head;
  };
  [[nodiscard]] ends look() const;
  std::size_t take(word claimed, std::span<T> into);
  ends advance(ends seen);
  bits move_head(segment& s, word next);
  std::size_t drain(std::span<T> into) noexcept;
  void keep(T newest, T oldest) noexcept;

  segment* make();
  segment* obtain();
  void finish(segment& s, bits units) {
    if (s.finish(units)) recycle(s);
  }
  void recycle(segment& s);
  void destroy(segment& s) noexcept {
    std::destroy_at(&s);
    memory_.deallocate(&s, sizeof(segment), inject_layout<Policy>::alignment);
  }

  // Two cache lines, and the pair that the adjacent-line prefetcher fetches with each.
  static constexpr std::size_t line = 128;

  // Hardly ever written.
  std::pmr::memory_resource& memory_;
  segment* const first_;
  atomic<std::uint32_t> closed_;  ///< or not
  atomic<segment*> spare_;        ///< one segment that is not in use

  // Pushers write here.
  alignas(line) atomic<bits> tail_;  ///< of the next ticket; only read-modify-writes

  // Takers write here.
  alignas(line) atomic<bits> head_;  ///< of the next claim; only read-modify-writes
  atomic<T> kept_;                   ///< the newest item of push_certain's list, each linked to the one before
};

/// What a worker's queue overflows into: segments for what is reserved, then the items. One thread uses it; the queue
/// lives longer. Keeps what it reserved, for the next time.
template <class T, class Policy>
class inject_queue<T, Policy>::sink {
 public:
  explicit sink(inject_queue& queue) : queue_{queue} {}
  ~sink() {
    while (stock_ != nullptr) queue_.recycle(*pick());
  }
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;

  /// Throws what the queue's memory resource throws; what it got until then stays here.
  void reserve(std::size_t items) {
    for (; room_ < items; room_ += segment::cells) {
      segment* more = queue_.obtain();
      more->put_on(stock_);
      stock_ = more;
    }
  }

  /// Not more than reserved. They are in the queue, also when it is closed: they were before.
  void take(std::span<const T> items) noexcept {
    while (!items.empty()) {
      const std::span<const T> some = items.first(std::min(items.size(), segment::cells));
      segment* fresh = pick();
      queue_.enter_batch(some, fresh);
      if (fresh != nullptr) put_down(*fresh);
      items = items.subspan(some.size());
    }
  }

 private:
  segment* pick() {
    room_ -= segment::cells;
    return std::exchange(stock_, stock_->below());
  }
  void put_down(segment& s) {
    room_ += segment::cells;
    s.put_on(stock_);
    stock_ = &s;
  }

  inject_queue& queue_;
  segment* stock_ = nullptr;
  std::size_t room_ = 0;  ///< cells in stock_
};

}  // namespace licit::inline v0

#include <licit/scheduler/inject_queue_pop.hpp>
#include <licit/scheduler/inject_queue_push.hpp>

#endif
