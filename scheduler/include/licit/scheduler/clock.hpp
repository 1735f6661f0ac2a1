/// The clock of the worker loop, as a type, so that tests can hold it; and the end of a time limit.
#ifndef LICIT_SCHEDULER_CLOCK_HPP
#define LICIT_SCHEDULER_CLOCK_HPP

#include <chrono>
#include <cstdint>
#include <ratio>

namespace licit::inline v0::detail {

/// Any thread. Some 20 to 30 ns a call on Linux; never goes back, on no thread.
struct steady_nanoseconds {
  static std::uint64_t now() noexcept {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
  }
};

/// A positive duration in nanoseconds, which is in their range, rounded up. std::chrono would multiply before it
/// divides: an hour of a clock's ticks may overflow there.
template <class Rep, class Period>
[[nodiscard]] constexpr std::chrono::nanoseconds ceil_nanoseconds(std::chrono::duration<Rep, Period> d) {
  using factor = std::ratio_divide<Period, std::nano>;
  if constexpr (std::chrono::treat_as_floating_point_v<Rep> || factor::den == 1) {
    return std::chrono::ceil<std::chrono::nanoseconds>(d);
  } else {
    __extension__ using wide = __int128;
    const wide product = static_cast<wide>(d.count()) * factor::num + (factor::den - 1);
    return std::chrono::nanoseconds(static_cast<std::int64_t>(product / factor::den));
  }
}

/// The time at which a limit ends. A negative limit ends now, and one that is beyond the clock's range never: no limit
/// overflows.
template <class Rep, class Period>
[[nodiscard]] std::chrono::steady_clock::time_point end_of(std::chrono::duration<Rep, Period> limit) {
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<long double>;
  const seconds length = limit;
  const clock::time_point now = clock::now();
  if (!(length > seconds::zero())) return now;  // also where it is not a number
  const seconds margin{1};                      // more than the rounding of both sides
  if (length >= seconds(clock::time_point::max() - now) - margin) return clock::time_point::max();
  return now + ceil_nanoseconds(limit);
}

/// A duration in nanoseconds, rounded up, and at the ends of the range the nearest one.
template <class Rep, class Period>
[[nodiscard]] std::chrono::nanoseconds in_nanoseconds(std::chrono::duration<Rep, Period> d) {
  using wide = std::chrono::duration<long double>;
  constexpr auto most = std::chrono::nanoseconds::max();
  if (!(wide(d) > wide::zero())) return std::chrono::nanoseconds(0);  // also what is not a number
  if (wide(d) >= wide(most)) return most;
  return ceil_nanoseconds(d);
}

}  // namespace licit::inline v0::detail

#endif
