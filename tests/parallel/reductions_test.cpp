// Reductions and scans: values, the tree of their grouping bit by bit, numbers of calls.
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/everywhere.hpp"

namespace {

using licit::parallel_options;
using licit_test::everywhere;
using licit_test::everywhere_of_sizes;
using licit_test::numbers;
using licit_test::rounds;

/// As the standard's: two pointers are the ends of a range, and no comparison or operation of an array.
TEST(ParallelAlgorithms, TakeTheEndsOfAnArray) {
  licit::scheduler all({.workers = 1});
  int a[] = {3, 1, 2};
  int b[3] = {};
  all.enter([&] {
    EXPECT_EQ(licit::parallel_reduce(a, a + 3, 1), 7);
    EXPECT_EQ(licit::parallel_reduce_unordered(a, a + 3, 0), 6);
    EXPECT_EQ(licit::parallel_transform_reduce(a, a + 3, a, 0), 14);
    EXPECT_EQ(licit::parallel_transform_reduce(a, a, 0), 14);
    EXPECT_EQ(licit::parallel_min_element(a, a + 3), a + 1);
    EXPECT_EQ(licit::parallel_max_element(a, a + 3), a);
    licit::parallel_inclusive_scan(a, a + 3, b);
    EXPECT_EQ(b[2], 6);
    licit::parallel_exclusive_scan(a, a + 3, b, 0);
    EXPECT_EQ(b[2], 4);
    licit::parallel_stable_sort(a, a + 2);
    EXPECT_EQ(a[0], 1);
    licit::parallel_sort(a, a + 3);
    EXPECT_EQ(a[2], 3);
  });
}

TEST(ParallelAlgorithms, ReturnNothingOfARangeThatIsGone) {
  const auto is_one = [](int i) { return i == 1; };
  static_assert(std::same_as<decltype(licit::parallel_find_if(std::vector<int>{1}, is_one)), std::ranges::dangling>);
  static_assert(std::same_as<decltype(licit::parallel_min_element(std::vector<int>{1})), std::ranges::dangling>);
  licit::scheduler all({.workers = 1});
  std::vector<int> kept{2, 1};
  EXPECT_EQ(all.enter([&] { return licit::parallel_find_if(kept, is_one); }), kept.begin() + 1);
}

/// The two ends of a call with iterators are arrays, or its ranges are: which it is, the other arguments say.
TEST(ParallelReduce, TakesArraysAsTheStandardDoes) {
  licit::scheduler workers({.workers = 1});
  workers.enter([] {
    int a[]{1, 2, 3};  // NOLINT(modernize-avoid-c-arrays): what is tested
    int b[]{4, 5, 6};  // NOLINT(modernize-avoid-c-arrays)
    std::vector<long> out(3);
    const std::vector<long> sums{1, 3, 6}, sums_before{10, 11, 13}, both{5, 7, 9};
    licit::parallel_inclusive_scan(a, a + 3, out.begin());
    EXPECT_EQ(out, sums);
    licit::parallel_inclusive_scan(a, out.begin());
    EXPECT_EQ(out, sums);
    licit::parallel_inclusive_scan(a, a + 3, out.begin(), std::plus<>());
    EXPECT_EQ(out, sums);
    licit::parallel_exclusive_scan(a, a + 3, out.begin(), 10L);
    EXPECT_EQ(out, sums_before);
    licit::parallel_exclusive_scan(a, out.begin(), 10L);
    EXPECT_EQ(out, sums_before);
    licit::parallel_transform(a, b, out.begin(), std::plus<>());
    EXPECT_EQ(out, both);
    licit::parallel_transform(a, a + 3, b, out.begin(), std::plus<>());
    EXPECT_EQ(out, both);
    EXPECT_EQ(licit::parallel_transform_reduce(a, b, 0, std::plus<>(), std::multiplies<>()), 32);
    EXPECT_EQ(licit::parallel_transform_reduce(a, b, 0), 32);
    EXPECT_EQ(licit::parallel_transform_reduce(a, a + 3, b, 0, std::plus<>()), 32);
    EXPECT_EQ(licit::parallel_transform_reduce(a, a + 3, b, 0), 32);
    EXPECT_EQ(licit::parallel_reduce(a, a + 3), 6);
    EXPECT_EQ(licit::parallel_reduce_unordered(a, a + 3), 6);
  });
}

TEST(ParallelCopyIf, HasChunksOfItsGrain) {
  licit::scheduler workers({.workers = 1});
  workers
      .spawn([] {
        const std::vector<int> v(40, 1);
        std::vector<int> out(40);
        for (const auto& [grain, chunks] : {std::pair(1U, 40U), {3U, 14U}, {39U, 2U}, {40U, 1U}, {1000U, 1U}}) {
          std::set<std::size_t> done;
          parallel_options options{.grain = grain};
          options.progress = [&](std::size_t so_far, std::size_t /*all*/) { done.insert(so_far); };
          options.progress_every = std::chrono::nanoseconds(0);
          licit::parallel_copy_if(v, out.begin(), [](int x) { return x == 1; }, options);
          EXPECT_EQ(done.size(), chunks) << grain;
        }
      })
      .get();
}

#if !defined(__clang__) || __clang_major__ >= 16  // earlier ones do not compile libstdc++'s views
#if defined(__SIZEOF_INT128__) && !defined(__STRICT_ANSI__)
TEST(ParallelReduce, RefusesMoreElementsThanCanBeCounted) {
  const auto all = std::views::iota(__int128{0}, (__int128{1} << 64) + 5);
  licit::scheduler workers({.workers = 1});
  EXPECT_THROW(workers.enter([&] { licit::parallel_for_each(all, [](__int128 /*i*/) { FAIL(); }); }),
               std::out_of_range);
}
#endif

TEST(ParallelScan, OfMoreChunksThanThereIsMemoryForThrowsBadAlloc) {
  int out = 0;
  const auto all = std::views::iota(std::uint64_t{0}, std::uint64_t{1} << 62);
  const auto scan = [&] { licit::parallel_inclusive_scan(all.begin(), all.end(), &out, std::plus<>(), {.grain = 1}); };
  licit::scheduler workers({.workers = 1});
  EXPECT_THROW(workers.enter(scan), std::bad_alloc);
}
#endif

/// What the page says of the grouping: chunks of `grain`, folded from the left, on a stack that merges equals as a
/// binary counter does, and at the end from the right.
float by_a_binary_counter(const std::vector<float>& v, std::size_t grain, float init) {
  std::vector<std::pair<std::size_t, float>> stack;
  for (std::size_t i = 0; i < v.size(); i += grain) {
    float chunk = v[i];
    for (std::size_t j = i + 1; j < std::min(v.size(), i + grain); ++j) chunk += v[j];
    stack.emplace_back(1, chunk);
    while (stack.size() > 1 && stack[stack.size() - 2].first == stack.back().first) {
      const auto right = stack.back();
      stack.pop_back();
      stack.back() = {2 * right.first, stack.back().second + right.second};
    }
  }
  if (stack.empty()) return init;
  float sum = stack.back().second;
  for (std::size_t i = stack.size() - 1; i != 0; --i) sum = stack[i - 1].second + sum;
  return init + sum;
}

/// Numbers whose sum depends on the order of additions.
std::vector<float> uneven(std::size_t n) {
  std::mt19937 random(7);
  std::vector<float> made(n);
  for (float& each : made) each = std::ldexp(static_cast<float>(random() % 1000), static_cast<int>(random() % 40) - 20);
  return made;
}

TEST(ParallelReduce, IsTheSumOfItsParts) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n);
    const long want = std::accumulate(v.begin(), v.end(), 5L);
    EXPECT_EQ(licit::parallel_reduce(v, 5L, std::plus<>(), options), want);
    EXPECT_EQ(licit::parallel_reduce(v.begin(), v.end(), 5L, std::plus<>(), options), want);
    EXPECT_EQ(licit::parallel_reduce_unordered(v, 5L, std::plus<>(), options), want);
    const auto square = [](long x) { return x * x; };
    EXPECT_EQ(licit::parallel_transform_reduce(v, 0L, std::plus<>(), square, options),
              std::transform_reduce(v.begin(), v.end(), 0L, std::plus<>(), square));
    const std::vector<long> w(v.rbegin(), v.rend());
    EXPECT_EQ(licit::parallel_transform_reduce(v.begin(), v.end(), w.begin(), 0L, std::plus<>(), std::multiplies<>(),
                                               options),
              std::transform_reduce(v.begin(), v.end(), w.begin(), 0L));
    EXPECT_EQ(licit::parallel_transform_reduce(v, w, 0L, std::plus<>(), std::multiplies<>(), options),
              std::transform_reduce(v.begin(), v.end(), w.begin(), 0L));
    const std::vector<int> shorter(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n / 2));
    EXPECT_EQ(licit::parallel_transform_reduce(shorter, w, 0L),
              std::transform_reduce(shorter.begin(), shorter.end(), w.begin(), 0L));
    EXPECT_EQ(licit::parallel_transform_reduce(w, shorter, 0L),
              std::transform_reduce(shorter.begin(), shorter.end(), w.begin(), 0L));
  });
}

/// In four sums, each of which would overflow; what is left over; and an operation of the user's, which stays in order.
template <class T, class Op>
void sums_without_overflow(Op op) {
  constexpr T most = std::numeric_limits<T>::max();
  for (std::size_t n = 1; n != 40; ++n) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<T>(i % 2 == 0 ? most - static_cast<T>(i % 3) : -most);
    if constexpr (std::same_as<Op, std::multiplies<>>) {
      for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<T>(i == 17 || i == 18 ? 3 : i % 5 == 0 ? -1 : 1);
    }
    const auto one_by_one = [&](T a, T b) { return static_cast<T>(op(a, b)); };
    const T first = std::same_as<Op, std::multiplies<>> ? T{1} : std::same_as<Op, std::bit_and<>> ? T{-1} : T{0};
    const T want = std::accumulate(v.begin(), v.end(), first, one_by_one);
    const parallel_options one_chunk{.grain = n};
    licit::scheduler workers({.workers = 1});
    const auto made = [&](auto how) {
      return workers.spawn([&] { return licit::parallel_reduce(v, first, how, one_chunk); }).get();
    };
    EXPECT_EQ(made(op), want) << n;
    EXPECT_EQ(made(one_by_one), want) << n;
  }
}

/// An operation may return its own argument, which it has changed.
TEST(ParallelReduce, TakesAReferenceToTheOperationsOwnArgument) {
  using list = std::vector<int>;
  const auto joins = [](list&& a, const list& b) -> list&& {
    a.insert(a.end(), b.begin(), b.end());
    return std::move(a);
  };
  everywhere([&] {
    std::vector<list> v(100);
    list all;
    for (int i = 0; i != 100; ++i) {
      v[static_cast<std::size_t>(i)] = {i};
      all.push_back(i);
    }
    EXPECT_EQ(licit::parallel_reduce(v, list{}, joins, {.grain = 7}), all);
  });
}

TEST(ParallelReduce, IntegersAreSummedByFoursWithoutOverflow) {
  sums_without_overflow<int>(std::plus<>());
  sums_without_overflow<int>(std::plus<int>());
  sums_without_overflow<std::int64_t>(std::plus<>());
  sums_without_overflow<short>(std::plus<>());
  sums_without_overflow<signed char>(std::bit_xor<>());
  sums_without_overflow<int>(std::bit_and<>());
  sums_without_overflow<long>(std::bit_or<>());
  sums_without_overflow<int>(std::multiplies<>());
}

/// A constant expression may not overflow.
constexpr int combined(int a, int b) {
  std::plus<> op;
  return licit::detail::combined<int>(op, a, b);
}
static_assert(combined(std::numeric_limits<int>::min(), -1) == std::numeric_limits<int>::max());

/// No sum of the serial loop overflows, but that of the second four elements does.
TEST(ParallelReduce, SumsOfPartsMayBeTooLarge) {
  constexpr int half = std::numeric_limits<int>::max() / 2;
  const std::vector<int> v{0, 0, half, half, -half, -half, -half, -half, half, half, half, half};
  std::vector<int> sums(v.size());
  std::inclusive_scan(v.begin(), v.end(), sums.begin());
  everywhere([&] {
    for (const std::size_t grain : {1, 4}) {
      EXPECT_EQ(licit::parallel_reduce(v, 0, std::plus<>(), {.grain = grain}), sums.back());
      EXPECT_EQ(licit::parallel_reduce_unordered(v, 0, std::plus<>(), {.grain = grain}), sums.back());
      std::vector<int> made(v.size());
      licit::parallel_inclusive_scan(v, made.begin(), std::plus<>(), {.grain = grain});
      EXPECT_EQ(made, sums);
    }
  });
}

TEST(ParallelReduce, KeepsTheOrderOfItsElements) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    if (n > 5000) return;
    std::vector<std::string> v;
    for (std::size_t i = 0; i != n; ++i) v.push_back(std::to_string(i) + ",");
    const std::string want = std::accumulate(v.begin(), v.end(), std::string("from "));
    EXPECT_EQ(licit::parallel_reduce(v, std::string("from "), std::plus<>(), options), want);
    EXPECT_EQ(licit::parallel_reduce_unordered(v, std::string("from "), std::plus<>(), options), want);
  });
}

/// The string is the first value, although it is a range too.
TEST(ParallelReduce, TheFirstValueMayBeARange) {
  licit::scheduler all({.workers = 2});
  const std::vector<int> v{1, 2, 3};
  const auto name = [](int i) { return std::to_string(i); };
  EXPECT_EQ(all.enter([&] { return licit::parallel_transform_reduce(v, std::string("0"), std::plus<>(), name); }),
            "0123");
}

TEST(ParallelReduce, FloatsAreTheSameBitByBitOnAnyNumberOfWorkers) {
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{6}, std::size_t{100}, std::size_t{1000}, std::size_t{77'777}}) {
    const std::vector<float> v = uneven(n);
    for (const std::optional<std::size_t> grain : {std::optional<std::size_t>(), {std::size_t{1}}, {std::size_t{37}}}) {
      const float want = by_a_binary_counter(v, grain.value_or(licit::detail::chunk_of(n)), 0.5F);
      for (std::size_t workers = 1; workers <= 8; ++workers) {
        licit::scheduler all{{.workers = workers}};
        for (int round = 0; round != rounds(); ++round) {
          std::atomic<unsigned> calls = 0;
          const float got = all.enter([&] {
            return licit::parallel_transform_reduce(v, 0.5F, std::plus<>(),
                                                    [&](float x) {
                                                      if (++calls % 512 == 0)
                                                        std::this_thread::yield();  // others steal
                                                      return x;
                                                    },
                                                    {.grain = grain});
          });
          ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(want))
              << n << " items, " << workers << " workers";
        }
      }
    }
  }
}

TEST(ParallelReduce, ChunksDependOnTheNumberOfItemsAlone) {
  using licit::detail::chunk_of;
  EXPECT_EQ(chunk_of(0), 1U);
  EXPECT_EQ(chunk_of(64), 1U);
  EXPECT_EQ(chunk_of(65), 2U);
  EXPECT_EQ(chunk_of(1'000), 16U);
  EXPECT_EQ(chunk_of(2'048), 32U);
  EXPECT_EQ(chunk_of(16'384), 32U);
  EXPECT_EQ(chunk_of(1'000'000), 1'953U);
  EXPECT_EQ(chunk_of(~std::size_t{0}), 16'384U);
}

TEST(ParallelReduce, ValuesNeedNoDefaultAndMove) {
  struct boxed {
    std::unique_ptr<int> value;
    explicit boxed(int n) : value{std::make_unique<int>(n)} {}
  };
  everywhere([] {
    const std::vector<int> v = numbers(3'000, 100);
    const auto add = [](boxed a, boxed b) { return boxed(*a.value + *b.value); };
    EXPECT_EQ(*licit::parallel_reduce(v, boxed(1), add).value, std::accumulate(v.begin(), v.end(), 1));
  });
}

TEST(ParallelMinElement, IsTheFirstOfEquals) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n, 30);
    std::atomic<std::size_t> calls = 0;
    const auto less = [&](int a, int b) { return ++calls, a < b; };
    EXPECT_EQ(licit::parallel_min_element(v, less, options), std::min_element(v.begin(), v.end()));
    EXPECT_EQ(calls, n == 0 ? 0 : n - 1);
    EXPECT_EQ(licit::parallel_max_element(v, std::less<>(), options), std::max_element(v.begin(), v.end()));
    EXPECT_EQ(licit::parallel_max_element(v.begin(), v.end(), std::less<>(), options),
              std::max_element(v.begin(), v.end()));
  });
}

TEST(ParallelScan, IsTheStandardsInPlaceToo) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n);
    std::vector<long> got(n);
    std::vector<long> want(n);
    EXPECT_EQ(licit::parallel_inclusive_scan(v.begin(), v.end(), got.begin(), std::plus<>(), 3L, options), got.end());
    std::inclusive_scan(v.begin(), v.end(), want.begin(), std::plus<>(), 3L);
    EXPECT_EQ(got, want);
    std::fill(got.begin(), got.end(), 0);
    EXPECT_EQ(licit::parallel_inclusive_scan(v, got.begin(), std::plus<>(), 3L, options), got.end());
    EXPECT_EQ(got, want);
    EXPECT_EQ(licit::parallel_exclusive_scan(v, got.begin(), 3L, std::plus<>(), options), got.end());
    std::exclusive_scan(v.begin(), v.end(), want.begin(), 3L);
    EXPECT_EQ(got, want);
    std::vector<int> in_place = v;
    std::vector<int> expected(n);
    const auto larger = [](int a, int b) { return std::max(a, b); };
    licit::parallel_inclusive_scan(in_place, in_place.begin(), larger, options);
    std::inclusive_scan(v.begin(), v.end(), expected.begin(), larger);
    EXPECT_EQ(in_place, expected);
    in_place = v;
    licit::parallel_exclusive_scan(in_place, in_place.begin(), 7, larger, options);
    std::exclusive_scan(v.begin(), v.end(), expected.begin(), 7, larger);
    EXPECT_EQ(in_place, expected);
  });
}

/// Of a scan in chunks of 8. The scanning thread waits in the second one until a thief measures a later one.
class sees_a_theft {
 public:
  void operator()() {
    if (std::this_thread::get_id() != scans_) {
      stolen_ = true;
    } else if (++calls_ > 16) {  // the first chunk has fewer, inclusive or not, and the first two have more
      while (!stolen_) std::this_thread::yield();
    }
  }

 private:
  const std::thread::id scans_ = std::this_thread::get_id();
  int calls_ = 0;
  std::atomic<bool> stolen_ = false;
};

/// A chunk that was stolen is read twice.
TEST(ParallelScan, LeavesElementsToItsSecondReading) {
  licit::scheduler all{{.workers = 2}};
  const auto moved = [](std::string& element) -> std::string&& { return std::move(element); };
  std::vector<std::string> v;
  for (int i = 0; i != 100; ++i) v.push_back(std::to_string(i) + ",");
  std::vector<std::string> got(v.size());
  std::vector<std::string> want(v.size());
  for (const bool inclusive : {true, false}) {
    sees_a_theft look;
    const auto joins = [&](const std::string& a, const std::string& b) {
      look();
      return a + b;
    };
    std::vector<std::string> from = v;
    const auto elements = from | std::views::transform(moved);
    if (inclusive) {
      std::inclusive_scan(v.begin(), v.end(), want.begin());
      all.enter([&] { licit::parallel_inclusive_scan(elements, got.begin(), joins, {.grain = 8}); });
    } else {
      std::exclusive_scan(v.begin(), v.end(), want.begin(), std::string("from "));
      all.enter(
          [&] { licit::parallel_exclusive_scan(elements, got.begin(), "from " + std::string(), joins, {.grain = 8}); });
    }
    EXPECT_EQ(got, want) << inclusive;
  }
}

/// As a reduction: an operation may return its own argument, which it has changed.
TEST(ParallelScan, TakesAReferenceToTheOperationsOwnArgument) {
  using list = std::vector<int>;
  struct appends {
    sees_a_theft& look;
    list&& operator()(list&& a, const list& b) const {
      look();
      a.insert(a.end(), b.begin(), b.end());
      return std::move(a);
    }
    list operator()(const list& a, const list& b) const { return (*this)(list(a), b); }
  };
  licit::scheduler all{{.workers = 2}};
  std::vector<list> v;
  for (int i = 0; i != 100; ++i) v.push_back({i});
  std::vector<list> got(v.size());
  sees_a_theft look;
  all.enter([&] { licit::parallel_inclusive_scan(v, got.begin(), appends{look}, {.grain = 8}); });
  list want;
  for (int i = 0; i != 100; ++i) {
    want.push_back(i);
    EXPECT_EQ(got[static_cast<std::size_t>(i)], want);
  }
}

TEST(ParallelScan, KeepsTheOrderOfItsElements) {
  everywhere([] {
    std::vector<std::string> v;
    for (int i = 0; i != 300; ++i) v.push_back(std::to_string(i) + ",");
    std::vector<std::string> got(v.size());
    std::vector<std::string> want(v.size());
    licit::parallel_inclusive_scan(v, got.begin(), std::plus<>(), {.grain = 3});
    std::inclusive_scan(v.begin(), v.end(), want.begin());
    EXPECT_EQ(got, want);
  });
}

TEST(ParallelScan, FloatsAreTheSameBitByBitOnAnyNumberOfWorkers) {
  const std::vector<float> v = uneven(50'000);
  std::vector<float> want(v.size());
  for (std::size_t workers = 1; workers <= 8; ++workers) {
    licit::scheduler all{{.workers = workers}};
    for (int round = 0; round != rounds(); ++round) {
      std::vector<float> got(v.size());
      std::atomic<unsigned> calls = 0;
      all.enter([&] {
        licit::parallel_inclusive_scan(v, got.begin(), [&](float a, float b) {
          if (++calls % 1024 == 0) std::this_thread::yield();
          return a + b;
        });
      });
      if (workers == 1 && round == 0) want = got;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(got.back()), std::bit_cast<std::uint32_t>(want.back()));
      ASSERT_EQ(got, want);
    }
  }
}

TEST(ParallelCopyIf, CopiesInOrderAndAsksOnceForEach) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n);
    for (const int divisor : {1, 2, 1000, 2'000'000}) {
      std::atomic<std::size_t> calls = 0;
      const auto is = [&](int x) { return ++calls, x % divisor == 0; };
      std::vector<int> got(n, -1);
      std::vector<int> want(n, -1);
      const auto end = licit::parallel_copy_if(v, got.begin(), is, options);
      EXPECT_EQ(calls, n);
      EXPECT_EQ(end - got.begin(), std::copy_if(v.begin(), v.end(), want.begin(), is) - want.begin());
      EXPECT_EQ(got, want);
    }
  });
}

}  // namespace
