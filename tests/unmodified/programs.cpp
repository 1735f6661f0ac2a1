// Programs as a user writes them, explored as they are. The first argument says which: those of `right` are right,
// those of `wrong` have a fault that must be found, those of `refused` do what is not supported.
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <linux/membarrier.h>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <pthread.h>
#include <random>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/check.h>

namespace {

#if defined(LICIT_STARTS_EARLY)
std::jthread early([] {});
#endif

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

/// A queue of one producer and one consumer, as they are published.
template <std::memory_order Publish, std::memory_order See>
class ring {
 public:
  bool push(int item) {
    const unsigned tail = tail_.load(memory_order_relaxed);
    if (tail - head_.load(memory_order_acquire) == items_.size()) return false;
    items_[tail % items_.size()] = item;
    tail_.store(tail + 1, Publish);
    return true;
  }
  bool pop(int& item) {
    const unsigned head = head_.load(memory_order_relaxed);
    if (head == tail_.load(See)) return false;
    item = items_[head % items_.size()];
    head_.store(head + 1, memory_order_release);
    return true;
  }

 private:
  std::array<int, 2> items_{};
  std::atomic<unsigned> head_{0};
  std::atomic<unsigned> tail_{0};
};

template <std::memory_order Publish, std::memory_order See>
void through_a_ring() {
  ring<Publish, See> q;
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) q.push(i);
  });
  int last = 0;
  for (int i = 0; i != 3; ++i) {
    int item = 0;
    if (!q.pop(item)) continue;
    assert(item == last + 1);
    last = item;
  }
  producer.join();
}

/// A store behind an update, which is one event in reports: 1.1 and 1.2. The reader of the store races.
void stores_behind_an_update() {
  std::atomic<int> counter{0};
  std::atomic<int> ready{0};
  int plain = 0;
  std::thread writer([&] {
    plain = 1;
    counter.fetch_add(1, memory_order_relaxed);
    ready.store(1, memory_order_relaxed);
  });
  if (ready.load(memory_order_acquire) == 1) assert(plain == 1);
  writer.join();
}

/// An index that only its owner writes, by a plain write, beside one in the same eight bytes that both access.
void neighbours() {
  struct alignas(8) {
    int head;
    int tail;
  } both{};
  std::thread producer([&] {
    const int head = std::atomic_ref(both.head).load(memory_order_relaxed);
    both.head = head + 1;
    std::atomic_ref(both.tail).store(1, memory_order_release);
  });
  licit_outcome("tail=%d", std::atomic_ref(both.tail).load(memory_order_acquire));
  producer.join();
}

void store_buffering(std::memory_order o) {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int a = 0;
  int b = 0;
  std::thread first([&] {
    x.store(1, o);
    a = y.load(o);
  });
  std::thread second([&] {
    y.store(1, o);
    b = x.load(o);
  });
  first.join();
  second.join();
  licit_outcome("a=%d b=%d", a, b);
}

/// Store buffering between a thread with the light fence of a pair and one with the heavy fence.
template <bool Light, bool Heavy>
void store_buffering_by_a_pair() {
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0);
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int a = 0;
  int b = 0;
  std::thread first([&] {
    x.store(1, memory_order_relaxed);
    if constexpr (Light) std::atomic_signal_fence(std::memory_order_seq_cst);
    a = y.load(memory_order_relaxed);
  });
  std::thread second([&] {
    y.store(1, memory_order_relaxed);
    if constexpr (Heavy) assert(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0);
    b = x.load(memory_order_relaxed);
  });
  first.join();
  second.join();
  assert(a + b != 0);
}

/// 16,777,216 executions, too many for a limit of some seconds: each of the 24 loads may find
/// either value.
void buffers_twelve_stores() {
  std::array<std::atomic<int>, 12> x{};
  std::array<std::atomic<int>, 12> y{};
  const auto store_and_load = [](auto& mine, auto& others) {
    for (std::size_t i = 0; i != mine.size(); ++i) {
      mine[i].store(1, memory_order_relaxed);
      (void)others[i].load(memory_order_relaxed);
    }
  };
  std::thread first([&] { store_and_load(x, y); });
  std::thread second([&] { store_and_load(y, x); });
  first.join();
  second.join();
}

void counted_under_a_mutex() {
  std::mutex m;
  int n = 0;
  const auto count = [&] {
    const std::lock_guard hold(m);
    ++n;
  };
  std::thread other(count);
  count();
  other.join();
  assert(n == 2);
}

void recursive() {
  std::recursive_mutex m;
  int n = 0;
  const auto count = [&] {
    const std::lock_guard outer(m);
    const std::lock_guard inner(m);
    ++n;
  };
  std::thread other(count);
  count();
  other.join();
  assert(n == 2);
}

void told(bool tells) {
  std::mutex m;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    {
      const std::lock_guard hold(m);
      ready = true;
    }
    if (tells) changed.notify_one();
  });
  {
    std::unique_lock hold(m);
    changed.wait(hold, [&] { return ready; });
  }
  other.join();
}

void told_in_time() {
  std::mutex m;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    {
      const std::lock_guard hold(m);
      ready = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock hold(m);
    licit_outcome("%s", changed.wait_for(hold, std::chrono::seconds(1), [&] { return ready; }) ? "told" : "late");
  }
  other.join();
}

void readers_and_a_writer() {
  std::shared_mutex m;
  int n = 0;
  std::thread writer([&] {
    const std::unique_lock hold(m);
    n = 1;
    n = 2;
  });
  const auto read = [&] {
    const std::shared_lock hold(m);
    assert(n == 0 || n == 2);
  };
  std::thread reader(read);
  read();
  writer.join();
  reader.join();
}

int made = 0;
struct single {
  single() { ++made; }
};
const single& the_single() {
  static const single s;
  return s;
}
std::once_flag flag;
thread_local int own = 7;

/// What libc has of each thread, and the C++ library of all, is as the thread left it when an execution goes on from
/// the middle of another: the count of a locale's users, too, which would come to an end.
void library_state() {
  std::array<std::atomic<int>, 2> cells{};
  const auto count = [&](int number) {
    errno = number;
    std::ostringstream text;
    for (auto& c : cells) c.fetch_add(1, memory_order_relaxed);
    assert(errno == number);
    text << std::exchange(errno, 0);
    assert(text.str() == std::to_string(number));
  };
  std::thread a(count, 1);
  std::thread b(count, 2);
  count(3);
  a.join();
  b.join();
}

/// Memory that libc allocates is given back once in each execution.
void copied_by_libc() {
  std::array<std::atomic<int>, 2> cells{};
  const auto count = [&] {
    char* const folder = getcwd(nullptr, 0);
    for (auto& c : cells) c.fetch_add(1, memory_order_relaxed);
    assert(folder != nullptr && folder[0] == '/');
    std::free(folder);
  };
  std::thread a(count);
  std::thread b(count);
  count();
  a.join();
  b.join();
}

void once() {
  int n = 0;
  const auto all = [&] {
    the_single();
    std::call_once(flag, [&] { ++n; });
    assert(n == 1 && made == 1);
    assert(own == 7);
    own = n;
  };
  std::thread other(all);
  all();
  other.join();
  assert(own == 1);
}

void promised() {
  std::promise<int> p;
  std::future<int> f = p.get_future();
  std::thread other([&] { p.set_value(3); });
  assert(f.get() == 3);
  other.join();
}

void counted_permits() {
  std::counting_semaphore<4> permits(0);
  int n = 0;
  std::thread other([&] {
    n = 1;
    permits.release();
  });
  permits.acquire();
  assert(n == 1);
  other.join();
}

void shared_pointers() {
  auto p = std::make_shared<int>(1);
  std::weak_ptr<int> w = p;
  std::thread other([q = std::move(p)]() mutable { q.reset(); });
  if (const auto s = w.lock()) assert(*s == 1);
  other.join();
}

struct alignas(16) tagged {
  void* pointer;
  unsigned long tag;
};
void sixteen_bytes() {
  std::atomic<tagged> t{tagged{nullptr, 0}};
  const auto count = [&] {
    tagged old = t.load();
    while (!t.compare_exchange_strong(old, {nullptr, old.tag + 1})) {
    }
  };
  std::thread other(count);
  count();
  other.join();
  assert(t.load().tag == 2);
}

void containers() {
  static std::map<int, std::string> all;
  std::vector<std::thread> threads;
  std::mutex m;
  for (int i = 0; i != 2; ++i) {
    threads.emplace_back([&, i] {
      const std::lock_guard hold(m);
      all[i] = "a text that is too long to be kept in the string itself";
    });
  }
  for (std::thread& t : threads) t.join();
  assert(all.size() == 2);
}

void spins() {
  std::atomic<bool> locked{false};
  int n = 0;
  const auto count = [&] {
    while (locked.exchange(true, memory_order_acquire)) {
      while (locked.load(memory_order_relaxed)) std::this_thread::yield();
    }
    ++n;
    locked.store(false, memory_order_release);
  };
  std::thread other(count);
  count();
  other.join();
  assert(n == 2);
}

void thrown() {
  std::atomic<int> x{0};
  std::thread other([&] {
    try {
      if (x.load() == 1) throw std::runtime_error("one");
    } catch (const std::runtime_error& e) {
      assert(std::string(e.what()) == "one");
    }
  });
  x.store(1);
  other.join();
}

struct failure {
  int code;
};
/// Who gives up an exception last destroys it, after all that the other did with it.
void shares_an_exception() {
  auto shared = std::make_exception_ptr(failure{7});
  const auto look = [](const std::exception_ptr& it) {
    try {
      std::rethrow_exception(it);
    } catch (const failure& f) {
      assert(f.code == 7);
    }
  };
  std::thread other([&look, mine = shared] { look(mine); });
  look(shared);
  shared = nullptr;
  other.join();
}
/// The same by a future, whose state the thread may be the last to have.
void breaks_a_promise() {
  std::promise<int> promise;
  std::future<int> told = promise.get_future();
  std::thread other([mine = std::move(promise)]() mutable { std::promise<int>(std::move(mine)); });
  try {
    told.get();
    assert(false);
  } catch (const std::future_error& e) {
    assert(e.code() == std::future_errc::broken_promise);
  }
  other.join();
}
/// Nobody's reference: it is gone when its handler ends.
void looks_at_an_exception_that_ends() {
  static const failure* seen = nullptr;
  std::atomic<bool> caught{false};
  std::thread other([&caught] {
    try {
      throw failure{7};
    } catch (const failure& f) {
      seen = &f;
      caught.store(true, memory_order_release);
    }
  });
  if (caught.load(memory_order_acquire)) assert(seen->code == 7);
  other.join();
}

// --- wrong

void races() {
  int n = 0;
  std::thread other([&] { n = 1; });
  n = 2;
  other.join();
}

/// What is written again is a part of what was written before. The rest is not forgotten.
void races_for_the_rest() {
  std::array<volatile char, 8> bytes{};
  std::thread writer([&] {
    *reinterpret_cast<volatile std::uint64_t*>(bytes.data()) = 1;
    bytes[0] = 2;
  });
  std::thread reader([&] { assert(bytes[7] == 0); });
  writer.join();
  reader.join();
}

/// The second reader comes after the first in memory only.
void races_with_the_first_reader() {
  int n = 0;
  std::thread first([&] { assert(n == 0); });
  std::thread second([&] { assert(n == 0); });
  second.join();
  n = 1;
  first.join();
}

/// What an atomic holds is in its memory, in each execution: what stands before the first alternative is replayed.
void stored() {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  x.store(1, memory_order_relaxed);
  std::thread other([&] { y.store(1, memory_order_relaxed); });
  const int seen = y.load(memory_order_relaxed);
  other.join();
  int copy = 0;
  std::memcpy(&copy, static_cast<const void*>(&x), sizeof copy);
  licit_outcome("y=%d x=%d", seen, copy);
}

void races_by_copy() {
  std::array<char, 100> from{};
  std::array<char, 100> to{};
  std::thread other([&] { std::memset(from.data(), 1, from.size()); });
  std::memcpy(to.data(), from.data(), to.size());
  other.join();
}

void used_after_free() {
  auto* const p = new int(1);
  std::atomic<bool> gone{false};
  std::thread other([&] {
    delete p;
    gone.store(true, memory_order_release);
  });
  if (gone.load(memory_order_acquire)) licit_outcome("%d", *p);
  other.join();
}

void freed_twice() {
  auto* volatile p = new int(1);
  delete p;
  delete p;
}

void leaks() {
  std::atomic<int*> p{new int(1)};
  std::thread other([&] { p.store(new int(2)); });
  other.join();
  delete p.load();
}

void locks_crosswise() {
  std::mutex a;
  std::mutex b;
  std::thread other([&] {
    const std::lock_guard first(a);
    const std::lock_guard second(b);
  });
  {
    const std::lock_guard first(b);
    const std::lock_guard second(a);
  }
  other.join();
}

void asserts() {
  std::atomic<int> n{0};
  std::thread other([&] { n.store(n.load() + 1); });
  n.store(n.load() + 1);
  other.join();
  assert(n == 2);
}

void follows_null() {
  std::atomic<int*> p{nullptr};
  int n = 1;
  std::thread other([&] { p.store(&n, memory_order_release); });
  const int* volatile q = p.load(memory_order_acquire);
  assert(*q == 1);
  other.join();
}

void waits_in_a_loop() {
  std::atomic<bool> ready{false};
  std::thread other([&] {
    while (!ready.load()) {
    }
  });
  other.join();
}

void throws() {
  std::thread other([] { throw std::runtime_error("nobody catches this"); });
  other.join();
}

void unlocks_what_it_has_not() {
  std::mutex m;
  m.lock();
  std::thread other([&] { m.unlock(); });
  other.join();
}

// --- refused

void by_chance() { licit_outcome("%d", std::rand()); }
void many_threads() {
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i) threads.emplace_back([] {});
  for (std::thread& t : threads) t.join();
}
void detaches() {
  static std::atomic<int> n{0};
  std::thread([] { n.store(1); }).detach();
  n.load();
}
void leaves() { std::exit(0); }
void reads() {
  char c = 0;
  if (read(0, &c, 1) != 1) std::abort();
}
void waits_at_a_barrier() {
  pthread_barrier_t b;
  pthread_barrier_init(&b, nullptr, 2);
}
union either {
  std::atomic<int> whole;
  std::array<std::atomic<short>, 2> halves;
  either() : whole{0} {}
};
void mixes_sizes() {
  either e;
  e.whole.store(1);
  e.halves[0].store(2);
}
/// Of a half that begins where the whole does not.
void mixes_the_second_half() {
  either e;
  e.whole.store(1);
  (void)e.halves[1].load();
}
/// A store of sixteen bytes, and a load of half of them.
void mixes_sixteen_and_eight() {
  union {
    alignas(16) std::array<std::uint64_t, 2> halves;
    unsigned __int128 whole;
  } e{.halves = {}};
  __atomic_store_n(&e.whole, static_cast<unsigned __int128>(8) << 64 | 0x2000U, __ATOMIC_RELAXED);
  licit_outcome("%lu", static_cast<unsigned long>(__atomic_load_n(&e.halves[0], __ATOMIC_RELAXED)));
}

/// Nobody posts.
void waits_for_a_permit() {
  sem_t none;
  sem_init(&none, 0, 0);
  std::thread waits([&] { sem_wait(&none); });
  int free = 0;
  sem_getvalue(&none, &free);
  assert(free == 0);
  waits.join();
}
void reads_and_writes_crosswise() {
  std::shared_mutex a;
  std::shared_mutex b;
  std::thread one([&] {
    const std::unique_lock writes(a);
    const std::shared_lock reads(b);
  });
  std::thread other([&] {
    const std::unique_lock writes(b);
    const std::shared_lock reads(a);
  });
  one.join();
  other.join();
}
void unlocks_what_nobody_has() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_unlock(&lock);
}
/// A compare-exchange writes what it has found to a plain variable.
void races_for_what_is_expected() {
  static std::atomic<int> x{0};
  static int expected = 0;
  x.store(0, memory_order_relaxed);
  expected = 1;
  std::thread other([] { x.compare_exchange_strong(expected, 2, memory_order_relaxed); });
  licit_outcome("%d", expected);
  other.join();
}
/// One that cannot succeed is a load, beside which others may read.
void exchanges_in_vain() {
  static int v = 0;
  std::thread other([] {
    int five = 5;
    __atomic_compare_exchange_n(&v, &five, 6, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    assert(five == 0);
  });
  assert(v == 0);
  other.join();
}
/// Who drops the last reference deletes: after the other's compare-exchange, which is the last that the other does.
void counts_references_by_exchanges() {
  auto* const references = new std::atomic<int>{2};
  const auto drop = [references] {
    int seen = references->load(memory_order_relaxed);
    while (!references->compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel, memory_order_relaxed)) {
    }
    if (seen == 1) delete references;
  };
  std::thread other(drop);
  drop();
  other.join();
}
void executes() { execlp("true", "true", nullptr); }
void by_a_device() { licit_outcome("%u", std::random_device()()); }

void is_ready_at_the_end_of_a_thread() {
  std::promise<int> p;
  std::thread sets([&] { p.set_value_at_thread_exit(3); });
  p.get_future().wait();
  sets.join();
}
void sets_the_default_resource() { std::pmr::set_default_resource(nullptr); }

/// Two orders on one line, of which the second is needed.
void has_two_orders_on_a_line() {
  std::atomic<int> u{0};
  std::atomic<int> w{0};
  std::atomic<int> p{0};
  std::atomic<int> q{0};
  int a = 0;
  int b = 0;
  int c = 0;
  std::thread reads([&] {
    u.store(1, std::memory_order_seq_cst);
    a = p.load(memory_order_relaxed), b = w.load(std::memory_order_seq_cst);
    c = q.load(memory_order_relaxed);
  });
  q.store(1, memory_order_relaxed);
  p.store(1, memory_order_release);
  w.store(1, std::memory_order_seq_cst);
  const int d = u.load(std::memory_order_seq_cst);
  reads.join();
  assert(a == 0 || b == 1 || c == 1 || d == 1);
}

/// A lock with a limit of time, in a place where it does not end by that.
void locks_in_time() {
  std::timed_mutex mutex;
  int n = 0;
  const auto add = [&] {
    if (!mutex.try_lock_for(std::chrono::milliseconds(1))) return licit_outcome("late");
    ++n;
    mutex.unlock();
  };
  std::thread other(add);
  add();
  other.join();
  licit_outcome("%d", n);
}

/// Each execution writes to another part of memory that all others find empty.
std::array<std::array<int, 512>, 9> sheets;
void fills_sheets() {
  std::atomic<unsigned> next{0};
  const auto fill = [&](unsigned column) {
    auto& sheet = sheets.at(3 * next.fetch_add(1, memory_order_relaxed) + column);
    ++sheet.front();
    ++sheet.back();
  };
  std::vector<std::thread> threads;
  for (unsigned column = 0; column != 3; ++column) threads.emplace_back(fill, column);
  for (std::thread& t : threads) t.join();
  int filled = 0;
  for (const auto& sheet : sheets) {
    assert(sheet.front() == sheet.back() && sheet.front() <= 1);
    filled += sheet.front();
  }
  assert(filled == 3);
}

/// As many executions as the page has bits where the heap, the stack and the globals are.
void by_address() {
  std::atomic<int> x{0};
  const auto cell = std::make_unique<int>(0);
  const auto page = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) >> 12; };
  const std::uintptr_t where = (page(cell.get()) ^ page(&x) ^ page(&made)) % 64;
  std::thread writer([&] {
    for (std::uintptr_t i = 0; i != where; ++i) x.store(1, memory_order_relaxed);
  });
  (void)x.load(memory_order_relaxed);
  writer.join();
}

// Made before main: what is allocated then is put back before each execution.
const std::map<std::string, std::function<void()>> programs{
    {"ring", through_a_ring<memory_order_release, memory_order_acquire>},
    {"store_buffering", [] { store_buffering(memory_order_relaxed); }},
    {"store_buffering_sc", [] { store_buffering(std::memory_order_seq_cst); }},
    {"neighbours", neighbours},
    {"mutex", counted_under_a_mutex},
    {"recursive", recursive},
    {"condition", [] { told(true); }},
    {"condition_timed", told_in_time},
    {"shared_mutex", readers_and_a_writer},
    {"once", once},
    {"promise", promised},
    {"semaphore", counted_permits},
    {"shared_ptr", shared_pointers},
    {"sixteen_bytes", sixteen_bytes},
    {"containers", containers},
    {"stored", stored},
    {"spins", spins},
    {"thrown", thrown},
    {"missing_release", through_a_ring<memory_order_relaxed, memory_order_acquire>},
    {"missing_acquire", through_a_ring<memory_order_release, memory_order_relaxed>},
    {"behind_an_update", stores_behind_an_update},
    {"lost_wakeup", [] { told(false); }},
    {"race", races},
    {"race_for_the_rest", races_for_the_rest},
    {"race_with_the_first_reader", races_with_the_first_reader},
    {"race_by_copy", races_by_copy},
    {"use_after_free", used_after_free},
    {"double_free", freed_twice},
    {"leak", leaks},
    {"deadlock", locks_crosswise},
    {"assertion", asserts},
    {"null", follows_null},
    {"endless", waits_in_a_loop},
    {"exception", throws},
    {"foreign_unlock", unlocks_what_it_has_not},
    {"chance", by_chance},
    {"threads", many_threads},
    {"detached", detaches},
    {"exit", leaves},
    {"input", reads},
    {"barrier", waits_at_a_barrier},
    {"permit", waits_for_a_permit},
    {"shared_deadlock", reads_and_writes_crosswise},
    {"shared_unlock", unlocks_what_nobody_has},
    {"executes", executes},
    {"device", by_a_device},
    {"line", has_two_orders_on_a_line},
    {"timed_lock", locks_in_time},
};
const std::map<std::string, std::function<void()>> of_operations{
    {"fence_pair", store_buffering_by_a_pair<true, true>},
    {"light_fence_missing", store_buffering_by_a_pair<false, true>},
    {"heavy_fence_missing", store_buffering_by_a_pair<true, false>},
    {"twelve_stores", buffers_twelve_stores},
    {"sizes", mixes_sizes},
    {"sizes_of_halves", mixes_the_second_half},
    {"sizes_of_sixteen", mixes_sixteen_and_eight},
    {"expected_race", races_for_what_is_expected},
    {"failing_exchange", exchanges_in_vain},
    {"counted_by_exchange", counts_references_by_exchanges},
};
/// Memory that is written as a whole between two uses as an atomic, in the one thread and then in the other.
void writes_between() {
  int x = 0;
  std::atomic_ref(x).store(1, memory_order_relaxed);
  x = 2;
  assert(std::atomic_ref(x).load(memory_order_relaxed) == 2);
  std::thread other([&] {
    assert(std::atomic_ref(x).load(memory_order_relaxed) == 2);
    x = 3;
    std::atomic_ref(x).fetch_add(1, memory_order_relaxed);
  });
  other.join();
  assert(std::atomic_ref(x).load(memory_order_relaxed) == 4);
}

/// Each thread reads each of its bytes: as many accesses to the same eight bytes, none of which takes another's place.
template <unsigned First, unsigned Second>
void reads_bytes() {
  alignas(8) static volatile char bytes[8];
  const auto read = [](unsigned count) {
    for (unsigned i = 0; i != count; ++i) (void)bytes[i];
  };
  std::thread other([&] { read(First); });
  read(Second);
  other.join();
}

/// The notification comes first: who waits has read the flag before, and nobody tells it of the store.
void tells_too_early() {
  std::mutex m;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    changed.notify_one();
    const std::lock_guard hold(m);
    ready = true;
  });
  {
    std::unique_lock hold(m);
    changed.wait(hold, [&] { return ready; });
  }
  other.join();
}
void tells_of_an_atomic_too_early() {
  std::mutex m;
  std::condition_variable changed;
  std::atomic<bool> ready{false};
  std::thread other([&] {
    {
      const std::lock_guard hold(m);
    }
    changed.notify_one();
    ready = true;
  });
  {
    std::unique_lock hold(m);
    changed.wait(hold, [&] { return ready.load(); });
  }
  other.join();
}
void notifies_too_early() {
  std::atomic<int> ready{0};
  std::thread other([&] {
    ready.notify_one();
    ready = 1;
  });
  ready.wait(0);
  other.join();
}

/// Right unless a wait may end for no reason.
void waits_once() {
  std::mutex m;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    const std::lock_guard hold(m);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock hold(m);
    if (!ready) changed.wait(hold);
    assert(ready);
  }
  other.join();
}
void tries_alone() {
  std::mutex m;
  licit_outcome("%d", static_cast<int>(m.try_lock()));
}

/// What no thread changes, or main alone, is looked at again, and that is no round of a loop: the load in between
/// counts.
void looks_again() {
  std::atomic<int> settled = 0;
  std::atomic<int> changed = 0;
  settled = 1;
  std::thread other([&] { changed = 1; });
  (void)settled.load();
  (void)changed.load();
  (void)settled.load();
  other.join();
  settled = 2;
}

void races_with_an_atomic() {
  int n = 0;
  std::thread other([&] { std::atomic_ref(n).store(1); });
  n = 2;
  other.join();
}

struct box {
  int n = 0;
};
/// Of what has no name there is the function on whose stack it is.
[[gnu::noinline]] void shares(box&& unnamed) {
  std::thread other([&] { unnamed.n = 1; });
  unnamed.n = 2;
  other.join();
}
void shares_a_temporary() { shares(box{}); }

[[gnu::noinline]] void sets(std::atomic<int>& ready, int& n) {
  n = 1;
  ready.store(1, memory_order_relaxed);
}
/// An object of another thread than main's.
void races_on_a_threads_stack() {
  std::thread other([] {
    std::atomic<int> ready{0};
    int inner = 0;
    std::thread setter([&] { sets(ready, inner); });
    if (ready.load(memory_order_acquire) == 1) assert(inner == 1);
    setter.join();
  });
  other.join();
}

struct sheet {
  std::array<int, 40> numbers;
};
/// Of a copy of 160 bytes a report names the byte that another thread touches.
void races_with_a_whole() {
  static sheet from{};
  static sheet to{};
  std::thread other([] { to = from; });
  to.numbers[39] = 1;
  other.join();
  licit_outcome("%d", to.numbers[38]);
}

#if defined(__x86_64__)
/// No two executions are the same. Each runs from main on, as libc has allocated memory.
void stores_the_time() {
  std::free(getcwd(nullptr, 0));
  std::atomic<std::uint64_t> x{0};
  std::thread other([&x] { x.store(__builtin_ia32_rdtsc()); });
  x.load();
  other.join();
}
#endif

const std::map<std::string, std::function<void()>> of_reports{
#if defined(__x86_64__)
    {"time_of_the_processor", stores_the_time},
#endif
    {"race_with_a_whole", races_with_a_whole},
    {"told_too_early", tells_too_early},
    {"told_of_an_atomic_too_early", tells_of_an_atomic_too_early},
    {"notified_too_early", notifies_too_early},
    {"waited_once", waits_once},
    {"tried_alone", tries_alone},
    {"looked_again", looks_again},
    {"race_with_an_atomic", races_with_an_atomic},
    {"temporary", shares_a_temporary},
    {"inner_race", races_on_a_threads_stack},
};

const std::map<std::string, std::function<void()>> of_libraries{
    {"writes_between", writes_between},
    {"fifteen_accesses", reads_bytes<8, 7>},
    {"sixteen_accesses", reads_bytes<8, 8>},
    {"ready_at_the_end", is_ready_at_the_end_of_a_thread},
    {"default_resource", sets_the_default_resource},
    {"library_state", library_state},
    {"shared_exception", shares_an_exception},
    {"broken_promise", breaks_a_promise},
    {"exception_that_ends", looks_at_an_exception_that_ends},
    {"copied_by_libc", copied_by_libc},
    {"sheets", fills_sheets},
    {"by_address", by_address},
};

}  // namespace

int main(int argc, char** argv) {
  for (const auto* const all : {&programs, &of_operations, &of_libraries, &of_reports}) {
    const auto found = all->find(argc == 2 ? argv[1] : "");
    if (found == all->end()) continue;
    found->second();
    return 0;
  }
  return 3;
}
