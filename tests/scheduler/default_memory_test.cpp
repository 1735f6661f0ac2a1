// What the library asks of operator new: default memory, a scheduler without memory, joins.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <stop_token>
#include <thread>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/default_memory.hpp>
#include <licit/time.hpp>

#include <gtest/gtest.h>

namespace {

// Which of the two forms of new was called last.
thread_local std::size_t asked_alignment = 0;
std::atomic<int> news_of_1024 = 0;
std::atomic<int> news = 0;
std::atomic<int> deletes = 0;
std::atomic<bool> no_memory = false;
std::atomic<int> news_left = -1;  ///< until one is refused; negative: none is
std::atomic<int> refused = 0;

void count_or_refuse() {
  ++news;
  const bool refuses = news_left >= 0 && news_left.fetch_sub(1) == 0;
  if (!no_memory && !refuses) return;
  ++refused;
  throw std::bad_alloc();
}

}  // namespace

// Not inlined: g++ would take free for the wrong partner of what it sees allocated.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  asked_alignment = 0;
  count_or_refuse();
  if (bytes == 1024) ++news_of_1024;
  if (void* const place = std::malloc(bytes)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  asked_alignment = static_cast<std::size_t>(alignment);
  count_or_refuse();
  const std::size_t whole = (bytes + asked_alignment - 1) / asked_alignment * asked_alignment;
  if (void* const place = std::aligned_alloc(asked_alignment, whole)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  ++deletes;
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }

namespace {

using namespace std::chrono_literals;

bool is_aligned(const void* place, std::size_t to) { return reinterpret_cast<std::uintptr_t>(place) % to == 0; }

TEST(DefaultMemory, IsPlainNewWhereTheAlignmentIsUsual) {
  std::pmr::memory_resource& memory = licit::default_memory();
  for (std::size_t alignment = 1; alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__; alignment *= 2) {
    asked_alignment = 1;
    void* const place = memory.allocate(2000, alignment);
    EXPECT_EQ(asked_alignment, 0U);
    EXPECT_TRUE(is_aligned(place, alignment));
    memory.deallocate(place, 2000, alignment);
  }
}

// Files that were compiled with a sanitizer and without one free each other's blocks.
TEST(DefaultMemory, ANewSmallBlockHasItsWholeStepsInEveryBuild) {
  int whole = 0;
  std::thread([&] {  // one that has no blocks yet
    const int before = news_of_1024;
    void* const place = licit::default_memory().allocate(1000, 16);
    whole = news_of_1024 - before;
    licit::default_memory().deallocate(place, 1000, 16);
  })
      .join();
  EXPECT_EQ(whole, 1);
}

TEST(DefaultMemory, AThreadKeepsSomeSmallBlocksUntilItsEnd) {
  if (!licit::detail::keeps_blocks) GTEST_SKIP() << "under a sanitizer each block is new";
  std::pmr::memory_resource& memory = licit::default_memory();
  int deletes_before_the_end = 0;
  std::thread([&] {
    std::vector<void*> blocks(100);
    const auto allocate = [&](std::size_t bytes) {
      const int before = news_of_1024;
      for (void*& b : blocks) {
        b = memory.allocate(bytes, 16);
        EXPECT_TRUE(is_aligned(b, 16));
      }
      return news_of_1024 - before;
    };
    EXPECT_EQ(allocate(1000), 100);
    for (void* b : blocks) memory.deallocate(b, 1000, 16);
    EXPECT_EQ(allocate(1024), 36) << "of the same size; 64 were kept";
    for (void* b : blocks) memory.deallocate(b, 1024, 16);
    blocks = {};
    deletes_before_the_end = deletes;
  }).join();
  EXPECT_GE(deletes - deletes_before_the_end, 64);
}

TEST(DefaultMemory, AsksForAnAlignmentThatIsNot) {
  std::pmr::memory_resource& memory = licit::default_memory();
  void* const place = memory.allocate(100, 256);
  EXPECT_EQ(asked_alignment, 256U);
  EXPECT_TRUE(is_aligned(place, 256));
  memory.deallocate(place, 100, 256);
}

TEST(DefaultMemory, AnyThreadFrees) {
  std::pmr::memory_resource& memory = licit::default_memory();
  void* const place = memory.allocate(64, 8);
  std::thread([&] { memory.deallocate(place, 64, 8); }).join();
}

template <class Flag>
void comes(const std::atomic<Flag>& flag) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(flag);
}

licit::task<> never_done() {
  for (;;) co_await licit::yield_now();
}

// With tasks that run, wait in queues, or are suspended, some of them without a handle. What a task needs
// memory for is done before there is none: frames are made where tasks are spawned, as these may begin later, and those
// that suspend have their stop token, with which they are registered.
TEST(NoMemory, ASchedulerEnds) {
  for (int round = 0; round != 20; ++round) {
    licit::join_handle<void> kept;
    {
      licit::scheduler all({.workers = 2});
      std::atomic<int> with_token = 0;
      for (int i = 0; i != 50; ++i) {
        all.spawn([&]() -> licit::task<> {
             (void)co_await licit::get_stop_token();
             ++with_token;
             for (;;) co_await licit::suspend_with([](const licit::waker& /*dropped*/) {});
           })
            .detach();
      }
      while (with_token != 50) std::this_thread::yield();
      std::atomic<bool> runs = false;
      all.spawn([&](const std::stop_token& stop) {
           runs = true;
           while (!stop.stop_requested()) std::this_thread::yield();
         })
          .detach();
      for (int i = 0; i != 100; ++i) all.spawn(never_done()).detach();
      kept = all.spawn(never_done());
      while (!runs) std::this_thread::yield();
      no_memory = true;
    }
    no_memory = false;
    EXPECT_EQ(refused.exchange(0), 0);
    EXPECT_THROW(kept.get(), licit::task_cancelled);
  }
}

/// Each allocation in turn is refused, in whichever thread it is.
TEST(NoMemory, ASchedulerIsMadeOrNot) {
  licit::manual_clock clock;
  licit::scheduler_options options{.workers = 2, .thread_name = "elevenchars", .stall_after = 1h};
  options.on_thread_start = [](std::size_t) {};
  options.clock = &clock;
  options.trace_events = 64;
  int made = 0;
  int number = 0;
  for (bool reached = true; reached; ++number) {
    news_left = number;
    try {
      const licit::scheduler all(options);
      ++made;
    } catch (const std::bad_alloc&) {
    }
    reached = news_left < 0;
    news_left = -1;
    clock.advance(1ms);  // nobody follows it any more
  }
  EXPECT_EQ(made, 1) << "the last, of which nothing was refused";
  EXPECT_EQ(refused.exchange(0), number - 1);
  EXPECT_GT(number, 20);
}

/// Has what operator new has not.
class memory_of_its_own final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t least = std::max(alignment, sizeof(void*));
    return std::aligned_alloc(least, (bytes + least - 1) / least * least);
  }
  void do_deallocate(void* place, std::size_t /*bytes*/, std::size_t /*alignment*/) override { std::free(place); }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// The name of the task is too long for a string without memory.
TEST(NoMemory, AWatchdogTellsLater) {
  memory_of_its_own memory;
  std::atomic<int> told = 0;
  licit::scheduler_options options{.workers = 1, .stall_after = 1ms};
  options.on_stall = [&](const licit::stall& one) {
    told += one.task == "a name that is not stored in place" ? 1 : 100;
  };
  options.memory = &memory;
  licit::scheduler all(options);
  std::atomic<bool> over = false;
  no_memory = true;
  auto stuck = all.spawn_with({.name = "a name that is not stored in place"}, [&] {
    while (!over) std::this_thread::yield();
  });
  while (refused == 0) std::this_thread::yield();
  no_memory = false;
  comes(told);
  over = true;
  stuck.get();
  EXPECT_EQ(told, 1);
  refused = 0;
}

TEST(DefaultMemory, IsOne) {
  EXPECT_TRUE(licit::default_memory().is_equal(licit::default_memory()));
  EXPECT_FALSE(licit::default_memory().is_equal(*std::pmr::null_memory_resource()));
}

/// What all threads ask for while `body` runs. Threads that have not begun when it is called may ask too.
template <class Body>
int news_in(Body body) {
  const int before = news;
  body();
  return news - before;
}

/// The number of leaves of a tree of joins, of two and of three callables.
[[gnu::noinline]] int count_by_joins(int depth) {
  if (depth == 0) return 1;
  if (depth % 2 != 0) {
    const auto [a, b] =
        licit::join([=] { return count_by_joins(depth - 1); }, [=] { return count_by_joins(depth - 1); });
    return a + b;
  }
  const auto [a, none, b] =
      licit::join([=] { return count_by_joins(depth - 1); }, [] {}, [=] { return count_by_joins(depth - 1); });
  return a + b;
}

/// Runs `body` in a task of a scheduler whose workers have all begun. No other thread joins.
template <class Body>
void with_workers(std::size_t workers, Body body) {
  licit::scheduler all({.workers = workers, .guests = 0});
  std::atomic<std::size_t> met = 0;
  std::vector<licit::join_handle<void>> tasks;
  for (std::size_t i = 0; i != workers; ++i) {
    tasks.push_back(all.spawn([&] {
      ++met;
      while (met != workers) std::this_thread::yield();
    }));
  }
  for (auto& each : tasks) each.get();
  all.spawn(body).get();
}

TEST(JoinAllocations, NoneWhereNobodySteals) {
  with_workers(1, [] {
    EXPECT_EQ(news_in([] { EXPECT_EQ(count_by_joins(1), 2); }), 0);
    EXPECT_EQ(news_in([] { EXPECT_EQ(count_by_joins(10), 1024); }), 0);
  });
}

/// The second half waits for nobody, the first one for the second: so it is stolen.
template <class First, class Second>
void join_stolen(First first, Second second) {
  std::atomic<bool> began = false;
  licit::join(
      [&] {
        comes(began);
        first();
      },
      [&] {
        began = true;
        second();
      });
}

TEST(JoinAllocations, NoneWhereAHalfIsStolen) {
  with_workers(2, [] {
    EXPECT_EQ(news_in([] { join_stolen([] {}, [] {}); }), 0);
    EXPECT_EQ(news_in([] { join_stolen([] { count_by_joins(6); }, [] { count_by_joins(6); }); }), 0);
  });
}

// The joiner sleeps first; then it takes a half from its thief.
TEST(JoinAllocations, NoneWhereAJoinerSleepsAndHelps) {
  with_workers(2, [] {
    const auto late = [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      join_stolen([] {}, [] {});
    };
    EXPECT_EQ(news_in([&] { join_stolen([] {}, late); }), 0);
  });
}

// One of three is stolen, and of that one a half again.
TEST(JoinAllocations, NoneWhereAStolenHalfIsStolenOnward) {
  with_workers(3, [] {
    EXPECT_EQ(news_in([] {
                std::atomic<bool> ended = false;
                join_stolen([&] { comes(ended); },
                            [&] {
                              join_stolen([] {}, [] { count_by_joins(4); });
                              ended = true;
                            });
              }),
              0);
    EXPECT_EQ(news_in([] { EXPECT_EQ(count_by_joins(12), 4096); }), 0);
  });
}

// A half that allocates: the count shows each.
TEST(JoinAllocations, AreCountedInTheCallersThreadAndInTheThiefs) {
  const auto on_heap = [] { ::operator delete(::operator new(16)); };  // no new-expression, which may be left out
  with_workers(2, [=] {
    EXPECT_EQ(news_in([=] { licit::join([] {}, on_heap); }), 1);
    EXPECT_EQ(news_in([=] { join_stolen([] {}, on_heap); }), 1);
    EXPECT_EQ(news_in([=] { join_stolen(on_heap, on_heap); }), 2);
  });
}

}  // namespace
