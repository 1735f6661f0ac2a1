/// What the program does beyond memory and threads: time, which is virtual; its end; and the machine, which is virtual
/// too.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime.hpp"
#include "show/words.hpp"

namespace licit::unmodified {

void object(violation kind, const std::string& what, const offence& by) {
  executor& e = engine();
  e.fail(kind, checker::detail::thread_name(e.thread()) + what, by);
}

void refuse(const std::string& what) { object(violation::unsupported, what.starts_with(":") ? what : " " + what); }

namespace {

constexpr std::int64_t second = 1'000'000'000;

void fail_here(const std::string& what, const void* caller) {
  const inside in;
  const site& s = site_of(caller);
  name_sites();
  object(violation::assertion, " " + what + " " + where(s));
}

/// Whether it is a span, or a moment, that the system takes.
bool is_sleep(const timespec& t) { return is_time(t) && t.tv_sec >= 0; }

/// Processors that the machine has, whatever it has.
constexpr int processors = 2;

std::string exception_in_flight() {
  try {
    throw;
  } catch (const std::exception& e) {
    return std::string(": ") + e.what();
  } catch (...) {
    return " that is no std::exception";
  }
}

}  // namespace

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// Each thread has a clock, which goes on only while it sleeps or a wait of its ends by the limit.

LICIT_INTERPOSED int clock_gettime(clockid_t which, timespec* now) noexcept {
  static const auto system = real<decltype(&clock_gettime)>("clock_gettime");
  if (!is_explored()) return system(which, now);
  note_plain(now, sizeof *now, touch::write, LICIT_CALLER);
  const std::int64_t t = virtual_time();
  *now = {.tv_sec = t / second, .tv_nsec = t % second};
  return 0;
}
LICIT_INTERPOSED int gettimeofday(timeval* now, void* zone) noexcept {
  if (!is_explored()) return real<int (*)(timeval*, void*)>("gettimeofday")(now, zone);
  note_plain(now, sizeof *now, touch::write, LICIT_CALLER);
  const std::int64_t t = virtual_time();
  *now = {.tv_sec = t / second, .tv_usec = t % second / 1000};
  return 0;
}
LICIT_INTERPOSED int timespec_get(timespec* now, int base) noexcept {
  if (!is_explored() || base != TIME_UTC) return real<int (*)(timespec*, int)>("timespec_get")(now, base);
  note_plain(now, sizeof *now, touch::write, LICIT_CALLER);
  const std::int64_t t = virtual_time();
  *now = {.tv_sec = t / second, .tv_nsec = t % second};
  return base;
}
LICIT_INTERPOSED int clock_getres(clockid_t which, timespec* step) noexcept {
  static const auto system = real<decltype(&clock_getres)>("clock_getres");
  if (step != nullptr) note_plain(step, sizeof *step, touch::write, LICIT_CALLER);
  return system(which, step);
}
LICIT_INTERPOSED time_t time(time_t* now) noexcept {
  if (!is_explored()) return real<decltype(&time)>("time")(now);
  const time_t t = virtual_time() / second;
  if (now != nullptr) {
    note_plain(now, sizeof *now, touch::write, LICIT_CALLER);
    *now = t;
  }
  return t;
}
LICIT_INTERPOSED int nanosleep(const timespec* span, timespec* left) {
  if (!is_explored()) return real<decltype(&nanosleep)>("nanosleep")(span, left);
  note_plain(span, sizeof *span, touch::read, LICIT_CALLER);
  if (!is_sleep(*span)) {
    errno = EINVAL;
    return -1;
  }
  pass_time(virtual_time(), nanoseconds(*span));
  return 0;
}
LICIT_INTERPOSED int clock_nanosleep(clockid_t which, int flags, const timespec* span, timespec* left) {
  if (!is_explored()) return real<decltype(&clock_nanosleep)>("clock_nanosleep")(which, flags, span, left);
  note_plain(span, sizeof *span, touch::read, LICIT_CALLER);
  if (!is_sleep(*span)) return EINVAL;
  pass_time((flags & TIMER_ABSTIME) != 0 ? 0 : virtual_time(), nanoseconds(*span));
  return 0;
}
LICIT_INTERPOSED int usleep(useconds_t span) {
  if (!is_explored()) return real<decltype(&usleep)>("usleep")(span);
  pass_time(virtual_time(), std::int64_t{span} * 1000);
  return 0;
}
LICIT_INTERPOSED unsigned sleep(unsigned seconds) {
  if (!is_explored()) return real<decltype(&sleep)>("sleep")(seconds);
  pass_time(virtual_time(), seconds * second);
  return 0;
}
LICIT_INTERPOSED int thrd_sleep(const timespec* span, timespec* left) {
  if (!is_explored()) return real<decltype(&nanosleep)>("thrd_sleep")(span, left);
  constexpr int wrong = -2;  // -1 says that it was interrupted
  note_plain(span, sizeof *span, touch::read, LICIT_CALLER);
  if (!is_sleep(*span)) return wrong;
  pass_time(virtual_time(), nanoseconds(*span));
  return 0;
}
LICIT_INTERPOSED int sched_yield() noexcept { return 0; }

/// Those that each execution has.
LICIT_INTERPOSED int close(int file) {
  if (is_explored() && file >= STDIN_FILENO && file <= STDERR_FILENO) return 0;
  return real<decltype(&close)>("close")(file);
}

// The end.

LICIT_INTERPOSED void __assert_fail(const char* holds, const char* file, unsigned line, const char* function) noexcept {
  if (is_explored()) {
    const inside in;
    const std::string name = std::string(file).substr(std::string(file).rfind('/') + 1);
    object(violation::assertion, " finds that it does not hold: assert(" + std::string(holds) + ") [" + name + ":" +
                                     std::to_string(line) + " in " + function + "]");
  }
  dprintf(STDERR_FILENO, "%s:%u: assert(%s) does not hold in %s\n", file, line, holds, function);
  real<void (*)()>("abort")();
  __builtin_unreachable();
}
LICIT_INTERPOSED void abort() noexcept {
  if (is_explored()) {
    const std::string while_handling =
        std::current_exception() != nullptr ? ", by or beside an exception" + exception_in_flight() : "";
    fail_here("calls abort()" + while_handling, LICIT_CALLER);
  }
  real<void (*)()>("abort")();
  __builtin_unreachable();
}

/// As libstdc++'s own uncaught exceptions end: they do not come here.
LICIT_INTERPOSED void licit_terminate() noexcept __asm__("_ZSt9terminatev");
LICIT_INTERPOSED void licit_terminate() noexcept {
  if (is_explored()) {
    const std::string by = std::current_exception() != nullptr ? ", by an exception" + exception_in_flight() : "";
    fail_here("calls std::terminate()" + by, LICIT_CALLER);
  }
  real<void (*)()>("_ZSt9terminatev")();
  __builtin_unreachable();
}

// The machine has two processors, and nothing limits them.

LICIT_INTERPOSED int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* set) noexcept {
  if (!is_explored()) return real<decltype(&sched_getaffinity)>("sched_getaffinity")(process, size, set);
  std::memset(set, 0, size);
  for (int p = 0; p != processors; ++p) CPU_SET_S(p, size, set);
  return 0;
}
LICIT_INTERPOSED int pthread_setaffinity_np(pthread_t thread, std::size_t size, const cpu_set_t* set) noexcept {
  return is_explored() ? 0 : real<decltype(&pthread_setaffinity_np)>("pthread_setaffinity_np")(thread, size, set);
}
LICIT_INTERPOSED int sched_setaffinity(pid_t process, std::size_t size, const cpu_set_t* set) noexcept {
  return is_explored() ? 0 : real<decltype(&sched_setaffinity)>("sched_setaffinity")(process, size, set);
}
LICIT_INTERPOSED int get_nprocs() noexcept {
  return is_explored() ? processors : real<decltype(&get_nprocs)>("get_nprocs")();
}
LICIT_INTERPOSED int get_nprocs_conf() noexcept {
  return is_explored() ? processors : real<decltype(&get_nprocs_conf)>("get_nprocs_conf")();
}
LICIT_INTERPOSED long sysconf(int what) noexcept {
  if (is_explored() && (what == _SC_NPROCESSORS_ONLN || what == _SC_NPROCESSORS_CONF)) return processors;
  static const auto system = real<decltype(&sysconf)>("sysconf");
  return system(what);
}

/// What is printed is dropped, by whatever buffer; but one of the program's would be written to.
LICIT_INTERPOSED int setvbuf(std::FILE* of, char* buffer, int how, std::size_t size) noexcept {
  if (!is_explored()) return real<decltype(&setvbuf)>("setvbuf")(of, buffer, how, size);
  if (buffer != nullptr) {
    const inside in;
    refuse("gives a stream a buffer by setvbuf");
  }
  return 0;
}
LICIT_INTERPOSED void setbuf(std::FILE* of, char* buffer) noexcept { setvbuf(of, buffer, _IOFBF, BUFSIZ); }

/// Threads have no names here.
LICIT_INTERPOSED int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  return is_explored() ? 0 : real<decltype(&pthread_setname_np)>("pthread_setname_np")(thread, name);
}
