/// Runs a coroutine on the calling thread.
#ifndef LICIT_SCHEDULER_BLOCK_ON_HPP
#define LICIT_SCHEDULER_BLOCK_ON_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

#include <licit/scheduler/default_memory.hpp>
#include <licit/scheduler/task/bound_call.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/coroutine_task.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task.hpp>

namespace licit::inline v0 {

/// The task of a `block_on`, and its executor until it hops: the calling thread, which sleeps while the task is
/// suspended, or is elsewhere. Lives
/// until the last waker is gone. The block of the coroutine is the thread's, which takes the result from it.
template <class T>
class blocking_task final : public executor, public coroutine_header {
 public:
  blocking_task(std::pmr::memory_resource& memory, task<T> body)
      : coroutine_header(*this, memory, does, 1), block_{body.frame().promise().place()} {
    block_.kept = true;
    suspend_at({.frame = body.frame()});
    body.release().promise().belongs_to(*this);
  }

  /// The thread that calls block_on; once. Returns the block, without its frame.
  coroutine_place<T>& drive() {
    task_outcome how = this->run();
    while (how == task_outcome::suspended || how == task_outcome::yielded) {
      if (how == task_outcome::suspended) this->state().rest();
      how = this->run();
    }
    if (how == task_outcome::moved) this->state().wait();  // it never comes back: nobody else knows this executor
    return block_;
  }

 private:
  static blocking_task& of(task_header& header) { return static_cast<blocking_task&>(header); }

  void schedule(task_header& /*itself*/, placement /*where*/) noexcept override { this->state().rouse(); }

  static task_outcome poll(task_header& header) noexcept {
    return coroutine_task<T>::continued(of(header), of(header).block_);
  }
  static bool cancel(task_header& header) noexcept {
    return coroutine_task<T>::cancelled(of(header), of(header).block_);
  }
  static void destroy(task_header& header) noexcept {
    blocking_task& self = of(header);
    std::pmr::memory_resource& memory = self.task_header::memory();
    std::destroy_at(&self);
    memory.deallocate(&self, sizeof(blocking_task), alignof(blocking_task));
  }
  static std::exception_ptr take_exception(task_header& header) noexcept {
    return of(header).block_.result.take_exception();
  }
  static constexpr task_functions does{&poll,           &cancel, &destroy, &coroutine_task<T>::stop,
                                       &take_exception, nullptr, true};

  coroutine_place<T>& block_;
};

/// Any thread that is not in a task. Runs the coroutine on it, sleeps while the coroutine is suspended, and returns its
/// value or throws its exception. What it spawns goes to the executor. Before the thread sleeps it runs the very task
/// for which the coroutine waits, if that is the executor's, has not begun, and may run on any thread. An exhausted
/// budget yields to nobody here.
/// The executor may end meanwhile: what it is asked for from then on throws executor_closed.
/// Throws std::system_error (resource_deadlock_would_occur) in a task and in a join's half that a worker runs,
/// std::invalid_argument if `body` has no coroutine, and std::bad_alloc; the coroutine is then destroyed.
template <class T>
T block_on(executor& to, task<T> body) {
  if (const run_context& caller = this_context(); caller.task != nullptr || caller.worker_of != nullptr) {
    throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur),
                            "licit: block_on in a task, or on a worker in a join (co_await it)");
  }
  if (!body) throw std::invalid_argument("licit: block_on: the task has no coroutine (it was moved from)");
  const executor_hold until_it_returns(to);
  const context_scope here(to);
  using made = blocking_task<T>;
  std::pmr::memory_resource& memory = default_memory();
  void* const place = memory.allocate(sizeof(made), alignof(made));
  struct reference {
    made& task;
    ~reference() { task.release(); }
  } const until_the_end{*::new (place) made(memory, std::move(body))};
  struct frame_block {
    coroutine_place<T>& place;
    ~frame_block() { place.free(); }
  } const until_taken{until_the_end.task.drive()};
  return until_taken.place.result.take();
}

/// The same, for the coroutine that the callable returns. Calls it with copies of the arguments, on the calling thread.
template <class F, class... Args>
  requires detail::makes_task<F, Args...>
decltype(auto) block_on(executor& to, F&& callable, Args&&... arguments) {
  return block_on(to,
                  detail::unwrapped<std::decay_t<F>, std::decay_t<Args>...>(
                      std::allocator_arg, &to.memory(), std::forward<F>(callable), std::forward<Args>(arguments)...));
}

}  // namespace licit::inline v0

#endif
