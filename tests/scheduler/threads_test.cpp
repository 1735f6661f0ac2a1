// The scheduler's threads: made all or none, named, bound, with their hooks; asleep while there is nothing to do.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <dirent.h>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/schedulers.hpp"

namespace {

std::atomic<int> threads_allowed = -1;  ///< negative: any number

}  // namespace

/// The system's, but that it can be told to give no more threads.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*body)(void*),
                              void* given) noexcept {
  if (threads_allowed == 0) return EAGAIN;
  if (threads_allowed > 0) --threads_allowed;
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, how, body, given);
}

namespace {

using licit::scheduler;
using licit_test::each_kind;

int threads_of_process() {
  static const bool first = [] {  // with the first thread, a sanitizer makes one of its own
    std::thread([] {}).join();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return true;
  }();
  (void)first;
  DIR* const all = opendir("/proc/self/task");
  if (all == nullptr) throw std::runtime_error("/proc/self/task, in which threads are counted, cannot be read");
  int number = 0;
  while (readdir(all) != nullptr) ++number;
  closedir(all);
  return number - 2;
}

/// Until there are no more than so many. One that has been joined is there for another moment, until the kernel has
/// done with it; it may have been counted before.
void await_threads(int number) {
  licit_test::await([&] { return threads_of_process() <= number; });
}

std::string what_is_thrown(const licit::scheduler_options& options) {
  try {
    const scheduler never(options);
    return "nothing";
  } catch (const std::exception& e) {
    return e.what();
  }
}

TEST(Threads, AThreadThatCannotBeMadeLeavesNone) {
  each_kind({4}, [](licit::scheduler_options options) {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    options.on_thread_start = [&](std::size_t /*worker*/) { ++begun; };
    options.on_thread_stop = [&](std::size_t /*worker*/) { ++ended; };
    const int before = threads_of_process();
    threads_allowed = 2;
    try {
      const scheduler never(options);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::system_error& e) {
      EXPECT_EQ(e.code(), std::errc::resource_unavailable_try_again);
      EXPECT_NE(std::string(e.what()).find("licit: the thread of worker 2 of 4 cannot be created"), std::string::npos)
          << e.what();
    }
    threads_allowed = -1;
    await_threads(before);
    EXPECT_EQ(begun, 2);
    EXPECT_EQ(ended, 2);
  });
}

TEST(Threads, AWatchdogThatCannotBeMadeIsSaid) {
  const int before = threads_of_process();
  threads_allowed = 0;
  const std::string said = what_is_thrown({.workers = 2, .stall_after = std::chrono::seconds(1)});
  threads_allowed = -1;
  EXPECT_NE(said.find("licit: the watchdog's thread cannot be created"), std::string::npos) << said;
  await_threads(before);
}

TEST(Threads, AHookThatThrowsLeavesNone) {
  each_kind([](licit::scheduler_options options) {
    const int before = threads_of_process();
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    options.on_thread_start = [&](std::size_t worker) {
      if (worker == 1) throw std::runtime_error("the second is not wanted");
      ++begun;
    };
    options.on_thread_stop = [&](std::size_t worker) {
      EXPECT_NE(worker, 1U);
      ++ended;
    };
    EXPECT_EQ(what_is_thrown(options), "the second is not wanted");
    await_threads(before);
    EXPECT_EQ(begun, static_cast<int>(options.workers) - 1);
    EXPECT_EQ(ended, begun);
  });
}

TEST(Threads, AllHooksMayThrow) {
  licit::scheduler_options options{.workers = 8};
  options.on_thread_start = [](std::size_t /*worker*/) { throw std::runtime_error("nobody is wanted"); };
  for (int i = 0; i != 20; ++i) EXPECT_EQ(what_is_thrown(options), "nobody is wanted");
}

TEST(Threads, AProcessorThatIsNotThereIsSaid) {
  const int before = threads_of_process();
  const std::string said = what_is_thrown({.workers = 2, .affinity = {{0}, {1023}}});
  EXPECT_NE(said.find("licit: affinity: worker 1 cannot be bound to its processors"), std::string::npos) << said;
  await_threads(before);
}

TEST(Threads, OptionsAreChecked) {
  EXPECT_EQ(what_is_thrown({.workers = 5000}), "licit: scheduler option workers is 5000, and must be from 0 to 4096");
  EXPECT_EQ(what_is_thrown({.local_capacity = 3}),
            "licit: scheduler option local_capacity is 3, and must be a power of two from 2 to 65536");
  EXPECT_EQ(what_is_thrown({.budget = 0}), "licit: scheduler option budget is 0, and must be from 1 to 65535");
}

std::set<unsigned> cpus_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  std::set<unsigned> all;
  for (unsigned i = 0; i != CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) all.insert(i);
  }
  return all;
}

TEST(Threads, AreBoundAndNamed) {
  const std::set<unsigned> allowed = cpus_of_this_thread();
  const unsigned first = *allowed.begin();
  const unsigned last = *allowed.rbegin();
  std::mutex mutex;
  std::vector<std::set<unsigned>> bound(2);
  std::vector<std::string> named(2);
  {
    licit::scheduler_options options{.workers = 2, .thread_name = "elevenchars", .affinity = {{first}, {last}}};
    options.on_thread_start = [&](std::size_t worker) {
      std::array<char, 32> name{};
      pthread_getname_np(pthread_self(), name.data(), name.size());
      const std::lock_guard lock(mutex);
      bound[worker] = cpus_of_this_thread();
      named[worker] = name.data();
    };
    const scheduler all(options);
  }
  EXPECT_EQ(bound[0], std::set<unsigned>{first});
  EXPECT_EQ(bound[1], std::set<unsigned>{last});
  EXPECT_EQ(named[0], "elevenchars0");
  EXPECT_EQ(named[1], "elevenchars1");
  EXPECT_EQ(cpus_of_this_thread(), allowed);
}

TEST(Threads, HaveTheStackAndTheSignalsThatTheOptionsSay) {
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  std::size_t stack = 0;
  sigset_t mask;
  {
    licit::scheduler_options options{
        .workers = 1, .stack_bytes = (1U << 18) + 1, .blocked_signals = {SIGUSR1, SIGTERM}};
    options.on_thread_start = [&](std::size_t /*worker*/) {
      pthread_attr_t how;
      pthread_getattr_np(pthread_self(), &how);
      pthread_attr_getstacksize(&how, &stack);
      pthread_attr_destroy(&how);
      pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    };
    const scheduler all(options);
  }
  EXPECT_GT(stack, 1U << 18);  // whole pages, and what the threads of a sanitizer need besides
  EXPECT_LT(stack, 2U << 20);
  for (const int signal : licit::scheduler_options::all_signals()) {
    EXPECT_EQ(sigismember(&mask, signal), signal == SIGUSR1 || signal == SIGTERM ? 1 : sigismember(&before, signal));
  }
  sigset_t after;
  pthread_sigmask(SIG_BLOCK, nullptr, &after);
  EXPECT_EQ(sigismember(&after, SIGUSR1), 0) << "the calling thread's are as before";
}

TEST(Threads, AStackThatIsTooLargeIsSaid) {
  const int before = threads_of_process();
  const std::string said = what_is_thrown({.workers = 1, .stack_bytes = std::size_t{1} << 36});
  if (said != "nothing") {  // where there is so much address space, there is nothing to say
    EXPECT_NE(said.find("licit: the thread of worker 0 of 1 cannot be created"), std::string::npos) << said;
  }
  await_threads(before);
}

TEST(Threads, HooksRunOnTheWorkersThreads) {
  std::mutex mutex;
  std::set<std::thread::id> began;
  std::set<std::thread::id> ended;
  std::set<std::thread::id> ran;
  {
    licit::scheduler_options options{.workers = 4};
    options.on_thread_start = [&](std::size_t /*worker*/) {
      const std::lock_guard lock(mutex);
      began.insert(std::this_thread::get_id());
    };
    options.on_thread_stop = [&](std::size_t /*worker*/) {
      const std::lock_guard lock(mutex);
      ended.insert(std::this_thread::get_id());
    };
    scheduler all(options);
    EXPECT_EQ(began.size(), 4U);  // all have started
    for (int i = 0; i != 200; ++i) {
      all.spawn([&] {
        const std::lock_guard lock(mutex);
        ran.insert(std::this_thread::get_id());
      });
    }
    EXPECT_TRUE(all.shutdown().complete());
    EXPECT_EQ(ended, began);  // and ended
  }
  for (const auto id : ran) EXPECT_TRUE(began.contains(id));
}

/// Sleeps of a thread, and times that it was made to stop.
std::uint64_t context_switches(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  std::uint64_t sum = 0;
  for (std::string line; std::getline(status, line);) {
    if (const auto at = line.find("ctxt_switches:"); at != std::string::npos) sum += std::stoull(line.substr(at + 14));
  }
  return sum;
}

bool is_asleep(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State:")) return line.find("(sleeping)") != std::string::npos;
  return false;
}

// Nobody sleeps with a timeout: the threads of an idle scheduler do not run at all.
TEST(Threads, IdleOnesAreNotWoken) {
  each_kind([](licit::scheduler_options options) {
    std::vector<pid_t> ids(options.workers);
    options.on_thread_start = [&](std::size_t worker) { ids[worker] = static_cast<pid_t>(syscall(SYS_gettid)); };
    scheduler all(options);
    for (int i = 0; i != 100; ++i) all.spawn([] {}).get();
    licit_test::await([&] { return all.metrics().parked == options.workers; });
    std::vector<std::uint64_t> before;
    std::vector<std::uint64_t> again;
    const auto count = [&] {
      std::vector<std::uint64_t> counts;
      for (const pid_t id : ids) counts.push_back(context_switches(id));
      return counts;
    };
    bool asleep = false;
    do {  // a worker that is counted as parked may not yet sleep, and on a busy machine may have to wait until it can
      before = count();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      asleep = std::ranges::all_of(ids, is_asleep);
      again = count();
    } while (!asleep || before != again);
    const auto counted = all.metrics().total().counts;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(count(), again);
    EXPECT_EQ(all.metrics().total().counts, counted);
    all.spawn([] {}).get();
    licit_test::await([&] { return count() != again; });  // the counts count, once the worker sleeps again
  });
}

}  // namespace
