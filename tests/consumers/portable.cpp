// Every public header but Asio's, for each compiler and option that licit promises to compile with. Compiled with
// LICIT_DEQUES_ALONE, the scheduler's is left out; with LICIT_SINGLE_HEADER the deques are those of licit_deque.hpp,
// without the library.
//
// usage: portable [VERSION|full]. Uses the four queues; VERSION must be that of headers and library. With `full` it
// pushes to a deque that is full.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(LICIT_SINGLE_HEADER)
#include "licit_deque.hpp"
#else
#include <licit/deque.hpp>
#include <licit/licit.h>
#if !defined(LICIT_DEQUES_ALONE)
#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>
#include <licit/sync.hpp>
#include <licit/time.hpp>
#endif
#endif

namespace {

template <template <class, class> class Structure, class Policy = licit::native>
bool takes_each_once() {
  licit::owner<long, Policy, Structure> mine({.initial_capacity = 2, .maximum_capacity = 64});
  licit::owner<long, Policy, Structure> other({.initial_capacity = 2, .maximum_capacity = 4});
  const auto thief = mine.stealer();
  long sum = 0;
  for (long i = 1; i <= 40; ++i) mine.push(i);
  for (bool left = true; left;) {  // the other deque holds few: what it has no room for must stay
    left = false;
    if (const auto stolen = thief.steal_half(other)) left = (sum += *stolen) != 0;
    while (const auto item = other.pop()) sum += *item;
    if (const auto item = mine.pop()) left = (sum += *item) != 0;
  }
  return sum == 40 * 41 / 2;
}

bool overflows() {
  struct sink {
    void reserve(std::size_t) {}
    void take(std::span<const long> items) noexcept { count += items.size(); }
    std::size_t count = 0;
  } rest;
  licit::owner<long, licit::native, licit::run_queue> mine({.capacity = 4});
  for (long i = 0; i != 10; ++i) mine.push(i, rest);
  std::size_t popped = 0;
  while (mine.pop()) ++popped;
  return popped + rest.count == 10 && popped <= 4;
}

bool moves() {
  licit::owner<std::unique_ptr<std::string>> mine;
  mine.push(std::make_unique<std::string>("one"));
  mine.push(std::make_unique<std::string>("two"));
  const auto stolen = mine.stealer().steal();
  return stolen && **stolen == "one" && **mine.pop() == "two";
}

#if !defined(LICIT_SINGLE_HEADER)
// The archive catches what its own deques throw, also where this file has compiled the same deque without exceptions.
bool tells_by_status() {
  licit::owner<void*> same({.initial_capacity = 2, .maximum_capacity = 4});
  for (int i = 0; i != 3; ++i) same.push(nullptr);
  const licit_options two{.initial_capacity = 2, .maximum_capacity = 2};
  licit_owner* mine = nullptr;
  if (licit_owner_create(&two, &mine) != LICIT_OK) return false;
  const bool room = licit_push(mine, nullptr) == LICIT_OK && licit_push(mine, nullptr) == LICIT_OK;
  const bool full = licit_push(mine, nullptr) == LICIT_FULL;
  licit_owner_destroy(mine);
  const licit_options odd{.initial_capacity = 3, .maximum_capacity = 0};
  return room && full && licit_owner_create(&odd, &mine) == LICIT_INVALID;
}

bool is_of_version(std::string_view wanted) {
  return licit::header_version == wanted && licit::library_version() == wanted && licit_version() == wanted;
}
#else
bool tells_by_status() { return true; }
bool is_of_version(std::string_view wanted) { return licit::header_version == wanted; }
#endif

#if !defined(LICIT_DEQUES_ALONE) && !defined(LICIT_SINGLE_HEADER)
licit::task<int> twice(int n) {
  auto one = licit::spawn([n] { return n; });
  co_await licit::yield_now();
  co_return n + co_await one;
}
bool schedules() {
  licit::scheduler workers{{.workers = 2}};
  const auto coroutine = [](int n) -> licit::task<int> { co_return co_await twice(n); };
  auto unwrapped = workers.spawn(coroutine, 3);
  auto captures = workers.spawn(
      [held = std::make_unique<int>(5)]() -> licit::task<int> { co_return co_await licit::spawn(twice, *held); });
  workers.spawn([]() -> licit::task<> { co_await licit::yield_now(); }).get();
  return workers.spawn(twice(21)).get() == 42 && workers.block_on(twice(4)) == 8 && unwrapped.get() == 6 &&
         captures.get() == 10;
}

licit::task<> counts(licit::channel_receiver<int> from, licit::mutex& lock, long& sum) {
  while (const auto one = co_await from.receive()) {
    const licit::mutex_guard held = co_await lock.lock();
    sum += *one;
  }
}
bool waits() {
  using namespace std::chrono_literals;
  licit::scheduler workers{{.workers = 2}};
  licit::mutex lock;
  licit::semaphore permits(1);
  licit::event told;
  licit::latch down(1);
  licit::barrier both(1);
  auto channel = licit::make_channel<int>(2);
  auto once = licit::make_oneshot<int>();
  long sum = 0;
  workers.block_on([&]() -> licit::task<> {
    auto receiver = workers.spawn(counts(std::move(channel.from), lock, sum));
    for (int i = 0; i != 10; ++i) (void)co_await channel.to.send(i);
    channel.to.close();
    co_await receiver;
    (void)co_await permits.acquire();
    told.set();
    co_await told.wait();
    co_await down.arrive_and_wait();
    co_await both.arrive_and_wait();
    (void)once.to.send(5);
    sum += (co_await once.from.receive()).value_or(0);
    sum += co_await licit::run_blocking([] { return 10; });
    co_await licit::sleep_for(1ns);
    if (const auto in_time = co_await licit::timeout(twice(10), 24h)) sum += *in_time;
  });
  return sum == 45 + 5 + 10 + 20 && !text_table(workers.metrics()).empty();
}
bool computes() {
  licit::scheduler workers{{.workers = 2}};
  std::vector<int> numbers(1000);
  workers.enter([&] {
    licit::parallel_for(0, 1000, [&](int i) { numbers[static_cast<std::size_t>(i)] = 999 - i; });
    licit::parallel_sort(numbers);
  });
  return workers.enter([&] { return licit::parallel_reduce(numbers, 0); }) == 499'500 && numbers[1] == 1;
}
#else
bool schedules() { return true; }
bool waits() { return true; }
bool computes() { return true; }
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "full") == 0) {
    licit::owner<int> small({.initial_capacity = 2, .maximum_capacity = 2});
    for (int i = 0; i != 3; ++i) small.push(i);
    return 0;  // not reached
  }
  if (argc > 1 && !is_of_version(argv[1])) {
    std::printf("headers or library are not of version %s\n", argv[1]);
    return 1;
  }
  const bool all = takes_each_once<licit::chase_lev>() && takes_each_once<licit::tagged_deque>() &&
                   takes_each_once<licit::split_deque>() &&
                   takes_each_once<licit::chase_lev, licit::asymmetric<licit::native>>() && overflows() && moves() &&
                   tells_by_status() && schedules() && waits() && computes();
  std::puts(all ? "as it should be" : "something is wrong");
  return all ? 0 : 1;
}
