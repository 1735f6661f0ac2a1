#include "core/outside.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include "core/fiber.hpp"
#include "core/heap.hpp"

#if defined(LICIT_CHECKER_ASAN) || defined(__SANITIZE_THREAD__)
#define LICIT_CHECKER_SANITIZED 1
#endif

namespace licit::checker::detail {

namespace {

/// Twice a second it is looked whether the program is still in the step that it was in. A step is counted by the looks
/// at it and not by a clock: a process that was stopped is not to blame.
constexpr double tick = 0.5;

guard::objection object = nullptr;
double most_seconds = 0;
volatile std::sig_atomic_t looks = 0;

void on_tick(int /*signal*/) {
  looks = looks + 1;
  if (object == nullptr || looks <= most_seconds / tick || heap::in_use() == nullptr) return;
  object(
      violation::endless,
      "does not come back for " + std::to_string(static_cast<int>(most_seconds)) +
          " seconds after its last operation: it loops without any, or waits for what the checker does not see, such "
          "as a std::mutex (use Model::mutex)");
}

/// What the program dies of, elsewhere.
struct death {
  int signal;
  violation kind;
  const char* what;
};
#ifdef LICIT_CHECKER_SANITIZED  // which reports the others itself
constexpr std::array deaths{death{SIGABRT, violation::assertion, "calls abort()"}};
#else
constexpr std::array deaths{
    death{SIGABRT, violation::assertion, "calls abort()"},
    death{SIGSEGV, violation::use_after_free, "follows a pointer that is null or leads nowhere (SIGSEGV)"},
    death{SIGBUS, violation::use_after_free, "follows a pointer that leads nowhere (SIGBUS)"},
    death{SIGFPE, violation::assertion, "divides by zero (SIGFPE)"},
    death{SIGILL, violation::assertion, "executes an instruction that there is not (SIGILL)"},
};
#endif

void on_death(int signal) {
  const auto* const found = std::ranges::find(deaths, signal, &death::signal);
  object_to(found->kind, found->what);
  std::signal(signal, SIG_DFL);  // and abort(), or the instruction, goes on
}

struct sigaction handler(void (*what)(int)) {
  struct sigaction made{};
  made.sa_handler = what;
  made.sa_flags = SA_NODEFER | SA_RESTART;  // it may be left without a return
  return made;
}

int tick_signal() { return SIGRTMAX - 1; }

}  // namespace

void object_to(violation kind, const std::string& what) {
  if (object != nullptr && heap::in_use() != nullptr) object(kind, what);
}

guard::guard(objection to, double seconds) : outer_{object}, outer_seconds_{most_seconds} {
  object = to;
  most_seconds = seconds;
  looks = 0;
  const struct sigaction death_handler = handler(&on_death);
  for (std::size_t i = 0; i != deaths.size(); ++i) sigaction(deaths[i].signal, &death_handler, &outer_deaths_[i]);
  if (!std::isfinite(seconds)) return;
  const struct sigaction tick_handler = handler(&on_tick);
  sigaction(tick_signal(), &tick_handler, &outer_tick_);
  struct sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = tick_signal();
  event._sigev_un._tid = gettid();
  ticks_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  const timespec every{.tv_sec = 0, .tv_nsec = static_cast<long>(tick * 1e9)};
  const itimerspec when{.it_interval = every, .it_value = every};
  if (ticks_) timer_settime(timer_, 0, &when, nullptr);
}

guard::~guard() {
  if (ticks_) timer_delete(timer_);
  if (std::isfinite(most_seconds)) sigaction(tick_signal(), &outer_tick_, nullptr);
  for (std::size_t i = 0; i != deaths.size(); ++i) sigaction(deaths[i].signal, &outer_deaths_[i], nullptr);
  object = outer_;
  most_seconds = outer_seconds_;
}

void guard::begin_step() { looks = 0; }

#ifdef LICIT_CHECKER_SANITIZED
thread_locals::thread_locals() = default;
#else
thread_locals::thread_locals() {
  const auto look = [](dl_phdr_info* executable, std::size_t /*size*/, void* found) {
    auto& made = *static_cast<thread_locals*>(found);
    for (std::size_t i = 0; i != executable->dlpi_phnum; ++i) {
      const auto& part = executable->dlpi_phdr[i];
      if (part.p_type != PT_TLS || executable->dlpi_tls_data == nullptr) continue;
      const auto start = executable->dlpi_addr + part.p_vaddr;
      const auto* const image = reinterpret_cast<const std::byte*>(start);  // NOLINT(performance-no-int-to-ptr)
      made.first_.assign(image, image + part.p_filesz);
      made.first_.resize(part.p_memsz);
      made.block_ = {static_cast<std::byte*>(executable->dlpi_tls_data), part.p_memsz};
    }
    return 1;  // the executable is the first, and no other is looked at
  };
  dl_iterate_phdr(look, this);
}
#endif

void thread_locals::enter(const kept& own) {
  exchanged_ = !own.empty() || !as_first();
  if (!exchanged_) return;
  outside_.assign(block_.begin(), block_.end());
  put(own.empty() ? first_ : own);
}

void thread_locals::leave(kept& own) {
  if (!exchanged_ && as_first()) return;
  own.assign(block_.begin(), block_.end());
  put(exchanged_ ? outside_ : first_);
}

}  // namespace licit::checker::detail

// What the program calls in place of the system's functions. Weak: a program that has its own keeps them.
using licit::checker::violation;
// NOLINTNEXTLINE(misc-unused-using-decls): it goes when this file changes, and with it the digest of every audit
using licit::checker::detail::heap;

extern "C" {

[[gnu::weak, noreturn]] void __assert_fail(const char* holds, const char* file, unsigned line,
                                           const char* function) noexcept {
  const std::string what = std::string(file) + ":" + std::to_string(line) + ": assert(" + holds + ")";
  licit::checker::detail::object_to(violation::assertion, "finds that it does not hold: " + what);
  std::fprintf(stderr, "%s does not hold in %s\n", what.c_str(), function);
  std::abort();
}

#ifndef LICIT_CHECKER_SANITIZED
[[gnu::weak]] int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*body)(void*),
                                 void* argument) noexcept {
  licit::checker::detail::object_to(
      violation::unsupported,
      "starts a thread of the system (std::thread, std::async): a program's threads are thread(i)");
  static const auto system = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return system == nullptr ? EAGAIN : system(thread, how, body, argument);
}

[[gnu::weak]] int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) noexcept {
  licit::checker::detail::object_to(violation::unsupported, "has a thread_local variable with a destructor");
  static const auto system = reinterpret_cast<decltype(&__cxa_thread_atexit)>(dlsym(RTLD_NEXT, "__cxa_thread_atexit"));
  return system == nullptr ? 0 : system(destroy, object, library);
}
#endif
}
