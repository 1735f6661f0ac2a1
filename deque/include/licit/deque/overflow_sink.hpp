/// Where a full run queue puts half of itself.
#ifndef LICIT_DEQUE_OVERFLOW_SINK_HPP
#define LICIT_DEQUE_OVERFLOW_SINK_HPP

#include <concepts>
#include <cstddef>
#include <span>

namespace licit::inline v0 {

/// `reserve(n)` makes room for n more items, or throws; the queue has claimed nothing by then. The room may stay
/// unused, if thieves make room in the queue meanwhile. `take(items)` receives all items in one call on the owner's
/// thread, the oldest first. The items belong to the sink from then on; the span is valid during the call. `take` must
/// not throw: its items are in no queue.
template <class Sink, class T>
concept overflow_sink = requires(Sink& sink, std::size_t n, std::span<const T> items) {
  sink.reserve(n);
  { sink.take(items) } noexcept;
};

}  // namespace licit::inline v0

#endif
