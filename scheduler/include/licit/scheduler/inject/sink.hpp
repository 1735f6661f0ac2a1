/// A sink that first reserves memory for a batch, then puts the batch into the inject queue.
#ifndef LICIT_SCHEDULER_INJECT_SINK_HPP
#define LICIT_SCHEDULER_INJECT_SINK_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <licit/scheduler/inject/pool.hpp>
#include <licit/scheduler/inject/tail.hpp>

namespace licit::inline v0::detail {

/// The overflow sink of a worker's queue (deque/overflow_sink.hpp). For one thread; the queue must outlive it. Keeps
/// unused segments for the next batch.
template <class T, class Policy>
class inject_sink {
  using tail = inject_tail<Policy>;
  using pool = inject_pool<Policy>;
  using segment = inject_segment<Policy>;
  static constexpr std::size_t at_once = std::min<std::size_t>(segment::cells, 64);

 public:
  inject_sink(tail& to, pool& segments) : to_{to}, segments_{segments} {}
  ~inject_sink() {
    while (stock_ != nullptr) segments_.recycle(*pick());
  }
  inject_sink(const inject_sink&) = delete;
  inject_sink& operator=(const inject_sink&) = delete;

  /// Throws what the queue's memory resource throws; segments that it got until then stay here. O(items).
  void reserve(std::size_t items) {
    for (; room_ < items; room_ += at_once) {
      segment* more = segments_.obtain();
      more->put_on(stock_);
      stock_ = more;
    }
  }

  /// Queues at most as many items as reserved, also if the queue is closed, since they were in a queue before.
  /// Lock-free.
  void take(std::span<const T> items) noexcept {
    while (!items.empty()) {
      std::uint64_t some[at_once];
      const std::size_t n = std::min(items.size(), at_once);
      for (std::size_t i = 0; i != n; ++i) some[i] = std::bit_cast<std::uint64_t>(items[i]);
      segment* fresh = pick();
      to_.push_all({some, n}, fresh);
      if (fresh != nullptr) put_down(*fresh);
      items = items.subspan(n);
    }
  }

 private:
  segment* pick() {
    room_ -= at_once;
    return std::exchange(stock_, stock_->below());
  }
  void put_down(segment& s) {
    room_ += at_once;
    s.put_on(stock_);
    stock_ = &s;
  }

  tail& to_;
  pool& segments_;
  segment* stock_ = nullptr;
  std::size_t room_ = 0;  ///< the number of items for which stock_ suffices
};

}  // namespace licit::inline v0::detail

#endif
