/// Ends a test that hangs, with what its scheduler's metrics were.
#ifndef LICIT_TESTS_SUPPORT_WATCHDOG_HPP
#define LICIT_TESTS_SUPPORT_WATCHDOG_HPP

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>

namespace licit_test {

/// A lost wake-up shows as a hang: before ctest ends the test, this prints who sleeps beside what.
class watchdog {
 public:
  watchdog(const licit::scheduler& watched, std::chrono::seconds most)
      : thread_{[this, &watched, most] {
          std::unique_lock lock(mutex_);
          if (over_.wait_for(lock, most, [this] { return done_; })) return;
          std::fputs(licit::text_table(watched.metrics()).c_str(), stderr);
          std::fputs("the test hangs\n", stderr);
          std::abort();
        }} {}
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_all();
    thread_.join();
  }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace licit_test

#endif
