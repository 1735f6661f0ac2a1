/// A counter that one thread writes and any thread reads.
#ifndef LICIT_SCHEDULER_COUNTER_HPP
#define LICIT_SCHEDULER_COUNTER_HPP

#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>

namespace licit::inline v0 {

/// Counts nothing. For checkers, in which every counter would be an event.
struct no_metrics {
  static void poll_begins(const void* /*task*/, const char* /*name*/ = nullptr) noexcept {}
  static void poll_ends() noexcept {}
  static void spawned() noexcept {}
  static void finished() noexcept {}
  static void threw() noexcept {}
  static void cancelled() noexcept {}
  static void moved() noexcept {}
  static void forced_yield(const void* /*task*/) noexcept {}
  static void slot_hit() noexcept {}
  static void bound_queued(std::size_t /*items*/) noexcept {}
  static void bound_poll() noexcept {}
  static void bound_dropped(std::size_t /*items*/) noexcept {}
  static void overflowed(std::uint64_t /*items*/) noexcept {}
  static void from_inject(std::uint64_t /*items*/) noexcept {}
  static void search_begins() noexcept {}
  static void steal_tried() noexcept {}
  static void stole(std::size_t /*victim*/, std::uint64_t /*items*/) noexcept {}
  static void slot_stolen(std::size_t /*victim*/) noexcept {}
  static void woke(std::size_t /*worker*/) noexcept {}
  static void sent(std::size_t /*worker*/) noexcept {}
  static void half_begins(std::size_t /*victim*/, const void* /*half*/, const char* /*name*/ = nullptr) noexcept {}
  static void half_ends(const void* /*half*/) noexcept {}
  static void join_waits(const void* /*half*/) noexcept {}
  static void join_resumes(const void* /*half*/) noexcept {}
  static void parks() noexcept {}
  static void wakes() noexcept {}
  static void retracts() noexcept {}
  static void driver_woke(bool /*timer_is_due*/) noexcept {}
  static void timers_fired(std::uint64_t /*timers*/) noexcept {}
  static void driver_changes(bool /*taken*/) noexcept {}
};

}  // namespace licit::inline v0

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
