/// A call that a thread of a blocking pool makes, and its result.
#ifndef LICIT_SCHEDULER_BLOCKING_JOB_HPP
#define LICIT_SCHEDULER_BLOCKING_JOB_HPP

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0::detail {

/// What the pool knows about a job. The pool has one reference, and the handle another.
class blocking_job {
 public:
  blocking_job() = default;
  blocking_job(const blocking_job&) = delete;
  blocking_job& operator=(const blocking_job&) = delete;

  /// A link of the pool.
  blocking_job* next = nullptr;

  /// A thread of the pool, once one of these: makes the call, unless it was cancelled; or does not. Drops the pool's
  /// reference. Counts in `made` the call that was made, before anybody has its result; or in `withdrawn`.
  void run(std::atomic<std::uint64_t>& made, std::atomic<std::uint64_t>& withdrawn) noexcept {
    if (begin()) {
      call();
      ++made;
      ended_.open();
    } else {
      ++withdrawn;
    }
    release();
  }
  void refuse(std::exception_ptr why) noexcept {
    (void)fails(std::move(why));
    release();
  }

  /// The handle. Cancels the call if it has not begun. True: it will not be made.
  bool cancel() noexcept { return fails(std::make_exception_ptr(task_cancelled())); }
  void release() noexcept {
    if (references_.fetch_sub(1) == 1) destroy();
  }
  /// Opens when there is a result.
  [[nodiscard]] gate<>& ended() noexcept { return ended_; }

 protected:
  ~blocking_job() = default;

 private:
  /// Both destroy the callable.
  virtual void call() noexcept = 0;
  virtual void fail(std::exception_ptr why) noexcept = 0;
  virtual void destroy() noexcept = 0;

  /// The thread that begins the job opens the gate: no other thread knows when there is a result.
  bool begin() noexcept { return !begun_.exchange(true); }
  bool fails(std::exception_ptr why) noexcept {
    if (!begin()) return false;
    fail(std::move(why));
    ended_.open();
    return true;
  }

  std::atomic<bool> begun_ = false;
  std::atomic<std::uint32_t> references_ = 2;
  gate<> ended_{1};
};

/// With the result.
template <class T>
class blocking_result : public blocking_job {
 public:
  /// The handle, once, when the job has ended.
  T take() { return result_.take(); }

 protected:
  ~blocking_result() = default;
  task_result<T> result_;
};

template <class T, class F>
class blocking_call final : public blocking_result<T> {
 public:
  explicit blocking_call(F call) : call_{std::move(call)} {}

 private:
  void call() noexcept override {
    try {
      if constexpr (std::is_void_v<T>) {
        std::invoke(std::move(*call_));
        this->result_.set_value();
      } else {
        this->result_.set_value(std::invoke(std::move(*call_)));
      }
    } catch (...) {
      this->result_.set_exception(std::current_exception());
    }
    call_.reset();
  }
  void fail(std::exception_ptr why) noexcept override {
    this->result_.set_exception(std::move(why));
    call_.reset();
  }
  void destroy() noexcept override { delete this; }

  std::optional<F> call_;
};

}  // namespace licit::inline v0::detail

#endif
