/// Where a full run queue puts half of itself.
#ifndef LICIT_DEQUE_OVERFLOW_SINK_HPP
#define LICIT_DEQUE_OVERFLOW_SINK_HPP

#include <concepts>
#include <cstddef>
#include <span>

namespace licit::inline v0 {

/// `reserve(n)` makes room for n items more, or throws; nothing has been claimed by then. It may stay unused: thieves
/// may make room in the queue meanwhile. `take(items)` gets them, oldest first, all in one call on the owner's thread;
/// they are its own from then on, the span is the queue's. It may not throw: the items are in no queue any more.
template <class Sink, class T>
concept overflow_sink = requires(Sink& sink, std::size_t n, std::span<const T> items) {
  sink.reserve(n);
  { sink.take(items) } noexcept;
};

}  // namespace licit::inline v0

#endif
