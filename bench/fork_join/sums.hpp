/// Sums of licit_fork_join_bench: by fork alone, with one leaf for all, and each runtime's own.
#ifndef LICIT_BENCH_FORK_JOIN_SUMS_HPP
#define LICIT_BENCH_FORK_JOIN_SUMS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fork_join/programs.hpp"

namespace licit_bench {

/// An array that is larger than the caches.
struct summed {
  const sizes& size;
  std::vector<std::uint32_t> values = made(size.summed);
  static std::vector<std::uint32_t> made(std::size_t n) {
    std::vector<std::uint32_t> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = static_cast<std::uint32_t>(i * 2654435761U);
    return all;
  }
};

/// A leaf of the sum. Not inlined: the same instructions whoever calls it.
[[gnu::noinline]] inline std::uint64_t sum_of(const std::uint32_t* first, const std::uint32_t* last,
                                              std::uint64_t all = 0) {
  for (; first != last; ++first) all += *first;
  return all;
}

/// Its sum by fork alone, by halves down to 8,192 numbers.
struct sum : summed {
  static constexpr const char* name = "sum";
  template <class Runtime>
  static std::uint64_t of(Runtime& run, const std::uint32_t* first, const std::uint32_t* last) {
    if (last - first <= 8192) return sum_of(first, last);
    const std::uint32_t* const middle = first + (last - first) / 2;
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    run.fork([&] { left = of(run, first, middle); }, [&] { right = of(run, middle, last); });
    return left + right;
  }
  template <class Runtime>
    requires requires(Runtime& run) { run.fork([] {}, [] {}); }
  std::uint64_t operator()(Runtime& run) {
    return of(run, values.data(), values.data() + values.size());
  }
};

/// The runtime's own sum.
struct library_sum : summed {
  static constexpr const char* name = "library_sum";
  template <class Runtime>
    requires requires(Runtime& run) { run.sum(std::span<const std::uint32_t>()); }
  std::uint64_t operator()(Runtime& run) {
    return run.sum(std::span<const std::uint32_t>(values));
  }
};

}  // namespace licit_bench

#endif
