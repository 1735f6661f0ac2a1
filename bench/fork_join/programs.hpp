/// The fork-join programs of licit_fork_join_bench, each written once over a runtime: the same leaf code for every
/// peer.
///
/// A `Runtime` has `inside(f)`, which calls f in the runtime, `fork(f, g)`, which calls both side by side,
/// `loop(n, f)`, which calls f(i) for i < n, `sum(values)` and `sort(values)`. What a runtime lacks it does not
/// declare; the program is then left out. A program returns a number, which must be the serial one.
#ifndef LICIT_BENCH_FORK_JOIN_PROGRAMS_HPP
#define LICIT_BENCH_FORK_JOIN_PROGRAMS_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace licit_bench {

/// What the programs work on. A tiny one is for a test.
struct sizes {
  int fib;
  int queens;
  std::uint32_t tree;  ///< children of the root of the unbalanced tree
  std::size_t matrix;  ///< rows; a power of two
  std::size_t sorted;  ///< numbers to sort
  std::size_t skewed;  ///< items of the skewed loop
  std::size_t summed;  ///< numbers to sum
  std::size_t small;   ///< items of the small loop
};
inline constexpr sizes whole{27, 11, 4000, 256, 10'000'000, 10'000, 100'000'000, 1'000};
inline constexpr sizes tiny{12, 6, 40, 64, 20'000, 200, 30'000, 100};

/// So many steps, each of which waits for the one before: about a nanosecond and a half each. The empty statement keeps
/// compilers from making one step of several.
inline std::uint64_t steps(std::uint64_t seed, std::uint64_t number) {
  for (; number != 0; --number) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    asm volatile("" : "+r"(seed));
  }
  return seed;
}

/// Naive: nothing but forks.
struct fib {
  static constexpr const char* name = "fib";
  template <class Runtime>
  [[gnu::noinline]] static std::uint64_t of(Runtime& run, int n) {
    if (n < 2) return static_cast<std::uint64_t>(n);
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    run.fork([&] { a = of(run, n - 1); }, [&] { b = of(run, n - 2); });
    return a + b;
  }
  const sizes& size;
  template <class Runtime>
  std::uint64_t operator()(Runtime& run) {
    return of(run, size.fib);
  }
};

/// Calls `each(i)` for [first, last), by halves.
template <class Runtime, class F>
void by_halves(Runtime& run, std::uint32_t first, std::uint32_t last, const F& each) {
  if (last - first == 1) return each(first);
  if (first == last) return;
  const std::uint32_t middle = first + (last - first) / 2;
  run.fork([&] { by_halves(run, first, middle, each); }, [&] { by_halves(run, middle, last, each); });
}

/// Counts the placements of n queens; forks at every square that is free.
struct nqueens {
  static constexpr const char* name = "nqueens";
  const sizes& size;
  template <class Runtime>
  static std::uint64_t count(Runtime& run, std::uint32_t all, std::uint32_t columns, std::uint32_t left,
                             std::uint32_t right) {
    if (columns == all) return 1;
    std::array<std::uint32_t, 32> squares;
    std::array<std::uint64_t, 32> found;
    std::uint32_t number = 0;
    for (std::uint32_t free = all & ~(columns | left | right); free != 0; free &= free - 1) {
      squares[number++] = free & -free;
    }
    by_halves(run, 0, number, [&](std::uint32_t i) {
      const std::uint32_t at = squares[i];
      found[i] = count(run, all, columns | at, ((left | at) << 1) & all, (right | at) >> 1);
    });
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i != number; ++i) sum += found[i];
    return sum;
  }
  template <class Runtime>
  std::uint64_t operator()(Runtime& run) {
    return count(run, (1U << size.queens) - 1, 0, 0, 0);
  }
};

/// An unbalanced tree: a node has four children with a chance of 0.234, else none. Source: S. Olivier et al., "UTS: An
/// Unbalanced Tree Search Benchmark", LCPC 2006, the binomial trees.
struct uts {
  static constexpr const char* name = "uts";
  const sizes& size;
  template <class Runtime>
  static std::uint64_t nodes(Runtime& run, std::uint64_t node, std::uint32_t children) {
    if (children == 0) return 1;
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    if (children == 1) {
      const std::uint64_t child = steps(node, 20);
      return nodes(run, child, (child >> 32) % 1000 < 234 ? 4 : 0) + 1;
    }
    const std::uint32_t half = children / 2;
    run.fork([&] { left = nodes(run, node * 2 + 1, half); },
             [&] { right = nodes(run, node * 3 + 7, children - half); });
    return left + right;
  }
  template <class Runtime>
  std::uint64_t operator()(Runtime& run) {
    return nodes(run, 42, size.tree);
  }
};

/// The product of two matrices, by quarters down to 32 rows.
struct matrix {
  static constexpr const char* name = "matrix";
  const sizes& size;
  std::vector<double> a = numbers(1);
  std::vector<double> b = numbers(2);
  std::vector<double> product = std::vector<double>(size.matrix * size.matrix);

  [[nodiscard]] std::vector<double> numbers(std::uint64_t seed) const {
    std::vector<double> made(size.matrix * size.matrix);
    for (double& each : made) each = static_cast<double>((seed = steps(seed, 1)) >> 60);
    return made;
  }
  [[gnu::noinline]] void block(std::size_t row, std::size_t column, std::size_t n) {
    for (std::size_t i = row; i != row + n; ++i) {
      for (std::size_t k = 0; k != size.matrix; ++k) {
        const double x = a[i * size.matrix + k];
        for (std::size_t j = column; j != column + n; ++j) product[i * size.matrix + j] += x * b[k * size.matrix + j];
      }
    }
  }
  template <class Runtime>
  void quarters(Runtime& run, std::size_t row, std::size_t column, std::size_t n) {
    if (n <= 32) return block(row, column, n);
    const std::size_t half = n / 2;
    const auto rows = [&](std::size_t from) {
      run.fork([&, from] { quarters(run, from, column, half); },
               [&, from] { quarters(run, from, column + half, half); });
    };
    run.fork([&] { rows(row); }, [&] { rows(row + half); });
  }
  void prepare() { std::ranges::fill(product, 0.0); }
  template <class Runtime>
  std::uint64_t operator()(Runtime& run) {
    quarters(run, 0, 0, size.matrix);
    return 0;
  }
  [[nodiscard]] std::uint64_t result() const {
    double sum = 0;
    for (const double each : product) sum += each;
    return static_cast<std::uint64_t>(sum);
  }
};

/// Numbers in no order, afresh for each round.
struct unsorted {
  const sizes& size;
  std::vector<std::uint32_t> values = std::vector<std::uint32_t>(size.sorted);
  void prepare() {
    std::uint64_t seed = 5;
    for (std::uint32_t& each : values) each = static_cast<std::uint32_t>((seed = steps(seed, 1)) >> 32);
  }
  /// A sum that depends on the order.
  [[nodiscard]] std::uint64_t result() const {
    std::uint64_t sum = std::is_sorted(values.begin(), values.end()) ? 1 : 0;
    for (std::size_t i = 0; i < values.size(); i += 101) sum = sum * 31 + values[i];
    return sum;
  }
};

/// Merge sort by fork alone: std::sort below 4,096, merges divided by binary search.
struct mergesort : unsorted {
  static constexpr const char* name = "mergesort";
  std::vector<std::uint32_t> buffer = std::vector<std::uint32_t>(size.sorted);
  using part = std::span<std::uint32_t>;

  template <class Runtime>
  static void merge(Runtime& run, part left, part right, std::uint32_t* to) {
    if (left.size() < right.size()) std::swap(left, right);
    if (left.size() + right.size() <= 8192) {
      std::merge(left.begin(), left.end(), right.begin(), right.end(), to);
      return;
    }
    const std::size_t middle = left.size() / 2;
    const auto other =
        static_cast<std::size_t>(std::lower_bound(right.begin(), right.end(), left[middle]) - right.begin());
    run.fork([&] { merge(run, left.first(middle), right.first(other), to); },
             [&] { merge(run, left.subspan(middle), right.subspan(other), to + middle + other); });
  }
  /// Sorts `from`; the result is in `to` if `moved`, else in `from`.
  template <class Runtime>
  static void sort(Runtime& run, part from, part to, bool moved) {
    if (from.size() <= 4096) {
      std::sort(from.begin(), from.end());
      if (moved) std::copy(from.begin(), from.end(), to.begin());
      return;
    }
    const std::size_t half = from.size() / 2;
    run.fork([&] { sort(run, from.first(half), to.first(half), !moved); },
             [&] { sort(run, from.subspan(half), to.subspan(half), !moved); });
    const part sorted = moved ? from : to;
    merge(run, sorted.first(half), sorted.subspan(half), (moved ? to : from).data());
  }
  template <class Runtime>
  std::uint64_t operator()(Runtime& run) {
    sort(run, values, buffer, false);
    return 0;
  }
};

/// The runtime's own sort.
struct library_sort : unsorted {
  static constexpr const char* name = "sort";
  template <class Runtime>
    requires requires(Runtime& run) { run.sort(std::span<std::uint32_t>()); }
  std::uint64_t operator()(Runtime& run) {
    run.sort(std::span(values));
    return 0;
  }
};

/// The later an item, the longer it takes: 0 to 3 us.
struct skewed_loop {
  static constexpr const char* name = "skewed_loop";
  const sizes& size;
  std::vector<std::uint64_t> made = std::vector<std::uint64_t>(size.skewed);
  template <class Runtime>
    requires requires(Runtime& run) { run.loop(std::size_t{}, [](std::size_t) {}); }
  std::uint64_t operator()(Runtime& run) {
    run.loop(size.skewed, [this](std::size_t i) { made[i] = steps(i, i / 5); });
    return 0;
  }
  [[nodiscard]] std::uint64_t result() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : made) all = std::rotl(all, 1) ^ each;
    return all;
  }
};

/// 1,000 items of about 10 ns (neighbours overlap) on a runtime that has been idle for a millisecond.
struct small_loop {
  static constexpr const char* name = "small_loop";
  static constexpr bool begins_idle = true;
  const sizes& size;
  std::vector<std::uint64_t> made = std::vector<std::uint64_t>(size.small);
  template <class Runtime>
    requires requires(Runtime& run) { run.loop(std::size_t{}, [](std::size_t) {}); }
  std::uint64_t operator()(Runtime& run) {
    run.loop(size.small, [this](std::size_t i) { made[i] = steps(i, 14); });
    return 0;
  }
  [[nodiscard]] std::uint64_t result() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : made) all = std::rotl(all, 1) ^ each;
    return all;
  }
};

}  // namespace licit_bench

#endif
