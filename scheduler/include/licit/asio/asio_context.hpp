/// The context of Asio's objects, as a reactor behind which workers sleep.
#ifndef LICIT_ASIO_CONTEXT_HPP
#define LICIT_ASIO_CONTEXT_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>

#include <licit/asio/library.hpp>
#include <licit/scheduler.hpp>
#include <licit/scheduler/time/reactor.hpp>

namespace licit::inline v0 {

class asio_context;
class asio_executor;

namespace detail {

/// A scheduler, as executors of a context know it. Lives as long as the context, and keeps the scheduler's memory.
class asio_binding {
 public:
  asio_binding(asio_context& context, executor& to) noexcept : context_{&context}, to_{&to}, kept_{to.keep()} {}
  asio_binding(const asio_binding&) = delete;
  asio_binding& operator=(const asio_binding&) = delete;
  ~asio_binding() {
    if (kept_ != nullptr) kept_->let_go();
  }

  [[nodiscard]] asio_context& context() const noexcept { return *context_; }
  [[nodiscard]] executor& to() const noexcept { return *to_; }
  /// Whether this thread is in a task of the scheduler: not in the driver, where no handler may take its time.
  [[nodiscard]] bool runs_here() const noexcept {
    const run_context& here = this_context();
    return here.task != nullptr && here.worker_of == to_;
  }

 private:
  asio_context* context_;
  executor* to_;
  executor* kept_;
};

/// Tells an `asio_context` from other contexts.
class asio_mark : public net::execution_context::service {
 public:
  inline static net::execution_context::id id;
  explicit asio_mark(net::execution_context& of) : service(of) {}

 private:
  void shutdown() noexcept override {}
};

}  // namespace detail

/// One io_context, which a scheduler drives (`scheduler_options::reactor`), or a `reactor_thread`. Declare it before
/// the scheduler and before Asio's objects: it must outlive both. What is still outstanding when it is destroyed is
/// dropped: Asio destroys the handlers without calling them.
class asio_context final : public reactor {
 public:
  /// Throws asio_system_error (no file descriptor is left) and std::bad_alloc.
  asio_context() : deadline_{context_} { (void)net::use_service<detail::asio_mark>(context_); }
  asio_context(const asio_context&) = delete;
  asio_context& operator=(const asio_context&) = delete;
  ~asio_context() = default;

  /// Any thread. For Asio's objects whose operations are only awaited with `use_task`. Other handlers of such objects
  /// run in the driver, and delay it. Only this object may run the io_context.
  [[nodiscard]] net::io_context& context() noexcept { return context_; }

  /// Any thread, while the scheduler lives. For Asio's objects: their handlers become tasks of that scheduler. The
  /// executor is valid as long as the context. The first call for a scheduler allocates, and throws std::bad_alloc.
  [[nodiscard]] inline asio_executor on(executor& to);
  [[nodiscard]] inline asio_executor on(scheduler& to);

  /// Any thread. The number of operations that have begun, whose handler an `asio_executor` will run and has neither
  /// called nor dropped. Operations that tasks await with `use_task` are counted too if the object was made with an
  /// asio_executor.
  [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_.load(); }
  /// Any thread. The number of handlers that a scheduler refused because it had been shut down, and of those whose
  /// operation completed while there was no memory for a task. They were destroyed, not called.
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.load(); }

  // The reactor. One thread drives at a time: a second one that polls finds nothing.

  std::size_t poll() override {
    const std::unique_lock driver(drives_, std::try_to_lock);
    if (!driver) return 0;
    const driving here(*this);
    const bool interrupted = context_.stopped();
    if (interrupted) context_.restart();
    const std::size_t ran = run_ready();
    if (interrupted) context_.stop();  // the next wait ends
    return ran;
  }

  void wait(std::optional<time_point> deadline) override {
    const std::lock_guard driver(drives_);
    const driving here(*this);
    set(deadline);
    const std::size_t ran = count_refused([this] { return context_.run_one(); });
    context_.restart();  // takes the interruption, if there was one
    if (ran != 0) (void)run_ready();
  }

  void interrupt() noexcept override { context_.stop(); }

 private:
  friend asio_executor;

  /// While it lives, this thread is the driver.
  class driving {
   public:
    explicit driving(asio_context& of) noexcept : of_{of} { of_.driver_.store(std::this_thread::get_id()); }
    driving(const driving&) = delete;
    driving& operator=(const driving&) = delete;
    ~driving() { of_.driver_.store({}); }

   private:
    asio_context& of_;
  };
  [[nodiscard]] bool drives_here() const noexcept { return driver_.load() == std::this_thread::get_id(); }

  /// So many at once, that workers are told of what is ready before all of it is.
  static constexpr std::size_t most_at_once = 256;
  /// A wait that is longer ends before.
  static constexpr std::chrono::hours longest = std::chrono::hours(24 * 365);

  std::size_t run_ready() {
    std::size_t ran = 0;
    while (ran != most_at_once && count_refused([this] { return context_.poll_one(); }) != 0) ++ran;
    return ran;
  }
  /// What Asio queues a handler by on its way to an executor, as a strand does, may get no memory. The handler is
  /// destroyed then.
  template <class Run>
  std::size_t count_refused(Run run) {
    try {
      return run();
    } catch (const std::bad_alloc&) {
      refused_.fetch_add(1);
      return 1;
    }
  }

  /// Asio's own limits of time wake the thread every second, so this is a timer. It stays set from wait to wait.
  void set(std::optional<time_point> deadline) {
    if (deadline == set_) return;
    set_ = deadline;
    if (!deadline) {
      (void)deadline_.cancel();
      return;
    }
    (void)deadline_.expires_at(std::min(*deadline, time_point::clock::now() + longest));
    deadline_.async_wait([this](const asio_error& cancelled) {
      if (!cancelled) set_.reset();
    });
  }

  // Before the context, which destroys handlers that use them.
  std::deque<detail::asio_binding> bindings_;
  std::mutex binds_;
  std::atomic<std::size_t> outstanding_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::thread::id> driver_{};

  std::mutex drives_;
  net::io_context context_{1};                                                               // one thread at a time
  net::executor_work_guard<net::io_context::executor_type> works_{context_.get_executor()};  ///< or nobody would wait
  net::steady_timer deadline_;
  std::optional<time_point> set_;  ///< the driver's
};

/// A separate thread that drives a reactor in place of workers: for a scheduler that should not do it, or for several
/// schedulers. Declare it after the reactor and before the scheduler, whose shutdown needs what it does.
class reactor_thread {
 public:
  /// Throws std::system_error: the thread cannot be started; and std::logic_error: the reactor has a driver already.
  explicit reactor_thread(reactor& drives)
      : only_{drives}, thread_{[&drives](const std::stop_token& ends) {
          const std::stop_callback interrupts(ends, [&drives] { drives.interrupt(); });
          while (!ends.stop_requested()) drives.wait(std::nullopt);
        }} {}
  reactor_thread(const reactor_thread&) = delete;
  reactor_thread& operator=(const reactor_thread&) = delete;
  /// Ends the thread. What is outstanding stays so.
  ~reactor_thread() = default;

 private:
  const reactor::drive only_;
  std::jthread thread_;
};

}  // namespace licit::inline v0

#endif
