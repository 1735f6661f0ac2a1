// Fork and join: values, exceptions, threads of all kinds, sleepers that must learn of a fork, stacks.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <ucontext.h>
#include <utility>
#include <variant>
#include <vector>

#include <licit/deque/membarrier.hpp>
#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/task/context.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"

namespace {

using namespace std::chrono_literals;

[[gnu::noinline]] long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = licit::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Whether the flag is set within a time that only a lost wake-up exceeds.
bool comes(const std::atomic<bool>& flag) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return flag;
}

TEST(Join, ReturnsBothValues) {
  licit::scheduler all({.workers = 2});
  const auto both = all.join([] { return 1; }, [] { return std::string("two"); });
  EXPECT_EQ(both, (std::pair<int, std::string>(1, "two")));
  int x = 3;
  const auto [nothing, same] = all.join([] {}, [&]() -> int& { return x; });
  static_assert(std::is_same_v<decltype(nothing), const std::monostate>);
  EXPECT_EQ(&same.get(), &x);
  const auto [owner, moved] =
      all.join([] { return std::make_unique<int>(4); }, [] { return std::make_unique<int>(5); });
  EXPECT_EQ(*owner + *moved, 9);
  std::string text = "three";
  const auto [taken, kept] =
      all.join([&]() -> std::string&& { return std::move(text); }, [&]() -> int&& { return std::move(x); });
  static_assert(std::is_same_v<decltype(taken), const std::string>);
  EXPECT_EQ(taken + std::to_string(kept), "three3");
  const auto more = all.join([] { return 1; }, [] { return 'b'; }, [] {}, [] { return 4L; });
  EXPECT_EQ(more, (std::tuple<int, char, std::monostate, long>(1, 'b', {}, 4)));
}

TEST(Join, IsTheSameEverywhere) {
  for (const std::size_t workers : {1U, 2U, 3U}) {
    licit::scheduler all({.workers = workers});
    EXPECT_EQ(all.spawn([] { return fib(18); }).get(), 2584);
    EXPECT_EQ(all.enter([] { return fib(18); }), 2584);
    EXPECT_EQ(all.block_on([]() -> licit::task<long> { co_return fib(18); }), 2584);
    EXPECT_EQ(all.spawn([]() -> licit::task<long> {
                   long sum = fib(15);
                   co_await licit::yield_now();
                   co_return sum + fib(15);
                 }())
                  .get(),
              2 * 610);
    EXPECT_EQ(all.spawn([&] { return all.join([] { return fib(10); }, [] { return fib(11); }).second; }).get(), 89);
  }
}

TEST(Join, ThrowsWithoutAScheduler) {
  bool ran = false;
  EXPECT_THROW(licit::join([&] { ran = true; }, [&] { ran = true; }), std::logic_error);
  EXPECT_FALSE(ran);
}

TEST(Join, WithoutAGuestPlaceRunsOnItsThread) {
  licit::scheduler all({.workers = 2, .guests = 0});
  std::set<std::thread::id> ran;  // without a lock: ThreadSanitizer would see another thread
  const std::function<void(int)> tree = [&](int depth) {
    ran.insert(std::this_thread::get_id());
    if (depth != 0) licit::join([&] { tree(depth - 1); }, [&] { tree(depth - 1); });
  };
  all.enter([&] { tree(6); });
  EXPECT_EQ(ran, std::set{std::this_thread::get_id()});
}

TEST(Join, ABlockOnOfAHalfIsRefusedOnAWorker) {
  licit::scheduler all({.workers = 1});  // which would wait for itself
  std::atomic<bool> stolen = false;
  const auto answer = [](licit::scheduler& s) -> licit::task<int> { co_return co_await s.spawn([] { return 5; }); };
  const auto wait_here = [&] { EXPECT_TRUE(comes(stolen)); };
  const auto block = [&] {
    stolen = true;
    EXPECT_THROW(all.block_on(answer, std::ref(all)), std::system_error);
  };
  all.join(wait_here, block);
  EXPECT_EQ(all.enter([&] { return all.block_on(answer, std::ref(all)); }), 5);  // this thread is no worker
}

TEST(Join, BothHalvesEndBeforeTheFirstExceptionIsRethrown) {
  licit::scheduler all({.workers = 2});
  const auto caught = [&](bool first_throws, bool second_throws, bool stolen) {
    std::atomic<bool> began = false;
    std::atomic<int> ended = 0;
    std::string what;
    try {
      all.join(
          [&] {
            if (stolen) {
              EXPECT_TRUE(comes(began));
            }
            ++ended;
            if (first_throws) throw std::runtime_error("first");
          },
          [&] {
            began = true;
            if (stolen) std::this_thread::sleep_for(1ms);
            ++ended;
            if (second_throws) throw std::runtime_error("second");
          });
    } catch (const std::exception& e) {
      what = e.what();
    }
    EXPECT_EQ(ended, 2);
    return what;
  };
  for (const bool stolen : {false, true}) {
    EXPECT_EQ(caught(false, false, stolen), "");
    EXPECT_EQ(caught(true, false, stolen), "first");
    EXPECT_EQ(caught(false, true, stolen), "second");
    EXPECT_EQ(caught(true, true, stolen), "first");
  }
}

// The fork is the only call that could wake the other worker: the first half does nothing but wait for the second.
TEST(Join, WakesASleepingWorker) {
  licit::scheduler all({.workers = 2});
  for (int i = 0; i != 200; ++i) {
    if (i % 10 == 0) std::this_thread::sleep_for(1ms);  // they fall asleep
    std::atomic<bool> began = false;
    all.spawn([&] { licit::join([&] { EXPECT_TRUE(comes(began)); }, [&] { began = true; }); }).get();
    std::atomic<bool> again = false;
    all.join([&] { EXPECT_TRUE(comes(again)); }, [&] { again = true; });
  }
}

// The joiner sleeps while the thief's deque is empty. A later fork of the thief reaches it: nobody else is there.
TEST(Join, ALaterForkOfTheThiefWakesTheJoiner) {
  licit::scheduler all({.workers = 2, .guests = 0});
  for (int i = 0; i != 50; ++i) {
    std::atomic<bool> stolen = false;
    std::atomic<bool> helped = false;
    all.spawn([&] {
         licit::join([&] { EXPECT_TRUE(comes(stolen)); },
                     [&] {
                       stolen = true;
                       std::this_thread::sleep_for(2ms);  // the joiner waits, and sleeps
                       licit::join([&] { EXPECT_TRUE(comes(helped)); }, [&] { helped = true; });
                     });
       })
        .get();
  }
}

// The same one theft further: the thief's thief forks.
TEST(Join, AForkOfTheThiefsThiefWakesTheJoiner) {
  licit::scheduler all({.workers = 3, .guests = 0});
  for (int i = 0; i != 50; ++i) {
    std::array<std::atomic<bool>, 3> began{};
    std::atomic<bool> all_began = false;
    const auto meet = [&](std::size_t who) {
      began[who] = true;
      EXPECT_TRUE(comes(all_began));
    };
    all.spawn([&] {
         std::atomic<bool> first = false;
         std::atomic<bool> second = false;
         licit::join([&] { EXPECT_TRUE(comes(first)); },
                     [&] {
                       first = true;
                       std::this_thread::sleep_for(1ms);
                       licit::join(
                           [&] {
                             EXPECT_TRUE(comes(second));
                             meet(0);
                           },
                           [&] {
                             second = true;
                             std::this_thread::sleep_for(2ms);
                             licit::join([&] { meet(1); },
                                         [&] {
                                           began[2] = true;
                                           EXPECT_TRUE(comes(began[0]) && comes(began[1]));
                                           all_began = true;
                                         });
                           });
                     });
       })
        .get();
  }
}

// Joiners share the bits of the alert words, of which there are 62. That may cost help, and never a result. All threads
// wait in their leaves for one another; then joiners wait, and sleep, while others fork.
TEST(Join, AJoinerThatMayNotHelpIsNotWokenByForks) {
  licit::idle_set<> idle(1);
  licit::parker<> sleep;
  licit::fork_crew<> all(idle, 1, [&](std::size_t /*one*/) -> licit::parker<>& { return sleep; }, {.guests = 1});
  struct counts : licit::fork_job<> {
    explicit counts(body run) : licit::fork_job<>(run) {}
    std::atomic<int> sleeps = 0;
  };
  const auto forks = [](licit::fork_job<>& self, licit::fork_side<>& where) noexcept {
    licit::fork_job<> nothing([](licit::fork_job<>& /*self*/, licit::fork_side<>& /*where*/) noexcept {});
    for (int i = 0; i != 300 && static_cast<counts&>(self).sleeps < 10; ++i) {
      static_cast<void>(where.offer(nothing));
      static_cast<void>(where.take_back(nothing));
      std::this_thread::sleep_for(100us);
    }
  };
  counts stolen(+forks);
  licit::fork_side<>& joiner = *all.enter();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address above any stack, so half of this one is in use
  joiner.set_stack(reinterpret_cast<const void*>(~std::uintptr_t{0}), nullptr);
  joiner.set_before_sleep({[](void* with) noexcept { ++*static_cast<std::atomic<int>*>(with); }, &stolen.sleeps});
  ASSERT_TRUE(joiner.offer(stolen));
  const auto got = all.steal(joiner.number());
  ASSERT_TRUE(got);
  std::thread thief([&] { all.run(all.at_side(0), *got); });
  EXPECT_FALSE(joiner.take_back(stolen));
  joiner.wait(stolen);
  thief.join();
  EXPECT_LE(stolen.sleeps, 2);  // before the thief began, and until it ended
  all.leave(joiner);
}

TEST(Join, MoreThreadsThanRequestBitsLoseNothing) {
  constexpr std::size_t threads = 70;
  licit::scheduler all({.workers = threads, .guests = 0});
  for (int round = 0; round != 3; ++round) {
    std::atomic<std::size_t> began = 0;
    std::atomic<bool> all_began = false;
    const std::function<long(std::size_t)> tree = [&](std::size_t leaves) -> long {
      if (leaves == 1) {
        if (++began == threads) all_began = true;
        EXPECT_TRUE(comes(all_began));
        return fib(12);
      }
      const auto [a, b] = licit::join([&] { return tree(leaves - leaves / 2); }, [&] { return tree(leaves / 2); });
      return a + b;
    };
    EXPECT_EQ(all.spawn([&] { return tree(threads); }).get(), 144 * static_cast<long>(threads));
  }
}

// A joiner may hold a lock that unrelated tasks and joins take: it never runs them while it waits.
TEST(Join, AWaitingThreadRunsNothingUnrelated) {
  licit::scheduler all({.workers = 3});
  std::mutex one_at_a_time;  // not recursive
  std::atomic<int> sum = 0;
  const auto work = [&] {
    const std::lock_guard lock(one_at_a_time);
    licit::join([&] { sum += static_cast<int>(fib(6)); }, [&] { sum += static_cast<int>(fib(6)); });
  };
  all.enter([&] {
    const std::function<void(int)> tree = [&](int depth) {
      if (depth == 0) return work();
      licit::join([&] { tree(depth - 1); }, [&] { tree(depth - 1); });
    };
    tree(9);
  });
  EXPECT_EQ(sum, 512 * 16);
}

ucontext_t on_thread, on_fiber;

TEST(Join, OnTheStackOfAFiber) {
  if (licit::detail::sanitized) GTEST_SKIP() << "sanitizers do not follow swapcontext";
  licit::scheduler all({.workers = 2});
  static long sum = 0;
  const auto run = [] {
    const auto body = [] {
      sum = fib(15);
      swapcontext(&on_fiber, &on_thread);
    };
    std::vector<char> stack(512 * 1024);
    ASSERT_EQ(getcontext(&on_fiber), 0);
    on_fiber.uc_stack = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
    makecontext(&on_fiber, +body, 0);
    ASSERT_EQ(swapcontext(&on_thread, &on_fiber), 0);
    EXPECT_EQ(std::exchange(sum, 0), 610);
  };
  all.enter(run);
  all.spawn(run).get();
}

TEST(Join, EndsARecursionBeforeTheStackDoes) {
  licit::scheduler all({.workers = 2, .stack_bytes = 512 * 1024});
  struct deep {
    // NOLINTNEXTLINE(misc-no-recursion)
    static int down(int n) {
      std::array<char, 256> used{};
      const auto [a, b] = licit::join([&] { return down(n + 1); }, [&] { return static_cast<int>(used[0]); });
      return a + b;
    }
    static int down_second(int n) {
      const auto [a, b] = licit::join([&] { return 0; }, [&] { return down_second(n + 1); });
      return a + b;
    }
    static int down_both(int n) {
      const auto [a, b] = licit::join([&] { return down_both(n + 1); }, [&] { return down_both(n + 2); });
      return a + b;
    }
  };
  EXPECT_THROW(all.spawn([] { return deep::down_both(0); }).get(), licit::stack_exhausted);
  EXPECT_THROW(all.spawn([] { return deep::down(0); }).get(), licit::stack_exhausted);
  EXPECT_THROW(all.spawn([] { return deep::down_second(0); }).get(), licit::stack_exhausted);
  licit::scheduler other({.workers = 1, .stack_bytes = 512 * 1024});
  EXPECT_THROW(other.spawn([&] { return all.enter([] { return deep::down(0); }); }).get(), licit::stack_exhausted);
  EXPECT_EQ(all.spawn([] { return fib(10); }).get(), 55);
  licit::scheduler no_room({.workers = 1, .guests = 0});
  EXPECT_THROW(other.spawn([&] { no_room.enter([] { return deep::down(0); }); }).get(), licit::stack_exhausted);
  EXPECT_THROW(other.spawn([&] { no_room.enter([] { return deep::down_second(0); }); }).get(), licit::stack_exhausted);
  EXPECT_THROW(other.spawn([&] { no_room.enter([] { return deep::down_both(0); }); }).get(), licit::stack_exhausted);
}

// A thief's recursion is as deep as the one that it was stolen from. If the thread that waits took part of it, and so
// on in turn, that would go on until the stack were full of waits: some thousand times as many calls.
TEST(Join, EndsARecursionInBothHalvesWithManyThieves) {
  if (licit_test::scale < 80) GTEST_SKIP() << "exceptions through deep stacks take too long";
  std::atomic<std::uint64_t> calls = 0;
  struct deep {
    // NOLINTNEXTLINE(misc-no-recursion)
    static int down(std::atomic<std::uint64_t>& calls) {
      calls.fetch_add(1, std::memory_order_relaxed);
      const auto [a, b] = licit::join([&] { return down(calls); }, [&] { return down(calls); });
      return a + b;
    }
    // NOLINTNEXTLINE(misc-no-recursion)
    static void loop(std::atomic<std::uint64_t>& calls) {
      calls.fetch_add(1, std::memory_order_relaxed);
      licit::parallel_for(0, 2, [&](int /*i*/) { loop(calls); });
    }
  };
  const auto most = [&](std::size_t workers, auto recursion) {
    licit::scheduler all({.workers = workers, .stack_bytes = std::size_t{2} * 1024 * 1024});
    std::uint64_t most = 0;
    for (int i = 0; i != (workers == 1 ? 1 : 3); ++i) {
      calls = 0;
      EXPECT_THROW(all.spawn([&] { recursion(calls); }).get(), licit::stack_exhausted);
      most = std::max(most, calls.load());
    }
    return most;
  };
  EXPECT_LT(most(4, &deep::down), 32 * most(1, &deep::down));
  EXPECT_LT(most(4, &deep::loop), 32 * most(1, &deep::loop));
}

// Nor does a sort take part in other work after an exception in its left half, while its right half is being stolen.
TEST(Join, EndsARecursionInASortWithManyThieves) {
  if (licit_test::scale < 80) GTEST_SKIP() << "exceptions through deep stacks take too long";
  struct recursion {
    std::atomic<std::uint64_t> calls = 0;
    // NOLINTNEXTLINE(misc-no-recursion)
    void down() {
      calls.fetch_add(1, std::memory_order_relaxed);
      std::vector<int> few{3, 1, 2, 5};
      const auto less = [&](int a, int b) {
        down();
        return a < b;
      };
      licit::parallel_stable_sort(few, less, {.grain = 1});
    }
  };
  const auto most = [](std::size_t workers) {
    licit::scheduler all({.workers = workers, .stack_bytes = std::size_t{2} * 1024 * 1024});
    std::uint64_t most = 0;
    for (int i = 0; i != 3; ++i) {
      recursion one;
      EXPECT_THROW(all.spawn([&] { one.down(); }).get(), licit::stack_exhausted);
      most = std::max<std::uint64_t>(most, one.calls);
    }
    return most;
  };
  EXPECT_LT(most(4), 32 * most(1));
}

TEST(Join, EndsARecursionOnASmallStack) {
  constexpr std::size_t small = 20 * 1024;
  pthread_attr_t how;
  ASSERT_EQ(pthread_attr_init(&how), 0);
  // Sanitizers need more themselves, and so do some processors.
  if (licit_test::scale < 80 || pthread_attr_setstacksize(&how, small) != 0) GTEST_SKIP();
  struct recursion {
    licit::scheduler all{{.workers = 1}};
    bool ended = false;
    // NOLINTNEXTLINE(misc-no-recursion)
    static int down() {
      return licit::join([] { return down(); }, [] { return 1; }).second;
    }
    static void* run(void* of) {
      auto& mine = *static_cast<recursion*>(of);
      try {
        mine.all.enter(&recursion::down);
      } catch (const licit::stack_exhausted&) {
        mine.ended = true;
      }
      return nullptr;
    }
  } one;
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &how, &recursion::run, &one), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(pthread_attr_destroy(&how), 0);
  EXPECT_TRUE(one.ended);
}

/// A tree of joins whose nodes look at the stack of whichever thread runs them.
class watched_tree {
 public:
  explicit watched_tree(int depth) : depth_{depth} {}
  void run() { node(depth_, nullptr); }

  [[nodiscard]] std::size_t most_nodes() const { return most_nodes_; }  ///< on one stack at a time
  [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }  ///< between the outermost and the innermost
  [[nodiscard]] std::size_t largest() const { return largest_; }  ///< from one node on a stack to the next, in bytes
  [[nodiscard]] std::size_t helped() const { return helped_; }    ///< nodes that a thread ran while it waited

 private:
  struct frame {
    const frame* outer;  ///< on this stack
    std::size_t nodes;
    std::uintptr_t at;
    std::uintptr_t outermost;
  };

  [[gnu::noinline]] void node(int depth, const frame* parent) {
    static thread_local const frame* innermost = nullptr;
    const frame* const outer = innermost;
    // Of a local variable a sanitizer may have moved the address.
    const auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const frame mine{outer, outer == nullptr ? 1 : outer->nodes + 1, at, outer == nullptr ? at : outer->outermost};
    raise(most_nodes_, mine.nodes);
    raise(most_bytes_, mine.outermost - at);
    if (outer != nullptr) raise(largest_, outer->at - at);
    if (outer != nullptr && outer != parent) ++helped_;
    innermost = &mine;
    if (depth != 0) {
      licit::join([&] { node(depth - 1, &mine); }, [&] { node(depth - 1, &mine); });
    } else if (++leaves_ % 8 == 0) {
      std::this_thread::sleep_for(200us);  // whoever waits for this leaf has nothing to help with
    }
    innermost = outer;
  }
  static void raise(std::atomic<std::size_t>& to, std::size_t value) {
    std::size_t before = to;
    while (before < value && !to.compare_exchange_weak(before, value)) {
    }
  }

  int depth_;
  std::atomic<std::size_t> most_nodes_ = 0;
  std::atomic<std::size_t> most_bytes_ = 0;
  std::atomic<std::size_t> largest_ = 0;
  std::atomic<std::size_t> helped_ = 0;
  std::atomic<unsigned> leaves_ = 0;
};

// A joiner that ran what does not descend from its own job would have the path to that on its stack as well.
TEST(Join, AStackHoldsAtMostOnePathOfTheTree) {
  constexpr std::size_t depth = 11;
  watched_tree alone(depth);
  licit::scheduler({.workers = 1}).spawn([&] { alone.run(); }).get();
  EXPECT_EQ(alone.most_nodes(), depth + 1);
  EXPECT_EQ(alone.helped(), 0U);

  watched_tree shared(depth);
  licit::scheduler all({.workers = 4});
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (shared.helped() < 50 && std::chrono::steady_clock::now() < end) all.spawn([&] { shared.run(); }).get();
  EXPECT_GT(shared.helped(), 0U);
  EXPECT_LE(shared.most_nodes(), depth + 1);
  EXPECT_LE(shared.most_bytes(), 3 * alone.most_bytes()) << "a join on the way costs a wait more, at most";
  std::printf(
      "%zu joins deep: one worker %zu bytes of stack, %zu a join; four workers at most %zu, %zu a join, %zu helped\n",
      depth, alone.most_bytes(), alone.largest(), shared.most_bytes(), shared.largest(), shared.helped());
}

TEST(Join, InASchedulerThatShutsDown) {
  licit::scheduler all({.workers = 2});
  std::atomic<bool> began = false;
  std::jthread foreign([&] {
    all.enter([&] {
      began = true;
      for (int i = 0; i != 50; ++i) EXPECT_EQ(fib(12), 144);
      EXPECT_THROW(licit::join([&] { all.shutdown(); }, [] {}), std::logic_error);
    });
  });
  ASSERT_TRUE(comes(began));
  EXPECT_TRUE(all.shutdown().complete());
  EXPECT_EQ(all.enter([] { return fib(10); }), 55);  // on its own thread
}

TEST(Join, GuestsThatComeAndGoDoNotHoldUpAShutdown) {
  for (int round = 0; round != 20; ++round) {
    licit::scheduler all({.workers = 2});
    std::atomic<int> began = 0;
    std::atomic<bool> ended = false;
    std::vector<std::jthread> foreign;
    for (int i = 0; i != 3; ++i) {
      foreign.emplace_back([&] {
        for (++began; !ended;) EXPECT_EQ(all.enter([] { return fib(16); }), 987);
      });
    }
    while (began != 3) std::this_thread::yield();
    EXPECT_TRUE(all.shutdown().complete());
    ended = true;
  }
}

TEST(Join, AWorkerOfAnotherSchedulerIsAGuest) {
  licit::scheduler one({.workers = 1});
  licit::scheduler other({.workers = 2});
  EXPECT_EQ(one.spawn([&] {
                 long sum = fib(10);
                 sum += other.enter([&] { return fib(12) + one.enter([] { return fib(5); }); });
                 return sum + fib(10);
               })
                .get(),
            55 + 144 + 5 + 55);
}

TEST(Join, AWorkerOfAnotherSchedulerThatBlocksThereHandsOverItsTasks) {
  licit::scheduler other({.workers = 2});
  for (const std::size_t workers : {1U, 2U}) {
    licit::scheduler one({.workers = workers});
    EXPECT_EQ(one.spawn([&] { return other.enter([&] { return one.spawn([] { return fib(9); }).get(); }); }).get(), 34);
    EXPECT_EQ(
        one.spawn([&] {
             return other.enter([&] {
               return one.spawn([&] { return licit::spawn([] { return licit::current_executor(); }).get(); }).get();
             });
           })
            .get(),
        &one.as_executor());
  }
  licit::scheduler one({.workers = 2});
  std::atomic<bool> stolen = false;
  std::atomic<bool> ran = false;
  const auto forks = [&] {
    const auto spawns = [&] {
      EXPECT_TRUE(comes(stolen));
      one.spawn([&] { ran = true; }).detach();
    };
    const auto waits = [&] {
      stolen = true;
      return comes(ran);
    };
    return licit::join(spawns, waits).second;
  };
  EXPECT_TRUE(one.spawn([&] { return other.enter(forks); }).get());
}

TEST(Join, AShutdownOfASchedulerThatTheThreadHasEnteredIsRefused) {
  licit::scheduler one({.workers = 1});
  licit::scheduler other({.workers = 1});
  const auto ends = [&] { EXPECT_THROW(one.shutdown(), std::logic_error); };
  one.enter(ends);
  one.enter([&] { other.enter(ends); });
  other.enter([&] { EXPECT_TRUE(one.shutdown().complete()); });
}

TEST(Join, HasTheFencesOfTheSchedulerInWhichItIs) {
  constexpr std::size_t most = licit::scheduler_options::most_asymmetric_workers;
  licit::scheduler few({.workers = most});
  licit::scheduler many({.workers = most + 1});
  licit::scheduler asked({.workers = 1, .join_fences = licit::join_fences::full});
  const auto light = [] {  // once the kernel's choice is known, as it is after a join
    licit::join([] {}, [] {});
    return !licit::this_context().forks->passes().all_full();
  };
  const bool kernel_has_them = licit::asymmetric_fences().asymmetric;
  const auto expect = [&](licit::scheduler& all, bool expected) {
    EXPECT_EQ(all.enter(light), expected);
    EXPECT_EQ(all.spawn(light).get(), expected);
  };
  expect(few, kernel_has_them);
  expect(many, false);
  expect(asked, false);
  EXPECT_EQ(many.spawn([&] { return few.enter(light); }).get(), kernel_has_them);
  EXPECT_FALSE(few.spawn([&] { return many.enter(light); }).get());
  EXPECT_EQ(few.enter([&] { return !many.enter(light) && light(); }), kernel_has_them);
}

/// A tree that depends on its seed: forks of two or three, leaves of some work, nodes that throw.
struct random_tree {
  explicit random_tree(std::uint64_t seed) : seed_{seed} {}

  // NOLINTNEXTLINE(misc-no-recursion)
  std::uint64_t serial(std::uint64_t node, int depth) const {
    const std::uint64_t r = mixed(node);
    if (depth == 0 || r % 8 == 0) return r % 1000;
    try {
      const std::uint64_t a = serial(child(node, 1), depth - 1);
      const std::uint64_t b = serial(child(node, 2), depth - 1);
      const std::uint64_t c = r % 3 == 0 ? serial(child(node, 3), depth - 1) : 0;
      if (r % 16 == 1) throw node;
      return a + b + c;
    } catch (std::uint64_t where) {
      if (r % 4 != 0) throw;
      return where % 1000;
    }
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  std::uint64_t forked(std::uint64_t node, int depth) const {
    const std::uint64_t r = mixed(node);
    if (depth == 0 || r % 8 == 0) return r % 1000;
    const auto at = [&](std::uint64_t which) {
      return [this, node, which, depth] { return forked(child(node, which), depth - 1); };
    };
    try {
      std::uint64_t sum = 0;
      if (r % 3 == 0) {
        const auto [a, b, c] = licit::join(at(1), at(2), at(3));
        sum = a + b + c;
      } else {
        const auto [a, b] = licit::join(at(1), at(2));
        sum = a + b;
      }
      if (r % 16 == 1) throw node;
      return sum;
    } catch (std::uint64_t where) {
      if (r % 4 != 0) throw;
      return where % 1000;
    }
  }

 private:
  static std::uint64_t child(std::uint64_t node, std::uint64_t which) { return node * 3 + which; }
  [[nodiscard]] std::uint64_t mixed(std::uint64_t node) const {
    std::uint64_t x = (node + seed_) * 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    return (x * 0xbf58476d1ce4e5b9U) >> 17;
  }
  std::uint64_t seed_;
};

/// The value, or the node that threw.
template <class F>
std::pair<bool, std::uint64_t> outcome_of(F&& f) {
  try {
    return {true, f()};
  } catch (std::uint64_t where) {
    return {false, where};
  }
}

TEST(JoinStress, RandomTreesGiveTheSerialResult) {
  licit::scheduler all({.workers = 3});
  constexpr int trees = static_cast<int>(4 * licit_test::scale);
  std::vector<std::jthread> foreign;
  for (std::uint64_t t = 0; t != 2; ++t) {
    foreign.emplace_back([&, t] {
      for (int i = 0; i != trees; ++i) {
        const random_tree tree(1000 * t + static_cast<std::uint64_t>(i));
        const auto serial = outcome_of([&] { return tree.serial(0, 9); });
        EXPECT_EQ(outcome_of([&] { return all.enter([&] { return tree.forked(0, 9); }); }), serial);
        EXPECT_EQ(outcome_of([&] { return all.spawn([&] { return tree.forked(0, 9); }).get(); }), serial);
      }
    });
  }
}

}  // namespace
