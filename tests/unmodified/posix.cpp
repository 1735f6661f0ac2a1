// Keys and locks of pthread, and what POSIX says of their errors: programs as a user writes them. The argument says
// which.
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <linux/futex.h>
#include <map>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <shared_mutex>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <system_error>
#include <thread>
#include <threads.h>
#include <unistd.h>
#include <utility>

#include <licit/check.h>

#include <climits>

namespace {

/// A deleted key's destructor is not called, nor is one for main; and one that sets a value is called again.
void has_keys() {
  static int destroyed = 0;
  destroyed = 0;
  pthread_key_t kept = 0;
  pthread_key_t deleted = 0;
  pthread_key_create(&kept, [](void* value) {
    if (++destroyed == 1) pthread_setspecific(*static_cast<pthread_key_t*>(value), value);
  });
  pthread_key_create(&deleted, [](void*) { assert(false); });
  std::thread([&] {
    pthread_setspecific(kept, &kept);
    pthread_setspecific(deleted, &deleted);
    pthread_key_delete(deleted);
  }).join();
  assert(destroyed == 2);
  pthread_key_t owns = 0;
  pthread_key_create(&owns, [](void*) { assert(false); });
  pthread_setspecific(owns, new int(1));  // main's own are there at the end, and no leak
}

/// A number is given out again to the thread that has deleted it, with no value of before.
void has_many_keys() {
  std::array<pthread_key_t, 12> of_main{};
  for (pthread_key_t& each : of_main) assert(pthread_key_create(&each, nullptr) == 0);
  std::thread([&] {
    for (int i = 0; i != 100; ++i) {
      pthread_key_t own = 0;
      assert(pthread_key_create(&own, nullptr) == 0);
      assert(pthread_getspecific(own) == nullptr);
      for (const pthread_key_t each : of_main) assert(own != each);
      assert(pthread_setspecific(own, &own) == 0);
      assert(pthread_key_delete(own) == 0);
      assert(pthread_key_delete(own) == EINVAL);
      assert(pthread_setspecific(own, &own) == EINVAL);
    }
  }).join();
  assert(pthread_setspecific(5000, &of_main) == EINVAL);
  assert(pthread_getspecific(5000) == nullptr);
}
void has_too_many_keys() {
  for (int i = 0; i != 17; ++i) {
    pthread_key_t any = 0;
    pthread_key_create(&any, nullptr);
  }
}

void uses_a_mutex_that_checks() {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t m;
  pthread_mutex_init(&m, &how);
  pthread_cond_t told = PTHREAD_COND_INITIALIZER;
  const timespec past{};
  assert(pthread_cond_wait(&told, &m) == EPERM);
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  assert(pthread_mutex_timedlock(&m, &past) == EDEADLK);
  assert(pthread_mutex_unlock(&m) == 0);
}

/// A thread that ends, while another deletes a key of which it has a value: its destructor is called, or it is not.
void ends_beside_a_delete() {
  static int destroyed = 0;
  destroyed = 0;
  static int value = 0;
  pthread_key_t key = 0;
  pthread_key_create(&key, [](void* p) { destroyed += p == &value ? 1 : 2; });
  std::atomic<bool> has_it = false;
  std::thread other([&] {
    pthread_setspecific(key, &value);
    has_it.store(true, std::memory_order_release);
  });
  while (!has_it.load(std::memory_order_acquire)) std::this_thread::yield();
  assert(pthread_key_delete(key) == 0);
  pthread_key_t next = 0;
  assert(pthread_key_create(&next, [](void*) { assert(false); }) == 0);
  other.join();
  licit_outcome("destroyed=%d", destroyed);
}
/// Here it has ended before.
void ends_before_a_delete() {
  static int destroyed = 0;
  destroyed = 0;
  pthread_key_t key = 0;
  pthread_key_create(&key, [](void*) { ++destroyed; });
  std::thread([&] { pthread_setspecific(key, &key); }).join();
  assert(pthread_key_delete(key) == 0 && destroyed == 1);
}
/// What is undefined: nothing orders the use of a key before its end, though in many runs it comes first.
void uses_a_key_beside_a_delete() {
  pthread_key_t key = 0;
  pthread_key_create(&key, nullptr);
  std::thread other([&] { pthread_setspecific(key, &key); });
  pthread_key_delete(key);
  other.join();
}

/// A mutex of a type, which is explicit.
class typed_mutex {
 public:
  explicit typed_mutex(int type) {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_settype(&how, type);
    pthread_mutex_init(&mutex_, &how);
  }
  pthread_mutex_t* get() { return &mutex_; }

 private:
  pthread_mutex_t mutex_{};
};

void uses_a_normal_mutex() {
  typed_mutex m(PTHREAD_MUTEX_NORMAL);
  int n = 0;
  const auto count = [&] {
    assert(pthread_mutex_lock(m.get()) == 0);
    ++n;
    assert(pthread_mutex_unlock(m.get()) == 0);
  };
  std::thread other(count);
  count();
  other.join();
  assert(n == 2 && pthread_mutex_destroy(m.get()) == 0);
}

/// A wait gives up one level: with two, nobody can tell the waiter.
template <int Levels>
void waits_with_a_recursive_mutex() {
  typed_mutex m(PTHREAD_MUTEX_RECURSIVE);
  pthread_cond_t told = PTHREAD_COND_INITIALIZER;
  bool ready = false;
  for (int i = 0; i != Levels; ++i) assert(pthread_mutex_lock(m.get()) == 0);
  std::thread other([&] {
    pthread_mutex_lock(m.get());
    ready = true;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(m.get());
  });
  while (!ready) assert(pthread_cond_wait(&told, m.get()) == 0);
  for (int i = 0; i != Levels; ++i) assert(pthread_mutex_unlock(m.get()) == 0);
  other.join();
}
void unlocks_a_recursive_mutex_of_another() {
  typed_mutex m(PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_lock(m.get());
  std::thread other([&] { pthread_mutex_unlock(m.get()); });
  other.join();
}

/// Who has it for writing is told so when it asks again, whichever way.
void asks_again_for_what_it_writes() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  const timespec past{};
  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == EDEADLK && pthread_rwlock_timedrdlock(&lock, &past) == EDEADLK);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY && pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0);
  std::shared_mutex same;
  same.lock();
  bool was_told = false;
  try {
    same.lock();
  } catch (const std::system_error& e) {
    was_told = e.code() == std::errc::resource_deadlock_would_occur;
  }
  assert(was_told);
  same.unlock();
  std::thread other([&] {
    same.lock();
    same.unlock();
  });
  same.lock();
  same.unlock();
  other.join();
}

void prefers_writers() {
  pthread_rwlockattr_t how;
  pthread_rwlockattr_init(&how);
  pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, &how);
  pthread_rwlock_rdlock(&lock);
}
/// Who reads does not say which thread has the lock.
void unlocks_what_another_reads() {
  std::shared_mutex m;
  m.lock_shared();
  std::thread other([&] { m.unlock_shared(); });
  other.join();
}
void reads_twice() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  std::thread other([&] {
    for (int i = 0; i != 2; ++i) assert(pthread_rwlock_rdlock(&lock) == 0);
    for (int i = 0; i != 2; ++i) assert(pthread_rwlock_unlock(&lock) == 0);
  });
  assert(pthread_rwlock_tryrdlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
  other.join();
}
template <class Mutex>
void ends_with_a_lock() {
  Mutex m;
  std::thread other([&] { m.lock(); });
  other.join();
}
void detaches_what_it_has_joined() {
  pthread_t other{};
  pthread_create(&other, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  pthread_join(other, nullptr);
  pthread_detach(other);
}
/// Each execution finds it as it was.
void asks_whether_it_can_be_cancelled() {
  std::thread other([] {
    int before = -1;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0 && before == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) == 0 && before == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before) == 0 && before == PTHREAD_CANCEL_DISABLE);
  });
  std::atomic<int> two{0};
  std::thread third([&] { two.store(1); });
  (void)two.load();
  other.join();
  third.join();
}
void waits_until_what_another_writes() {
  static timespec limit{};
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  std::thread other([] { limit.tv_sec = 1; });
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&never, &m, &limit);
  pthread_mutex_unlock(&m);
  other.join();
}
/// Limits and spans that are none: their nanoseconds are less than 0, or a second.
void sleeps_for_no_time(const timespec& none) {
  assert(nanosleep(&none, nullptr) == -1 && errno == EINVAL);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &none, nullptr) == EINVAL);
  assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &none, nullptr) == EINVAL);
  assert(thrd_sleep(&none, nullptr) < -1);
}
void waits_until_no_time() {
  for (const long nanoseconds : {-1L, 1'000'000'000L}) {
    const timespec none{.tv_sec = 1, .tv_nsec = nanoseconds};
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t one;
    sem_init(&one, 0, 1);
    assert(pthread_mutex_timedlock(&m, &none) == 0);  // which need not wait
    assert(pthread_cond_timedwait(&never, &m, &none) == EINVAL);
    assert(pthread_cond_clockwait(&never, &m, CLOCK_MONOTONIC, &none) == EINVAL);
    std::thread([&] {
      assert(pthread_mutex_timedlock(&m, &none) == EINVAL);
      assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &none) == EINVAL);
    }).join();
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &none) == EINVAL && pthread_rwlock_timedwrlock(&lock, &none) == EINVAL);
    assert(sem_timedwait(&one, &none) == -1 && errno == EINVAL);
    assert(sem_clockwait(&one, CLOCK_MONOTONIC, &none) == -1 && errno == EINVAL);
    unsigned word = 0;
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &none, nullptr, 0) == -1 && errno == EINVAL);
    sleeps_for_no_time(none);
  }
}
/// Clocks that are none for limits, and a number that no semaphore has.
void waits_by_no_clock() {
  constexpr clockid_t none = CLOCK_PROCESS_CPUTIME_ID;
  const timespec past{};
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  sem_t one;
  assert(sem_init(&one, 0, SEM_VALUE_MAX + 1U) == -1 && errno == EINVAL);
  assert(sem_init(&one, 0, 1) == 0);
  assert(pthread_mutex_clocklock(&m, none, &past) == EINVAL);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_cond_clockwait(&never, &m, none, &past) == EINVAL);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_rwlock_clockrdlock(&lock, none, &past) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&lock, none, &past) == EINVAL);
  assert(sem_clockwait(&one, none, &past) == -1 && errno == EINVAL);
}
/// A clock that nobody can set, so that the machine's stays as it is.
void sets_the_clock() {
  const timespec now{};
  (void)clock_settime(CLOCK_MONOTONIC, &now);
}
template <auto Lock>
void destroys_what_is_locked() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  Lock(&lock);
  pthread_rwlock_destroy(&lock);
}
/// What libraries have of each thread. This program has no thread_local variables, so where the kernel keeps programs
/// from changing the register, its threads share it.
void own_error_numbers() {
  std::atomic<int> both{0};
  const auto count = [&](int number) {
    errno = number;
    both.fetch_add(1, std::memory_order_relaxed);
    assert(errno == number);
  };
  std::thread a(count, EDOM);
  std::thread b(count, ERANGE);
  a.join();
  b.join();
}
/// While another thread may wait on it.
void destroys_a_semaphore_that_is_waited_for() {
  sem_t one;
  sem_init(&one, 0, 2);
  std::thread other([&] { sem_wait(&one); });
  sem_wait(&one);
  sem_destroy(&one);
  other.join();
}
/// The thread that was let go destroys it at once.
void destroys_a_semaphore_after_its_last_wait() {
  sem_t one;
  sem_init(&one, 0, 0);
  std::thread other([&] { sem_post(&one); });
  sem_wait(&one);
  assert(sem_destroy(&one) == 0);
  other.join();
}
void locks_what_it_has_destroyed() {
  pthread_mutex_t gone = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_destroy(&gone);
  pthread_mutex_init(&gone, nullptr);
  assert(pthread_mutex_lock(&gone) == 0);
  pthread_mutex_unlock(&gone);
  pthread_mutex_destroy(&gone);
  pthread_mutex_lock(&gone);
}
/// Nothing orders the other's lock and the end, though it has none at that moment.
void destroys_a_mutex_beside_its_lock() {
  pthread_mutex_t gone = PTHREAD_MUTEX_INITIALIZER;
  std::thread other([&] {
    pthread_mutex_lock(&gone);
    pthread_mutex_unlock(&gone);
  });
  pthread_mutex_destroy(&gone);
  other.join();
}
/// Who finds that it is ready need not wait, and ends what the other is about to notify. Under the mutex it is right.
template <bool Locked>
void destroys_a_condition_beside_its_notification() {
  std::mutex m;
  bool ready = false;
  std::optional<std::condition_variable> changed(std::in_place);  // whose memory does not end with it
  std::thread other([&, to_notify = &*changed] {
    std::unique_lock lock(m);
    ready = true;
    if (!Locked) lock.unlock();
    to_notify->notify_one();
  });
  {
    std::unique_lock lock(m);
    changed->wait(lock, [&] { return ready; });
  }
  changed.reset();
  other.join();
}
/// A span with an end for which there is no number.
bool is_at_the_last_moment() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec == std::chrono::nanoseconds::max() / std::chrono::seconds(1);
}
void sleeps_to_the_last_moment() {
  for (int i = 0; i != 2; ++i) std::this_thread::sleep_for(std::chrono::nanoseconds::max());
  assert(is_at_the_last_moment());
}
void waits_to_the_last_moment() {
  unsigned word = 0;
  const timespec longest{.tv_sec = std::chrono::seconds::max().count(), .tv_nsec = 0};
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &longest, nullptr, 0) == -1 && errno == ETIMEDOUT);
  assert(is_at_the_last_moment());
}
void asks_for_an_alignment() {
  void* p = nullptr;
  assert(posix_memalign(&p, 3, 8) == EINVAL && posix_memalign(&p, 4, 8) == EINVAL);
  assert(posix_memalign(&p, 64, 8) == 0);
  std::free(p);
}
/// From before main.
int* const early = new int[8]{};
const std::array<void*, 3> aligned_early{std::aligned_alloc(64, 64), std::aligned_alloc(4096, 64),
                                         std::aligned_alloc(256, 256)};
volatile std::size_t more_than_there_is = SIZE_MAX - 64;
void* const huge_early = std::malloc(more_than_there_is);
void looks_at_early_blocks() {
  const auto is_aligned = [](int i, std::uintptr_t to) {
    return reinterpret_cast<std::uintptr_t>(aligned_early.at(i)) % to == 0;
  };
  assert(is_aligned(0, 64) && is_aligned(1, 4096) && is_aligned(2, 256));
  assert(huge_early == nullptr);
}
void frees_inside_an_early_block() {
  int* volatile p = early + 4;
  std::free(p);
}
void resizes_inside_an_early_block() {
  int* volatile p = early + 1;
  std::free(std::realloc(p, 64));
}
void deletes_inside_an_early_block() {
  int* volatile p = early + 4;
  delete p;
}
void resizes_a_global() {
  static int here = 0;
  int* volatile p = &here;
  std::free(std::realloc(p, 64));
}
int global = 0;
void frees_a_global() {
  int* volatile p = &global;
  std::free(p);
}

/// What the kernel writes to is memory that nobody has written before.
alignas(4096) std::array<char, 4096> folder;
alignas(4096) rlimit files;
void is_written_by_the_kernel() {
  std::atomic<int> x{0};
  std::thread writer([&] { x.store(1); });
  const bool said = getrlimit(RLIMIT_NOFILE, &files) == 0 && getcwd(folder.data(), folder.size()) != nullptr;
  assert(said && files.rlim_cur != 0 && folder[0] == '/');
  x.load();
  writer.join();
}

/// Only a thread that has said that it waits is woken. Without the fence the model loses a wake-up. Linux loses none,
/// as its wait has a full barrier.
template <bool Fence>
void wakes_who_said_so() {
  std::atomic<unsigned> word{0};
  std::atomic<bool> waits{false};
  std::thread waiter([&] {
    waits.store(true, std::memory_order_relaxed);
    if constexpr (Fence) std::atomic_thread_fence(std::memory_order_seq_cst);
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  });
  word.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (waits.load(std::memory_order_relaxed)) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  waiter.join();
}

/// What says what the machine is like appears to be missing.
void looks_for_the_machine() {
  const auto fails = [](bool failed) { return failed && std::exchange(errno, 0) == ENOENT; };
  for (const char* const file : {"/proc/cpuinfo", "/proc/self/exe", "/sys/devices/system/cpu/online"}) {
    struct stat found;
    char target[64];
    assert(fails(std::fopen(file, "r") == nullptr));
    assert(fails(open(file, O_RDONLY) == -1));
    assert(fails(openat(AT_FDCWD, file, O_RDONLY) == -1));
    assert(fails(stat(file, &found) == -1));
    assert(fails(access(file, R_OK) == -1));
    assert(fails(readlink(file, target, sizeof target) == -1));
    assert(fails(realpath(file, nullptr) == nullptr));
    assert(!std::ifstream(file).is_open());
  }
}

/// Two, whatever the machine has, and whatever the program binds itself to.
void counts_processors() {
  assert(get_nprocs() == 2 && get_nprocs_conf() == 2 && std::thread::hardware_concurrency() == 2);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 2 && sysconf(_SC_NPROCESSORS_CONF) == 2);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(1, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  assert(sched_getaffinity(0, sizeof set, &set) == 0);
  assert(CPU_COUNT(&set) == 2 && CPU_ISSET(0, &set) && CPU_ISSET(1, &set));
}

const std::map<std::string, void (*)()> programs{
    {"written_by_the_kernel", is_written_by_the_kernel},
    {"keys", has_keys},
    {"many_keys", has_many_keys},
    {"too_many_keys", has_too_many_keys},
    {"key_deleted", ends_beside_a_delete},
    {"key_deleted_after", ends_before_a_delete},
    {"key_race", uses_a_key_beside_a_delete},
    {"checking_mutex", uses_a_mutex_that_checks},
    {"normal_mutex", uses_a_normal_mutex},
    {"recursive_wait", waits_with_a_recursive_mutex<1>},
    {"recursive_wait_deep", waits_with_a_recursive_mutex<2>},
    {"recursive_unlock", unlocks_a_recursive_mutex_of_another},
    {"write_again", asks_again_for_what_it_writes},
    {"prefer_writers", prefers_writers},
    {"reader_unlock", unlocks_what_another_reads},
    {"read_twice", reads_twice},
    {"locked_at_its_end", ends_with_a_lock<std::mutex>},
    {"written_at_its_end", ends_with_a_lock<std::shared_mutex>},
    {"detach_joined", detaches_what_it_has_joined},
    {"cancel_state", asks_whether_it_can_be_cancelled},
    {"limit_race", waits_until_what_another_writes},
    {"alignment", asks_for_an_alignment},
    {"early_blocks", looks_at_early_blocks},
    {"free_global", frees_a_global},
    {"resize_global", resizes_a_global},
    {"free_inside_early", frees_inside_an_early_block},
    {"delete_inside_early", deletes_inside_an_early_block},
    {"resize_inside_early", resizes_inside_an_early_block},
    {"told_waiter", wakes_who_said_so<true>},
    {"told_waiter_unfenced", wakes_who_said_so<false>},
    {"machine", looks_for_the_machine},
    {"processors", counts_processors},
    {"no_time", waits_until_no_time},
    {"last_time", sleeps_to_the_last_moment},
    {"last_limit", waits_to_the_last_moment},
    {"no_clock", waits_by_no_clock},
    {"sets_clock", sets_the_clock},
    {"destroy_read", destroys_what_is_locked<&pthread_rwlock_rdlock>},
    {"destroy_written", destroys_what_is_locked<&pthread_rwlock_wrlock>},
    {"own_error_numbers", own_error_numbers},
    {"destroy_waited_for", destroys_a_semaphore_that_is_waited_for},
    {"destroy_after_wait", destroys_a_semaphore_after_its_last_wait},
    {"mutex_after_destroy", locks_what_it_has_destroyed},
    {"destroy_beside_lock", destroys_a_mutex_beside_its_lock},
    {"destroy_notified", destroys_a_condition_beside_its_notification<true>},
    {"destroy_beside_notify", destroys_a_condition_beside_its_notification<false>},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = programs.find(argc == 2 ? argv[1] : "");
  if (found == programs.end()) return 3;
  found->second();
}
