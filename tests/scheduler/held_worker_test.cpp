// A worker that is stopped at any instruction, by a signal: the others go on, and what is injected is run by them.
//
// One exception is named (scheduler/idle/README.md): while who is counted as searching, or who is about to unpark
// another, is stopped, sleeping workers are not woken. So the others are kept awake here, by tasks that go on for ever;
// a trial in which all of them sleep nevertheless is not judged.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <linux/futex.h>
#include <memory_resource>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <random>
#include <signal.h>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <licit/scheduler/crew.hpp>
#include <licit/scheduler/local_queue.hpp>
#include <licit/scheduler/worker.hpp>
#include <licit/scheduler/worker_tools.hpp>

#include <gtest/gtest.h>

namespace {

// --- the signal

std::atomic<int> held = 0;      ///< handlers that have begun
std::atomic<int> released = 0;  ///< handlers that may end
std::atomic<int> gone = 0;      ///< handlers that are about to end

extern "C" void hold_here(int /*signal*/) {
  const int before = errno;
  const int mine = held.fetch_add(1) + 1;
  for (int seen = released; seen < mine; seen = released) syscall(SYS_futex, &released, FUTEX_WAIT, seen, nullptr);
  gone.fetch_add(1);
  errno = before;
}

void install() {
  struct sigaction how{};
  how.sa_handler = hold_here;
  how.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGUSR1, &how, nullptr), 0);
}

void release() {
  ++released;
  syscall(SYS_futex, &released, FUTEX_WAKE, 1);
  while (gone != released) std::this_thread::yield();
}

// --- the crew

/// Is run again and again, or once for each time that it is injected.
struct job {
  bool for_ever = false;
  std::atomic<std::uint64_t> runs = 0;
  job* next = nullptr;
};

/// Takes no lock, as malloc does, in which a worker could be held; and so gives nothing back.
class pages final : public std::pmr::memory_resource {
 public:
  pages()
      : all_{static_cast<std::byte*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))} {}
  ~pages() override { munmap(all_, bytes); }
  pages(const pages&) = delete;
  pages& operator=(const pages&) = delete;

 private:
  static constexpr std::size_t bytes = std::size_t{1} << 30;
  static constexpr std::size_t page = 4096;

  void* do_allocate(std::size_t wanted, std::size_t alignment) override {
    const std::size_t at = used_.fetch_add((wanted + page - 1) / page * page);
    if (alignment > page || at + wanted > bytes) throw std::bad_alloc();
    return all_ + at;
  }
  void do_deallocate(void* /*place*/, std::size_t /*bytes*/, std::size_t /*alignment*/) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::byte* all_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace

namespace licit::inline v0 {

template <>
struct inject_link<job*> {
  static job* get(job* item) noexcept { return item->next; }
  static void set(job* item, job* next) noexcept { item->next = next; }
};

}  // namespace licit::inline v0

namespace {

/// Whether the worker sleeps, or is about to. Who is claimed is not in the idle set, and sleeps until it is unparked.
struct watched_tools : licit::detail::worker_tools {
  using worker_tools::worker_tools;
  bool tick() {
    asleep = false;
    return worker_tools::tick();
  }
  void going_to_sleep() {
    worker_tools::going_to_sleep();
    asleep = true;
  }
  void awake() {
    asleep = false;
    worker_tools::awake();
  }
  std::atomic<bool> asleep = false;
};

template <template <class, class> class Local, template <class, class> class Inject>
class workers {
  using crew_type = licit::detail::crew<job*, licit::native, Local, Inject>;
  struct member {
    member(workers& all, std::size_t self)
        : tools{self, all.crew_.workers(), 1, {.fixed = 8}, {}, all.census_}, loop{all.crew_, self, {}, tools} {}
    watched_tools tools;
    licit::detail::worker<crew_type, watched_tools> loop;
    alignas(128) std::atomic<std::uint64_t> polls = 0;
  };

 public:
  explicit workers(std::size_t number) : crew_{{.workers = number, .memory = &pages_}}, census_{number} {
    for (std::size_t i = 0; i != number; ++i) members_.emplace_back(*this, i);
    for (std::size_t i = 0; i != number; ++i) threads_.emplace_back([this, i] { run(i); });
    for (job& each : busy_) {
      each.for_ever = true;
      crew_.inject(&each);
    }
    while (begun_ != number) std::this_thread::yield();  // a thread that is about to start may hold the runtime's locks
  }
  ~workers() {
    crew_.stop();
    for (auto& t : threads_) t.join();
  }
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

  void hold(std::size_t worker) {
    const int before = held;
    ASSERT_EQ(pthread_kill(threads_[worker].native_handle(), SIGUSR1), 0);
    while (held == before) std::this_thread::yield();
  }
  void inject(job& one) { crew_.inject(&one); }
  [[nodiscard]] std::uint64_t polls_but_of(std::size_t worker) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != members_.size(); ++i) sum += i == worker ? 0 : members_[i].polls.load();
    return sum;
  }
  [[nodiscard]] std::size_t number() const { return crew_.workers(); }
  [[nodiscard]] bool all_sleep_but(std::size_t worker) const {
    for (std::size_t i = 0; i != members_.size(); ++i)
      if (i != worker && !members_[i].tools.asleep) return false;
    return true;
  }

 private:
  void run(std::size_t self) {
    member& mine = members_[self];
    ++begun_;
    mine.loop.run([&](job* next) {
      ++mine.polls;
      ++next->runs;
      if (next->for_ever) mine.loop.run_later(next);
    });
  }

  pages pages_;
  crew_type crew_;
  licit::detail::census<> census_;
  std::deque<member> members_;
  std::deque<job> busy_{24};
  std::atomic<std::size_t> begun_ = 0;
  std::vector<std::thread> threads_;
};

struct outcome {
  int judged = 0;
  int asleep = 0;   ///< not judged
  int stalled = 0;  ///< only with a limit
};

constexpr int enough_looks = 1000;

/// Holds one worker after the other, each at a random moment. Without a limit a violation is a hang.
template <class Workers>
outcome hold_each(Workers& all, int trials, std::optional<std::chrono::milliseconds> limit) {
  outcome sum;
  std::minstd_rand random(2026);
  for (int i = 0; i != trials && sum.stalled == 0; ++i) {
    for (volatile unsigned k = random() % 20000; k != 0;) k = k - 1;
    const std::size_t worker = random() % all.number();
    all.hold(worker);
    const std::uint64_t before = all.polls_but_of(worker);
    job injected;
    std::thread injects;
    if (limit) {
      injects = std::thread([&] { all.inject(injected); });  // which a lock would stop too
    } else {
      all.inject(injected);
    }
    const auto begin = std::chrono::steady_clock::now();
    int asleep = 0;  // looks in succession; who is being woken by another than the held worker needs some
    bool stalled = false;
    while ((injected.runs == 0 || all.polls_but_of(worker) < before + 50) && asleep != enough_looks && !stalled) {
      std::this_thread::yield();
      asleep = all.all_sleep_but(worker) ? asleep + 1 : 0;
      stalled = limit && std::chrono::steady_clock::now() - begin > *limit;
    }
    ++(stalled ? sum.stalled : asleep == enough_looks ? sum.asleep : sum.judged);
    release();
    if (limit) injects.join();
    while (injected.runs == 0) std::this_thread::yield();
  }
  return sum;
}

class HeldWorker : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer delivers signals at its own calls only";
#endif
    install();
  }
};

constexpr std::size_t number = 2;  // as many as this machine may have processors: the others are to run

/// LICIT_HELD_TRIALS is another number.
int trials() {
  const char* const told = std::getenv("LICIT_HELD_TRIALS");
  return told == nullptr ? 100 : std::stoi(told);
}

TEST_F(HeldWorker, StopsNobodyElseInOrder) {
  workers<licit::detail::in_order, licit::inject_queue> all(number);
  const outcome sum = hold_each(all, trials(), {});
  EXPECT_EQ(sum.judged + sum.asleep, trials());
  EXPECT_GT(sum.judged, trials() / 2);
}

TEST_F(HeldWorker, StopsNobodyElseYoungestFirst) {
  workers<licit::detail::youngest_first, licit::inject_queue> all(number);
  const outcome sum = hold_each(all, trials(), {});
  EXPECT_EQ(sum.judged + sum.asleep, trials());
  EXPECT_GT(sum.judged, trials() / 2);
}

/// What the test must catch: a list under a lock, with which a stopped worker stops all.
template <class T, class Policy>
class locked_list {
 public:
  using value_type = T;
  struct options {
    std::pmr::memory_resource* memory;
  };
  class sink {
   public:
    explicit sink(locked_list& to) : to_{to} {}
    void reserve(std::size_t /*items*/) {}
    void take(std::span<const T> items) {
      for (const T one : items) to_.push_certain(one);
    }

   private:
    locked_list& to_;
  };

  explicit locked_list(options /*none*/) {}
  void push_certain(T one) {
    const std::lock_guard lock(mutex_);
    linger();
    all_.push_back(one);
  }
  std::size_t pop(std::span<T> into, std::size_t /*sharers*/) {
    const std::lock_guard lock(mutex_);
    linger();
    if (all_.empty()) return 0;
    into[0] = all_.front();
    all_.pop_front();
    return 1;
  }
  static constexpr bool keeps() { return false; }
  [[nodiscard]] bool empty() const {
    const std::lock_guard lock(mutex_);
    return all_.empty();
  }

 private:
  static void linger() {
    for (volatile int i = 0; i != 2000;) i = i + 1;
  }
  mutable std::mutex mutex_;
  std::deque<T> all_;
};

TEST_F(HeldWorker, StopsAllWhereThereIsALock) {
  workers<licit::detail::in_order, locked_list> all(number);
  const outcome sum = hold_each(all, 100 * trials(), std::chrono::milliseconds(500));
  EXPECT_EQ(sum.stalled, 1);
}

}  // namespace
