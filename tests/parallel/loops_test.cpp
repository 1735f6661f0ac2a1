// Parallel loops: each item once, exceptions, stops, progress, and arguments that make no sense.
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <ranges>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/parallel/detail/control.hpp>
#include <licit/parallel/detail/loop.hpp>

#include "parallel/everywhere.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::parallel_options;
using licit_test::everywhere;
using licit_test::everywhere_of_sizes;
using licit_test::numbers;

using counts = std::vector<std::atomic<int>>;
bool all_are(const counts& c, int n) {
  return std::all_of(c.begin(), c.end(), [&](const std::atomic<int>& each) { return each == n; });
}

TEST(ParallelFor, CallsEachIndexOnce) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    counts calls(n);
    licit::parallel_for(0, n, [&](std::size_t i) { ++calls[i]; }, options);
    EXPECT_TRUE(all_are(calls, 1));
  });
}

/// What comes late may be what takes long: it was one chunk, as long as what came before told.
TEST(ParallelFor, SharesWorkThatTakesLongOnlyLater) {
  licit::scheduler all({.workers = 3});
  constexpr std::size_t items = 4'096;
  std::mutex lock;
  std::set<std::thread::id> in_long_ones;
  const auto run = [&](std::size_t i) {
    if (i < items / 2) return;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::lock_guard held(lock);
    in_long_ones.insert(std::this_thread::get_id());
  };
  all.enter([&] { licit::parallel_for(std::size_t{0}, items, run); });
  EXPECT_GT(in_long_ones.size(), 1U);
}

TEST(ParallelFor, IndicesHaveTheCommonTypeOfTheBounds) {
  everywhere([] {
    std::atomic<std::int64_t> sum = 0;
    licit::parallel_for(-500, 501L, [&](auto i) {
      static_assert(std::is_same_v<decltype(i), long>);
      sum += i;
    });
    EXPECT_EQ(sum, 0);
    licit::parallel_for(std::int8_t{-128}, std::int8_t{127}, [&](std::int8_t i) { sum += i; });
    EXPECT_EQ(sum, -128 - 127);
  });
}

template <class I>
concept is_index = requires(I i) { licit::parallel_for(i, i, [](I /*i*/) {}); };

TEST(ParallelFor, TheIndexOfACallIsACopy) {
  static_assert(is_index<unsigned char> && is_index<short> && !is_index<char> && !is_index<wchar_t> && !is_index<bool>);
  everywhere([] {
    std::atomic<int> calls = 0;
    licit::parallel_for(0, 100, [&](auto&& i) { calls += i--; }, {.grain = 10});
    EXPECT_EQ(calls, 4950);
  });
}

TEST(ParallelFor, ReachesBothEndsOfTheLargestRanges) {
  everywhere([] {
    const auto low = std::numeric_limits<std::int64_t>::min();
    const auto high = std::numeric_limits<std::int64_t>::max();
    std::atomic<int> calls = 0;
    const auto count = [&](auto /*i*/) { ++calls; };
    licit::parallel_for(low, low + 100, count);
    licit::parallel_for(high - 100, high, count);
    licit::parallel_for(~std::uint64_t{0} - 100, ~std::uint64_t{0}, count);
    EXPECT_EQ(calls, 300);
    // The whole range has 2^64 - 1 indices. Each of them throws, so that no chunk is run to its end, by a thief either;
    // the lowest one counts.
    std::int64_t lowest = high;
    try {
      licit::parallel_for(low, high, [](std::int64_t i) { throw i; }, {.grain = 1ULL << 60});
      ADD_FAILURE() << "nothing was thrown";
    } catch (std::int64_t i) {
      lowest = i;
    }
    EXPECT_EQ(lowest, low);
  });
}

TEST(ParallelFor, AnUpsideDownRangeHasNoIndices) {
  everywhere([] {
    const auto never = [](auto /*i*/) { FAIL(); };
    licit::parallel_for(1, 0, never);
    licit::parallel_for(5U, 0U, never);
    licit::parallel_for(std::numeric_limits<long>::max(), std::numeric_limits<long>::min(), never);
  });
}

TEST(ParallelFor, RefusesBoundsThatTheCommonTypeLacks) {
  everywhere([] {
    const auto never = [](auto /*i*/) { FAIL(); };
    EXPECT_THROW(licit::parallel_for(-1, std::size_t{5}, never), std::out_of_range);
    EXPECT_THROW(licit::parallel_for(std::size_t{0}, -5, never), std::out_of_range);
  });
}

TEST(ParallelFor, RefusesAGrainOfNone) {
  everywhere([] {
    std::vector<int> v(10);
    const parallel_options none{.grain = 0};
    EXPECT_THROW(licit::parallel_for(0, 10, [](int) {}, none), std::invalid_argument);
    EXPECT_THROW(licit::parallel_for_each(v, [](int) {}, none), std::invalid_argument);
    EXPECT_THROW(licit::parallel_reduce(v, 0, std::plus<>(), none), std::invalid_argument);
    EXPECT_THROW(licit::parallel_inclusive_scan(v, v.begin(), std::plus<>(), none), std::invalid_argument);
    EXPECT_THROW(licit::parallel_sort(v, std::less<>(), none), std::invalid_argument);
    EXPECT_THROW(licit::parallel_stable_sort(v, std::less<>(), none), std::invalid_argument);
    EXPECT_THROW(licit::parallel_find_if(v, [](int) { return true; }, none), std::invalid_argument);
  });
}

TEST(ParallelFor, NeedsAScheduler) {
  std::vector<int> v(10);
  const std::size_t none = 0;
  EXPECT_THROW(licit::parallel_for(none, v.size(), [](std::size_t) {}), std::logic_error);
  EXPECT_THROW(licit::parallel_sort(v), std::logic_error);
}

TEST(ParallelFor, RunsInASchedulerThatShutsDown) {
  licit::scheduler all{{.workers = 3}};
  std::atomic<bool> inside = false;
  std::atomic<int> calls = 0;
  auto task = all.spawn([&] {
    inside = true;
    licit::parallel_for(0, 300, [&](int) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      ++calls;
    });
  });
  while (!inside) std::this_thread::yield();
  EXPECT_TRUE(all.shutdown(licit::shutdown_kind::cancel).complete());
  EXPECT_EQ(calls, 300);
}

TEST(ParallelFor, NestsInLoopsAndJoins) {
  everywhere([] {
    counts calls(60 * 70);
    licit::parallel_for(0, 60, [&](int i) {
      licit::join([&] { licit::parallel_for(0, 35, [&](int j) { ++calls[static_cast<std::size_t>(i * 70 + j)]; }); },
                  [&] { licit::parallel_for(35, 70, [&](int j) { ++calls[static_cast<std::size_t>(i * 70 + j)]; }); });
    });
    EXPECT_TRUE(all_are(calls, 1));
  });
}

/// Does nothing with its items, and counts divisions, and the parts that one thread has begun.
struct counting_body {
  struct range : licit::detail::positions {
    std::atomic<std::uint64_t>* divisions;
    range split() {
      ++*divisions;
      return {positions::split(), divisions};
    }
  };
  struct state {};
  std::atomic<std::uint64_t> divisions = 0;
  std::atomic<std::uint64_t> parts = 0;

  state begin(const range& /*r*/) { return ++parts, state{}; }
  void merge(state& /*left*/, state&& /*right*/) {}
  void run(range& r, std::uint64_t count, state& /*s*/) { (void)r.take(count); }
  void abandon(range& r) { r.first = r.last; }

  /// Runs n items in the calling thread's scheduler.
  void loop_over(std::uint64_t n, const parallel_options& options) {
    licit::detail::control all("a loop that is counted", options, n);
    licit::detail::loop<counting_body> over(all, *this);
    over({{0, n}, &divisions});
    all.end_call();
  }
};

/// How often n items can be halved.
std::uint64_t halvings(std::uint64_t n) { return static_cast<std::uint64_t>(std::bit_width(n - 1)); }

// The worker is awake and takes nothing.
TEST(ParallelFor, IsDividedLogNTimesWhereNobodySteals) {
  licit_test::gate held;
  licit::scheduler all({.workers = 1});
  all.spawn([&] { held.pass(); }).detach();
  held.await_arrivals(1);
  all.enter([&] {
    for (const std::uint64_t n : {1, 2, 3, 1000, 1024, 1025, 1 << 20}) {
      counting_body of_one;
      of_one.loop_over(n, {.grain = 1});
      EXPECT_EQ(of_one.divisions, halvings(n)) << n << " items";
      EXPECT_EQ(of_one.parts, 1U);
      counting_body by_time;
      by_time.loop_over(n, {});
      EXPECT_LE(by_time.divisions, halvings(n)) << n << " items";
    }
  });
  held.open();
}

// A theft lets two threads divide: its victim, and the thief.
TEST(ParallelFor, IsDividedLogNTimesMoreForEachTheft) {
  constexpr std::uint64_t n = 1 << 16;
  licit::scheduler all({.workers = 4});
  for (int round = 0; round != 20; ++round) {
    counting_body body;
    all.enter([&] { body.loop_over(n, {.grain = 1}); });
    const std::uint64_t thefts = body.parts - 1;
    EXPECT_GE(body.divisions, std::max(thefts, halvings(n)));
    EXPECT_LE(body.divisions, (1 + 2 * thefts) * halvings(n)) << thefts << " thefts";
  }
}

TEST(ParallelFor, WakesASleepingWorkerForFewLongItems) {
  licit::scheduler all{{.workers = 2}};
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the workers sleep
  all.spawn([&] {
       std::atomic<int> inside = 0;
       licit::parallel_for(0, 2, [&](int) {  // each waits for the other: on one worker for ever
         ++inside;
         while (inside != 2) std::this_thread::yield();
       });
     })
      .get();
}

TEST(ParallelFor, WakesSleepingWorkersForWhatIsWorthIt) {
  licit::scheduler all{{.workers = 3}};
  const auto wakes = [&] {
    licit_test::await([&] { return licit_test::all_asleep(all); });
    return all.metrics().total().counts.parks;
  };
  std::vector<int> v(1'000);
  all.enter([&] {
    const std::uint64_t before = wakes();
    for (int round = 0; round != 100; ++round)
      licit::parallel_for_each(v.begin(), v.begin() + 100, [](int& x) { ++x; });
    const std::uint64_t after = wakes();
    const std::uint64_t for_nothing = after - before;  // worth it only where the thread was interrupted
    for (int round = 0; round != 100; ++round) {
      licit::parallel_for_each(v, [](int& x) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(1);
        while (std::chrono::steady_clock::now() < end) ++x;
      });
    }
    EXPECT_GT(wakes() - after, for_nothing) << "1 ms of work a loop, and before a microsecond or less";
  });
}

TEST(ParallelForEach, VisitsEachElementOnce) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    std::vector<int> v(n, 1);
    licit::parallel_for_each(v, [](int& each) { each += 2; }, options);
    licit::parallel_for_each(v.begin(), v.end(), [](int& each) { each += 4; }, options);
    EXPECT_EQ(licit::parallel_for_each_n(
                  v.begin(), n / 2, [](int& each) { each += 8; }, options),
              v.begin() + static_cast<std::ptrdiff_t>(n / 2));
    std::deque<int> want(n / 2, 15);
    want.resize(n, 7);
    EXPECT_TRUE(std::equal(v.begin(), v.end(), want.begin(), want.end()));
  });
}

template <class... Number>
void visits_as_many(Number... three) {
  std::vector<int> v(5);
  const auto add = [](int& each) { ++each; };
  const bool all = ((licit::parallel_for_each_n(v.begin(), three, add) == v.begin() + 3) && ...);
  EXPECT_TRUE(all);
  const int times = sizeof...(three);
  EXPECT_EQ(v, (std::vector{times, times, times, 0, 0}));
}
/// Also those that a compiler would warn of.
TEST(ParallelForEach, DropsResults) {
  licit::scheduler all{{.workers = 2}};
  all.enter([] {
    struct [[nodiscard]] status {};
    std::atomic<int> calls = 0;
    const auto counts_calls = [&](const auto& /*item*/) {
      ++calls;
      return status();
    };
    const std::vector<int> v(10);
    licit::parallel_for(0, 10, counts_calls);
    licit::parallel_for_each(v, counts_calls);
    licit::parallel_for_each_n(v.begin(), 10, counts_calls);
    licit::parallel_for_blocks({0, 10}, {0, 1}, counts_calls, {.grain = 1});
    EXPECT_EQ(calls, 40);
  });
}

TEST(ParallelForEach, CountsByAnyIntegralType) {
  licit::scheduler all({.workers = 1});
  all.enter([] {
    visits_as_many('\3', static_cast<signed char>(3), u8'\3', u'\3', U'\3', L'\3', short{3}, 3ULL);
    std::vector<int> v(2);
    EXPECT_EQ(licit::parallel_for_each_n(v.begin(), true, [](int& each) { ++each; }), v.begin() + 1);
  });
}

TEST(ParallelForEach, RefusesARangeThatEndsBeforeItBegins) {
  everywhere([] {
    std::vector<int> v(10);
    const auto never = [](int) { FAIL(); };
    EXPECT_THROW(licit::parallel_for_each(v.end(), v.begin(), never), std::invalid_argument);
    EXPECT_THROW(licit::parallel_for_each_n(v.begin(), -1, never), std::invalid_argument);
    EXPECT_THROW(licit::parallel_for_each_n(v.begin(), static_cast<signed char>(-1), never), std::invalid_argument);
    EXPECT_THROW(licit::parallel_for_each_n(v.begin(), ~std::uint64_t{0}, never), std::out_of_range);
    EXPECT_THROW(licit::parallel_reduce(v.end(), v.begin(), 0), std::invalid_argument);
    EXPECT_THROW(licit::parallel_sort(v.end(), v.begin()), std::invalid_argument);
  });
}

TEST(ParallelTransform, WritesInOrderInPlaceToo) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    std::vector<int> v = numbers(n);
    std::vector<long> out(n);
    std::vector<long> want(n);
    const auto twice = [](long x) { return 2 * x; };
    EXPECT_EQ(licit::parallel_transform(v, out.begin(), twice, options), out.end());
    std::transform(v.begin(), v.end(), want.begin(), twice);
    EXPECT_EQ(out, want);
    licit::parallel_transform(v.begin(), v.end(), out.begin(), out.begin(), std::plus<>(), options);
    std::transform(v.begin(), v.end(), want.begin(), want.begin(), std::plus<>());
    EXPECT_EQ(out, want);
    const std::vector<long> shorter(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(n / 2));
    const auto half = out.begin() + static_cast<std::ptrdiff_t>(n / 2);
    EXPECT_EQ(licit::parallel_transform(v, shorter, out.begin(), std::minus<>(), options), half);
    std::transform(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n / 2), shorter.begin(), want.begin(),
                   std::minus<>());
    EXPECT_EQ(out, want);
    EXPECT_EQ(licit::parallel_transform(shorter, v, out.begin(), std::minus<>(), options), half);
  });
}

static_assert(licit::detail::shares_words<std::vector<bool>::iterator>);
static_assert(licit::detail::shares_words<std::vector<bool>::reverse_iterator>);
static_assert(!licit::detail::shares_words<std::vector<bool>::const_iterator>);
static_assert(!licit::detail::shares_words<std::vector<char>::iterator>);

/// Of two ranges one has an end.
TEST(ParallelTransform, OneOfTwoRangesMayHaveNoEnd) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n);
    std::vector<long> out(n);
    std::vector<long> want(n);
    const auto places = std::views::iota(7L);
    EXPECT_EQ(licit::parallel_transform(v, places, out.begin(), std::minus<>(), options), out.end());
    std::transform(v.begin(), v.end(), places.begin(), want.begin(), std::minus<>());
    EXPECT_EQ(out, want);
    EXPECT_EQ(licit::parallel_transform(places, v, out.begin(), std::plus<>(), options), out.end());
    std::transform(v.begin(), v.end(), places.begin(), want.begin(), std::plus<>());
    EXPECT_EQ(out, want);
    EXPECT_EQ(licit::parallel_transform_reduce(v, places, 1L, std::plus<>(), std::multiplies<>(), options),
              std::inner_product(v.begin(), v.end(), places.begin(), 1L));
  });
}

TEST(ParallelScan, TakesArrays) {
  licit::scheduler all{{.workers = 2}};
  all.enter([] {
    const int from[] = {1, 2, 3};
    int to[3] = {};
    licit::parallel_inclusive_scan(from, to, std::plus<>());
    EXPECT_EQ(to[2], 6);
    licit::parallel_exclusive_scan(from, to, 0, std::plus<>());
    EXPECT_EQ(to[2], 3);
    licit::parallel_transform(from, to, [](int x) { return -x; }, licit::parallel_options{.grain = 1});
    EXPECT_EQ(to[2], -3);
    licit::parallel_copy_if(from, to, [](int x) { return x > 1; }, licit::parallel_options{.grain = 1});
    EXPECT_EQ(to[0], 2);
  });
}

TEST(ParallelForBlocks, BlocksMakeUpTheMatrix) {
  everywhere([] {
    for (const auto& [height, width] :
         {std::pair<std::size_t, std::size_t>{0, 5}, {5, 0}, {1, 1}, {1, 3000}, {3000, 1}, {97, 211}}) {
      for (const std::size_t grain : {std::size_t{1}, std::size_t{50}, std::size_t{1'000'000}}) {
        counts calls(height * width);
        std::atomic<std::size_t> largest = 0;
        licit::parallel_for_blocks({10, 10 + height}, {20, 20 + width},
                                   [&, width = width](const licit::index_block& b) {
                                     const std::size_t size = b.rows.size() * b.columns.size();
                                     if (size > largest) largest = size;
                                     for (std::size_t i = b.rows.first; i != b.rows.last; ++i) {
                                       for (std::size_t j = b.columns.first; j != b.columns.last; ++j)
                                         ++calls[(i - 10) * width + j - 20];
                                     }
                                   },
                                   {.grain = grain});
        EXPECT_TRUE(all_are(calls, 1));
        EXPECT_LE(largest, grain);
      }
    }
    const std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
    EXPECT_THROW(licit::parallel_for_blocks({0, huge}, {0, 3}, [](const licit::index_block&) {}), std::out_of_range);
    licit::parallel_for_blocks({5, 4}, {0, 3}, [](const licit::index_block&) { FAIL(); });
  });
}

TEST(ParallelInvoke, CallsAllAndRethrowsTheFirst) {
  everywhere([] {
    std::atomic<int> calls = 0;
    const auto one = [&] { ++calls; };
    licit::parallel_invoke(one, one, one);
    EXPECT_EQ(calls, 3);
    const auto fails = [&](int n) {
      return [&calls, n] {
        ++calls;
        throw n;
      };
    };
    try {
      licit::parallel_invoke(one, fails(2), fails(3), one);
      ADD_FAILURE() << "nothing was thrown";
    } catch (int n) {
      EXPECT_EQ(n, 2);
    }
    EXPECT_EQ(calls, 7);
  });
}

// --- exceptions

TEST(ParallelExceptions, TheLowestOneIsRethrownAndWhatIsBeforeItHasRun) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    if (n < 2) return;
    for (const std::size_t first : {std::size_t{0}, n / 3, n - 1}) {
      counts calls(n);
      const auto f = [&](std::size_t i) {
        ++calls[i];
        if (i >= first && (i - first) % 7 == 0) throw i;
      };
      try {
        licit::parallel_for(std::size_t{0}, n, f, options);
        ADD_FAILURE() << "nothing was thrown";
      } catch (std::size_t i) {
        EXPECT_EQ(i, first);
      }
      for (std::size_t i = 0; i != n; ++i) ASSERT_TRUE(calls[i] == 1 || (calls[i] == 0 && i > first)) << i;
    }
  });
}

TEST(ParallelExceptions, TheRestIsLeft) {
  everywhere([] {
    std::atomic<int> calls = 0;
    EXPECT_THROW(licit::parallel_for(0, 1'000'000,
                                     [&](int i) {
                                       ++calls;
                                       if (i == 0) throw std::runtime_error("first");
                                       std::this_thread::sleep_for(std::chrono::microseconds(10));
                                     }),
                 std::runtime_error);
    EXPECT_LT(calls, 100'000);
  });
}

TEST(ParallelExceptions, OfReductionsToo) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    if (n < 2) return;
    std::vector<std::size_t> v(n);
    for (std::size_t i = 0; i != n; ++i) v[i] = i;
    const auto fails = [&](std::size_t i) {
      if (i >= n / 2) throw i;
      return i;
    };
    try {
      licit::parallel_transform_reduce(v, std::size_t{0}, std::plus<>(), fails, options);
      ADD_FAILURE() << "nothing was thrown";
    } catch (std::size_t i) {
      EXPECT_EQ(i, n / 2);
    }
    try {
      std::vector<std::size_t> out(n);
      licit::parallel_copy_if(v, out.begin(), fails, options);
      ADD_FAILURE() << "nothing was thrown";
    } catch (std::size_t i) {
      EXPECT_EQ(i, n / 2);
    }
  });
}

/// Whether the flag is set within a time that only a lost part exceeds.
bool comes(const std::atomic<bool>& flag) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return flag;
}

/// Of the two threads that the tests below need: one throws, and the other would go on for 2 s.
struct one_throws {
  std::atomic<bool> stolen = false;
  std::atomic<bool> throws = false;
  std::atomic<int> calls = 0;

  static void wait_for(const std::atomic<bool>& flag) { EXPECT_TRUE(comes(flag)); }
  void be_stolen() {
    ++calls;
    stolen = true;
    wait_for(throws);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void fail() {
    throws = true;
    throw std::runtime_error("combination");
  }
};

TEST(ParallelExceptions, OfACombinationTheRestIsLeft) {
  licit::scheduler all{{.workers = 1}};
  std::vector<int> v(6000);  // the thief's are from 4096 on
  for (std::size_t i = 0; i != v.size(); ++i) v[i] = static_cast<int>(i);
  one_throws shared;
  const auto each = [&](int i) {
    if (i == 1) shared.wait_for(shared.stolen);
    if (i >= 4096) shared.be_stolen();
    return i;
  };
  const auto smaller = [&](int left, int right) {
    if (left == 0) shared.fail();
    return std::min(left, right);
  };
  EXPECT_THROW(all.enter([&] { return licit::parallel_transform_reduce(v, 0, smaller, each, {.grain = 1}); }),
               std::runtime_error);
  EXPECT_LT(shared.calls, 1500);
}

/// An element of a scan, which is not a sum before it is read.
struct read_late {
  std::function<void(int)>* when;
  int at;
  explicit operator int() const { return (*when)(at), at; }
};

TEST(ParallelExceptions, OfAScansCombinationTheRestIsLeft) {
  licit::scheduler all{{.workers = 2}};
  one_throws shared;
  std::atomic<bool> measured = false;
  // Other threads measure the elements from 2048 on; those from 4096 on take long.
  std::function<void(int)> when = [&](int i) {
    if (i == 1) shared.wait_for(shared.stolen);
    if (i == 2047) shared.wait_for(measured);
    if (i >= 2048 && i < 4096) measured = true;
    if (i >= 4096) shared.be_stolen();
  };
  std::vector<read_late> v;
  for (int i = 0; i != 6000; ++i) v.push_back({&when, i});
  std::vector<int> out(v.size());
  const auto last = [&](int /*left*/, int right) {
    if (right == 2048) shared.fail();
    return right;
  };
  EXPECT_THROW(all.enter([&] { licit::parallel_inclusive_scan(v, out.begin(), last, 0, {.grain = 1}); }),
               std::runtime_error);
  EXPECT_LT(shared.calls, 1500);
}

// --- the end before the end

/// Not inlined: g++ warns of std::stop_source's own constructor where it inlines it.
[[gnu::noinline]] std::stop_source a_source() { return {}; }

TEST(ParallelStop, EndsALoop) {
  everywhere([] {
    std::stop_source source = a_source();
    std::atomic<int> calls = 0;
    EXPECT_THROW(licit::parallel_for(0, 10'000'000,
                                     [&](int) {
                                       if (++calls == 100) source.request_stop();
                                       std::this_thread::yield();
                                     },
                                     {.stop = source.get_token()}),
                 licit::parallel_stopped);
    EXPECT_LT(calls, 10'000'000);
    // Requested before: not one item.
    std::vector<int> v = numbers(10'000);
    const auto never = [](int /*x*/) -> int {
      ADD_FAILURE();
      return 0;
    };
    const parallel_options stopped{.stop = source.get_token()};
    EXPECT_THROW(licit::parallel_for_each(v, never, stopped), licit::parallel_stopped);
    EXPECT_THROW(licit::parallel_transform_reduce(v, 0, std::plus<>(), never, stopped), licit::parallel_stopped);
    EXPECT_THROW(licit::parallel_find_if(v, never, stopped), licit::parallel_stopped);
    EXPECT_THROW(licit::parallel_inclusive_scan(v, v.begin(), std::plus<>(), stopped), licit::parallel_stopped);
    EXPECT_EQ(v, numbers(10'000));
    EXPECT_THROW(licit::parallel_sort(v, std::less<>(), stopped), licit::parallel_stopped);
    EXPECT_THROW(licit::parallel_stable_sort(v, std::less<>(), stopped), licit::parallel_stopped);
    EXPECT_EQ(v, numbers(10'000));
    licit::parallel_for_each(v.begin(), v.begin(), never, stopped);  // nothing was left out
  });
}

TEST(ParallelStop, AfterTheLastItemIsTooLate) {
  everywhere([] {
    std::stop_source source = a_source();
    std::atomic<int> calls = 0;
    licit::parallel_for(0, 100,
                        [&](int) {
                          if (++calls == 100) source.request_stop();
                        },
                        {.grain = 1, .stop = source.get_token()});
    EXPECT_EQ(calls, 100);
  });
}

TEST(ParallelFindIf, FindsTheFirstAndLeavesTheRest) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n, 50);
    for (const int x : {0, 7, 49, 50}) {
      const auto is = [&](int y) { return y == x; };
      EXPECT_EQ(licit::parallel_find_if(v, is, options), std::find(v.begin(), v.end(), x));
      EXPECT_EQ(licit::parallel_find_if(v.begin(), v.end(), is, options), std::find(v.begin(), v.end(), x));
      EXPECT_EQ(licit::parallel_any_of(v, is, options), std::any_of(v.begin(), v.end(), is));
      EXPECT_EQ(licit::parallel_all_of(v, std::not_fn(is), options), std::none_of(v.begin(), v.end(), is));
      EXPECT_EQ(licit::parallel_none_of(v, is, options), std::none_of(v.begin(), v.end(), is));
      EXPECT_EQ(licit::parallel_any_of(v.begin(), v.end(), is, options), std::any_of(v.begin(), v.end(), is));
      EXPECT_EQ(licit::parallel_all_of(v.begin(), v.end(), std::not_fn(is), options),
                std::none_of(v.begin(), v.end(), is));
      EXPECT_EQ(licit::parallel_none_of(v.begin(), v.end(), is, options), std::none_of(v.begin(), v.end(), is));
    }
  });
  everywhere([] {
    std::atomic<int> calls = 0;
    std::vector<int> v(1'000'000);
    const auto third = [&](const int& x) {
      ++calls;
      std::this_thread::yield();
      return &x == &v[3];
    };
    EXPECT_EQ(licit::parallel_find_if(v, third), v.begin() + 3);
    EXPECT_LT(calls, 1'000'000);
  });
}

TEST(ParallelFindIf, WhichComesFirstTheElementOrTheException) {
  everywhere([] {
    for (const std::size_t found : {std::size_t{10}, std::size_t{4'000}}) {
      std::vector<std::size_t> v(5'000);
      for (std::size_t i = 0; i != v.size(); ++i) v[i] = i;
      const auto is = [&](std::size_t i) {
        if (i == 2'000) throw i;
        return i == found;
      };
      if (found == 10) {
        EXPECT_EQ(licit::parallel_find_if(v, is), v.begin() + 10);
      } else {
        EXPECT_THROW(licit::parallel_find_if(v, is), std::size_t);
      }
    }
  });
}

TEST(ParallelProgress, GrowsToTheEndOneCallAtATime) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    std::size_t last = 0;  // not atomic
    parallel_options told = options;
    told.progress_every = std::chrono::nanoseconds::zero();
    told.progress = [&](std::size_t done, std::size_t all) {
      EXPECT_GE(done, last);
      EXPECT_EQ(all, n);
      last = done;
    };
    const auto reaches_the_end = [&] { return std::exchange(last, 0) == n; };
    std::vector<int> v = numbers(n);
    licit::parallel_for_each(v, [](int) {}, told);
    EXPECT_TRUE(reaches_the_end());
    licit::parallel_reduce(v, 0L, [](long a, long b) { return std::max(a, b); }, told);
    EXPECT_TRUE(reaches_the_end());
    licit::parallel_inclusive_scan(v, v.begin(), [](int a, int b) { return std::max(a, b); }, told);
    EXPECT_TRUE(reaches_the_end());
    licit::parallel_partition(v, [](int x) { return x % 2 == 0; }, told);
    EXPECT_TRUE(reaches_the_end());
    licit::parallel_for_blocks({0, n}, {0, 1}, [](const licit::index_block&) {}, told);
    EXPECT_TRUE(reaches_the_end());
  });
}

TEST(ParallelProgress, IsToldInTheMiddleAndMayThrow) {
  everywhere([] {
    int calls = 0;
    parallel_options told{.grain = 1, .progress_every = std::chrono::nanoseconds::zero()};
    told.progress = [&](std::size_t done, std::size_t all) { calls += done < all ? 1 : 0; };
    licit::parallel_for(0, 1000, [](int) { std::this_thread::yield(); }, told);
    EXPECT_GE(calls, 1);
    told.progress = [](std::size_t, std::size_t) { throw std::runtime_error("full"); };
    EXPECT_THROW(licit::parallel_for(0, 1000, [](int) {}, told), std::runtime_error);
    told.progress = [&](std::size_t, std::size_t) { ++calls; };
    told.progress_every = std::chrono::hours(1);
    calls = 0;
    licit::parallel_for(0, 1000, [](int) {}, told);
    EXPECT_LE(calls, 2) << "the first, and the last";
  });
}

}  // namespace
