/// What threads wait for one another with: mutexes, condition variables, locks of readers and writers, semaphores,
/// once, function-local statics and futexes. Each is an atomic word of the object, and a wait that the engine knows.
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

#include "runtime.hpp"

namespace licit::unmodified {

namespace {

bool equals(word value, word expected) { return value == expected; }
bool differs(word value, word expected) { return value != expected; }
bool positive(word value, word /*expected*/) { return value != 0; }
constexpr word writer = word{1} << 31;
bool no_writer(word value, word /*expected*/) { return (value & writer) == 0; }

/// A word of a lock, and who asks.
struct lock_word {
  address at;
  const void* caller;

  lock_word(const volatile void* p, const void* by) : at{reinterpret_cast<address>(p)}, caller{by} {}

  answer perform(operation&& op) const {  // NOLINT(modernize-use-nodiscard)
    const inside in;
    if (engine().suspects_loops()) checker::detail::clear_stack_below();
    return perform_atomic(at, sizeof(std::uint32_t), std::move(op), site_of(caller));
  }
  [[nodiscard]] word load(order o = order::relaxed) const {
    return perform({.what = action::load, .success = o}).value;
  }
  void store(word value, order o) const { perform({.what = action::store, .success = o, .operand = value}); }
  void add(word value, order o) const {
    perform({.what = action::modify, .success = o, .how = change::add, .operand = value});
  }
  /// Waits for the value, and exchanges it.
  void exchange_when(word expected, word value) const {
    perform({.what = action::modify,
             .success = order::acquire,
             .how = change::compare_exchange,
             .operand = value,
             .expected = expected,
             .until = &equals});
  }
  /// Whether it was `expected`, and is exchanged. It may fail for no reason, too.
  [[nodiscard]] bool try_exchange(word expected, word value) const {
    return perform({.what = action::modify,
                    .success = order::acquire,
                    .how = change::compare_exchange,
                    .weak = has_spurious(),
                    .operand = value,
                    .expected = expected})
        .success;
  }
  /// Whether it was `expected`, and is exchanged. `seen`: what it was.
  bool exchange(word expected, word value, word* seen = nullptr) const {
    const answer a = perform({.what = action::modify,
                              .success = order::acquire,
                              .failure = order::acquire,
                              .how = change::compare_exchange,
                              .operand = value,
                              .expected = expected});
    if (seen != nullptr) *seen = a.value;
    return a.success;
  }
  void await_other_than(word value) const {
    perform({.what = action::load, .success = order::acquire, .expected = value, .until = &differs});
  }

  /// Sleeps if it has the value. False: the time is over. For no reason a thread wakes up once at most: it locks a
  /// mutex then, so that its loop would have no end.
  [[nodiscard]] bool sleep(word value, bool timed) const {
    const inside in;
    const bool ends = timed && engine().has_timeouts();
    const answer a = perform({.what = action::load,
                              .how = change::compare_exchange,
                              .weak = ends || (has_spurious() && !has_woken_for_nothing()),
                              .expected = value});
    if (a.value != value) return true;
    if (!a.success) {
      has_woken_for_nothing() = !ends;
      return !ends;
    }
    return engine().sleep(locate(at, sizeof(std::uint32_t)), ends, site_of(caller).text.data());
  }
  void notify(bool all) const {
    const inside in;
    const site& s = site_of(caller);
    come_to(s);
    engine().notify(locate(at, sizeof(std::uint32_t)), all ? wake::futex_all : wake::futex_one, order::release,
                    s.text.data());
  }
};

/// A limit that libc refuses; and a clock that is none for limits.
bool is_wrong(const timespec* limit) { return limit != nullptr && !is_time(*limit); }
bool is_wrong(clockid_t by) { return by != CLOCK_REALTIME && by != CLOCK_MONOTONIC; }

/// A wait ended by its limit: the thread's clock is past it.
int timed_out(const timespec* limit) {
  if (limit != nullptr) pass_time(0, nanoseconds(*limit));
  return ETIMEDOUT;
}

/// What a call reads of its arguments.
template <class T>
void note_argument(const T* p, const void* caller) {
  if (p != nullptr) note_plain(p, sizeof *p, touch::read, caller);
}

/// An object of libc's begins: no atomic yet.
void write_object(const void* p, std::size_t size, const void* caller) {
  if (!is_explored()) return;
  const inside in;
  note(reinterpret_cast<address>(p), size, touch::write, site_of(caller));
}

void object_to_unlock(address lock, const std::string& because, const void* caller) {
  const inside in;
  const site& s = site_of(caller);
  name_sites();
  object(violation::assertion, " unlocks " + place_name(lock) + ", " + because + " " + where(s));
}

void object_to_lock(const char* verb, const void* lock, const char* what) {
  const inside in;
  name_sites();
  object(violation::assertion, verb + place_name(reinterpret_cast<address>(lock)) + ", " + what);
}
/// A use that does not happen before it races with it.
void destroy(const void* lock, std::size_t size, const char* what, const void* caller) {
  if (!is_explored()) return;
  if (lock_word(lock, caller).load() != 0) object_to_lock(" destroys ", lock, what);
  write_object(lock, size, caller);
}

// --- mutexes: 0, or 1 while locked; the owner lies where libc has it, and is looked at by itself only

int kind_of(const pthread_mutex_t& m) { return m.__data.__kind & 3; }

bool owned(const pthread_mutex_t& m) { return m.__data.__owner == static_cast<int>(engine().thread()) + 1; }

void own(pthread_mutex_t& m) {
  m.__data.__owner = static_cast<int>(engine().thread()) + 1;
  hold(reinterpret_cast<address>(&m));
}

constexpr int destroyed = -1;  ///< as libc has it

void check_kind(const pthread_mutex_t& m) {
  constexpr int elision = 256 | 512;  // wanted or not: the second says that a program has asked for the normal type
  if ((m.__data.__kind & ~(3 | elision)) == 0) return;
  if (m.__data.__kind == destroyed) object_to_lock(" locks ", &m, "a mutex that has been destroyed");
  const inside in;
  refuse("uses a mutex that is robust, of a priority protocol, or shared by processes");
}

/// Whether the thread has it already, and what that means; 0: it has not.
int again(pthread_mutex_t& m, bool* done) {
  if (!owned(m)) return 0;
  *done = true;
  if (kind_of(m) == PTHREAD_MUTEX_RECURSIVE) {
    ++m.__data.__count;
    return 0;
  }
  *done = kind_of(m) == PTHREAD_MUTEX_ERRORCHECK;
  return EDEADLK;
}

int lock(pthread_mutex_t* m, const void* caller) {
  check_kind(*m);
  bool done = false;
  if (const int error = again(*m, &done); done) return error;
  lock_word(m, caller).exchange_when(0, 1);
  own(*m);
  return 0;
}

int try_lock(pthread_mutex_t* m, const void* caller) {
  check_kind(*m);
  if (owned(*m) && kind_of(*m) == PTHREAD_MUTEX_RECURSIVE) {
    ++m->__data.__count;
    return 0;
  }
  if (!lock_word(m, caller).try_exchange(0, 1)) return EBUSY;
  own(*m);
  return 0;
}

/// Whether waits end by their limits.
bool has_limits() {
  const inside in;
  return engine().has_timeouts();
}

/// To wait and then to lock is to come later; so what is left is that it is locked until the limit.
int timed_lock(pthread_mutex_t* m, const timespec* limit, const void* caller) {
  note_argument(limit, caller);
  if (owned(*m) && kind_of(*m) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if (try_lock(m, caller) == 0) return 0;
  if (is_wrong(limit)) return EINVAL;  // as libc, which looks at it only if it waits
  return has_limits() ? timed_out(limit) : lock(m, caller);
}

int unlock(pthread_mutex_t* m, const void* caller) {
  if (!owned(*m)) {
    if (kind_of(*m) == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
    object_to_unlock(reinterpret_cast<address>(m), "a mutex that it has not locked", caller);
  }
  if (m->__data.__count != 0) {
    --m->__data.__count;
    return 0;
  }
  m->__data.__owner = 0;
  (void)let_go(reinterpret_cast<address>(m));
  lock_word(m, caller).store(0, order::release);
  return 0;
}

// --- condition variables: a number that each notification changes, and that waiters sleep on

/// Gives up one level of a recursive mutex, as libc does.
int wait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* limit, const void* caller) {
  note_argument(limit, caller);
  if (is_wrong(limit)) return EINVAL;
  if (!owned(*m) && kind_of(*m) == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
  const lock_word number(c, caller);
  const word seen = number.load();
  unlock(m, caller);
  const bool woken = number.sleep(seen, limit != nullptr);
  lock(m, caller);
  return woken ? 0 : timed_out(limit);
}

int notify(pthread_cond_t* c, bool all, const void* caller) {
  const lock_word number(c, caller);
  number.add(1, order::relaxed);
  number.notify(all);
  return 0;
}

// --- locks of readers and writers: the number of readers, or the bit of a writer

void check_kind(const pthread_rwlock_t& l) {
  if (l.__data.__shared == 0 && l.__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return;
  const inside in;
  refuse("uses a lock of readers and writers that is shared by processes, or in which writers go first");
}

void own(pthread_rwlock_t& l) {
  l.__data.__cur_writer = static_cast<int>(engine().thread()) + 1;
  hold(reinterpret_cast<address>(&l));
}

bool owned(const pthread_rwlock_t& l) { return l.__data.__cur_writer == static_cast<int>(engine().thread()) + 1; }

bool try_write(pthread_rwlock_t* l, const void* caller) {
  check_kind(*l);
  if (!lock_word(l, caller).exchange(0, writer)) return false;
  own(*l);
  return true;
}

int write(pthread_rwlock_t* l, const void* caller) {
  check_kind(*l);
  if (owned(*l)) return EDEADLK;
  lock_word(l, caller).exchange_when(0, writer);
  own(*l);
  return 0;
}

bool try_read(pthread_rwlock_t* l, const void* caller) {
  check_kind(*l);
  const lock_word state(l, caller);
  for (word seen = state.load(); no_writer(seen, 0);) {
    if (!state.exchange(seen, seen + 1, &seen)) continue;
    hold(state.at);  // the lock itself says only how many have it
    return true;
  }
  return false;
}

int read(pthread_rwlock_t* l, const void* caller) {
  check_kind(*l);
  if (owned(*l)) return EDEADLK;
  lock_word(l, caller).perform(
      {.what = action::modify, .success = order::acquire, .how = change::add, .operand = 1, .until = &no_writer});
  hold(reinterpret_cast<address>(l));
  return 0;
}

int timed_read(pthread_rwlock_t* l, const timespec* limit, const void* caller) {
  note_argument(limit, caller);
  if (is_wrong(limit)) return EINVAL;
  if (owned(*l)) return EDEADLK;
  if (try_read(l, caller)) return 0;
  return has_limits() ? timed_out(limit) : read(l, caller);
}

int timed_write(pthread_rwlock_t* l, const timespec* limit, const void* caller) {
  note_argument(limit, caller);
  if (is_wrong(limit)) return EINVAL;
  if (owned(*l)) return EDEADLK;
  if (try_write(l, caller)) return 0;
  return has_limits() ? timed_out(limit) : write(l, caller);
}

void wait(sem_t* s, const void* caller) {
  lock_word(s, caller).perform(
      {.what = action::modify, .success = order::acquire, .how = change::subtract, .operand = 1, .until = &positive});
}

bool try_wait(sem_t* s, const void* caller) {
  const lock_word count(s, caller);
  for (word seen = count.load(order::acquire); seen != 0;) {
    if (count.exchange(seen, seen - 1, &seen)) return true;
  }
  return false;
}

int timed_wait(sem_t* s, const timespec* limit, const void* caller) {
  note_argument(limit, caller);
  if (is_wrong(limit)) {
    errno = EINVAL;
    return -1;
  }
  if (try_wait(s, caller)) return 0;
  if (has_limits()) {
    errno = timed_out(limit);
    return -1;
  }
  wait(s, caller);
  return 0;
}

long call_futex(const std::array<long, 6>& a, const void* caller) {
  const lock_word futex(reinterpret_cast<void*>(a[0]), caller);       // NOLINT(performance-no-int-to-ptr)
  const auto* const limit = reinterpret_cast<const timespec*>(a[3]);  // NOLINT(performance-no-int-to-ptr)
  const auto value = static_cast<std::uint32_t>(a[2]);
  const int called = static_cast<int>(a[1]) & FUTEX_CMD_MASK;
  if ((called == FUTEX_WAIT_BITSET || called == FUTEX_WAKE_BITSET) &&
      static_cast<std::uint32_t>(a[5]) != FUTEX_BITSET_MATCH_ANY) {
    const inside in;
    refuse("calls futex with a mask");
  }
  switch (called) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      note_argument(limit, caller);
      if (is_wrong(limit) || (limit != nullptr && limit->tv_sec < 0)) {
        errno = EINVAL;
        return -1;
      }
      const inside in;
      const bool ends = limit != nullptr && engine().has_timeouts();
      const answer seen = futex.perform(
          {.what = action::load, .how = change::compare_exchange, .weak = ends || has_spurious(), .expected = value});
      if (seen.value != value) {
        errno = EAGAIN;
        return -1;
      }
      if (!seen.success && !ends) return 0;
      if (seen.success && engine().sleep(locate(futex.at, sizeof value), ends, site_of(caller).text.data())) {
        return 0;
      }
      pass_time(called == FUTEX_WAIT ? virtual_time() : 0, nanoseconds(*limit));
      errno = ETIMEDOUT;
      return -1;
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      if (value != 1 && value < checker::max_threads) break;
      futex.notify(value != 1);
      return 0;
    default: break;
  }
  const inside in;
  refuse("calls futex with operation " + std::to_string(a[1]) + ", which is neither a wait nor a wake of one or all");
  return -1;
}

/// A command of membarrier's that is not explored: it orders more than memory, or is known to few kernels. Null: none.
const char* refused_barrier(int command) {
  switch (command) {
    case 1 << 5: return "MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE";
    case 1 << 6: return "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE";
    case 1 << 7: return "MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ";
    case 1 << 8: return "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ";
    case 1 << 9: return "MEMBARRIER_CMD_GET_REGISTRATIONS";
    default: return nullptr;
  }
}

bool registers_for_barriers(int command) {
  return command == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED || command == MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

/// As membarrier(2) says. Nothing orders a registration and another thread's call, so the call reads an atomic word.
long call_membarrier(int command, unsigned flags, const void* caller) {
  if (const char* const name = refused_barrier(command); name != nullptr) {
    const inside in;
    refuse(std::string("calls membarrier with ") + name);
  }
  if (flags != 0) return fail_with(EINVAL);
  const lock_word registered(&registrations(), caller);
  const auto has = [&](word registration) { return (registered.load() & registration) != 0; };
  if (registers_for_barriers(command)) {
    const auto bit = static_cast<word>(command);
    if (!has(bit)) registered.perform({.what = action::modify, .how = change::bit_or, .operand = bit});
    return 0;
  }
  switch (command) {
    case MEMBARRIER_CMD_QUERY:
      return MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED | MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED |
             MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    case MEMBARRIER_CMD_GLOBAL: break;
    case MEMBARRIER_CMD_GLOBAL_EXPEDITED:
      if (!has(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)) return 0;  // only registered processes are interrupted
      break;
    case MEMBARRIER_CMD_PRIVATE_EXPEDITED:
      if (!has(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) return fail_with(EPERM);
      break;
    default: return fail_with(EINVAL);
  }
  const inside in;
  engine().fence(order::seq_cst, checker::detail::asymmetry::heavy, site_of(caller).text.data());
  return 0;
}

}  // namespace

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// Before main and between executions there is one thread: nothing to wait for.

LICIT_INTERPOSED int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* how) noexcept {
  note_argument(how, LICIT_CALLER);
  write_object(m, sizeof *m, LICIT_CALLER);
  return real<decltype(&pthread_mutex_init)>("pthread_mutex_init")(m, how);
}
LICIT_INTERPOSED int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  destroy(m, sizeof *m, "a mutex that is locked", LICIT_CALLER);
  m->__data.__kind = destroyed;
  return 0;
}
LICIT_INTERPOSED int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  return is_explored() ? lock(m, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  return is_explored() ? try_lock(m, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* limit) noexcept {
  return is_explored() ? timed_lock(m, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t by, const timespec* limit) noexcept {
  if (is_wrong(by)) return EINVAL;
  return is_explored() ? timed_lock(m, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  return is_explored() ? unlock(m, LICIT_CALLER) : 0;
}

LICIT_INTERPOSED int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* /*how*/) noexcept {
  write_object(c, sizeof *c, LICIT_CALLER);
  std::memset(static_cast<void*>(c), 0, sizeof *c);
  return 0;
}
/// A call that does not happen before it races with it.
LICIT_INTERPOSED int pthread_cond_destroy(pthread_cond_t* c) noexcept {
  write_object(c, sizeof *c, LICIT_CALLER);
  return 0;
}
LICIT_INTERPOSED int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return is_explored() ? wait(c, m, nullptr, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* limit) {
  return is_explored() ? wait(c, m, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t by,
                                            const timespec* limit) {
  if (is_wrong(by)) return EINVAL;
  return is_explored() ? wait(c, m, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_cond_signal(pthread_cond_t* c) noexcept {
  return is_explored() ? notify(c, false, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  return is_explored() ? notify(c, true, LICIT_CALLER) : 0;
}

LICIT_INTERPOSED int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* how) noexcept {
  note_argument(how, LICIT_CALLER);
  write_object(l, sizeof *l, LICIT_CALLER);
  return real<decltype(&pthread_rwlock_init)>("pthread_rwlock_init")(l, how);
}
LICIT_INTERPOSED int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  destroy(l, sizeof *l, "a lock that is locked", LICIT_CALLER);
  return 0;
}
LICIT_INTERPOSED int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  return is_explored() ? read(l, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  return !is_explored() || try_read(l, LICIT_CALLER) ? 0 : EBUSY;
}
LICIT_INTERPOSED int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* limit) noexcept {
  return is_explored() ? timed_read(l, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t by, const timespec* limit) noexcept {
  if (is_wrong(by)) return EINVAL;
  return is_explored() ? timed_read(l, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  return is_explored() ? write(l, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  return !is_explored() || try_write(l, LICIT_CALLER) ? 0 : EBUSY;
}
LICIT_INTERPOSED int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* limit) noexcept {
  return is_explored() ? timed_write(l, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t by, const timespec* limit) noexcept {
  if (is_wrong(by)) return EINVAL;
  return is_explored() ? timed_write(l, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  if (!is_explored()) return 0;
  const lock_word state(l, LICIT_CALLER);
  // Who has it as a writer wrote the newest value; while readers have it there is no writer.
  const word newest = newest_at(state.at, sizeof(std::uint32_t));
  if (newest == 0) object_to_unlock(state.at, "a lock that nobody has", LICIT_CALLER);
  const bool writes = (newest & writer) != 0;
  if (writes && !owned(*l)) {
    object_to_unlock(state.at, "a lock that another thread has", LICIT_CALLER);
  }
  if (writes) {
    l->__data.__cur_writer = 0;
    (void)let_go(state.at);
  } else if (!let_go(state.at)) {
    object_to_unlock(state.at, "a lock that it has not locked", LICIT_CALLER);
  }
  writes ? state.store(0, order::release) : state.add(~word{0}, order::release);
  return 0;
}

LICIT_INTERPOSED int sem_init(sem_t* s, int /*shared*/, unsigned value) noexcept {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  write_object(s, sizeof *s, LICIT_CALLER);
  std::memset(static_cast<void*>(s), 0, sizeof *s);
  std::memcpy(static_cast<void*>(s), &value, sizeof value);
  return 0;
}
/// A wait that does not happen before it races with it.
LICIT_INTERPOSED int sem_destroy(sem_t* s) noexcept {
  if (is_explored()) write_object(s, sizeof *s, LICIT_CALLER);
  return 0;
}
LICIT_INTERPOSED int sem_post(sem_t* s) noexcept {
  if (is_explored()) lock_word(s, LICIT_CALLER).add(1, order::release);
  return 0;
}
LICIT_INTERPOSED int sem_wait(sem_t* s) {
  if (is_explored()) wait(s, LICIT_CALLER);
  return 0;
}
LICIT_INTERPOSED int sem_trywait(sem_t* s) noexcept {
  if (!is_explored() || try_wait(s, LICIT_CALLER)) return 0;
  errno = EAGAIN;
  return -1;
}
LICIT_INTERPOSED int sem_timedwait(sem_t* s, const timespec* limit) {
  return is_explored() ? timed_wait(s, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int sem_clockwait(sem_t* s, clockid_t by, const timespec* limit) {
  if (is_wrong(by)) {
    errno = EINVAL;
    return -1;
  }
  return is_explored() ? timed_wait(s, limit, LICIT_CALLER) : 0;
}
LICIT_INTERPOSED int sem_getvalue(sem_t* s, int* value) noexcept {
  note_plain(value, sizeof *value, touch::write, LICIT_CALLER);
  *value = static_cast<int>(is_explored() ? lock_word(s, LICIT_CALLER).load(order::seq_cst)
                                          : newest_at(reinterpret_cast<address>(s), sizeof(std::uint32_t)));
  return 0;
}

/// 0, 1 while somebody runs it, 2 when it is done.
LICIT_INTERPOSED int pthread_once(pthread_once_t* state, void (*run)()) {
  constexpr word done = 2;
  if (!is_explored()) {
    if (std::exchange(*state, static_cast<pthread_once_t>(done)) == 0) run();
    return 0;
  }
  const lock_word once(state, LICIT_CALLER);
  for (word seen = 0; !once.exchange(0, 1, &seen);) {
    if (seen == done) return 0;
    once.await_other_than(1);
  }
  struct leave {
    const lock_word& word_;
    bool ran = false;
    ~leave() { word_.store(ran ? done : 0, order::release); }
  } at_end{once};
  run();
  at_end.ran = true;
  return 0;
}

/// The first byte: it is made. The word at 4: a lock. The compiler has declarations of its own for these.
LICIT_INTERPOSED int licit_guard_acquire(std::uint64_t* guard) __asm__("__cxa_guard_acquire");
LICIT_INTERPOSED void licit_guard_release(std::uint64_t* guard) noexcept __asm__("__cxa_guard_release");
LICIT_INTERPOSED void licit_guard_abort(std::uint64_t* guard) noexcept __asm__("__cxa_guard_abort");

LICIT_INTERPOSED int licit_guard_acquire(std::uint64_t* guard) {
  auto* const made = reinterpret_cast<unsigned char*>(guard);
  if (!is_explored()) return *made == 0 ? 1 : 0;
  const lock_word lock(made + sizeof(std::uint32_t), LICIT_CALLER);
  lock.exchange_when(0, 1);
  word value = 0;
  {
    const inside in;
    value = perform_atomic(reinterpret_cast<address>(made), 1, {.what = action::load}, site_of(LICIT_CALLER)).value;
  }
  if (value == 0) return 1;
  lock.store(0, order::release);
  return 0;
}
LICIT_INTERPOSED void licit_guard_release(std::uint64_t* guard) noexcept {
  auto* const made = reinterpret_cast<unsigned char*>(guard);
  if (!is_explored()) {
    *made = 1;
    return;
  }
  {
    const inside in;
    perform_atomic(reinterpret_cast<address>(made), 1, {.what = action::store, .success = order::release, .operand = 1},
                   site_of(LICIT_CALLER));
  }
  lock_word(made + sizeof(std::uint32_t), LICIT_CALLER).store(0, order::release);
}
LICIT_INTERPOSED void licit_guard_abort(std::uint64_t* guard) noexcept {
  if (!is_explored()) return;
  lock_word(reinterpret_cast<unsigned char*>(guard) + sizeof(std::uint32_t), LICIT_CALLER).store(0, order::release);
}

LICIT_INTERPOSED long syscall(long number, ...) noexcept {
  std::array<long, 6> a{};
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (is_explored()) {
    if (number == SYS_futex) return call_futex(a, LICIT_CALLER);
    if (number == SYS_gettid) return gettid();
    const auto command = static_cast<int>(a[0]);
    if (number == SYS_membarrier) return call_membarrier(command, static_cast<unsigned>(a[1]), LICIT_CALLER);
    const inside in;
    refuse("makes system call " + std::to_string(number));
  }
  static const auto system = real<decltype(&syscall)>("syscall");
  const long result = system(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == SYS_membarrier && result == 0 && registers_for_barriers(static_cast<int>(a[0]))) {
    registrations() |= static_cast<std::uint32_t>(a[0]);
  }
  return result;
}
