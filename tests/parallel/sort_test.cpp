// Partition and sorts: against the standard's, of elements that move only, that throw, that have no memory.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "parallel/everywhere.hpp"

namespace {
std::atomic<bool> refuses_buffers = false;
std::atomic<int> buffers = 0;
std::atomic<int> allocations = 0;
}  // namespace

// Everything else is counted. Not inlined: g++ would see new beside free.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const place = std::malloc(std::max<std::size_t>(bytes, 1))) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t& /*unused*/) noexcept {
  ++allocations;
  return std::malloc(std::max<std::size_t>(bytes, 1));
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t /*bytes*/) noexcept { std::free(place); }

// What parallel_stable_sort gets its buffer from.
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment,
                                     const std::nothrow_t& /*unused*/) noexcept {
  if (refuses_buffers) return nullptr;
  ++buffers;
  const auto unit = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(unit, (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* const place = std::aligned_alloc(unit, (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit)) {
    return place;
  }
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place, std::align_val_t /*alignment*/) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(place);
}

namespace {

using licit::parallel_options;
using licit_test::everywhere;
using licit_test::everywhere_of_sizes;
using licit_test::numbers;
using licit_test::rounds;

std::vector<int> sorted(std::vector<int> v) {
  std::sort(v.begin(), v.end());
  return v;
}

/// Counts those that exist; a comparison may throw.
struct fragile {
  static inline std::atomic<int> alive = 0;
  static inline std::atomic<int> until_it_throws = 0;
  int value;

  explicit fragile(int n) : value{n} { ++alive; }
  fragile(fragile&& other) noexcept : value{std::exchange(other.value, -1)} { ++alive; }
  fragile& operator=(fragile&& other) noexcept {
    value = std::exchange(other.value, -1);
    return *this;
  }
  ~fragile() { --alive; }
  friend bool operator<(const fragile& a, const fragile& b) {
    if (--until_it_throws == 0) throw 1;
    return a.value < b.value;
  }
};
std::vector<fragile> made_of(const std::vector<int>& v) {
  std::vector<fragile> made;
  made.reserve(v.size());
  for (const int each : v) made.emplace_back(each);
  return made;
}

TEST(ParallelPartition, PutsFirstWhatHoldsAndAsksOnceForEach) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    const std::vector<int> v = numbers(n);
    for (const int divisor : {1, 2, 3, 1000, 2'000'000}) {
      std::atomic<std::size_t> calls = 0;
      const auto is = [&](int x) { return ++calls, x % divisor == 0; };
      std::vector<int> got = v;
      const auto middle = licit::parallel_partition(got, is, options);
      EXPECT_EQ(calls, n);
      EXPECT_EQ(middle - got.begin(), std::count_if(v.begin(), v.end(), is));
      EXPECT_TRUE(std::all_of(got.begin(), middle, is));
      EXPECT_TRUE(std::none_of(middle, got.end(), is));
      EXPECT_EQ(sorted(got), sorted(v));
    }
    auto moved = made_of(v);
    const auto middle = licit::parallel_partition(moved, [](const fragile& x) { return x.value % 2 == 0; }, options);
    for (auto i = moved.begin(); i != moved.end(); ++i) ASSERT_EQ(i->value % 2 == 0, i < middle);
  });
}

TEST(ParallelPartition, LeavesAPermutationIfItThrows) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    if (n == 0) return;
    const std::vector<int> v = numbers(n);
    std::vector<int> got = v;
    std::atomic<std::size_t> calls = 0;
    EXPECT_THROW(
        licit::parallel_partition(got, [&](int x) { return ++calls > n / 2 ? throw 1 : x % 2 == 0; }, options), int);
    EXPECT_EQ(sorted(got), sorted(v));
  });
}

template <class Sort>
void sorts_what_std_sorts(Sort sort) {
  everywhere_of_sizes([&](std::size_t n, const parallel_options& options) {
    for (const int limit : {1, 2, 30, 1'000'000}) {
      if (licit_test::slow && limit < 30 && n > 127) continue;
      std::vector<int> v = numbers(n, limit);
      const std::vector<int> want = sorted(v);
      std::deque<int> parts(v.begin(), v.end());
      sort(v, std::less<>(), options);
      EXPECT_EQ(v, want);
      sort(v, std::less<>(), options);  // sorted already
      EXPECT_EQ(v, want);
      sort(v, std::greater<>(), options);  // the other way
      EXPECT_TRUE(std::equal(v.begin(), v.end(), want.rbegin()));
      sort(parts, std::less<>(), options);
      EXPECT_TRUE(std::equal(parts.begin(), parts.end(), want.begin()));
    }
    std::vector<int> organ(n);  // rises and falls
    for (std::size_t i = 0; i != n; ++i) organ[i] = static_cast<int>(std::min(i, n - i));
    const std::vector<int> want = sorted(organ);
    sort(organ, std::less<>(), options);
    EXPECT_EQ(organ, want);
    std::vector<std::string> texts;
    for (const int each : numbers(std::min<std::size_t>(n, 5000)))
      texts.push_back("a long enough text " + std::to_string(each));
    std::vector<std::string> wanted = texts;
    std::sort(wanted.begin(), wanted.end());
    sort(texts, std::less<>(), options);
    EXPECT_EQ(texts, wanted);
  });
}
template <class Sort>
void sorts_what_moves_only(Sort sort) {
  everywhere_of_sizes([&](std::size_t n, const parallel_options& options) {
    std::vector<std::unique_ptr<int>> v;
    for (const int each : numbers(n)) v.push_back(std::make_unique<int>(each));
    sort(v, [](const auto& a, const auto& b) { return *a < *b; }, options);
    const std::vector<int> want = sorted(numbers(n));
    for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(*v[i], want[i]);
  });
}
template <class Sort>
void survives_comparisons_that_throw(Sort sort) {
  everywhere([&] {
    std::mt19937 random(3);
    for (const std::size_t n : {std::size_t{100}, std::size_t{5000}, std::size_t{40'000}}) {
      for (int round = 0; round != rounds(); ++round) {
        auto v = made_of(numbers(n));
        fragile::until_it_throws = static_cast<int>(1 + random() % (3 * n));
        EXPECT_THROW(sort(v, std::less<>(), parallel_options{.grain = 50}), int);
        EXPECT_EQ(fragile::alive, static_cast<int>(n));
        fragile::until_it_throws = 0;
        // Those that std::sort and std::stable_sort had in hand may be lost.
        const auto lost = std::count_if(v.begin(), v.end(), [](const fragile& x) { return x.value == -1; });
        EXPECT_LE(lost, 8 * 50) << "a grain for each worker";
      }
    }
  });
  EXPECT_EQ(fragile::alive, 0);
}
/// Not inlined: g++ warns of std::stop_source's own constructor where it inlines it.
[[gnu::noinline]] std::stop_source a_source() { return {}; }

template <class Sort>
void leaves_a_permutation_when_stopped(Sort sort) {
  licit_test::everywhere_or_once([&] {
    const std::vector<int> v = numbers(60'000);
    for (const int when : {1, 1'000, 100'000, 500'000}) {
      std::vector<int> got = v;
      std::stop_source source = a_source();
      std::atomic<int> calls = 0;
      const auto less = [&](int a, int b) {
        if (++calls == when) source.request_stop();
        return a < b;
      };
      EXPECT_THROW(sort(got, less, parallel_options{.grain = 64, .stop = source.get_token()}), licit::parallel_stopped);
      EXPECT_EQ(sorted(got), sorted(v));
    }
  });
}
template <class Sort>
void random_sorts(Sort sort) {
  std::mt19937 random(11);
  for (int round = 0; round != 4 * rounds(); ++round) {
    licit::scheduler all{{.workers = 1 + random() % 6}};
    all.enter([&] {
      const std::size_t n = random() % 200'000;
      const parallel_options options{.grain = 1 + random() % 3000};
      std::vector<int> v = numbers(n, static_cast<int>(1 + random() % 100'000));
      const std::vector<int> want = sorted(v);
      sort(v, std::less<>(), options);
      EXPECT_EQ(v, want);
    });
  }
}

const auto unstable = [](auto& v, auto less, const parallel_options& o) { licit::parallel_sort(v, less, o); };
const auto stable = [](auto& v, auto less, const parallel_options& o) { licit::parallel_stable_sort(v, less, o); };

TEST(ParallelSort, SortsWhatStdSorts) { sorts_what_std_sorts(unstable); }
TEST(ParallelSort, SortsWhatMovesOnly) { sorts_what_moves_only(unstable); }
TEST(ParallelSort, SurvivesComparisonsThatThrow) { survives_comparisons_that_throw(unstable); }
TEST(ParallelSort, LeavesAPermutationWhenStopped) { leaves_a_permutation_when_stopped(unstable); }
TEST(ParallelSort, RandomSizes) { random_sorts(unstable); }
TEST(ParallelStableSort, SortsWhatStdSorts) { sorts_what_std_sorts(stable); }
TEST(ParallelStableSort, SortsWhatMovesOnly) { sorts_what_moves_only(stable); }
TEST(ParallelStableSort, SurvivesComparisonsThatThrow) { survives_comparisons_that_throw(stable); }
TEST(ParallelStableSort, LeavesAPermutationWhenStopped) { leaves_a_permutation_when_stopped(stable); }
TEST(ParallelStableSort, RandomSizes) { random_sorts(stable); }

TEST(ParallelStableSort, KeepsTheOrderOfEquals) {
  everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    std::vector<std::pair<int, std::size_t>> v;
    for (const int each : numbers(n, 9)) v.emplace_back(each, v.size());
    licit::parallel_stable_sort(v, [](const auto& a, const auto& b) { return a.first < b.first; }, options);
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));  // by both: places rise among equals
  });
}

/// As small as what is copied freely, but it moves only; and what compares it is not const.
struct number {
  int n;
  explicit number(int k) : n{k} {}
  number(number&&) = default;
  number& operator=(number&&) = default;
  number(const number&) = delete;
  number& operator=(const number&) = delete;
  ~number() = default;
};
static_assert(std::is_trivially_copyable_v<number>);
struct compares {
  // NOLINTNEXTLINE(readability-make-member-function-const)
  bool operator()(const number& a, const number& b) { return a.n < b.n; }
};

TEST(ParallelSorts, TakeSmallElementsThatMoveOnlyAndComparisonsThatAreNotConst) {
  licit_test::everywhere([] {
    for (const bool keeps : {false, true}) {
      std::vector<number> made;
      for (const int n : licit_test::numbers(10'000)) made.emplace_back(n);
      keeps ? licit::parallel_stable_sort(made, compares()) : licit::parallel_sort(made, compares());
      EXPECT_TRUE(std::ranges::is_sorted(made, {}, &number::n));
    }
    std::vector<number> parted;
    for (const int n : licit_test::numbers(10'000, 100)) parted.emplace_back(n);
    const auto middle = licit::parallel_partition(parted, [](const number& x) { return x.n < 50; });
    EXPECT_TRUE(std::all_of(parted.begin(), middle, [](const number& x) { return x.n < 50; }));
    EXPECT_TRUE(std::none_of(middle, parted.end(), [](const number& x) { return x.n < 50; }));
  });
}

TEST(ParallelSorts, OfNothingAreDoneBeforeAStop) {
  licit_test::everywhere([] {
    std::stop_source stopped;
    stopped.request_stop();
    std::vector<int> none, some{2, 1};
    licit::parallel_sort(none, std::less<>(), {.stop = stopped.get_token()});
    licit::parallel_stable_sort(none, std::less<>(), {.stop = stopped.get_token()});
    EXPECT_THROW(licit::parallel_sort(some, std::less<>(), {.stop = stopped.get_token()}), licit::parallel_stopped);
  });
}

TEST(ParallelAllocations, LoopsReductionsSearchesAndSortsMakeNone) {
  everywhere([] {
    std::vector<int> v = numbers(50'000);
    std::atomic<long> sum = 0;
    const auto odd = [](int x) { return x % 2 != 0; };
    const int before = allocations + buffers;
    licit::parallel_for(0, 1'000, [&](int i) { sum += i; });
    licit::parallel_for_each(v, [](int& x) { ++x; });
    licit::parallel_for_blocks({0, 300}, {0, 300}, [&](const licit::index_block& b) { sum += b.rows.size(); });
    sum += licit::parallel_reduce(v, 0L);
    sum += *licit::parallel_min_element(v);
    sum += *licit::parallel_find_if(v, odd);
    licit::parallel_partition(v, odd);
    licit::parallel_sort(v);
    EXPECT_EQ(allocations + buffers, before);
    licit::parallel_inclusive_scan(v, v.begin(), [](int a, int b) { return std::max(a, b); });
    EXPECT_EQ(allocations + buffers, before + 1) << "one vector";
  });
}

/// More than operator new gives of itself. What compares them looks where they are.
struct alignas(64) wide {
  int key;
  int place;
};
/// std::allocator of libstdc++ 12 forgets the alignment if clang 14 compiles it as C++23.
template <class T>
struct aligned {
  using value_type = T;

  aligned() = default;
  template <class U>
  explicit(false) aligned(const aligned<U>& /*other*/) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{alignof(T)})); }
  void deallocate(T* p, std::size_t /*n*/) { ::operator delete(p, std::align_val_t{alignof(T)}); }
  friend bool operator==(aligned /*a*/, aligned /*b*/) { return true; }
};
void sorts_where_elements_may_be(std::size_t n, const parallel_options& options) {
  std::atomic<int> astray = 0;
  std::deque<wide, aligned<wide>> v;
  for (const int each : numbers(n, 50)) v.push_back({each, static_cast<int>(v.size())});
  const auto less = [&](const wide& a, const wide& b) {
    for (const wide* each : {&a, &b}) astray += reinterpret_cast<std::uintptr_t>(each) % alignof(wide) == 0 ? 0 : 1;
    return a.key < b.key;
  };
  licit::parallel_stable_sort(v, less, options);
  EXPECT_TRUE(std::ranges::is_sorted(v, {}, [](const wide& a) { return std::pair(a.key, a.place); }));
  EXPECT_EQ(astray, 0);
}
TEST(ParallelStableSort, KeepsElementsWhereTheirAlignmentAllows) {
  everywhere([] {
    for (const std::size_t n : {0, 1, 2, 3, 100, 1'000}) {
      for (const std::size_t grain : {1, 7, 1'000, 10'000}) sorts_where_elements_may_be(n, {.grain = grain});
    }
    refuses_buffers = true;
    sorts_where_elements_may_be(1'000, {.grain = 100});
    refuses_buffers = false;
  });
}

/// Keys and places in two vectors, as one range of pairs. Its references are proxies, so it is random access by its
/// concept alone.
struct entry {
  int key;
  int place;
};
struct entry_reference {
  int* key;
  int* place;

  explicit(false) operator entry() const { return {*key, *place}; }
  const entry_reference& operator=(const entry& to) const {
    *key = to.key, *place = to.place;
    return *this;
  }
  const entry_reference& operator=(const entry_reference& to) const { return *this = entry(to); }
  entry_reference(int& k, int& p) : key{&k}, place{&p} {}
  entry_reference(const entry_reference&) = default;
  ~entry_reference() = default;
  friend void swap(const entry_reference& a, const entry_reference& b) {
    std::swap(*a.key, *b.key);
    std::swap(*a.place, *b.place);
  }
};
struct entry_iterator {
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = entry;
  using difference_type = std::ptrdiff_t;
  using reference = entry_reference;
  using pointer = void;
  int* key = nullptr;
  int* place = nullptr;

  entry_reference operator*() const { return {*key, *place}; }
  entry_reference operator[](std::ptrdiff_t n) const { return {key[n], place[n]}; }
  entry_iterator& operator+=(std::ptrdiff_t n) {
    key += n, place += n;
    return *this;
  }
  entry_iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
  entry_iterator& operator++() { return *this += 1; }
  entry_iterator& operator--() { return *this -= 1; }
  entry_iterator operator++(int) { return {key++, place++}; }
  entry_iterator operator--(int) { return {key--, place--}; }
  friend entry_iterator operator+(entry_iterator i, std::ptrdiff_t n) { return i += n; }
  [[maybe_unused]] friend entry_iterator operator+(std::ptrdiff_t n, entry_iterator i) { return i += n; }
  friend entry_iterator operator-(entry_iterator i, std::ptrdiff_t n) { return i -= n; }
  friend std::ptrdiff_t operator-(const entry_iterator& a, const entry_iterator& b) { return a.key - b.key; }
  friend bool operator==(const entry_iterator& a, const entry_iterator& b) { return a.key == b.key; }
  friend auto operator<=>(const entry_iterator& a, const entry_iterator& b) { return a.key <=> b.key; }
};
static_assert(std::random_access_iterator<entry_iterator>);
int key_of(const entry& e) { return e.key; }
int key_of(const entry_reference& e) { return *e.key; }

TEST(ParallelSorts, TakeIteratorsThatAreRandomAccessByTheirConceptAlone) {
  licit_test::everywhere_of_sizes([](std::size_t n, const parallel_options& options) {
    std::vector<int> keys = numbers(n, 50), places(n);
    std::iota(places.begin(), places.end(), 0);
    const std::vector<int> before = keys;
    const entry_iterator first{keys.data(), places.data()}, last = first + static_cast<std::ptrdiff_t>(n);
    const auto less = [](const auto& a, const auto& b) { return key_of(a) < key_of(b); };
    const auto goes_with_its_place = [&](int i) {
      return keys[static_cast<std::size_t>(i)] == before[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])];
    };
    licit::parallel_stable_sort(first, last, less, options);
    EXPECT_TRUE(std::ranges::is_sorted(keys));
    for (int i = 1; i < static_cast<int>(n); ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_TRUE(goes_with_its_place(i) && (keys[at - 1] < keys[at] || places[at - 1] < places[at]));
    }
    const auto greater = [&](const auto& a, const auto& b) { return less(b, a); };
    licit::parallel_sort(first, last, greater, options);
    EXPECT_TRUE(std::ranges::is_sorted(keys, std::greater<>()));
    for (int i = 0; i != static_cast<int>(n); ++i) EXPECT_TRUE(goes_with_its_place(i));
  });
}

TEST(ParallelStableSort, SortsWithoutABuffer) {
  everywhere([] {
    std::vector<int> v = numbers(20'000);
    const int before = buffers;
    licit::parallel_stable_sort(v);
    EXPECT_EQ(buffers, before + 1);
    v = numbers(20'000);
    refuses_buffers = true;
    licit::parallel_stable_sort(v);
    refuses_buffers = false;
    EXPECT_EQ(v, sorted(v));
  });
}

}  // namespace
