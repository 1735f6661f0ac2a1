/// A task that runs a coroutine, and the coroutines that it awaits.
#ifndef LICIT_SCHEDULER_COROUTINE_TASK_HPP
#define LICIT_SCHEDULER_COROUTINE_TASK_HPP

#include <exception>
#include <memory>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/join_handle.hpp>
#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

/// Before the task completes, the result moves out of the frame, and the worker destroys the frame.
template <class T>
class coroutine_task : public coroutine_header {
 public:
  coroutine_task(executor& home, std::pmr::memory_resource& memory, task<T> body)
      : coroutine_task(home, memory, std::move(body), does, 2) {}

  /// A handle that takes over one of the two initial references.
  join_handle<T> handle() noexcept { return {*this, result_}; }

 protected:
  coroutine_task(executor& home, std::pmr::memory_resource& memory, task<T> body, const task_functions& how,
                 std::uint32_t references)
      : coroutine_header(home, memory, how, references), body_{std::move(body)} {
    suspend_at({.frame = body_.frame()});
  }

  static task_outcome poll(task_header& header) noexcept {
    coroutine_task& self = of(header);
    if (!self.go_on()) return task_outcome::suspended;
    if (!self.body_.frame().done()) {
      return this_context().yields ? task_outcome::yielded : task_outcome::suspended;
    }
    try {
      self.result_.take_over(self.body_.frame().promise().result());
    } catch (...) {
      self.result_.set_exception(std::current_exception());
    }
    self.body_ = {};
    return self.result_.has_exception() ? task_outcome::threw : task_outcome::finished;
  }
  static void cancel(task_header& header) noexcept {
    of(header).body_ = {};
    of(header).result_.set_cancelled();
  }
  static void stop(task_header& /*header*/) noexcept {}
  static std::exception_ptr take_exception(task_header& header) noexcept { return of(header).result_.take_exception(); }

  task_result<T>& result() noexcept { return result_; }

 private:
  static coroutine_task& of(task_header& header) { return static_cast<coroutine_task&>(header); }

  static void destroy(task_header& header) noexcept {
    coroutine_task& self = of(header);
    std::pmr::memory_resource& memory = self.memory();
    std::destroy_at(&self);
    memory.deallocate(&self, sizeof(coroutine_task), alignof(coroutine_task));
  }

  static constexpr task_functions does{&poll, &cancel, &destroy, &stop, &take_exception, true};

  task<T> body_;
  task_result<T> result_;
};

/// Any thread. Like make_callable_task, for a coroutine. Throws what the memory resource throws, and
/// std::invalid_argument if `body` has no coroutine; the coroutine is then destroyed.
template <class T>
join_handle<T> make_coroutine_task(executor& home, std::pmr::memory_resource& memory, task<T> body) {
  if (!body) throw std::invalid_argument("licit: spawn: the task has no coroutine (it was moved from)");
  using made = coroutine_task<T>;
  void* const place = memory.allocate(sizeof(made), alignof(made));
  return (::new (place) made(home, memory, std::move(body)))->handle();
}

}  // namespace licit::inline v0

#endif
