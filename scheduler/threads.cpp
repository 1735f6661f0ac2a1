#include <algorithm>
#include <csignal>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/threads.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

namespace licit::inline v0 {

namespace detail {
constinit thread_local run_context context_of_thread{};
}

[[gnu::noinline]] run_context& this_context() noexcept {
  asm volatile("");  // with link-time optimisation too, a call gives the address anew
  return detail::context_of_thread;
}

}  // namespace licit::inline v0

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

/// How a thread is made: with that many bytes of stack, rounded up to pages; 0: the system's default.
class attributes {
 public:
  explicit attributes(std::size_t stack_bytes) {
    check(pthread_attr_init(&how_));
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (stack_bytes == 0) return;
    const int error = pthread_attr_setstacksize(&how_, (stack_bytes + page - 1) / page * page);
    if (error != 0) (void)pthread_attr_destroy(&how_);
    check(error);
  }
  ~attributes() { (void)pthread_attr_destroy(&how_); }
  attributes(const attributes&) = delete;
  attributes& operator=(const attributes&) = delete;
  [[nodiscard]] const pthread_attr_t* get() const { return &how_; }

 private:
  static void check(int error) {
    if (error != 0) {
      throw std::system_error(error, std::generic_category(), "licit: a worker's thread cannot have stack_bytes");
    }
  }
  pthread_attr_t how_{};
};

/// While it lives, the calling thread also blocks these signals.
class blocked {
 public:
  explicit blocked(const std::vector<int>& signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) sigaddset(&set, signal);
    (void)pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~blocked() { (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  blocked(const blocked&) = delete;
  blocked& operator=(const blocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void threads::start(std::size_t number, const std::function<void(std::size_t)>& body,
                    const std::function<void()>& give_up) {
  try {
    body_ = body;
    all_.reserve(number);
    for (std::size_t i = 0; i != number; ++i) beginnings_.push_back({this, i});
    const blocked none_of(options_.blocked_signals);  // which the new threads inherit
    for (beginning& each : beginnings_) create(each);
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

void threads::create(beginning& at) {
  const attributes how(options_.stack_bytes);
  pthread_t made{};
  if (const int error = pthread_create(&made, how.get(), &enter, &at); error != 0) {
    throw std::system_error(error, std::generic_category(),
                            "licit: the thread of worker " + std::to_string(at.worker) + " of " +
                                std::to_string(beginnings_.size()) + " cannot be created");
  }
  all_.push_back(made);
}

namespace {

stack_marks marks_of_this_stack() noexcept {
#if defined(__linux__)
  pthread_attr_t is;
  if (pthread_getattr_np(pthread_self(), &is) != 0) return {};
  void* end = nullptr;
  std::size_t bytes = 0;
  const bool known = pthread_attr_getstack(&is, &end, &bytes) == 0;
  (void)pthread_attr_destroy(&is);
  if (!known) return {};
  constexpr std::size_t most_in_reserve = std::size_t{64} * 1024;
  constexpr std::size_t least_in_reserve = std::size_t{16} * 1024;  // what throwing takes, with room
  const auto* const lowest = static_cast<const std::byte*>(end);
  return {.lowest = lowest,
          .half = lowest + (bytes / 2),
          .end = lowest + std::min(std::clamp(bytes / 4, least_in_reserve, most_in_reserve), bytes / 2)};
#else
  return {};
#endif
}

}  // namespace

const stack_marks& this_stack() noexcept {
  thread_local const stack_marks stack = marks_of_this_stack();
  return stack;
}

const void* end_of_this_stack() noexcept { return this_stack().end; }

bool is_of_this_stack(const void* frame) noexcept { return !is_beyond(frame, this_stack().lowest); }

void threads::join() {
  for (const pthread_t each : all_) pthread_join(each, nullptr);
  all_.clear();
}

void* threads::enter(void* at) noexcept {
  const beginning& here = *static_cast<const beginning*>(at);
  here.all->run(here.worker);
  return nullptr;
}

void threads::run(std::size_t worker) {
  try {
    prepare(worker);
  } catch (...) {
    return started(std::current_exception());
  }
  started(nullptr);
  body_(worker);
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
