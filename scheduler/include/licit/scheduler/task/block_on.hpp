/// Runs a coroutine on the calling thread.
#ifndef LICIT_SCHEDULER_BLOCK_ON_HPP
#define LICIT_SCHEDULER_BLOCK_ON_HPP

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <licit/scheduler/default_memory.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/coroutine_task.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task.hpp>

namespace licit::inline v0 {

/// The task of a `block_on`, and its executor: the calling thread, which sleeps while the task is suspended. Lives
/// until the last waker is gone.
template <class T>
class blocking_task final : public executor, public coroutine_task<T> {
  using base = coroutine_task<T>;

 public:
  static constexpr std::uint32_t references = 2;  // its own, and the thread's

  blocking_task(std::pmr::memory_resource& memory, task<T> body)
      : base(*this, memory, std::move(body), does, references) {}

  /// The thread that calls block_on; once.
  void drive() {
    for (task_outcome how = this->run(); how == task_outcome::suspended || how == task_outcome::yielded;
         how = this->run()) {
      if (how == task_outcome::suspended) this->state().rest();
    }
  }
  using base::result;

 private:
  void schedule(task_header& /*itself*/, placement /*where*/) noexcept override { this->state().rouse(); }

  static void destroy(task_header& header) noexcept {
    auto& self = static_cast<blocking_task&>(header);
    std::pmr::memory_resource& memory = self.task_header::memory();
    std::destroy_at(&self);
    memory.deallocate(&self, sizeof(blocking_task), alignof(blocking_task));
  }
  static constexpr task_functions does{&base::poll, &base::cancel, &destroy, &base::stop, &base::take_exception, true};
};

/// Any thread that is not in a task. Runs the coroutine on it, sleeps while the coroutine is suspended, and returns its
/// value or throws its exception. What it spawns goes to the executor. An exhausted budget yields to nobody here.
/// Throws std::system_error (resource_deadlock_would_occur) in a task, std::invalid_argument if `body` has no
/// coroutine, and std::bad_alloc; the coroutine is then destroyed.
template <class T>
T block_on(executor& to, task<T> body) {
  if (this_context().task != nullptr) {
    throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur),
                            "licit: block_on in a task (co_await it)");
  }
  if (!body) throw std::invalid_argument("licit: block_on: the task has no coroutine (it was moved from)");
  const context_scope here(to);
  using made = blocking_task<T>;
  std::pmr::memory_resource& memory = default_memory();
  void* const place = memory.allocate(sizeof(made), alignof(made));
  struct reference {
    made& task;
    ~reference() { task.release(); }
  } const until_the_end{*::new (place) made(memory, std::move(body))};
  until_the_end.task.drive();
  return until_the_end.task.result().take();
}

}  // namespace licit::inline v0

#endif
