/// How items are taken from the inject queue.
#ifndef LICIT_SCHEDULER_INJECT_QUEUE_POP_HPP
#define LICIT_SCHEDULER_INJECT_QUEUE_POP_HPP

#include <licit/scheduler/inject_queue.hpp>

namespace licit::inline v0 {

/// In this order: a head that is read after the tail is in the tail's segment in that life of it, or in a later one.
template <class T, class Policy>
auto inject_queue<T, Policy>::look() const -> ends {
  const word t{tail_.load(at<"pop.tail">)};  // reads move.tail
  return {t, word{head_.load(at<"pop.head">)}};
}

template <class T, class Policy>
std::size_t inject_queue<T, Policy>::pop(std::span<T> into, std::size_t sharers) {
  if (into.empty()) return 0;
  if constexpr (inject_linked<T>) {
    if (kept_.load(at<"pop.kept">) != T{}) [[unlikely]] {
      if (const std::size_t got = drain(into); got != 0) return got;
    }
  }
  for (ends seen = look();;) {
    const bool together = seen.head.same_segment(seen.tail);
    if (together && seen.head.used() >= seen.tail.used()) return 0;
    if (!together && tail_.load(at<"pop.again">) != seen.tail.raw()) {
      seen = look();  // the head may be beyond an old tail
      continue;
    }
    const std::size_t there = (together ? seen.tail.used() : segment::cells) - seen.head.used();
    if (there == 0) {
      seen = advance(seen);
      continue;
    }
    const std::size_t n = std::min({there, into.size(), between(seen.head, seen.tail) / sharers + 1});
    bits claimed = seen.head.raw();
    if (!head_.compare_exchange(claimed, claimed + n, at<"pop.claim">)) {  // reads advance.head
      seen.head = word{claimed};
      continue;
    }
    if (const std::size_t got = take(seen.head, into.first(n)); got != 0) return got;
    seen = look();
  }
}

/// As many cells as fit, from the one on that was claimed first. Each cell is finished by its taker, and its ticket by
/// the taker too if the item was there, or else by the pusher, who will find it taken.
template <class T, class Policy>
std::size_t inject_queue<T, Policy>::take(word claimed, std::span<T> into) {
  segment& s = of(claimed);
  std::size_t got = 0;
  for (std::size_t i = 0; i != into.size(); ++i) {
    const bits item = s.take(claimed.tickets() + i);
    if (item != segment::nothing) into[got++] = std::bit_cast<T>(item);
  }
  finish(s, into.size() + got);
  return got;
}

/// Away from a segment whose cells are all claimed, to the next. A claim beyond them keeps it from being freed
/// meanwhile. Gives the ends as they are then.
template <class T, class Policy>
auto inject_queue<T, Policy>::advance(ends seen) -> ends {
  bits now = seen.head.raw();
  if (!head_.compare_exchange(now, now + 1, at<"advance.claim">)) return {seen.tail, word{now}};  // reads advance.head
  segment& s = of(seen.head);
  const word next = s.next_of_head();
  bits units = 1;
  if (next.raw() != segment::nothing) units += move_head(s, next);  // or it is in its next life already
  finish(s, units);
  return look();
}

/// Away from the segment, if it is still there. What that finishes.
template <class T, class Policy>
auto inject_queue<T, Policy>::move_head(segment& s, word next) -> bits {
  bits now = head_.load(at<"advance.look">);
  while (&of(word{now}) == &s) {
    const word old{now};
    const word to = word::of(next.template segment<const void>(), old.number() + 1, 0);
    if (head_.compare_exchange(now, to.raw(), at<"advance.head">)) {  // read by pop.claim, advance.claim
      return segment::left - old.tickets();
    }
  }
  return 0;
}

/// The oldest of push_certain's list; the others go back to it.
template <class T, class Policy>
std::size_t inject_queue<T, Policy>::drain(std::span<T> into) noexcept {
  using link = inject_link<T>;
  const T newest = kept_.exchange(T{}, at<"drain.take">);  // reads keep.push
  std::size_t there = 0;
  for (T item = newest; item != T{}; item = link::get(item)) ++there;
  const std::size_t got = std::min(there, into.size());
  T item = newest;
  T last{};
  for (std::size_t n = there - got; n != 0; --n) last = std::exchange(item, link::get(item));
  for (std::size_t n = got; n != 0; item = link::get(item)) into[--n] = item;
  if (last != T{}) keep(newest, last);
  return got;
}

/// A chain of linked items, from the newest to the oldest, on top of the list.
template <class T, class Policy>
void inject_queue<T, Policy>::keep(T newest, T oldest) noexcept {
  T top = kept_.load(at<"keep.top">);
  do {
    inject_link<T>::set(oldest, top);
  } while (!kept_.compare_exchange(top, newest, at<"keep.push">));  // read by drain.take
}

}  // namespace licit::inline v0

#endif
