/// The end of the inject queue at which items are pushed.
#ifndef LICIT_SCHEDULER_INJECT_TAIL_HPP
#define LICIT_SCHEDULER_INJECT_TAIL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/pool.hpp>
#include <licit/scheduler/inject/word.hpp>

namespace licit::inline v0::detail {

/// Any thread. Items are words here.
template <class Policy>
class inject_tail {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;

 public:
  using pool = inject_pool<Policy>;
  using segment = inject_segment<Policy>;
  using word = inject_word<Policy>;
  using bits = std::uint64_t;
  using items = std::span<const bits>;

  inject_tail(pool& segments, segment& first) : word_{word::of(&first, 0, 0).raw()}, segments_{segments} {}

  /// Lock-free: it starts again only if takers came first, or others have made a new segment. Throws what the memory
  /// resource throws; the item is then not in the queue.
  void push(bits item) {
    const word w = ticket();
    if (w.tickets() < segment::cells) [[likely]] {
      if (segment::of(w).put(w.tickets(), item)) [[likely]]
        return;
    }
    push_late(item, w);
  }

  /// Pushes items in order, at most as many as a segment has cells. `fresh` is a segment for those that do not fit, or
  /// null.
  void push_all(items all, segment*& fresh) noexcept {
    while (!all.empty()) {
      const auto room = [](bits t) { return segment::cells - word{t}.used(); };
      const auto wanted = [&](bits t) { return std::clamp<std::size_t>(room(t), 1, all.size()); };
      bits t = word_.load(at<"batch.tail">);
      while (!word_.compare_exchange(t, t + wanted(t), at<"batch.ticket">)) {  // reads move.tail
      }
      segment& s = segment::of(word{t});
      if (room(t) == 0) {
        if (extend(s, all, fresh)) return;
      } else {
        all = all.subspan(put_all(s, word{t}.tickets(), all.first(wanted(t))));
      }
    }
  }

  /// For takers, before they read the head.
  [[nodiscard]] word look() const { return word{word_.load(at<"look.tail">)}; }  // reads move.tail
  /// For takers, after that: whether the tail has changed.
  [[nodiscard]] bool is_old(word seen) const { return word_.load(at<"pop.again">) != seen.raw(); }
  /// For a thread with a claim of the segment, in which the head was then: if the tail is not in it now, it has been.
  [[nodiscard]] bool has_left(const segment& s) const {
    return &segment::of(word{word_.load(at<"advance.tail">)}) != &s;  // reads move.tail
  }
  [[nodiscard]] word about() const { return word{word_.load(at<"size.tail">)}; }

 private:
  word ticket() { return word{word_.fetch_add(1, at<"push.ticket">)}; }  // reads move.tail

  /// For a useless ticket, whose cell was taken before the item came, or whose segment is full. Gives the ticket back
  /// and takes another.
  [[gnu::noinline]] void push_late(bits item, word w) {
    segment* fresh = nullptr;
    for (bool in = false, tried = true; !in; tried = false) {
      segment& s = segment::of(w);
      if (w.tickets() >= segment::cells) {
        in = extend(s, {&item, 1}, fresh);
      } else {
        in = !tried && s.put(w.tickets(), item);
        if (!in) segments_.finish(s, 1);
      }
      if (!in) w = ticket();
    }
    if (fresh != nullptr) segments_.recycle(*fresh);
  }

  /// With as many tickets as items, from `cell` on. Returns how many items it put. If a cell is already taken, its item
  /// goes to the next cell, so the items stay in order.
  std::size_t put_all(segment& s, std::size_t cell, items all) {
    std::size_t in = 0;
    for (const std::size_t end = cell + all.size(); cell != end; ++cell) in += s.put(cell, all[in]) ? 1 : 0;
    if (in != all.size()) segments_.finish(s, all.size() - in);
    return in;
  }

  /// With a ticket beyond the segment's cells, which it gives back. When it returns, the tail has left the segment.
  /// Returns whether the items were put, as the first of the next segment.
  bool extend(segment& s, items all, segment*& fresh) {
    word next = s.next_of_tail();
    bool linked = false;
    if (next.raw() == segment::nothing) {
      if (fresh == nullptr) fresh = obtain_for(s);
      for (std::size_t i = 0; i != all.size(); ++i) fresh->fill(i, all[i]);
      linked = s.link(word::of(fresh, 0, all.size()));
      next = s.next_of_tail();
      fresh = linked ? nullptr : pool::renew(fresh);
    }
    segments_.finish(s, move(s, next) + 1);
    return linked;
  }
  segment* obtain_for(segment& s) {
    try {
      return segments_.obtain();
    } catch (...) {
      give_back(s);
      throw;
    }
  }

  /// Gives back a ticket beyond the segment's cells, where all tickets are alike. Otherwise pushes that find no memory
  /// would fill up the word.
  void give_back(segment& s) {
    bits t = word_.load(at<"return.tail">);
    while (&segment::of(word{t}) == &s) {
      if (word_.compare_exchange(t, t - 1, at<"return.ticket">)) return;  // read by advance.tail
    }
    segments_.finish(s, 1);
  }

  /// Moves the tail away from the segment if it is still there. Returns the units that this finishes.
  bits move(segment& s, word next) {
    bits t = word_.load(at<"extend.tail">);
    while (&segment::of(word{t}) == &s) {
      const word full{t};
      if (word_.compare_exchange(t, full.followed_by(next, next.tickets()).raw(),
                                 at<"move.tail">)) {  // read by tickets
        return segment::left - full.tickets();
      }
    }
    return 0;
  }

  typename Policy::template atomic<bits> word_;  ///< the next ticket; read-modify-writes only
  pool& segments_;
};

}  // namespace licit::inline v0::detail

#endif
