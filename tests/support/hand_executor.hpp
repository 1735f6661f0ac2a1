/// Executors for tests of tasks, which have no scheduler.
#ifndef LICIT_TESTS_SUPPORT_HAND_EXECUTOR_HPP
#define LICIT_TESTS_SUPPORT_HAND_EXECUTOR_HPP

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory_resource>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_header.hpp>
#include <licit/scheduler/task/task_registry.hpp>

namespace licit_test {

using licit::context_scope;
using licit::executor;
using licit::placement;
using licit::task_header;
using licit::task_outcome;
using task_registry = licit::task_registry<licit::native, task_header>;

/// Runs its tasks when it is told to, on the thread that tells it: those to run next first.
class hand_executor : public executor {
 public:
  ~hand_executor() { run(); }

  void schedule(task_header& task, placement where) noexcept override {
    where == placement::next ? queue_.push_front(&task) : queue_.push_back(&task);
    ++scheduled;
  }
  [[nodiscard]] bool admit(task_header& task) override {
    return !closed && (registry == nullptr || task.enter(*registry));
  }
  void unobserved(std::exception_ptr thrown) noexcept override { reported.push_back(std::move(thrown)); }
  void blocking(task_header& /*waited*/, licit::wait_limit /*limit*/) override {
    ++blocks;
    if (deadlocks) throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur));
    run();
  }
  void unblocked() noexcept override { ++unblocks; }
  [[nodiscard]] std::pmr::memory_resource& memory() noexcept override { return *resource; }

  /// One of its tasks. Whether there was one.
  bool step() {
    const context_scope here(*this);
    if (queue_.empty()) return false;
    task_header* const task = queue_.front();
    queue_.pop_front();
    outcomes.push_back(task->run());
    return true;
  }
  /// Until there are no more.
  void run() {
    while (step()) {
    }
  }
  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }

  bool closed = false;
  bool deadlocks = false;
  int blocks = 0;
  int unblocks = 0;
  std::size_t scheduled = 0;
  std::vector<task_outcome> outcomes;
  std::vector<std::exception_ptr> reported;
  std::pmr::memory_resource* resource = std::pmr::new_delete_resource();
  task_registry* registry = nullptr;

 private:
  std::deque<task_header*> queue_;
};

/// Runs its tasks on threads, until it is destroyed and all that are scheduled have run.
class thread_executor : public executor {
 public:
  explicit thread_executor(int threads) {
    for (int i = 0; i != threads; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  ~thread_executor() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    more_.notify_all();
    for (std::jthread& t : threads_) t.join();
  }

  void schedule(task_header& task, placement where) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      where == placement::next ? queue_.push_front(&task) : queue_.push_back(&task);
    }
    more_.notify_one();
  }
  [[nodiscard]] bool admit(task_header& task) override { return registry == nullptr || task.enter(*registry); }
  void unobserved(std::exception_ptr /*thrown*/) noexcept override {
    const std::lock_guard lock(mutex_);
    ++reported_;
  }
  [[nodiscard]] int reported() {
    const std::lock_guard lock(mutex_);
    return reported_;
  }

  task_registry* registry = nullptr;

 private:
  void work() {
    const context_scope here(*this);
    std::unique_lock lock(mutex_);
    for (;;) {
      more_.wait(lock, [this] { return ends_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task_header* const task = queue_.front();
      queue_.pop_front();
      lock.unlock();
      task->run();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<task_header*> queue_;
  bool ends_ = false;
  int reported_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace licit_test

#endif
