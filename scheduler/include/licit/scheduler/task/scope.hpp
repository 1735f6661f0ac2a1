/// Structured concurrency: tasks that end before the coroutine that started them goes on. The stop token of a
/// coroutine.
#ifndef LICIT_SCHEDULER_SCOPE_HPP
#define LICIT_SCHEDULER_SCOPE_HPP

#include <coroutine>
#include <exception>
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/spawn.hpp>

namespace licit::inline v0 {

/// A child that its parent's thread runs may wait for its stop: the parent, which would cancel it, has to suspend
/// first.
class stop_token_awaiter {
 public:
  [[nodiscard]] bool await_ready() const noexcept {
    const run_context& here = this_context();
    return here.task == nullptr || (here.task != here.joined && !here.task->is_child_of(here.group));
  }
  void await_suspend(std::coroutine_handle<> here) const noexcept { coroutine_header::running()->yield_at(here); }
  [[nodiscard]] std::stop_token await_resume() const {
    return coroutine_header::running("co_await get_stop_token").stop_token();
  }
};

/// `co_await get_stop_token()` in a coroutine that was spawned or runs in `block_on`; throws std::logic_error
/// elsewhere. Returns the token of its task, whose stop is requested when the task is cancelled: by its handle, by its
/// scope, or by a shutdown. Callbacks run in the thread that cancels, before the frame is destroyed. Suspends only a
/// coroutine that `when_all` or `join` runs as a task in its caller's thread; that yields. The first call in a task
/// allocates the state of std::stop_source.
[[nodiscard]] inline stop_token_awaiter get_stop_token() noexcept { return {}; }

namespace detail {

/// Waits until all children of the group have left it. A task that is cancelled here cancels them, and its frames are
/// destroyed when they have left.
class group_awaiter {
 public:
  explicit group_awaiter(task_group& group) noexcept : group_{&group} {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> here) const noexcept {
    coroutine_header& mine = *coroutine_header::running();
    executor* const visited = mine.lend();  // to the group
    if (group_->child_group::join({&mine, visited})) {
      mine.take_back(visited);
      return false;
    }
    mine.suspend_at({.frame = here, .ready = &joined, .asked = group_, .stop = &stop});
    if (mine.state().is_cancelled()) group_->cancel();  // now: the children may be in front of it in the queue
    return true;
  }
  void await_resume() const noexcept {}

 private:
  static bool joined(const void* group) noexcept { return static_cast<const task_group*>(group)->joined(); }
  static bool stop(const void* group) noexcept {
    auto& children = *static_cast<task_group*>(const_cast<void*>(group));  // as `await_suspend` had it
    children.cancel();
    return children.joined();
  }

  task_group* group_;
};

/// The handle of a child, in the frame of the parent, which has joined the group when it destroys this. The child's
/// result dies with it.
template <class T>
class child_handle : public join_handle<T> {
 public:
  child_handle() = default;
  child_handle(const child_handle&) = delete;
  child_handle& operator=(const child_handle&) = delete;
  ~child_handle() { child_result::drop(*this); }
  void set(join_handle<T> child) noexcept { join_handle<T>::operator=(std::move(child)); }
};

/// A member of the group. Starts a task as its child; a group that is cancelled cancels the task at once. With
/// `unclaimed` the handle is empty afterwards. Throws executor_closed and std::bad_alloc; the task is then cancelled.
template <class T>
void start(task_group& group, join_handle<T>& handle, bool unclaimed) {
  task_header& child = handle.header();
  child.retain();  // for this call
  struct reference {
    task_header& task;
    bool started = false;
    ~reference() {
      if (!started) task.abandon();
      task.release();
    }
  } mine{child};
  if (unclaimed) handle.detach();
  if (!child.join(group, unclaimed)) return;
  if (!group.on.admit(child)) throw executor_closed();
  mine.started = true;
  group.on.schedule(child, placement::next);
}

/// While it lives, a variable has another value.
template <class T>
class value_scope {
 public:
  value_scope(T& variable, T value) noexcept : variable_{variable}, before_{std::exchange(variable, value)} {}
  ~value_scope() { variable_ = before_; }
  value_scope(const value_scope&) = delete;
  value_scope& operator=(const value_scope&) = delete;

 private:
  T& variable_;
  const T before_;
};

/// Instead of waiting for a child: runs it, if nobody has begun it, as an await of its handle does. Whether it ran.
inline bool run_child(coroutine_header& caller, task_header& child) noexcept {
  executor* const place = place_of(child, caller);
  if (place == nullptr || !child.may_be_claimed() || caller.state().is_cancelled()) return false;
  return (caller.spend() || place->is_visited()) && place->run_in_place(child);
}

/// Whether this thread is not the executor's own, and has nothing else to run while it waits.
[[nodiscard]] inline bool is_visited_here(const executor& on) noexcept {
  return on.is_visited() && executor_hold::has(on);
}

/// A worker takes the body from its queue next; this thread has none.
inline void run_body_here(const task_group& group, task_header& body) noexcept {
  const value_scope<const task_group*> runs_its_child(context_at_hand().group, &group);
  (void)run_child(*coroutine_header::running(), body);
}

/// For a coroutine that has a group.
inline executor& executor_of_group(const char* what) {
  (void)coroutine_header::running(what);
  return current_or_throw();
}

}  // namespace detail

/// A scope of tasks, as `in_scope` makes it. Its children may use it, too, and may spawn further ones.
class scope {
 public:
  explicit scope(task_group& group) noexcept : group_{&group} {}
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  /// The scope's body or a child, in any thread, until it ends. Makes a task of the coroutine, a child of the scope, on
  /// the scope's executor. Its value is dropped. If it throws, the scope is cancelled. In a scope that is cancelled
  /// already the coroutine is destroyed without being run. Throws executor_closed, std::bad_alloc, and
  /// std::invalid_argument if `body` has no coroutine. Lock-free.
  template <class T>
  void spawn(task<T> body) {
    join_handle<T> child = make_coroutine_task(group_->on, std::move(body));
    detail::start(*group_, child, true);
  }
  /// The same for a callable, which gets copies of the arguments, and before these a std::stop_token if it takes one.
  /// If it returns a `task`, that runs, too.
  template <class F, class... Args>
    requires detail::spawnable_with<F, Args...>
  void spawn(F&& callable, Args&&... arguments) {
    executor& on = group_->on;
    if constexpr (detail::makes_task<F, Args...>) {
      spawn(detail::unwrapped<std::decay_t<F>, std::decay_t<Args>...>(
          std::allocator_arg, &on.memory(), std::forward<F>(callable), std::forward<Args>(arguments)...));
    } else {
      auto child = make_callable_task(on, on.memory(),
                                      detail::bound(std::forward<F>(callable), std::forward<Args>(arguments)...));
      detail::start(*group_, child, true);
    }
  }

  /// The same callers. Cancels the body and all children, as `join_handle::request_stop` does. Unless a child throws,
  /// `in_scope` then throws task_cancelled, or returns the body's value if the body has ended all the same. Stop
  /// callbacks run in this call.
  void request_stop() { group_->cancel(); }

 private:
  task_group* group_;
};

/// To be awaited in a coroutine that was spawned or runs in `block_on`; throws std::logic_error elsewhere. Calls
/// `body(scope&)`, runs the coroutine that it returns as a task, in `block_on` in the caller's thread, and goes on when
/// that and all children of the scope have ended. Then it returns the body's value. The scope, `body` with its
/// captures, and whatever the caller has in its frame outlive all of them.
///
/// The first exception of the body or a child cancels the others, and is rethrown; later ones go to
/// `executor::unobserved`. If a child was cancelled by somebody else, such as a shutdown, it throws task_cancelled when
/// all have ended. If the caller's task is cancelled, the body and the children are, and the caller's frames
/// are destroyed when all have ended.
template <std::invocable<scope&> Body>
task<typename detail::value_of_task<std::invoke_result_t<Body&, scope&>>::type> in_scope(Body body) {
  using value = typename detail::value_of_task<std::invoke_result_t<Body&, scope&>>::type;
  task_group group(detail::executor_of_group("in_scope"), task_group::decides::failure);
  scope here(group);
  detail::child_handle<value> main;
  std::exception_ptr refused;
  try {
    main.set(make_coroutine_task(group.on, std::invoke(body, here)));
    detail::start(group, main, false);
  } catch (...) {
    refused = std::current_exception();
    group.cancel();
  }
  if (main.joinable() && detail::is_visited_here(group.on)) detail::run_body_here(group, main.header());
  co_await detail::group_awaiter(group);
  if (refused) std::rethrow_exception(refused);
  if (const std::exception_ptr first = group.take_error()) std::rethrow_exception(first);
  if (group.lost()) throw task_cancelled();
  co_return child_result::take(main);
}

}  // namespace licit::inline v0

#endif
