#include <csignal>
#include <cstddef>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler/metrics/watchdog.hpp>

namespace licit::inline v0::detail {

namespace {

/// What the thread gives itself. Made by the thread that starts it, since an exception there would end the program.
struct preparation {
  explicit preparation(const std::string& prefix) : name{(prefix + "watch").substr(0, 15)} {  // the kernel's most
    sigemptyset(&signals);
    for (const int signal : scheduler_options::all_signals()) sigaddset(&signals, signal);
  }
  void apply() const noexcept {
    (void)pthread_sigmask(SIG_BLOCK, &signals, nullptr);
#if defined(__linux__)
    (void)pthread_setname_np(pthread_self(), name.c_str());
#endif
  }

  std::string name;
  sigset_t signals{};
};

/// Of the calling thread.
thread_local const watchdog* here = nullptr;

template <class Body>
std::thread started(Body body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& e) {
    throw std::system_error(e.code(), "licit: the watchdog's thread cannot be created");
  }
}

}  // namespace

watchdog::watchdog(const scheduler_options& options, parker<>& woken, std::size_t workers,
                   std::function<poll_progress(std::size_t)> progress, std::function<bool()> all_parked,
                   std::function<std::optional<std::size_t>()> driver)
    : options_{options},
      progress_{std::move(progress)},
      all_parked_{std::move(all_parked)},
      driver_{std::move(driver)},
      seen_(workers),
      asleep_{woken},
      thread_{started([this, how = preparation(options.thread_name)] {
        how.apply();
        run();
      })} {}

void watchdog::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  change_.notify_all();
  asleep_.unpark();
  if (thread_.get_id() != std::this_thread::get_id()) thread_.join();  // else on_stall shuts down; a later stop joins
}

bool watchdog::is_here() const noexcept { return here == this; }

std::vector<stall> watchdog::stalls() const {
  std::vector<stall> all;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i != seen_.size(); ++i) {
    const poll_progress now = progress_(i);
    if (seen_[i].told && now.task != nullptr && now.polls == seen_[i].polls) all.push_back(of(i, now));
  }
  return all;
}

void watchdog::run() {
  here = this;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    const bool slept = sleep_while_all_parked(asleep_, all_parked_);
    lock.lock();
    if (!slept) {
      change_.wait_for(lock, options_.stall_after / 4, [this] { return stop_; });
      if (!stop_) look(lock);
    }
  }
}

void watchdog::look(std::unique_lock<std::mutex>& lock) {
  std::vector<stall> found;
  for (std::size_t i = 0; i != seen_.size(); ++i) {
    const poll_progress now = progress_(i);
    sight& seen = seen_[i];
    if (now.task == nullptr || now.polls != seen.polls) {
      seen = {.polls = now.polls, .since = clock::now()};
    } else if (!seen.told && clock::now() - seen.since >= options_.stall_after) {
      try {
        found.push_back(of(i, now));
        seen.told = true;
      } catch (const std::bad_alloc&) {  // a later look tells
        continue;
      }
    }
  }
  if (!options_.on_stall) return;
  lock.unlock();
  for (const stall& each : found) options_.on_stall(each);
  lock.lock();
}

stall watchdog::of(std::size_t worker, const poll_progress& now) const {
  return {.worker = worker, .task = now.task, .lasted = clock::now() - seen_[worker].since, .driver = driver_()};
}

}  // namespace licit::inline v0::detail
