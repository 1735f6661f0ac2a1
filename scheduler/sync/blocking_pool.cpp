// The threads of a blocking pool.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iterator>
#include <list>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <licit/scheduler/sync/blocking_pool.hpp>
#include <licit/scheduler/sync/job_line.hpp>
#include <licit/scheduler/task/context.hpp>

namespace licit::inline v0 {

namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// How a thread is made.
class stack_of {
 public:
  explicit stack_of(std::size_t bytes) : has_{bytes != 0} {
    if (!has_ || pthread_attr_init(&how_) != 0) return;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    (void)pthread_attr_setstacksize(&how_, (bytes + page - 1) / page * page);
  }
  ~stack_of() {
    if (has_) (void)pthread_attr_destroy(&how_);
  }
  stack_of(const stack_of&) = delete;
  stack_of& operator=(const stack_of&) = delete;
  [[nodiscard]] const pthread_attr_t* get() const { return has_ ? &how_ : nullptr; }

 private:
  pthread_attr_t how_{};
  bool has_;
};

/// What is left until a point in time; `max` is never.
class limit_of_time {
 public:
  explicit limit_of_time(steady_clock::time_point until) : until_{until} {}
  [[nodiscard]] nanoseconds left() const {
    if (until_ == steady_clock::time_point::max()) return std::chrono::hours(1);
    return std::chrono::duration_cast<nanoseconds>(until_ - steady_clock::now());
  }
  /// Sleeps until the waiter is answered or the time is over. Whether it is answered.
  template <class Waiter>
  bool sleep(const Waiter& who) const {
    while (who.answered() == answer::none) {
      const nanoseconds rest = left();
      if (rest <= nanoseconds(0)) return false;
      (void)who.sleep_for(rest);
    }
    return true;
  }

 private:
  steady_clock::time_point until_;
};

class threads_of_pool final : public detail::blocking_threads {
  using job = detail::blocking_job;
  using line = job_line<job>;

 public:
  explicit threads_of_pool(blocking_options options) : options_{std::move(options)}, line_{options_.threads} {}
  ~threads_of_pool() override {
    if (here == this) {
      (void)std::fputs("licit: a blocking pool is destroyed in a thread of it, which it would wait for\n", stderr);
      std::terminate();
    }
    (void)end(shutdown_kind::cancel, steady_clock::time_point::max());
  }

  void add(job& one) override {
    switch (add_to_line(one)) {
      case line::added::yes: return;
      case line::added::grow: return grow();
      case line::added::refused:
        throw executor_closed("licit: spawn_blocking: the pool takes no more calls; it was shut down");
    }
  }
  blocking_report shutdown(shutdown_kind kind, steady_clock::time_point until) override {
    if (here == this) throw std::logic_error("licit: shutdown of a blocking pool in a thread of it");
    return end(kind, until);
  }
  [[nodiscard]] std::size_t threads() override { return line_.threads(); }
  /// What a call reaches late is read first, so no difference is negative.
  [[nodiscard]] blocking_snapshot metrics() override {
    const std::size_t threads = line_.threads();
    const std::lock_guard lock(adding_);  // what has begun has been counted as added
    const std::uint64_t finished = finished_;
    const std::uint64_t withdrawn = withdrawn_;
    const std::uint64_t begun = begun_;
    const std::uint64_t refused = refused_;
    const std::uint64_t added = added_;
    return {.queued = added - begun - refused,
            .running = begun - finished - withdrawn,
            .finished = finished,
            .cancelled = withdrawn + refused,
            .threads = threads};
  }
  /// Whether the calling thread is a pool's.
  [[nodiscard]] static bool is_here() noexcept { return here != nullptr; }

 private:
  /// The pool of the calling thread.
  static thread_local const threads_of_pool* here;

  /// What a shutdown refuses is never counted.
  line::added add_to_line(job& one) {
    const std::lock_guard lock(adding_);
    const line::added how = line_.add(one);
    if (how != line::added::refused) ++added_;
    return how;
  }

  static void* enter(void* pool) noexcept {
    static_cast<threads_of_pool*>(pool)->work();
    return nullptr;
  }

  /// A thread that cannot be started leaves its job to the others. If there are none, all jobs fail.
  void grow() {
    join_ended();
    const stack_of stack(options_.stack_bytes);
    int error = 0;
    {
      const std::lock_guard lock(mutex_);
      try {
        running_.emplace_front();
        error = pthread_create(&running_.front(), stack.get(), &enter, this);
        if (error == 0) return;
        running_.pop_front();
      } catch (const std::bad_alloc&) {
        error = ENOMEM;
      }
    }
    const std::exception_ptr why = no_thread(error);  // before the jobs are only here
    refuse(take_out([&] { return line_.shrink(); }), why);
  }
  /// Or what says that there is no memory for that.
  static std::exception_ptr no_thread(int error) noexcept {
    try {
      throw std::system_error(error, std::generic_category(), "licit: a thread of the blocking pool cannot be created");
    } catch (...) {
      return std::current_exception();
    }
  }
  /// What `take` takes out of the line is counted before anybody sees that it is not there.
  template <class Take>
  job* take_out(Take take) {
    const std::lock_guard lock(adding_);
    job* const first = take();
    for (const job* each = first; each != nullptr; each = each->next) ++refused_;
    return first;
  }
  static void refuse(job* first, const std::exception_ptr& why) {
    while (first != nullptr) {
      job* const next = first->next;
      first->refuse(why);
      first = next;
    }
  }

  void work() noexcept {
    here = this;
    set_affinity();
    name();
    while (job* const next = await_job()) {
      ++begun_;
      next->run(finished_, withdrawn_);
    }
    leave();
  }
  /// Null: the thread has left the line.
  job* await_job() {
    waiter<> mine;
    line::step step = line_.next(mine);
    if (step.waits) {
      if (!limit_of_time(detail::end_of(options_.idle)).sleep(mine) && line_.give_up(mine)) return nullptr;
      step = line_.answered(mine);
    }
    return step.job;
  }
  /// That of the program's first thread: the creator may be a worker that is bound to one processor.
  static void set_affinity() noexcept {
#if defined(__linux__)
    cpu_set_t all;
    if (sched_getaffinity(getpid(), sizeof all, &all) == 0) (void)sched_setaffinity(0, sizeof all, &all);
#endif
  }
  void name() noexcept {
#if defined(__linux__)
    try {
      const std::string number = "-" + std::to_string(numbers_++);
      const std::size_t room = 15 - std::min<std::size_t>(15, number.size());
      (void)pthread_setname_np(pthread_self(), (options_.name.substr(0, room) + number).c_str());
    } catch (const std::bad_alloc&) {
      return;  // it has no name
    }
#endif
  }
  /// The thread's last use of the pool.
  void leave() noexcept {
    std::list<pthread_t> oldest;
    {
      const std::lock_guard lock(mutex_);
      join_gone();
      const auto me =
          std::ranges::find_if(running_, [](pthread_t one) { return pthread_equal(one, pthread_self()) != 0; });
      if (me == running_.end()) return;  // a shutdown joins it
      ended_.splice(ended_.begin(), running_, me);
      if (ended_.size() > most_ended) oldest.splice(oldest.end(), ended_, std::prev(ended_.end()));
    }
    if (oldest.empty() || await_end(oldest.front())) return;
    const std::lock_guard lock(mutex_);
    ended_.splice(ended_.end(), oldest);
  }
  /// Waits ten seconds at most. Threads that end at once cannot forget each other: each would find the others ending.
  /// A thread waits for one that left before it.
  static bool await_end([[maybe_unused]] pthread_t one) noexcept {
#if defined(__linux__)
    timespec until{};
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    return pthread_timedjoin_np(one, nullptr, &until) == 0;
#else
    return false;
#endif
  }
  std::list<pthread_t> take_ended() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ended_, {});
  }
  void join_ended() {
    const std::lock_guard lock(mutex_);
    join_gone();
  }
  /// Whose thread-local objects are gone, with the lock held; others are still being destroyed, which may take any
  /// time.
  void join_gone() {
#if defined(__linux__)
    ended_.remove_if([](pthread_t one) { return pthread_tryjoin_np(one, nullptr) == 0; });
#endif
  }
  static void join(const std::list<pthread_t>& all) {
    for (const pthread_t one : all) (void)pthread_join(one, nullptr);
  }
  /// One that is joined may have given back another.
  void join_all_ended() {
    for (std::list<pthread_t> all = take_ended(); !all.empty(); all = take_ended()) join(all);
  }

  blocking_report end(shutdown_kind kind, steady_clock::time_point last) {
    const limit_of_time until(last);
    const std::exception_ptr why = std::make_exception_ptr(task_cancelled());
    refuse(take_out([&] { return line_.close(kind == shutdown_kind::cancel); }), why);
    if (executor* const waits = executor_that_waits()) waits->about_to_block();
    waiter<> mine;
    if (line_.gone_or_wait(mine) || until.sleep(mine) || !line_.cancel(mine)) {
      join_all_ended();
      std::unique_lock lock(mutex_);
      const std::list<pthread_t> rest = std::exchange(running_, {});
      lock.unlock();
      join(rest);
      join_all_ended();
    }
    const blocking_snapshot now = metrics();
    return {now.finished, now.cancelled, now.queued + now.running};
  }

  /// More threads than these have ended and are not joined only while what is local to them is destroyed.
  static constexpr std::size_t most_ended = 4;

  const blocking_options options_;
  line line_;
  std::atomic<std::uint64_t> added_ = 0;
  std::atomic<std::uint64_t> begun_ = 0;      ///< taken out of the line by a thread
  std::atomic<std::uint64_t> finished_ = 0;   ///< of these, were made
  std::atomic<std::uint64_t> withdrawn_ = 0;  ///< of these, had been cancelled
  std::atomic<std::uint64_t> refused_ = 0;    ///< dropped by a shutdown, or for want of threads
  std::atomic<std::uint64_t> numbers_ = 0;
  std::mutex adding_;  ///< for the line, `added_` and `refused_` together
  std::mutex mutex_;
  std::list<pthread_t> running_;  ///< threads that may still use the pool; guarded
  std::list<pthread_t> ended_;    ///< threads that do not; guarded
};

thread_local const threads_of_pool* threads_of_pool::here = nullptr;

}  // namespace

detail::blocking_threads* detail::blocking_threads::make(const blocking_options& options) {
  if (options.threads == 0) throw std::invalid_argument("licit: blocking_options::threads is 0: at least 1");
  if (options.idle < nanoseconds(0)) throw std::invalid_argument("licit: blocking_options::idle is negative");
  constexpr std::uint64_t least_stack = std::uint64_t{64} << 10;
  constexpr std::uint64_t most_stack = std::uint64_t{1} << 47;  // a thread's address space
  if (options.stack_bytes != 0 && (options.stack_bytes < least_stack || options.stack_bytes > most_stack)) {
    throw std::invalid_argument("licit: blocking_options::stack_bytes is " + std::to_string(options.stack_bytes) +
                                ", and must be 0 or from " + std::to_string(least_stack) + " to " +
                                std::to_string(most_stack));
  }
  return new threads_of_pool(options);
}

blocking_pool& default_blocking_pool() {
  // Never destroyed: a static scheduler that was made before it ends after it, and its tasks may still call.
  static blocking_pool& pool = *new blocking_pool;
  static const struct shut_down {
    ~shut_down() {
      if (!threads_of_pool::is_here()) (void)pool.shutdown(shutdown_kind::cancel);  // else one of its calls exits
    }
  } at_exit;
  return pool;
}

}  // namespace licit::inline v0
