/// A task that runs a coroutine, and the coroutines that it awaits.
#ifndef LICIT_SCHEDULER_COROUTINE_TASK_HPP
#define LICIT_SCHEDULER_COROUTINE_TASK_HPP

#include <coroutine>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include <licit/scheduler/task/await_chain.hpp>
#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/frame_memory.hpp>
#include <licit/scheduler/task/join_handle.hpp>
#include <licit/scheduler/task/task.hpp>

namespace licit::inline v0 {

/// The functions of a coroutine's task. Its header and result are in front of its frame (frame_memory.hpp). The worker
/// that completes the task destroys the frame; the last reference, the block.
template <class T>
class coroutine_task {
  using place = coroutine_place<T>;
  using frame_handle = std::coroutine_handle<detail::task_promise<T>>;

 public:
  static task_outcome poll(task_header& header) noexcept {
    return continued(static_cast<coroutine_header&>(header), place::of(header));
  }
  static bool cancel(task_header& header) noexcept {
    return cancelled(static_cast<coroutine_header&>(header), place::of(header));
  }
  static void stop(task_header& header) noexcept { static_cast<coroutine_header&>(header).tell_token(); }
  static void discard(task_header& header) noexcept { place::of(header).result.clear(); }
  static constexpr auto discard_if_any = task_result<T>::is_trivial ? nullptr : &discard;
  static std::exception_ptr take_exception(task_header& header) noexcept {
    return place::of(header).result.take_exception();
  }
  static void destroy(task_header& header) noexcept {
    place& block = place::of(header);
    block.result.clear();  // first: its destructor may ask for the task that runs
    std::destroy_at(&block.header);
    block.free();
  }

  static constexpr task_functions does{&poll, &cancel, &destroy, &stop, &take_exception, discard_if_any, true};

  /// Both also for a header that is elsewhere.
  static task_outcome continued(coroutine_header& header, place& block) noexcept {
    const frame_handle frame = frame_handle::from_address(block.frame());
    do {
      if (header.hops()) {  // before this run
        if (const auto how = header.leave()) return *how;
        if (!spend_budget()) {  // it was refused; what throws that comes in the next run
          this_context().forced = true;
          return task_outcome::yielded;
        }
      }
      if (!header.go_on()) return task_outcome::suspended;
    } while (header.hops());
    if (!frame.done()) return this_context().yields ? task_outcome::yielded : task_outcome::suspended;
    const task_outcome how = block.result.has_exception() ? task_outcome::threw : task_outcome::finished;
    frame.destroy();
    return how;
  }
  static bool cancelled(coroutine_header& header, place& block) noexcept {
    if (!header.may_be_destroyed()) return false;
    const frame_handle frame = frame_handle::from_address(block.frame());
    detail::await_link::destroy(frame, frame.promise());
    block.result.set_cancelled();
    return true;
  }
};

/// The same of a coroutine that has not begun.
template <class T>
join_handle<T> make_coroutine_task(executor& home, std::coroutine_handle<detail::task_promise<T>> frame) {
  coroutine_place<T>& block = frame.promise().place();
  std::construct_at(&block.header, home, block.memory(), coroutine_task<T>::does, 1U);
  block.kept = true;
  block.header.suspend_at({.frame = frame});
  frame.promise().belongs_to(block.header);
  return {block.header, block.result};
}

/// Any thread. Like make_callable_task, for a coroutine, without an allocation. Throws std::invalid_argument if `body`
/// has no coroutine.
template <class T>
join_handle<T> make_coroutine_task(executor& home, task<T> body) {
  if (!body) throw std::invalid_argument("licit: spawn: the task has no coroutine (it was moved from, or awaited)");
  return make_coroutine_task<T>(home, body.release());
}

}  // namespace licit::inline v0

#endif
