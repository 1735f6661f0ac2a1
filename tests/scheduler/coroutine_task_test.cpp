// Coroutines as tasks: awaiting, suspending, yielding, cancelling, and block_on.
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler/task/block_on.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/unconstrained.hpp>
#include <licit/scheduler/task/yield.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"
#include "support/memory.hpp"

namespace {

using namespace std::chrono_literals;
using licit::spawn;
using licit::task;
using licit::task_outcome;
using licit::waker;
using licit_test::counting_memory;
using licit_test::hand_executor;
using licit_test::thread_executor;

/// What a test wakes by hand.
struct gate {
  waker who;
  bool open = false;
  task<> pass() {
    while (!open) co_await licit::suspend_with([this](waker w) { who = std::move(w); });
  }
};

/// Says when it goes.
struct witness {
  explicit witness(int& gone) : gone{&gone} {}
  witness(witness&& o) noexcept : gone{std::exchange(o.gone, nullptr)} {}
  ~witness() {
    if (gone != nullptr) ++*gone;
  }
  int* gone;
};

task<int> number(int n) { co_return n; }
task<int> sum(int n) {
  int all = 0;
  for (int i = 1; i <= n; ++i) all += co_await number(i);
  co_return all;
}

TEST(CoroutineTask, IsLazy) {
  int gone = 0;
  bool begun = false;
  {
    auto one = [](witness /*held*/, bool& flag) -> task<> {
      flag = true;
      co_return;
    }(witness(gone), begun);
    EXPECT_TRUE(one);
    EXPECT_EQ(gone, 0);
  }
  EXPECT_EQ(gone, 1);
  EXPECT_FALSE(begun);
}

TEST(CoroutineTask, AwaitsOthers) {
  hand_executor e;
  auto h = spawn(e, sum(10));
  e.run();
  EXPECT_EQ(h.get(), 55);
  EXPECT_EQ(e.scheduled, 1U) << "to await a task is a call";
}

TEST(CoroutineTask, GivesNothingAReferenceOrWhatCanOnlyBeMoved) {
  hand_executor e;
  int x = 1;
  auto reference = [](int& r) -> task<int&> { co_return r; };
  auto moved = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(2); };
  auto h = spawn(e, [](auto r, auto m, int& to) -> task<> {
    int& same = co_await r(to);
    same += *co_await m();
  }(reference, moved, x));
  auto root = spawn(e, reference(x));
  auto pointer = spawn(e, moved());
  e.run();
  h.get();
  EXPECT_EQ(x, 3);
  EXPECT_EQ(&root.get(), &x);
  EXPECT_EQ(*pointer.get(), 2);
}

TEST(CoroutineTask, ExceptionsGoToWhoAwaits) {
  hand_executor e;
  auto throws = []() -> task<int> {
    throw std::runtime_error("inner");
    co_return 0;
  };
  auto catches = [](auto inner) -> task<std::string> {
    try {
      co_await inner();
    } catch (const std::runtime_error& caught) {
      co_return caught.what();
    }
    co_return "";
  };
  auto h = spawn(e, catches(throws));
  auto root = spawn(e, throws());
  auto dropped = spawn(e, throws());
  dropped.detach();
  e.run();
  EXPECT_EQ(h.get(), "inner");
  EXPECT_THROW(root.get(), std::runtime_error);
  EXPECT_EQ(e.reported.size(), 1U);
}

task<int> down(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await down(depth - 1);
}

TEST(CoroutineTask, AwaitsDeepAndOften) {
  hand_executor e;
  auto deep = spawn(e, down(1000));
  auto often = spawn(e, sum(10000));
  e.run();
  EXPECT_EQ(deep.get(), 1000);
  EXPECT_EQ(often.get(), 50005000);
}

TEST(CoroutineTask, AwaitsHandles) {
  hand_executor e;
  hand_executor other;
  auto h = spawn(e, [](hand_executor& there) -> task<int> {
    auto callable = spawn([] { return 1; });
    auto coroutine = spawn(there, number(2));
    const int both = co_await callable + co_await coroutine;
    co_return both + co_await spawn(number(3));
  }(other));
  e.run();
  EXPECT_FALSE(h.done());
  other.run();
  e.run();
  EXPECT_EQ(h.get(), 6);
}

TEST(CoroutineTask, AwaitsTheExceptionOfAHandle) {
  hand_executor e;
  auto h = spawn(e, []() -> task<bool> {
    auto throws = spawn([] { throw 5; });
    auto stopped = spawn([] {});
    stopped.request_stop();
    int caught = 0;
    try {
      co_await throws;
    } catch (int) {
      ++caught;
    }
    try {
      co_await stopped;
    } catch (const licit::task_cancelled&) {
      ++caught;
    }
    co_return caught == 2;
  }());
  e.run();
  EXPECT_TRUE(h.get());
  EXPECT_TRUE(e.reported.empty());
}

task<> say(std::string& to, char what, int times) {
  for (int i = 0; i != times; ++i) {
    to += what;
    co_await licit::yield_now();
  }
}

TEST(CoroutineTask, YieldsToTheOthers) {
  hand_executor e;
  std::string said;
  auto b = spawn(e, say(said, 'b', 3));
  auto a = spawn(e, say(said, 'a', 3));
  e.run();
  EXPECT_EQ(said, "ababab");
}

/// How often it had awaited when the other ran.
template <class Loop>
int interrupted_after(Loop loop) {
  hand_executor e;
  int rounds = 0;
  int seen = -1;
  auto busy = spawn(e, loop(rounds));
  e.step();
  auto other = spawn(e, [&] { seen = rounds; });
  e.run();
  busy.get();
  return seen;
}

TEST(CoroutineTask, ABudgetInterruptsIt) {
  EXPECT_EQ(interrupted_after([](int& rounds) -> task<> {
              for (; rounds != 1000; ++rounds) co_await licit::consume_budget();
            }),
            128);
  EXPECT_EQ(interrupted_after([](int& rounds) -> task<> {
              for (; rounds != 1000; ++rounds) co_await number(rounds);
            }),
            128);
  EXPECT_EQ(interrupted_after([](int& rounds) -> task<> {
              const licit::unconstrained all_at_once;
              for (; rounds != 1000; ++rounds) co_await number(rounds);
            }),
            1000);
}

TEST(CoroutineTask, ABudgetInterruptsItsReadyJoins) {
  hand_executor e;
  int rounds = 0;
  std::vector<licit::join_handle<int>> ready;
  for (int i = 0; i != 200; ++i) ready.push_back(spawn(e, [i] { return i; }));
  e.run();
  auto h = spawn(e, [](auto& all, int& count) -> task<> {
    for (auto& one : all) count += co_await one >= 0 ? 1 : 0;
  }(ready, rounds));
  e.step();
  EXPECT_EQ(rounds, 128);
  e.run();
  EXPECT_EQ(rounds, 200);
}

TEST(CoroutineTask, UnconstrainedScopesNestAndOutlastSuspensions) {
  hand_executor e;
  auto h = spawn(e, []() -> task<bool> {
    {
      const licit::unconstrained outer;
      co_await licit::yield_now();
      {
        const licit::unconstrained inner;
      }
      for (int i = 0; i != 1000; ++i) {
        if (!licit::spend_budget()) co_return false;
      }
    }
    for (int i = 0; i != 128; ++i) {
      if (!licit::spend_budget()) co_return false;
    }
    co_return !licit::spend_budget();
  }());
  e.run();
  EXPECT_TRUE(h.get());
  EXPECT_TRUE(licit::spend_budget()) << "outside of tasks nothing is counted";
}

TEST(CoroutineTask, SuspendsUntilItIsWoken) {
  hand_executor e;
  gate g;
  auto h = spawn(e, g.pass());
  e.run();
  EXPECT_FALSE(h.done());
  g.who.wake();  // too early: it looks, and suspends again
  e.run();
  EXPECT_FALSE(h.done());
  g.open = true;
  const waker copy = g.who;
  EXPECT_TRUE(copy == g.who);
  copy.wake();
  copy.wake();
  EXPECT_EQ(e.waiting(), 1U) << "two wakes make one run";
  e.run();
  EXPECT_TRUE(h.done());
  copy.wake();
  EXPECT_EQ(e.waiting(), 0U);
}

TEST(CoroutineTask, GoesOnAtOnceIfNothingIsToBeWaitedFor) {
  hand_executor e;
  auto h = spawn(e, []() -> task<int> {
    co_await licit::suspend_with([](const waker&) { return false; });
    co_return 1;
  }());
  e.step();
  EXPECT_EQ(h.get(), 1);
}

TEST(CoroutineTask, IsDestroyedWhereItStandsWhenItIsStopped) {
  hand_executor e;
  gate g;
  int gone = 0;
  auto h = spawn(e, [](gate& at, witness /*held*/) -> task<> { co_await at.pass(); }(g, witness(gone)));
  e.run();
  h.request_stop();
  EXPECT_EQ(gone, 0) << "a worker destroys it";
  e.run();
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(e.outcomes.back(), task_outcome::cancelled);
  EXPECT_THROW(h.get(), licit::task_cancelled);
  g.who.wake();  // what is left of it
  EXPECT_EQ(e.waiting(), 0U);
}

TEST(CoroutineTask, StoppedInAQueueAfterAYieldItIsDestroyed) {
  hand_executor e;
  std::string said;
  auto h = spawn(e, say(said, 'a', 3));
  e.step();
  h.request_stop();
  e.run();
  EXPECT_EQ(said, "a");
  EXPECT_THROW(h.get(), licit::task_cancelled);
}

TEST(CoroutineTask, StoppedWhileItWaitsForAnotherItLetsThatGo) {
  hand_executor e;
  gate g;
  auto h = spawn(e, [](gate& at) -> task<> {
    auto inner = spawn([](gate& there) -> task<> {
      co_await there.pass();
      throw 5;
    }(at));
    co_await inner;
  }(g));
  e.run();
  h.request_stop();
  e.run();
  EXPECT_THROW(h.get(), licit::task_cancelled);
  g.open = true;
  g.who.wake();
  e.run();
  EXPECT_EQ(e.reported.size(), 1U) << "the other ran to its end, and nobody asked";
}

task<int> allocated(std::allocator_arg_t /*tag*/, std::pmr::memory_resource* /*memory*/, int n) { co_return n; }
task<int> with_allocator(std::allocator_arg_t /*tag*/, std::pmr::polymorphic_allocator<> /*memory*/, int n) {
  co_return n;
}

task<int> watched(std::allocator_arg_t /*tag*/, std::pmr::memory_resource* /*memory*/, witness /*held*/) {
  co_return 1;
}

TEST(CoroutineTask, ItsBlockIsAllocatedWhereItSays) {
  counting_memory memory;
  hand_executor e;
  {
    auto a = spawn(e, allocated(std::allocator_arg, &memory, 1));
    auto b = spawn(e, with_allocator(std::allocator_arg, std::pmr::polymorphic_allocator<>(&memory), 2));
    const task<int> never = allocated(std::allocator_arg, &memory, 3);
    EXPECT_EQ(memory.live_blocks(), 3U) << "to spawn allocates nothing";
    e.run();
    EXPECT_EQ(a.get() + b.get(), 3);
    EXPECT_EQ(memory.live_blocks(), 1U);
  }
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
  memory.failing = true;
  EXPECT_THROW(spawn(e, allocated(std::allocator_arg, &memory, 1)), std::bad_alloc);
}

TEST(CoroutineTask, TheWorkerDestroysItsFrameAndTheLastReferenceTheBlock) {
  counting_memory memory;
  hand_executor e;
  int gone = 0;
  auto h = spawn(e, watched(std::allocator_arg, &memory, witness(gone)));
  e.run();
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(memory.live_blocks(), 1U);
  EXPECT_EQ(h.get(), 1);
  EXPECT_EQ(memory.live_blocks(), 0U);
}

TEST(CoroutineTask, ItsBlockIsFromTheExecutorInWhoseTaskItIsMade) {
  counting_memory memory;
  hand_executor e;
  e.resource = &memory;
  auto made_outside = number(1);
  EXPECT_EQ(memory.live_blocks(), 0U);
  auto outer = spawn(e, std::move(made_outside));
  EXPECT_EQ(memory.live_blocks(), 0U) << "it stays where it was made";
  task<int> carried_out;
  auto h = spawn(e, [&] {
    const std::size_t before = memory.live_blocks();
    auto inner = spawn(number(2));
    EXPECT_EQ(memory.live_blocks(), before + 1);
    carried_out = number(3);
    EXPECT_EQ(memory.live_blocks(), before + 2);
    inner.detach();
  });
  e.run();
  h.get();
  EXPECT_EQ(outer.get(), 1);
  EXPECT_EQ(memory.live_blocks(), 1U);
  hand_executor other;
  auto elsewhere = spawn(other, std::move(carried_out));
  other.run();
  EXPECT_EQ(elsewhere.get(), 3);
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(licit::block_on(e, []() -> task<int> { co_return co_await number(4) + co_await number(5); }()), 9);
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

struct alignas(128) overaligned {
  int value = 0;
};

TEST(CoroutineTask, ItsResultIsAligned) {
  hand_executor e;
  auto h = spawn(e, []() -> task<overaligned> { co_return overaligned{7}; }());
  e.run();
  EXPECT_EQ(h.get().value, 7);
  licit::block_on(e, []() -> task<> {
    auto one = []() -> task<overaligned> { co_return overaligned{8}; };
    EXPECT_EQ((co_await one()).value, 8);
  }());
}

TEST(CoroutineTask, WithoutMemoryOrExecutorItIsDestroyed) {
  counting_memory memory;
  hand_executor e;
  e.resource = &memory;
  memory.failing = true;
  int gone = 0;
  const auto one = [&] { return [](witness /*held*/) -> task<> { co_return; }(witness(gone)); };
  {
    const licit::context_scope here(e);
    EXPECT_THROW(spawn(e, one()), std::bad_alloc);
  }
  EXPECT_EQ(gone, 1);
  memory.failing = false;
  e.closed = true;
  EXPECT_THROW(spawn(e, one()), licit::executor_closed);
  EXPECT_EQ(gone, 2);
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_THROW(spawn(e, task<>()), std::invalid_argument);
}

TEST(CoroutineTask, ThatNobodyStartsCostsNothingThatIsNotFreed) {
  int gone = 0;
  for (int i = 0; i != 100; ++i) {  // where the compiler sees the whole life of the coroutine
    const auto one = [](witness /*held*/) -> task<int> { co_return 1; }(witness(gone));
  }
  EXPECT_EQ(gone, 100);
}

TEST(CoroutineTask, AwaitedTwiceOrEmptyItSaysSo) {
  hand_executor e;
  auto h = spawn(e, []() -> task<std::string> {
    std::string said;
    auto once = number(1);
    said += std::to_string(co_await std::move(once));
    try {
      co_await std::move(once);  // NOLINT(bugprone-use-after-move)
    } catch (const std::logic_error& error) {
      said += error.what();
    }
    try {
      co_await task<int>();
    } catch (const std::logic_error&) {
      said += '2';
    }
    try {
      co_await licit::join_handle<int>();
    } catch (const std::logic_error&) {
      said += '3';
    }
    co_return said;
  }());
  e.run();
  EXPECT_EQ(h.get(), "1licit: co_await of an empty task (awaited before, or moved from)23");
}

// Another executor may end as soon as its task is complete.
TEST(CoroutineTask, AsksOnlyTheThreadsOwnExecutorToRunInPlace) {
  struct asked_executor : hand_executor {
    bool run_in_place(licit::task_header& /*awaited*/) noexcept override { return ++asked < 0; }
    int asked = 0;
  };
  asked_executor here;
  asked_executor there;
  const auto awaits = [](licit::join_handle<int> other) -> task<int> { co_return co_await other; };
  auto own = spawn(here, awaits(spawn(here, number(1))));
  auto foreign = spawn(here, awaits(spawn(there, number(2))));
  here.step();
  EXPECT_EQ(here.asked + there.asked, 0) << "the last spawned is first";
  here.run();
  there.run();
  here.run();
  EXPECT_EQ(own.get() + foreign.get(), 3);
  EXPECT_EQ(there.asked, 0);
}

TEST(CoroutineTask, ThatWaitsForItselfSaysSo) {
  hand_executor e;
  e.deadlocks = true;
  std::string said;
  licit::join_handle<void> gets;
  gets = spawn(e, [&] {
    try {
      gets.get();
    } catch (const std::system_error& error) {
      said += error.what();
    }
  });
  e.run();
  licit::join_handle<void> awaits;
  awaits = spawn(e, [&]() -> task<> {
    try {
      co_await awaits;
    } catch (const std::system_error& error) {
      said += error.what();
    }
  });
  e.run();
  EXPECT_TRUE(awaits.done());
  EXPECT_NE(said.find("licit: get in a task of its own handle"), std::string::npos) << said;
  EXPECT_NE(said.find("licit: co_await in a task of its own handle"), std::string::npos) << said;
  EXPECT_EQ(e.blocks, 0);
}

/// Whether a coroutine of type task<T> may `co_return` a U.
template <class T, class U>
concept returns =
    requires(typename task<T>::promise_type& promise, U&& value) { promise.return_value(std::forward<U>(value)); };
struct base {};
struct derived : base {};

TEST(CoroutineTask, ReturnsWhatAFunctionReturns) {
  static_assert(returns<std::string, const char*> && returns<base, derived> && returns<const int, int>);
  static_assert(!returns<std::unique_ptr<int>, int*> && !returns<std::vector<int>, int>, "explicit conversions");
  static_assert(returns<base&, derived&> && returns<const base&, base&> && returns<int&&, int>);
  static_assert(!returns<const std::string&, std::string> && !returns<base&, const base&>, "would dangle, or be const");
  hand_executor e;
  auto pair = spawn(e, []() -> task<std::pair<int, std::string>> { co_return {1, "one"}; });
  e.run();
  EXPECT_EQ(pair.get().second, "one");
}

/// Throws when it goes.
struct late_thrower {
  ~late_thrower() noexcept(false) { throw std::runtime_error("late"); }
};

TEST(CoroutineTask, ADestructorThatThrowsAfterTheValueLeaksNothing) {
  hand_executor e;
  const auto value = std::make_shared<int>(1);
  auto throws = [](std::shared_ptr<int> v) -> task<std::shared_ptr<int>> {
    const late_thrower last;
    co_return v;
  };
  auto h = spawn(e, throws(value));
  e.run();
  EXPECT_THROW(h.get(), std::runtime_error);
  EXPECT_EQ(value.use_count(), 1);
}

/// A result whose destructor uses the task that runs.
struct asks_its_task {
  explicit asks_its_task(int& asked) : asked{&asked} {}
  asks_its_task(asks_its_task&& o) noexcept : asked{std::exchange(o.asked, nullptr)} {}
  ~asks_its_task() {
    if (asked == nullptr) return;
    licit::coroutine_header* const mine = licit::coroutine_header::running();
    if (mine != nullptr && mine->stop_token().stop_possible()) ++*asked;
  }
  int* asked;
};

// Every handle destroys its result, but `destroy` must not count on it.
TEST(CoroutineTask, DestroysItsResultBeforeItsHeader) {
  hand_executor e;
  int asked = 0;
  auto dropped = spawn(e, [&asked] {
    using handle = licit::join_handle<asks_its_task>;
    hand_executor home;
    auto body = [](int& count) -> task<asks_its_task> { co_return asks_its_task(count); };
    alignas(handle) std::byte never_destroyed[sizeof(handle)];
    const auto* const left = ::new (never_destroyed) handle(spawn(home, body(asked)));
    home.run();
    left->header().release();
  });
  e.run();
  dropped.get();
  EXPECT_EQ(asked, 1);
}

/// A coroutine type of somebody else, which a callable drives.
struct driven {
  struct promise_type {
    driven get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { thrown = std::current_exception(); }
    std::exception_ptr thrown;
  };
  std::coroutine_handle<promise_type> frame;
};

TEST(CoroutineTask, WithoutATaskToYieldCoroutinesGoOn) {
  hand_executor e;
  auto h = spawn(e, [] {
    int rounds = 0;
    const driven by_hand = [](int& count) -> driven {
      for (; count != 300; ++count) {
        co_await licit::consume_budget();
        co_await sum(2);
      }
    }(rounds);
    by_hand.frame.resume();
    EXPECT_TRUE(by_hand.frame.done());
    EXPECT_EQ(by_hand.frame.promise().thrown, nullptr);
    by_hand.frame.destroy();
    return rounds;
  });
  e.run();
  EXPECT_EQ(h.get(), 300);
}

TEST(SpawnedCallable, ThatReturnsATaskIsUnwrapped) {
  hand_executor e;
  int gone = 0;
  std::string said;
  const std::thread::id here = std::this_thread::get_id();
  licit::join_handle<int> h = spawn(e, [held = witness(gone), &said, here]() -> task<int> {
    EXPECT_EQ(std::this_thread::get_id(), here);
    co_await licit::yield_now();
    said += held.gone != nullptr ? "there" : "gone";
    co_return 7;
  });
  EXPECT_EQ(said, "");
  e.run();
  EXPECT_EQ(said, "there");
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(h.get(), 7);
  licit::join_handle<void> nothing = spawn(e, []() -> task<> { co_return; });
  int x = 1;
  licit::join_handle<int&> reference = spawn(e, [&x]() -> task<int&> { co_return x; });
  auto throws = spawn(e, []() -> task<> {
    throw std::runtime_error("inner");
    co_return;
  });
  auto refuses = spawn(
      e,
      [](bool now) -> task<> {
        if (now) throw std::out_of_range("before there is a coroutine");
        return []() -> task<> { co_return; }();
      },
      true);
  e.run();
  nothing.get();
  EXPECT_EQ(&reference.get(), &x);
  EXPECT_THROW(throws.get(), std::runtime_error);
  EXPECT_THROW(refuses.get(), std::out_of_range);
}

TEST(SpawnedCallable, ThatIsCancelledKeepsItsCapturesForTheCoroutine) {
  hand_executor e;
  int gone = 0;
  gate g;
  auto h = spawn(e, [held = witness(gone), &g, &gone]() -> task<> {
    const struct looks {
      int& gone;
      ~looks() { EXPECT_EQ(gone, 0); }
    } last{gone};
    co_await g.pass();
  });
  e.run();
  h.request_stop();
  e.run();
  EXPECT_EQ(gone, 1);
  EXPECT_THROW(h.get(), licit::task_cancelled);
}

TEST(SpawnedCallable, TakesCopiesOfItsArguments) {
  hand_executor e;
  auto only_moved = std::make_unique<int>(3);
  const std::string text = "text";
  int changed = 0;
  auto sum_of = spawn(e, [](std::unique_ptr<int> p, int n) { return *p + n; }, std::move(only_moved), 4);
  auto length = spawn(e, &std::string::size, text);
  auto by_reference = spawn(e, [](int& n) { ++n; }, std::ref(changed));
  auto with_token = spawn(e, [](const std::stop_token& t, int n) { return t.stop_requested() ? 0 : n; }, 5);
  auto coroutine = spawn(
      e,
      [](std::string s, int n) -> task<std::string> {
        co_await licit::yield_now();
        co_return s + std::to_string(n);
      },
      text, 6);
  auto plain_function = spawn(e, number, 8);
  e.run();
  EXPECT_EQ(sum_of.get(), 7);
  EXPECT_EQ(length.get(), 4U);
  by_reference.get();
  EXPECT_EQ(changed, 1);
  EXPECT_EQ(with_token.get(), 5);
  EXPECT_EQ(coroutine.get(), "text6");
  EXPECT_EQ(plain_function.get(), 8);
  EXPECT_EQ(licit::block_on(e, [](int n) -> task<int> { co_return n; }, 9), 9);
  EXPECT_EQ(licit::block_on(e, number, 10), 10);
}

TEST(CoroutineTask, AwaitablesSayThatTheyNeedATask) {
  auto yields = []() -> task<> { co_await licit::yield_now(); };
  const task<> by_hand = yields();
  by_hand.frame().resume();
  EXPECT_THROW(by_hand.frame().promise().result().take(), std::logic_error);
}

TEST(BlockOn, RunsOnTheThreadThatCalls) {
  hand_executor e;
  const auto here = std::this_thread::get_id();
  EXPECT_TRUE(licit::block_on(e, [](auto id, auto& on) -> task<bool> {
    co_await licit::yield_now();
    co_return std::this_thread::get_id() == id&& licit::current_executor() == &on;
  }(here, e)));
  EXPECT_EQ(licit::current_executor(), nullptr);
  EXPECT_THROW(licit::block_on(e,
                               []() -> task<> {
                                 throw std::out_of_range("there");
                                 co_return;
                               }()),
               std::out_of_range);
  EXPECT_TRUE(e.reported.empty());
  EXPECT_THROW(licit::block_on(e, task<>()), std::invalid_argument);
}

TEST(BlockOn, SleepsUntilItsTasksAreComplete) {
  thread_executor e(2);
  const int all = licit::block_on(e, []() -> task<int> {
    int got = 0;
    std::vector<licit::join_handle<int>> handles;
    for (int i = 0; i != 100; ++i) {
      handles.push_back(spawn([i] {
        if (i % 25 == 0) std::this_thread::sleep_for(200us);
        return 1;
      }));
    }
    for (auto& h : handles) got += co_await h;
    co_return got;
  }());
  EXPECT_EQ(all, 100);
}

TEST(BlockOn, IsNotForTasks) {
  hand_executor e;
  auto h = spawn(e, [&] { EXPECT_THROW(licit::block_on(e, number(1)), std::system_error); });
  e.run();
  h.get();
}

TEST(BlockOn, IsWokenByAnyThread) {
  hand_executor e;
  for (int i = 0; i != 200; ++i) {
    std::atomic<bool> there = false;
    std::optional<std::jthread> other;
    licit::block_on(e, [](auto& thread, auto& flag) -> task<> {
      while (!flag) {
        co_await licit::suspend_with([&](waker w) {
          thread.emplace([&flag, w = std::move(w)] {
            flag = true;
            w.wake();
          });
        });
      }
    }(other, there));
  }
}

}  // namespace
