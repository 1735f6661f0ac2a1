/// A histogram of poll times with four buckets for each doubling.
#ifndef LICIT_SCHEDULER_POLL_HISTOGRAM_HPP
#define LICIT_SCHEDULER_POLL_HISTOGRAM_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/metrics/counter.hpp>

namespace licit::inline v0 {

/// The bucket of a duration. Buckets below 8 ns are one nanosecond wide; above, a bucket is at most a quarter of its
/// least duration wide, so its middle is off by at most an eighth. The last bucket holds everything from 2^40 ns (18
/// minutes) on.
struct poll_buckets {
  static constexpr unsigned largest_power = 40;
  static constexpr std::size_t count = (largest_power - 1) * 4 + 1;

  static constexpr std::size_t of(std::uint64_t ns) {
    if (ns < 4) return static_cast<std::size_t>(ns);
    const auto power = static_cast<unsigned>(std::bit_width(ns)) - 1;
    if (power >= largest_power) return count - 1;
    const std::uint64_t quarter = (ns >> (power - 2)) & 3;
    return static_cast<std::size_t>((std::uint64_t{power} - 1) * 4 + quarter);
  }
  /// The least duration of a bucket.
  static constexpr std::uint64_t begin(std::size_t bucket) {
    if (bucket < 4) return bucket;
    return (4 + (bucket & 3)) << ((bucket >> 2) - 1);
  }
};

static_assert(poll_buckets::of(7) == 7 && poll_buckets::begin(7) == 7);
static_assert(poll_buckets::of(std::uint64_t{1} << poll_buckets::largest_power) == poll_buckets::count - 1);
static_assert(poll_buckets::begin(poll_buckets::count - 1) == std::uint64_t{1} << poll_buckets::largest_power);

/// A snapshot of the histogram; empty if polls are not measured.
struct duration_counts {
  std::array<std::uint64_t, poll_buckets::count> buckets{};
  std::uint64_t sum_ns = 0;

  friend bool operator==(const duration_counts&, const duration_counts&) = default;

  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const std::uint64_t n : buckets) all += n;
    return all;
  }

  /// A quantile (`part` 0.5: the median): the longest duration, in nanoseconds, of its bucket; for the last bucket its
  /// least duration; 0 if nothing was counted.
  [[nodiscard]] std::uint64_t quantile(double part) const {
    const std::uint64_t all = count();
    if (all == 0) return 0;
    const auto wanted = static_cast<std::uint64_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(all));
    std::uint64_t below = 0;
    std::size_t bucket = 0;
    while (bucket + 1 != buckets.size() && below + buckets[bucket] < std::max<std::uint64_t>(wanted, 1)) {
      below += buckets[bucket++];
    }
    const bool last = bucket + 1 == buckets.size();
    return last ? poll_buckets::begin(bucket) : poll_buckets::begin(bucket + 1) - 1;
  }

  duration_counts& operator+=(const duration_counts& other) {
    for (std::size_t i = 0; i != buckets.size(); ++i) buckets[i] += other.buckets[i];
    sum_ns += other.sum_ns;
    return *this;
  }
  duration_counts& operator-=(const duration_counts& earlier) {
    for (std::size_t i = 0; i != buckets.size(); ++i) buckets[i] -= earlier.buckets[i];
    sum_ns -= earlier.sum_ns;
    return *this;
  }
};

/// The histogram that one worker writes; 1.3 KB.
template <class Policy = native>
class poll_histogram {
 public:
  /// The one writer only. Wait-free.
  void add(std::uint64_t ns) {
    buckets_[poll_buckets::of(ns)].add();
    sum_ns_.add(ns);
  }
  /// Any thread. Wait-free.
  [[nodiscard]] duration_counts read() const {
    duration_counts times;
    for (std::size_t i = 0; i != buckets_.size(); ++i) times.buckets[i] = buckets_[i].read();
    times.sum_ns = sum_ns_.read();
    return times;
  }

 private:
  std::array<detail::counter<Policy>, poll_buckets::count> buckets_;
  detail::counter<Policy> sum_ns_;
};

}  // namespace licit::inline v0

#endif
