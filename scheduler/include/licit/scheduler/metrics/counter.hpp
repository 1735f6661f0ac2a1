/// A counter that one thread writes and any thread reads.
#ifndef LICIT_SCHEDULER_COUNTER_HPP
#define LICIT_SCHEDULER_COUNTER_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>

namespace licit::inline v0::detail {

template <class Policy = native>
class counter {
 public:
  /// The one writer only. Wait-free: a load and a store, no read-modify-write.
  [[gnu::always_inline]] void add(std::uint64_t n = 1) {
    count_.store(count_.load(at<"count.own">) + n, at<"count.add">);
  }

  /// Any thread. Wait-free. The count as of some moment not later than the end of the call, and never less than what
  /// this thread has read before.
  [[nodiscard]] std::uint64_t read() const { return count_.load(at<"count.read">); }

 private:
  template <fixed_string Name>
  static constexpr auto at = site_of<metrics_orders, Name>;

  typename Policy::template atomic<std::uint64_t> count_;
};

}  // namespace licit::inline v0::detail

#endif
