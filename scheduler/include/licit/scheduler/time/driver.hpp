/// Which worker waits for time and the outside world, and until when: one word.
///
/// The word holds the earliest deadline of all timers, or an earlier one, and the number of the worker that holds the
/// driver. Since both are in one word, a thread that lowers the deadline learns in the same step whom to tell.
///
/// This class does not check that the right thread calls.
#ifndef LICIT_SCHEDULER_DRIVER_HPP
#define LICIT_SCHEDULER_DRIVER_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/time/timers_orders.hpp>

namespace licit::inline v0 {

/// Milliseconds since a scheduler's start.
using timer_tick = std::uint64_t;

template <class Policy = native>
class driver {
  template <fixed_string Name>
  static constexpr auto at = site_of<timers_orders, Name>;

 public:
  static constexpr unsigned holder_bits = 13;
  static constexpr timer_tick never = ~timer_tick{0} >> holder_bits;
  static constexpr std::size_t nobody = (std::size_t{1} << holder_bits) - 1;

  /// What one look at the word has seen.
  struct state {
    timer_tick earliest = never;
    std::size_t holder = nobody;
  };

  driver() : word_{~std::uint64_t{0}} {}
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;
  ~driver() = default;

  /// Any thread. The earliest deadline, or an earlier one. One load.
  [[nodiscard]] timer_tick earliest() const { return of(word_.load(at<"earliest.look">)).earliest; }
  /// Any thread. One load. A worker that parks passes a fence before it.
  [[nodiscard]] state look() const { return of(word_.load(at<"holder.look">)); }

  /// Any thread. Makes the deadline `when` if it was later. Returns the holder, which the caller must tell, or
  /// `nobody`; nothing if the deadline is as near already. Lock-free.
  std::optional<std::size_t> lower(timer_tick when) {
    std::uint64_t w = word_.load(at<"lower.look">);
    do {
      if (of(w).earliest <= when) return std::nullopt;
    } while (!word_.compare_exchange(w, when << holder_bits | (w & nobody), at<"lower.claim">));
    return of(w).holder;
  }

  /// Any thread, before it looks into every wheel: it then lowers the deadline to what it has found there. Wait-free.
  void raise() { word_.fetch_or(never << holder_bits, at<"raise.or">); }

  /// A worker that is to sleep. Takes the driver if nobody holds it and, without a reactor, there is a deadline.
  /// Lock-free.
  bool take(std::size_t self, bool reacts) {
    std::uint64_t w = word_.load(at<"take.look">);
    do {
      const state seen = of(w);
      if (seen.holder != nobody || (seen.earliest == never && !reacts)) return false;
    } while (!word_.compare_exchange(w, (w & ~std::uint64_t{nobody}) | self, at<"take.claim">));  // reads give.or
    return true;
  }
  /// The holder. Wait-free.
  void give() { word_.fetch_or(nobody, at<"give.or">); }  // read by take.claim

 private:
  static state of(std::uint64_t word) { return {word >> holder_bits, static_cast<std::size_t>(word & nobody)}; }

  typename Policy::template atomic<std::uint64_t> word_;
};

}  // namespace licit::inline v0

#endif
