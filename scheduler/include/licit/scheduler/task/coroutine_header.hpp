/// The part that a coroutine's task has besides its header: where it continues.
#ifndef LICIT_SCHEDULER_COROUTINE_HEADER_HPP
#define LICIT_SCHEDULER_COROUTINE_HEADER_HPP

#include <coroutine>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/scheduler/task/task_header.hpp>

namespace licit::inline v0 {

/// Where a suspended task continues: in the innermost of the coroutines that await one another. If there is a question,
/// only when its answer is yes.
struct suspension {
  std::coroutine_handle<> frame = nullptr;
  bool (*ready)(const void*) noexcept = nullptr;
  const void* asked = nullptr;
};

class coroutine_header : public task_header {
 public:
  /// The header of the task that this thread runs. Throws std::logic_error, which names the operation that needs one,
  /// if there is no task or it is a callable.
  static coroutine_header& running(const char* what) {
    task_header* const task = this_context().task;
    if (task == nullptr || !task->can_suspend()) {
      throw std::logic_error(std::string("licit: ") + what +
                             " outside of a coroutine that was spawned, or runs in block_on");
    }
    return static_cast<coroutine_header&>(*task);
  }

  /// The runner, at the end of a run. The next run continues at this point, after the task was woken.
  void suspend_at(suspension where) noexcept { where_ = where; }
  /// The same, but the task is queued at once, behind the others.
  void yield_at(std::coroutine_handle<> here) noexcept {
    where_ = {.frame = here};
    this_context().yields = true;
  }
  /// The same, because the run's budget is exhausted.
  void forced_yield_at(std::coroutine_handle<> here) noexcept {
    yield_at(here);
    this_context().forced = true;
  }

  /// A link for the registry that holds the task (task_registry.hpp).
  native::plain<coroutine_header*> registered;

 protected:
  using task_header::task_header;
  ~coroutine_header() = default;

  /// Whether the task continued. A wake-up for another reason changes nothing.
  bool go_on() {
    if (where_.frame == nullptr || (where_.ready != nullptr && !where_.ready(where_.asked))) return false;
    std::exchange(where_, {}).frame.resume();
    return true;
  }

 private:
  suspension where_;
};

}  // namespace licit::inline v0

#endif
