// What outlives what: results, hooks, handles, time limits and memory, at the end of tasks and of schedulers.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <limits>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/deque/membarrier.hpp>
#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/sandbox.hpp"
#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::scheduler;
using licit::scheduler_options;
using licit::shutdown_kind;
using licit::task;
using licit_test::await;
using licit_test::each_kind;
using licit_test::gate;
using licit_test::shared_memory;

/// A result that owns a task, and waits for it where it is destroyed.
struct owner_of_a_task {
  explicit owner_of_a_task(std::atomic<int>& ran) : inner{licit::spawn([&ran] { ++ran; })} {}
  owner_of_a_task(owner_of_a_task&&) = default;
  owner_of_a_task& operator=(owner_of_a_task&&) = default;
  ~owner_of_a_task() {
    if (inner.joinable()) inner.get();
  }
  join_handle<void> inner;
};

TEST(Lifetime, AResultMayWaitForATaskWhereItIsDestroyed) {
  each_kind({2, 4}, [](const scheduler_options& options) {
    std::atomic<int> ran = 0;
    scheduler all(options);
    for (int i = 1; i != 100; ++i) {
      all.spawn([&ran] { return owner_of_a_task(ran); }).detach();
      await([&] { return ran == i; });
    }
    EXPECT_EQ(all.shutdown().finished, 198U);
  });
}

/// Whether the wait is refused, since no worker would be left.
bool would_deadlock(join_handle<void>& handle) {
  try {
    handle.get();
  } catch (const std::system_error& e) {
    return e.code() == std::errc::resource_deadlock_would_occur;
  }
  return false;
}

/// A result that waits for a task where it is destroyed.
struct waits_at_its_end {
  join_handle<void>* handle;
  std::atomic<int>* refused;
  waits_at_its_end(join_handle<void>& waited, std::atomic<int>& counts) : handle{&waited}, refused{&counts} {}
  waits_at_its_end(waits_at_its_end&& o) noexcept : handle{std::exchange(o.handle, nullptr)}, refused{o.refused} {}
  waits_at_its_end& operator=(waits_at_its_end&&) = delete;
  ~waits_at_its_end() {
    if (handle != nullptr) *refused += would_deadlock(*handle) ? 1 : -1;
  }
};

TEST(Lifetime, AWaitThatNoWorkerIsLeftForIsRefusedInHooksAndDestructorsToo) {
  each_kind({1}, [](scheduler_options options) {
    join_handle<void> waits;
    std::atomic<int> refused = 0;
    options.on_unobserved = [&](const std::exception_ptr& /*any*/) { refused += would_deadlock(waits) ? 1 : -1; };
    scheduler all(options);
    licit::waker left;
    std::atomic<bool> suspended = false;
    waits = all.spawn([](licit::waker& to, std::atomic<bool>& done) -> task<> {
      co_await licit::suspend_with([&](licit::waker w) {
        to = std::move(w);
        done = true;
      });
    }(left, suspended));
    await([&] { return suspended.load(); });
    gate dropped;
    all.spawn([&] {
         dropped.pass();
         throw 1;
       })
        .detach();
    all.spawn([&] {
         dropped.pass();
         return waits_at_its_end(waits, refused);
       })
        .detach();
    dropped.open();
    await([&] { return refused != 0 && refused != 1; });
    EXPECT_EQ(refused, 2) << "one by the hook, one by the destructor";
    left.wake();
    waits.get();
  });
}

TEST(Lifetime, AHookForExceptionsMayWaitForATask) {
  each_kind({2, 4}, [](scheduler_options options) {
    std::atomic<int> ran = 0;
    options.on_unobserved = [&ran](const std::exception_ptr& /*thrown*/) { licit::spawn([&ran] { ++ran; }).get(); };
    scheduler all(options);
    for (int i = 1; i != 100; ++i) {
      gate dropped;
      all.spawn([&] {
           dropped.pass();
           throw i;
         })
          .detach();
      dropped.open();
      await([&] { return ran == i; });
    }
  });
}

/// A result whose destructor spawns a task and waits for it.
struct late_work {
  late_work(scheduler& to, std::atomic<int>& ran) : to{&to}, ran{&ran} {}
  late_work(late_work&& o) noexcept : to{std::exchange(o.to, nullptr)}, ran{o.ran} {}
  late_work& operator=(late_work&&) = delete;
  ~late_work() {
    if (to != nullptr) to->spawn([r = ran] { ++*r; }).get();
  }
  scheduler* to;
  std::atomic<int>* ran;
};

// A worker destroys a task of another scheduler: this worker blocks, and none of the other's.
TEST(Lifetime, AResultOfAnotherSchedulerMayWaitWhereItIsDestroyed) {
  std::atomic<int> ran = 0;
  scheduler other({.workers = 1});
  scheduler all({.workers = 2});
  all.spawn([&] {
       auto made = other.spawn([&] { return late_work(all, ran); });
       await([&] { return made.done(); });
     })
      .get();
  EXPECT_EQ(ran, 1);
}

TEST(Lifetime, EveryTimeLimitEnds) {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  scheduler all({.workers = 2});
  gate here;
  auto stuck = all.spawn([&] { here.pass(); });
  here.await_arrivals(1);
  EXPECT_FALSE(stuck.wait_for(nanoseconds::min()));
  EXPECT_FALSE(stuck.wait_for(nanoseconds(-1)));
  EXPECT_FALSE(stuck.wait_for(hours::min()));
  EXPECT_FALSE(stuck.wait_for(std::chrono::duration<double>(-std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(stuck.wait_for(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_FALSE(stuck.wait_for(std::chrono::duration<int, std::pico>(1)));
  EXPECT_FALSE(all.shutdown(shutdown_kind::drain, nanoseconds::min()).complete());
  std::thread opens([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    here.open();
  });
  EXPECT_TRUE(stuck.wait_for(nanoseconds::max()));
  EXPECT_TRUE(stuck.wait_for(hours::max()));
  EXPECT_TRUE(all.shutdown(shutdown_kind::drain, nanoseconds::max()).complete());
  opens.join();
}

TEST(Lifetime, ALimitBeyondTheClockNeverEnds) {
  using std::chrono::hours;
  using std::chrono::steady_clock;
  const auto never = steady_clock::time_point::max();
  EXPECT_EQ(licit::detail::end_of(hours::max()), never);
  EXPECT_EQ(licit::detail::end_of(std::chrono::nanoseconds::max()), never);
  EXPECT_EQ(licit::detail::end_of(std::chrono::duration<double>(1e300)), never);
  const auto now = steady_clock::now();
  const auto at_once = licit::detail::end_of(hours::min());
  const auto in_an_hour = licit::detail::end_of(hours(1));
  EXPECT_LE(at_once, steady_clock::now());
  EXPECT_GE(in_an_hour, now + hours(1));
  EXPECT_LE(in_an_hour, steady_clock::now() + hours(1));
  EXPECT_GT(licit::detail::end_of(std::chrono::duration<int, std::pico>(1)), now);
}

/// A period whose fraction of a nanosecond has a large numerator, as those of a machine's timers have.
TEST(Lifetime, ALimitInTicksOfAnyLengthIsAsLongAsItSays) {
  using licit::detail::in_nanoseconds;
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  using std::chrono::steady_clock;
  const auto now = steady_clock::now();
  const auto in_ticks = [&]<std::intmax_t Frequency>(std::ratio<1, Frequency> /*period*/) {
    using ticks = std::chrono::duration<std::int64_t, std::ratio<1, Frequency>>;
    EXPECT_EQ(in_nanoseconds(std::chrono::duration_cast<ticks>(hours(6))), nanoseconds(hours(6))) << Frequency;
    EXPECT_EQ(in_nanoseconds(ticks(1)), nanoseconds((1'000'000'000 + Frequency - 1) / Frequency)) << Frequency;
    EXPECT_GE(licit::detail::end_of(std::chrono::duration_cast<ticks>(hours(6))), now + hours(6)) << Frequency;
    EXPECT_EQ(in_nanoseconds(ticks::max()), nanoseconds::max()) << Frequency;
    EXPECT_EQ(in_nanoseconds(ticks::min()), nanoseconds(0)) << Frequency;
  };
  in_ticks(std::ratio<1, 14'318'180>());
  in_ticks(std::ratio<1, 3'579'545>());
  in_ticks(std::ratio<1, 1'000'003>());
  in_ticks(std::ratio<1, 90'000>());
  in_ticks(std::ratio<1, 50>());
  EXPECT_EQ(in_nanoseconds(std::chrono::duration<std::int64_t, std::ratio<1, 3>>(hours(100'000'000))),
            nanoseconds::max());
}

// What a scheduler asks the kernel for. Each in a process of its own, which a sandbox may kill for a membarrier.
class LifetimeDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (!licit_test::kernel_has_filters()) GTEST_SKIP() << "no filters of system calls here: is this an emulator?";
    if (!licit_test::kernel_has_membarrier()) GTEST_SKIP() << "this kernel has no private expedited membarrier";
  }
};

task<> waits_for(std::atomic<bool>& other) {
  await([&] { return other.load(); });
  co_return;
}
task<> begins(std::atomic<bool>& begun) {
  begun = true;
  co_return;
}

/// A join whose second half another thread runs, which then calls `more`.
template <class More>
void join_with_thief(More more) {
  std::atomic<bool> begun = false;
  licit::join([&] { await([&] { return begun.load(); }); },
              [&] {
                begun = true;
                more();
              });
}
void join_with_thief() {
  join_with_thief([] {});
}

/// Whatever forks, with thieves, and with joiners that sleep meanwhile and are woken for a fork of their thief.
void fork_with_thieves(scheduler& all) {
  const auto forks = [] {
    join_with_thief();
    join_with_thief([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      join_with_thief();
    });
    std::atomic<int> calls = 0;
    licit::parallel_for(0, 1000, [&](int i) {
      ++calls;
      if (i % 100 == 0) std::this_thread::yield();
    });
    if (calls != 1000) std::abort();
  };
  for (int i = 0; i != 5; ++i) {
    all.spawn(forks).get();
    all.enter(forks);
    (void)all.measure_span(forks);
    all.spawn([]() -> task<> {
         std::atomic<bool> begun = false;
         co_await licit::join(waits_for(begun), begins(begun));
       })
        .get();
  }
}

/// Whatever is no fork.
void spawn_and_wait(scheduler& all) {
  all.spawn([] { licit::spawn([] {}).get(); }).get();
  all.spawn([]() -> task<> {
       for (int i = 0; i != 20; ++i) co_await licit::yield_now();
       co_await licit::spawn([] {});
     })
      .get();
  for (int k = 0; k != 20; ++k) all.spawn([] {}).detach();
}

[[noreturn]] void work_where_membarrier_kills(licit::join_fences fences, void (*work)(scheduler&),
                                              std::size_t workers = 3) {
  licit_test::confine_membarrier(SECCOMP_RET_KILL_PROCESS);
  for (const auto order : {licit::local_order::fifo, licit::local_order::lifo}) {
    scheduler confined({.workers = workers, .order = order, .join_fences = fences});
    spawn_and_wait(confined);
    work(confined);
    if (!confined.shutdown(shutdown_kind::drain, std::chrono::seconds(50)).complete()) std::_Exit(1);
  }
  std::_Exit(0);
}

TEST_F(LifetimeDeathTest, WithoutAJoinThereIsNoMembarrier) {
  EXPECT_EXIT(work_where_membarrier_kills(licit::join_fences::chosen, spawn_and_wait), testing::ExitedWithCode(0), "");
}

TEST_F(LifetimeDeathTest, WithFullFencesThereIsNoMembarrier) {
  EXPECT_EXIT(work_where_membarrier_kills(licit::join_fences::full, fork_with_thieves), testing::ExitedWithCode(0), "");
}

TEST_F(LifetimeDeathTest, TheFirstJoinAsksForTheFencesOfTheProcess) {
  EXPECT_EXIT(work_where_membarrier_kills(licit::join_fences::chosen, fork_with_thieves),
              testing::KilledBySignal(SIGSYS), "");
}

TEST_F(LifetimeDeathTest, WithManyWorkersThereIsNoMembarrier) {
  constexpr std::size_t few = scheduler_options::most_asymmetric_workers;
  EXPECT_EXIT(work_where_membarrier_kills(licit::join_fences::chosen, fork_with_thieves, few),
              testing::KilledBySignal(SIGSYS), "");
  EXPECT_EXIT(work_where_membarrier_kills(licit::join_fences::chosen, fork_with_thieves, few + 1),
              testing::ExitedWithCode(0), "");
}

[[noreturn]] void join_after_a_refusal(bool joins_before) {
  scheduler all({.workers = 3});
  spawn_and_wait(all);
  if (joins_before) fork_with_thieves(all);
  licit_test::refuse_membarrier(EPERM);
  fork_with_thieves(all);
  std::_Exit(licit::asymmetric_fences().asymmetric ? 1 : 0);
}

TEST_F(LifetimeDeathTest, ASandboxMayBeEnteredBeforeTheFirstJoin) {
  EXPECT_EXIT(join_after_a_refusal(false), testing::ExitedWithCode(0), "");
}

TEST_F(LifetimeDeathTest, AfterTheFirstJoinASandboxThatRefusesMembarrierIsTheEnd) {
  EXPECT_EXIT(join_after_a_refusal(true), testing::KilledBySignal(SIGABRT),
              "licit: a heavy fence cannot be had: membarrier fails with errno 1 .*, 10 tries later still, .*after the "
              "first join\\? Enter it before, let it allow membarrier, or ask for full fences: "
              ".*scheduler_options::join_fences");
}

struct thrown {};

TEST(Lifetime, AHandleMayOutliveItsScheduler) {
  each_kind({2}, [](scheduler_options options) {
    int told = 0;
    auto held = std::make_shared<int>(0);
    const std::weak_ptr<int> watched = held;
    options.on_thread_start = [held](std::size_t /*worker*/) {};
    options.on_thread_stop = [held](std::size_t /*worker*/) {};
    options.on_stall = [held](const licit::stall& /*poll*/) {};
    options.stall_after = std::chrono::seconds(100);
    options.on_unobserved = [&told, held = std::move(held)](const std::exception_ptr& /*thrown*/) { ++told; };
    std::optional<scheduler> all(options);
    options = {};
    auto seven = all->spawn([] { return 7; });
    auto throws = all->spawn([] { throw thrown(); });
    auto never_asked = all->spawn([] { throw thrown(); });
    auto dropped_before = all->spawn([] { throw thrown(); });
    EXPECT_TRUE(all->shutdown().complete());
    dropped_before.detach();
    EXPECT_EQ(told, 1) << "the scheduler is still there";
    all.reset();
    EXPECT_TRUE(watched.expired()) << "the hooks end with the scheduler";
    EXPECT_EQ(seven.get(), 7);
    EXPECT_THROW(throws.get(), thrown);
    never_asked.detach();
    EXPECT_EQ(told, 1) << "nobody is told after the scheduler";
  });
}

// Handles are dropped while the scheduler ends: the hook is called before the destructor returns, or not at all.
TEST(Lifetime, NoHookAfterTheScheduler) {
  for (int round = 0; round != 4 * static_cast<int>(licit_test::scale); ++round) {
    std::atomic<bool> over = false;
    std::atomic<int> late = 0;
    scheduler_options options{.workers = 1};
    options.on_unobserved = [&](const std::exception_ptr& /*thrown*/) {
      std::this_thread::yield();
      if (over) ++late;
    };
    std::optional<scheduler> all(options);
    std::vector<join_handle<void>> handles;
    for (int i = 0; i != 20; ++i) handles.push_back(all->spawn([] { throw thrown(); }));
    EXPECT_TRUE(handles.back().wait_for(std::chrono::seconds(100)));
    std::thread drops([&] { handles.clear(); });
    all.reset();
    over = true;
    drops.join();
    EXPECT_EQ(late, 0);
  }
}

/// The memory of one scheduler, in pages of its own. While they are locked, a thread that touches them is held for a
/// few milliseconds, or until they are unlocked and it is let go.
class lockable_memory final : public std::pmr::memory_resource {
 public:
  lockable_memory() : pages_{static_cast<std::byte*>(mmap(nullptr, bytes, open, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))} {
    held = 0;
    let_go = false;
    struct sigaction holding = {};
    holding.sa_handler = &hold;
    sigaction(SIGSEGV, &holding, &usual_);
  }
  ~lockable_memory() override {
    sigaction(SIGSEGV, &usual_, nullptr);
    munmap(pages_, bytes);
  }
  lockable_memory(const lockable_memory&) = delete;
  lockable_memory& operator=(const lockable_memory&) = delete;

  void lock() { mprotect(pages_, bytes, PROT_NONE); }
  void unlock() { mprotect(pages_, bytes, open); }
  [[nodiscard]] int live() const { return live_; }

  static inline std::atomic<int> held = 0;
  static inline std::atomic<bool> let_go = false;

 private:
  static constexpr std::size_t bytes = std::size_t{1} << 22;
  static constexpr int open = PROT_READ | PROT_WRITE;

  static void hold(int /*signal*/) {
    const timespec a_while{.tv_sec = 0, .tv_nsec = 1000000};
    ++held;
    for (int i = 0; i != 20 && !let_go; ++i) nanosleep(&a_while, nullptr);
  }

  void* do_allocate(std::size_t size, std::size_t alignment) override {
    ++live_;
    const std::size_t at = used_.fetch_add(size + alignment) + alignment - 1;
    if (at + size > bytes) throw std::bad_alloc();
    return pages_ + at / alignment * alignment;
  }
  void do_deallocate(void* /*place*/, std::size_t /*size*/, std::size_t /*alignment*/) override { --live_; }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::byte* const pages_;
  struct sigaction usual_ = {};
  std::atomic<std::size_t> used_ = 0;
  std::atomic<int> live_ = 0;
};

// A coroutine of one scheduler awaits a task of another, or one that has hopped there. The other's worker completes
// that task, and is held when it is about to tell the coroutine; meanwhile the first scheduler cancels the coroutine
// and ends. It must wait for the worker, which has a reference to the coroutine's task.
TEST(Lifetime, WhoIsAwaitedUsesNothingOfASchedulerThatEnded) {
  scheduler other({.workers = 1});
  for (int round = 0; round != 10; ++round) {
    lockable_memory memory;
    scheduler_options options{.workers = 1};
    options.memory = &memory;
    const bool hops = round % 2 != 0;
    std::atomic<bool> go = false;
    std::atomic<bool> there = false;
    const auto slow = [&](std::allocator_arg_t, std::pmr::memory_resource*) -> task<> {
      co_await other.schedule();
      there = true;
      await([&] { return go.load(); });
    };
    {
      scheduler one(options);
      auto elsewhere = slow(std::allocator_arg, std::pmr::new_delete_resource());
      auto handle = hops ? one.spawn(std::move(elsewhere)) : other.spawn(std::move(elsewhere));
      one.spawn([&] { licit::spawn([](auto of) -> task<> { co_await of; }(std::move(handle))).detach(); }).get();
      await([&] { return there && licit_test::all_asleep(one); });
      memory.lock();
      go = true;
      await([&] { return lockable_memory::held != 0; });
      memory.unlock();
    }
    EXPECT_EQ(memory.live(), 0) << "blocks are still in use";
    lockable_memory::let_go = true;
    other.spawn([] {}).get();
  }
}

// Many of them, wherever their threads happen to be.
TEST(Lifetime, SchedulersEndWhileTheirTasksAreTold) {
  scheduler other({.workers = 2});
  int late = 0;
  for (int round = 0; round != 20 * static_cast<int>(licit_test::scale); ++round) {
    shared_memory memory;
    auto go = std::make_shared<std::atomic<bool>>(false);
    auto ended = std::make_shared<std::atomic<int>>(0);
    {
      scheduler_options options{.workers = 1};
      options.memory = &memory;
      scheduler one(options);
      for (int i = 0; i != 4; ++i) {
        one.spawn([](scheduler& of, auto says, auto count) -> task<> {
             auto slow = of.spawn([=] {  // by name: g++ 12 destroys a temporary lambda of a co_await twice
               await([&] { return says->load(); });
               ++*count;
             });
             co_await slow;
           }(other, go, ended))
            .detach();
      }
      *go = true;
      if (round % 2 == 0) await([&] { return *ended != 0; });
      if (round % 4 == 0) {
        EXPECT_TRUE(one.shutdown().complete());
      }
    }
    late += memory.live();  // blocks that are still in use
  }
  EXPECT_EQ(late, 0);
}

/// Gives no block at random, when it is told to.
class failing_memory final : public std::pmr::memory_resource {
 public:
  std::atomic<bool> failing = false;
  [[nodiscard]] int live() const { return live_; }
  [[nodiscard]] int refused() const { return refused_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::uint32_t mixed = (asked_++ * 2654435761U) >> 16;
    if (failing && mixed % 32 == 0) {
      ++refused_;
      throw std::bad_alloc();
    }
    ++live_;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    --live_;
    std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::atomic<std::uint32_t> asked_ = 0;
  std::atomic<int> live_ = 0;
  std::atomic<int> refused_ = 0;
};

/// A result that waits for its task where it is destroyed, whatever becomes of that.
struct patient_owner {
  explicit patient_owner(std::atomic<int>& ran) : inner{licit::spawn([&ran] { ++ran; })} {}
  patient_owner(patient_owner&&) = default;
  patient_owner& operator=(patient_owner&&) = delete;
  ~patient_owner() {
    try {
      if (inner.joinable()) inner.get();
    } catch (const licit::task_cancelled&) {
    }
  }
  join_handle<void> inner;
};

int forked(int n) {
  if (n < 2) return n;
  auto one = licit::spawn([n] { return forked(n - 1); });
  return forked(n - 2) + one.get();
}

// Results that own tasks, forks, exceptions and coroutines, with memory that fails at random: everything is freed.
TEST(Soak, ResultsThatOwnTasksWithoutMemory) {
  each_kind({1, 2, 4}, [](scheduler_options options) {
    for (const bool early : {false, true}) {
      failing_memory memory;
      options.memory = &memory;
      options.local_capacity = 8;
      std::atomic<int> ran = 0;
      std::atomic<std::uint64_t> told = 0;
      options.on_unobserved = [&told](const std::exception_ptr& /*thrown*/) { ++told; };
      {
        scheduler all(options);
        memory.failing = true;
        std::vector<join_handle<patient_owner>> kept;
        const auto attempt = [](auto spawn) {
          try {
            spawn();
          } catch (const std::bad_alloc&) {
          } catch (const licit::executor_closed&) {
          }
        };
        for (int i = 0; i != 20 * static_cast<int>(licit_test::scale); ++i) {
          attempt([&] { all.spawn([&ran] { return patient_owner(ran); }).detach(); });
          attempt([&] { kept.push_back(all.spawn([&ran] { return patient_owner(ran); })); });
          attempt([&] { all.spawn([] { return forked(5); }).detach(); });
          attempt([&] {
            all.spawn([](std::atomic<int>& count) -> task<patient_owner> {
                 co_await licit::yield_now();
                 co_return patient_owner(count);
               }(ran))
                .detach();
          });
          if (kept.size() > 8) kept.erase(kept.begin());
        }
        if (!early) {
          EXPECT_TRUE(all.shutdown().complete());
        }
      }
      EXPECT_EQ(memory.live(), 0);
      EXPECT_GT(memory.refused(), 0);
      EXPECT_TRUE(early || ran > 0);
    }
  });
}

}  // namespace
