/// What the program does beyond memory and threads: time, which is virtual; its end; and what is refused by name.
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

/// What libc calls by itself is its own affair.
void refuse_call(const char* function, const void* caller) {
  if (is_of_libc(reinterpret_cast<address>(caller))) return;
  const inside in;
  const site& s = site_of(caller);
  name_sites();
  refuse("calls " + std::string(function) + " " + where(s) + ", which the checker does not support");
}

/// What libc opens by itself is its own affair.
bool is_of_machine(long path, const void* caller) {
  if (is_of_libc(reinterpret_cast<address>(caller))) return false;
  const std::string_view name = reinterpret_cast<const char*>(path);  // NOLINT(performance-no-int-to-ptr)
  if (!name.starts_with("/proc/") && !name.starts_with("/sys/")) return false;
  errno = ENOENT;
  return true;
}

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
  pass_time(virtual_time() + span->tv_sec * second + span->tv_nsec);
  return 0;
}
LICIT_INTERPOSED int clock_nanosleep(clockid_t which, int flags, const timespec* span, timespec* left) {
  if (!is_explored()) return real<decltype(&clock_nanosleep)>("clock_nanosleep")(which, flags, span, left);
  const std::int64_t from = (flags & TIMER_ABSTIME) != 0 ? 0 : virtual_time();
  pass_time(from + span->tv_sec * second + span->tv_nsec);
  return 0;
}
LICIT_INTERPOSED int usleep(useconds_t span) {
  if (!is_explored()) return real<decltype(&usleep)>("usleep")(span);
  pass_time(virtual_time() + std::int64_t{span} * 1000);
  return 0;
}
LICIT_INTERPOSED int sched_yield() noexcept { return 0; }

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
    if (std::current_exception() != nullptr) {
      fail_here("ends the program by an exception" + exception_in_flight(), LICIT_CALLER);
    }
    fail_here("calls abort()", LICIT_CALLER);
  }
  real<void (*)()>("abort")();
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
LICIT_INTERPOSED int get_nprocs() noexcept {
  return is_explored() ? processors : real<decltype(&get_nprocs)>("get_nprocs")();
}
LICIT_INTERPOSED long sysconf(int what) noexcept {
  if (is_explored() && (what == _SC_NPROCESSORS_ONLN || what == _SC_NPROCESSORS_CONF)) return processors;
  static const auto system = real<decltype(&sysconf)>("sysconf");
  return system(what);
}

/// Threads have no names here.
LICIT_INTERPOSED int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  return is_explored() ? 0 : real<decltype(&pthread_setname_np)>("pthread_setname_np")(thread, name);
}

// What is no function of what the program reads in the model, what is not put back between executions, and what nobody
// has built yet. Whatever its type: its arguments are integers and pointers, six at most, and are passed on as they
// are. NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_REFUSED_AS(NAME, SYMBOL, TEXT)                                                      \
  LICIT_INTERPOSED long licit_refused_##NAME(long, long, long, long, long, long) __asm__(SYMBOL); \
  LICIT_INTERPOSED long licit_refused_##NAME(long a, long b, long c, long d, long e, long f) {    \
    if (is_explored()) refuse_call(TEXT, LICIT_CALLER);                                           \
    static const auto system = real<long (*)(long, long, long, long, long, long)>(SYMBOL);        \
    return system(a, b, c, d, e, f);                                                              \
  }
#define LICIT_REFUSED(NAME) LICIT_REFUSED_AS(NAME, #NAME, #NAME)
// A file that says what the machine is like is not there; any other is refused.
#define LICIT_OPENS(NAME, PATH, NOTHING)                                                         \
  LICIT_INTERPOSED long licit_refused_##NAME(long, long, long, long, long, long) __asm__(#NAME); \
  LICIT_INTERPOSED long licit_refused_##NAME(long a, long b, long c, long d, long e, long f) {   \
    if (is_explored()) {                                                                         \
      if (is_of_machine(PATH, LICIT_CALLER)) return NOTHING;                                     \
      refuse_call(#NAME, LICIT_CALLER);                                                          \
    }                                                                                            \
    static const auto system = real<long (*)(long, long, long, long, long, long)>(#NAME);        \
    return system(a, b, c, d, e, f);                                                             \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)

// the end
LICIT_REFUSED(exit)
LICIT_REFUSED(_exit)
LICIT_REFUSED(_Exit)
LICIT_REFUSED(quick_exit)
LICIT_REFUSED(pthread_exit)
// other processes, code and signals
LICIT_REFUSED(fork)
LICIT_REFUSED(vfork)
LICIT_REFUSED(execve)
LICIT_REFUSED(execl)
LICIT_REFUSED(execle)
LICIT_REFUSED(execlp)
LICIT_REFUSED(execvpe)
LICIT_REFUSED(fexecve)
LICIT_REFUSED(execv)
LICIT_REFUSED(execvp)
LICIT_REFUSED(posix_spawn)
LICIT_REFUSED(posix_spawnp)
LICIT_REFUSED(system)
LICIT_REFUSED(popen)
LICIT_REFUSED(dlopen)
LICIT_REFUSED(signal)
LICIT_REFUSED(sigaction)
LICIT_REFUSED(raise)
LICIT_REFUSED(kill)
LICIT_REFUSED(sigqueue)
LICIT_REFUSED(sigwait)
LICIT_REFUSED(sigwaitinfo)
LICIT_REFUSED(sigtimedwait)
LICIT_REFUSED(sigprocmask)
LICIT_REFUSED(alarm)
LICIT_REFUSED(setitimer)
LICIT_REFUSED(timer_create)
LICIT_REFUSED(killpg)
LICIT_REFUSED(pthread_kill)
LICIT_REFUSED(pthread_cancel)
LICIT_REFUSED(pthread_getschedparam)
LICIT_REFUSED(pthread_setschedparam)
LICIT_REFUSED(pthread_getcpuclockid)
LICIT_REFUSED(pthread_getname_np)
LICIT_REFUSED(pthread_getaffinity_np)
// other ways to wait
LICIT_REFUSED(pthread_barrier_init)
LICIT_REFUSED(pthread_barrier_wait)
LICIT_REFUSED(pthread_spin_init)
LICIT_REFUSED(pthread_spin_lock)
LICIT_REFUSED(pthread_spin_trylock)
LICIT_REFUSED(pthread_spin_unlock)
LICIT_REFUSED(pthread_tryjoin_np)
LICIT_REFUSED(pthread_timedjoin_np)
LICIT_REFUSED(pthread_clockjoin_np)
LICIT_REFUSED(thrd_create)
LICIT_REFUSED(thrd_join)
LICIT_REFUSED(thrd_detach)
LICIT_REFUSED(mtx_init)
LICIT_REFUSED(mtx_timedlock)
LICIT_REFUSED(mtx_trylock)
LICIT_REFUSED(mtx_unlock)
LICIT_REFUSED(cnd_init)
LICIT_REFUSED(cnd_signal)
LICIT_REFUSED(cnd_broadcast)
LICIT_REFUSED(cnd_timedwait)
LICIT_REFUSED(call_once)
LICIT_REFUSED(tss_create)
LICIT_REFUSED(mtx_lock)
LICIT_REFUSED(cnd_wait)
LICIT_REFUSED(sleep)
// the time that the process has used
LICIT_REFUSED(clock)
LICIT_REFUSED(times)
LICIT_REFUSED(getrusage)
// what waits, or counts, in libc++.so, by atomics that nobody is told of
LICIT_REFUSED_AS(wait, "_ZNSt3__120__libcpp_atomic_waitEPVKvi", "std::atomic::wait of libc++")
LICIT_REFUSED_AS(wait_int,
                 "_ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi",
                 "std::atomic::wait of libc++")
LICIT_REFUSED_AS(notify_one, "_ZNSt3__123__cxx_atomic_notify_oneEPVKv", "std::atomic::notify_one of libc++")
LICIT_REFUSED_AS(notify_one_int,
                 "_ZNSt3__123__cxx_atomic_notify_oneEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE",
                 "std::atomic::notify_one of libc++")
LICIT_REFUSED_AS(notify_all, "_ZNSt3__123__cxx_atomic_notify_allEPVKv", "std::atomic::notify_all of libc++")
LICIT_REFUSED_AS(notify_all_int,
                 "_ZNSt3__123__cxx_atomic_notify_allEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE",
                 "std::atomic::notify_all of libc++")
LICIT_REFUSED_AS(arrive, "_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh",
                 "std::barrier::arrive of libc++")
LICIT_REFUSED_AS(lock_weak, "_ZNSt3__119__shared_weak_count4lockEv", "std::weak_ptr::lock of libc++")
LICIT_REFUSED_AS(once, "_ZNSt3__111__call_onceERVmPvPFvS2_E", "std::call_once of libc++")
LICIT_REFUSED_AS(future_wait, "_ZNSt3__117__assoc_sub_state10__sub_waitERNS_11unique_lockINS_5mutexEEE",
                 "std::future::get of libc++")
// chance
LICIT_INTERPOSED unsigned licit_random_device(void* device) __asm__("_ZNSt13random_device9_M_getvalEv");
LICIT_INTERPOSED unsigned licit_random_device(void* device) {
  if (is_explored()) refuse_call("std::random_device", LICIT_CALLER);
  static const auto system = real<unsigned (*)(void*)>("_ZNSt13random_device9_M_getvalEv");
  return system(device);
}
LICIT_REFUSED(rand)
LICIT_REFUSED(srand)
LICIT_REFUSED(random_r)
LICIT_REFUSED(drand48)
LICIT_REFUSED(mrand48)
LICIT_REFUSED(erand48)
LICIT_REFUSED(nrand48)
LICIT_REFUSED(jrand48)
LICIT_REFUSED(rand_r)
LICIT_REFUSED(random)
LICIT_REFUSED(lrand48)
LICIT_REFUSED(getrandom)
LICIT_REFUSED(getentropy)
LICIT_REFUSED(arc4random)
// input, and files
LICIT_OPENS(open, a, -1)
LICIT_OPENS(open64, a, -1)
LICIT_OPENS(openat, b, -1)
LICIT_REFUSED(creat)
LICIT_OPENS(fopen, a, 0)
LICIT_OPENS(fopen64, a, 0)
LICIT_REFUSED(read)
LICIT_REFUSED(readv)
LICIT_REFUSED(pread)
LICIT_REFUSED(fgets)
LICIT_REFUSED(scanf)
LICIT_REFUSED(sscanf)
LICIT_REFUSED(vsscanf)
LICIT_REFUSED(__isoc99_scanf)
LICIT_REFUSED(__isoc99_fscanf)
LICIT_REFUSED(__isoc99_sscanf)
LICIT_REFUSED(__isoc99_vscanf)
LICIT_REFUSED(__isoc99_vfscanf)
LICIT_REFUSED(__isoc99_vsscanf)
LICIT_REFUSED(__isoc23_scanf)
LICIT_REFUSED(__isoc23_fscanf)
LICIT_REFUSED(__isoc23_sscanf)
LICIT_REFUSED(vscanf)
LICIT_REFUSED(fscanf)
LICIT_REFUSED(vfscanf)
LICIT_REFUSED(getdelim)
LICIT_REFUSED(getchar_unlocked)
LICIT_REFUSED(getc_unlocked)
LICIT_REFUSED(fread_unlocked)
LICIT_REFUSED(freopen)
LICIT_REFUSED(freopen64)
LICIT_REFUSED(tmpfile)
LICIT_REFUSED(tmpfile64)
LICIT_REFUSED(opendir)
LICIT_REFUSED(unlink)
LICIT_REFUSED(remove)
LICIT_REFUSED(rename)
LICIT_REFUSED(mkdir)
LICIT_REFUSED(rmdir)
LICIT_REFUSED(pipe2)
LICIT_REFUSED(shmget)
LICIT_REFUSED(shm_open)
LICIT_REFUSED(sem_open)
LICIT_REFUSED(accept)
LICIT_REFUSED(recvfrom)
LICIT_REFUSED(recvmsg)
LICIT_REFUSED(sendto)
LICIT_REFUSED(sendmsg)
LICIT_REFUSED(ppoll)
LICIT_REFUSED(pselect)
LICIT_REFUSED(epoll_pwait)
LICIT_REFUSED(timerfd_create)
LICIT_REFUSED(signalfd)
LICIT_REFUSED(inotify_init)
LICIT_REFUSED(fgetc)
LICIT_REFUSED(getc)
LICIT_REFUSED(getchar)
LICIT_REFUSED(fread)
LICIT_REFUSED(getline)
LICIT_REFUSED(socket)
LICIT_REFUSED(recv)
LICIT_REFUSED(send)
LICIT_REFUSED(poll)
LICIT_REFUSED(select)
LICIT_REFUSED(epoll_wait)
LICIT_REFUSED(pipe)
LICIT_REFUSED(eventfd)
// what libc has for itself, and all threads share
LICIT_REFUSED(strtok)
LICIT_REFUSED(wcstok)
LICIT_REFUSED(asctime)
LICIT_REFUSED(ctime)
LICIT_REFUSED(gmtime)
LICIT_REFUSED(localtime)
LICIT_REFUSED(setenv)
LICIT_REFUSED(unsetenv)
LICIT_REFUSED(putenv)
LICIT_REFUSED(clearenv)
LICIT_REFUSED(hsearch)
// containers of libc, which nobody sees at work
LICIT_REFUSED(lfind)
LICIT_REFUSED(lsearch)
LICIT_REFUSED(tfind)
LICIT_REFUSED(tsearch)
LICIT_REFUSED(tdelete)
LICIT_REFUSED(twalk)
// memory that nobody watches, and atomics that are none
LICIT_REFUSED(mmap)
LICIT_REFUSED(mmap64)
LICIT_REFUSED(munmap)
LICIT_REFUSED(mremap)
LICIT_REFUSED(__atomic_load)
LICIT_REFUSED(__atomic_store)
LICIT_REFUSED(__atomic_exchange)
LICIT_REFUSED(__atomic_compare_exchange)
