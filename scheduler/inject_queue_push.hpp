/// The inject queue's pushes, where they are more than a ticket and a cell; and its segments.
#ifndef LICIT_SCHEDULER_INJECT_QUEUE_PUSH_HPP
#define LICIT_SCHEDULER_INJECT_QUEUE_PUSH_HPP

#include <licit/scheduler/inject_queue.hpp>

namespace licit::inline v0 {

/// With a ticket that is no use: the cell was taken before the item came, or the segment is full. It is given back, and
/// another one taken.
template <class T, class Policy>
[[gnu::noinline]] void inject_queue<T, Policy>::enter_late(T item, word w) {
  segment* fresh = nullptr;
  for (bool in = false, tried = true; !in; tried = false) {
    segment& s = of(w);
    if (w.tickets() >= segment::cells) {
      in = extend(s, {&item, 1}, fresh);
    } else {
      in = !tried && s.put(w.tickets(), std::bit_cast<bits>(item));
      if (!in) finish(s, 1);
    }
    if (!in) w = ticket();
  }
  if (fresh != nullptr) recycle(*fresh);
}

/// At most as many items as a segment has cells; `fresh` is there for what does not fit before.
template <class T, class Policy>
void inject_queue<T, Policy>::enter_batch(std::span<const T> items, segment*& fresh) {
  for (bits now = tail_.load(at<"batch.tail">); !items.empty();) {
    const word t{now};
    const std::size_t room = segment::cells - t.used();
    const std::size_t n = std::clamp<std::size_t>(room, 1, items.size());
    if (!tail_.compare_exchange(now, now + n, at<"batch.ticket">)) continue;  // reads move.tail
    if (room == 0) {
      if (extend(of(t), items, fresh)) return;
    } else {
      items = items.subspan(put_all(of(t), t.tickets(), items.first(n)));
    }
    now = t.raw() + n;
  }
}

/// As many tickets as items, from `cell` on. How many items are in: a cell that was taken before leaves its item to the
/// next, so that they stay in order.
template <class T, class Policy>
std::size_t inject_queue<T, Policy>::put_all(segment& s, std::size_t cell, std::span<const T> items) {
  std::size_t in = 0;
  bits lost = 0;
  for (const std::size_t end = cell + items.size(); cell != end; ++cell) {
    if (s.put(cell, std::bit_cast<bits>(items[in]))) {
      ++in;
    } else {
      ++lost;
    }
  }
  if (lost != 0) finish(s, lost);
  return in;
}

/// With a ticket beyond the segment's cells, which it gives back: when it returns, the tail is not there any more.
/// Whether the items came in, as the first of the next segment.
template <class T, class Policy>
bool inject_queue<T, Policy>::extend(segment& s, std::span<const T> items, segment*& fresh) {
  word next = s.next_of_tail();
  bool linked = false;
  if (next.raw() == segment::nothing) {
    if (fresh == nullptr) {
      try {
        fresh = obtain();
      } catch (...) {
        finish(s, 1);
        throw;
      }
    }
    for (std::size_t i = 0; i != items.size(); ++i) fresh->fill(i, std::bit_cast<bits>(items[i]));
    linked = s.link(next, word::of(fresh, 0, items.size()));
    if (linked) {
      fresh = nullptr;
    } else {
      std::destroy_at(fresh);
      std::construct_at(fresh);
    }
  }
  finish(s, move_tail(s, next) + 1);
  return linked;
}

/// Away from the segment, if it is still there. What that finishes.
template <class T, class Policy>
auto inject_queue<T, Policy>::move_tail(segment& s, word next) -> bits {
  bits t = tail_.load(at<"extend.tail">);
  while (&of(word{t}) == &s) {
    const word full{t};
    if (tail_.compare_exchange(t, full.followed_by(next).raw(), at<"move.tail">)) {  // read by pop.tail, tickets
      return segment::left - full.tickets();
    }
  }
  return 0;
}

template <class T, class Policy>
auto inject_queue<T, Policy>::make() -> segment* {
  constexpr std::size_t alignment = inject_layout<Policy>::alignment;
  void* place = memory_.allocate(sizeof(segment), alignment);
  if (!word::fits(place)) {
    memory_.deallocate(place, sizeof(segment), alignment);
    throw std::bad_alloc();
  }
  return ::new (place) segment();
}

/// A segment that is the caller's alone.
template <class T, class Policy>
auto inject_queue<T, Policy>::obtain() -> segment* {
  if (spare_.load(at<"obtain.look">) != nullptr) {
    segment* again = spare_.exchange(nullptr, at<"obtain.spare">);  // reads recycle.spare
    if (again != nullptr) {
      std::destroy_at(again);
      return std::construct_at(again);
    }
  }
  return make();
}

/// Of a segment that is the caller's alone.
template <class T, class Policy>
void inject_queue<T, Policy>::recycle(segment& s) {
  segment* none = nullptr;
  if (!spare_.compare_exchange(none, &s, at<"recycle.spare">)) destroy(s);  // read by obtain.spare
}

/// The segments before the head's are gone: each went when its last ticket and claim was finished.
template <class T, class Policy>
inject_queue<T, Policy>::~inject_queue() {
  for (segment* s = &of(word{head_.load(at<"destroy.head">)}); s != nullptr;) {
    segment* next = s->next_at_last().template segment<segment>();
    destroy(*s);
    s = next;
  }
  if (segment* spare = spare_.load(at<"destroy.spare">); spare != nullptr) destroy(*spare);
}

}  // namespace licit::inline v0

#endif
