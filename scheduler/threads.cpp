#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <licit/scheduler/threads.hpp>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace licit::inline v0::detail {

namespace {

void name_this_thread(const std::string& name) {
#if defined(__linux__)
  constexpr std::size_t most = 15;  // the kernel's
  (void)pthread_setname_np(pthread_self(), name.substr(0, most).c_str());
#else
  (void)name;
#endif
}

void bind_this_thread(std::size_t worker, const std::vector<unsigned>& cpus) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned cpu : cpus) CPU_SET(cpu, &set);
  if (const int error = pthread_setaffinity_np(pthread_self(), sizeof(set), &set); error != 0) {
    throw std::system_error(error, std::system_category(),
                            "licit: affinity: worker " + std::to_string(worker) +
                                " cannot be bound to its processors (are there any of them on this machine?)");
  }
#else
  (void)worker;
  (void)cpus;
#endif
}

}  // namespace

void threads::start(std::size_t number, const std::function<void(std::size_t)>& body,
                    const std::function<void()>& give_up) {
  try {
    all_.reserve(number);
    for (std::size_t i = 0; i != number; ++i) all_.emplace_back([this, i, body] { run(i, body); });
  } catch (const std::system_error& e) {
    failed(std::make_exception_ptr(std::system_error(e.code(), "licit: the thread of worker " +
                                                                   std::to_string(all_.size()) + " of " +
                                                                   std::to_string(number) + " cannot be created")));
  } catch (...) {
    failed(std::current_exception());
  }
  std::unique_lock lock(mutex_);
  change_.wait(lock, [&] { return started_ == all_.size(); });
  if (!failure_) return;
  lock.unlock();
  give_up();
  join();
  std::rethrow_exception(failure_);
}

void threads::join() {
  for (std::thread& each : all_) each.join();
  all_.clear();
}

void threads::run(std::size_t worker, const std::function<void(std::size_t)>& body) {
  try {
    prepare(worker);
  } catch (...) {
    return started(std::current_exception());
  }
  started(nullptr);
  body(worker);
  if (options_.on_thread_stop) options_.on_thread_stop(worker);
}

void threads::prepare(std::size_t worker) const {
  name_this_thread(options_.thread_name + std::to_string(worker));
  if (!options_.affinity.empty()) {
    bind_this_thread(worker, options_.affinity.size() == 1 ? options_.affinity[0] : options_.affinity[worker]);
  }
  if (options_.on_thread_start) options_.on_thread_start(worker);
}

void threads::started(std::exception_ptr failure) {
  if (failure) failed(std::move(failure));
  const std::lock_guard lock(mutex_);
  ++started_;
  change_.notify_all();
}

void threads::failed(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

}  // namespace licit::inline v0::detail
