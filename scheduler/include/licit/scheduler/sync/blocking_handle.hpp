/// Waits for a call that a blocking pool makes.
#ifndef LICIT_SCHEDULER_BLOCKING_HANDLE_HPP
#define LICIT_SCHEDULER_BLOCKING_HANDLE_HPP

#include <utility>

#include <licit/scheduler/sync/blocking_job.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

namespace detail {

/// A reference to a job, which may end with cancelling it.
template <class T>
class job_reference {
 public:
  job_reference() = default;
  explicit job_reference(blocking_result<T>& to, bool cancels = false) noexcept : to_{&to}, cancels_{cancels} {}
  job_reference(job_reference&& o) noexcept : to_{std::exchange(o.to_, nullptr)}, cancels_{o.cancels_} {}
  job_reference& operator=(job_reference o) noexcept {
    std::swap(to_, o.to_);
    std::swap(cancels_, o.cancels_);
    return *this;
  }
  ~job_reference() {
    if (to_ == nullptr) return;
    if (cancels_) (void)to_->cancel();
    to_->release();
  }
  [[nodiscard]] blocking_result<T>* get() const noexcept { return to_; }

 private:
  blocking_result<T>* to_ = nullptr;
  bool cancels_ = false;
};

template <class T, class Reference>
struct awaiting_job {
  static constexpr const char* what = "co_await of a blocking call";
  Reference job;

  [[nodiscard]] bool try_now() const noexcept { return job.get()->ended().is_open(); }
  [[nodiscard]] bool hold() const noexcept { return try_now(); }
  [[nodiscard]] bool begin(waiter<>& who) const noexcept { return job.get()->ended().pass_or_wait(who); }
  [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return job.get()->ended().cancel(who); }
  void undo() const noexcept {}
  T finish(ending /*how*/, answer /*what*/) const { return job.get()->take(); }
};

template <class T>
struct job_pointer {
  blocking_result<T>* to;
  [[nodiscard]] blocking_result<T>* get() const noexcept { return to; }
};

}  // namespace detail

/// Waits for one call of a blocking pool, and takes its result. Move-only; one thread at a time may use it. If it is
/// destroyed, the call is made all the same, and its value or exception is destroyed.
template <class T>
class [[nodiscard]] blocking_handle {
 public:
  blocking_handle() = default;
  explicit blocking_handle(detail::job_reference<T> job) noexcept : job_{std::move(job)} {}

  /// Whether it waits for a call, and was not moved from. If not, no other function of it may be called.
  [[nodiscard]] explicit operator bool() const noexcept { return job_.get() != nullptr; }
  /// Whether the call has ended. Wait-free.
  [[nodiscard]] bool done() const noexcept { return job_.get()->ended().is_open(); }

  /// `co_await handle`, once, in a coroutine that was spawned or runs in `block_on`. Suspends until the call has ended.
  /// Returns its value; rethrows what it threw; throws task_cancelled if it was cancelled or dropped by a shutdown,
  /// std::system_error if no thread could be started for it, and std::logic_error outside of such a coroutine. A
  /// coroutine that is cancelled while it waits leaves the call to itself.
  [[nodiscard]] auto operator co_await() const noexcept {
    return detail::sync_awaiter<detail::awaiting_job<T, detail::job_pointer<T>>>(detail::job_pointer<T>{job_.get()});
  }
  /// A thread that is in no task, once. Blocks until the call has ended; the same result. Throws also std::system_error
  /// (resource_deadlock_would_occur) in a task.
  T get() const { return detail::wait_in_thread(detail::awaiting_job<T, detail::job_pointer<T>>{{job_.get()}}); }
  /// Cancels the call if it has not begun. True: it will not be made, and the callable is destroyed in this thread. A
  /// compare-exchange; if it succeeds also a short lock, and what an exception allocates.
  bool cancel() noexcept { return job_.get()->cancel(); }

 private:
  detail::job_reference<T> job_;
};

}  // namespace licit::inline v0

#endif
