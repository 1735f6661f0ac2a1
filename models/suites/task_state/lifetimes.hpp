/// Programs of what is around a task: its result, wakers, and the end of its scheduler.
#ifndef LICIT_SUITES_TASK_STATE_LIFETIMES_HPP
#define LICIT_SUITES_TASK_STATE_LIFETIMES_HPP

#include <array>
#include <utility>

#include <licit/scheduler/census.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/task/task_registry.hpp>
#include <licit/scheduler/task/waker.hpp>

#include "suites/program.hpp"
#include "suites/task_state/job.hpp"

namespace licit::suites {

/// Thread 0 runs a task that has a result, which dies once; thread 1 has the handle.
template <class Model, class Program>
class result_program : public job_program<Model, Program> {
 public:
  using job_type = job<Model, Program>;

  void finish() {
    if (this->anybody_stopped()) return;
    Model::check(discarded_.read() == 1, "a result is destroyed once");
    this->expect_destroyed();
  }
  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(job_value);
    return task_outcome::finished;
  }
  [[nodiscard]] bool has_result(const job_type& /*of*/) const { return true; }
  void discard_result(job_type& it) {
    Model::check(it.left() == job_value, "a result is destroyed after it is there, and before its task");
    it.leave(no_result);
    discarded_.write(discarded_.read() + 1);
  }
  void report(job_type& it) { discard_result(it); }

 protected:
  typename Model::template plain<int> discarded_;
  job_type& task_ = this->make(1);

 private:
  friend Program;
  result_program() = default;
};

template <class Model>
class gets : public result_program<Model, gets<Model>> {
 public:
  static constexpr program_info about{
      "gets", "a thread that gets a result destroys it, and with the worker that completes the task this, once", 2,
      reach::none, true};
  void thread(unsigned i) {
    if (i == 0) {
      this->task_.run();
      return;
    }
    this->task_.state().wait();
    Model::check(this->task_.left() == job_value, "the result is visible where it is got");
    this->task_.give_back();
  }
};
template <class Model>
class drops : public result_program<Model, drops<Model>> {
 public:
  static constexpr program_info about{
      "drops", "a result without a handle dies with the task's completion, or with the handle if that is later", 2};
  void thread(unsigned i) { i == 0 ? void(this->task_.run()) : this->task_.detach(); }
};

/// A suspended task, of which nobody but two threads has wakers.
template <class Model>
class wakers : public job_program<Model, wakers<Model>> {
  using job_type = job<Model, wakers>;

 public:
  static constexpr program_info about{
      "wakers", "one of two wakers runs the task to its end, while the other may be the last that wakes it", 2};

  wakers() {
    task_.run();
    for (auto& w : mine_) w = basic_waker<job_type>(task_);
    task_.release();
  }
  void thread(unsigned i) {
    const basic_waker<job_type> copy = mine_[i];
    const basic_waker<job_type> moved = std::move(mine_[i]);
    Model::check(copy == moved && !mine_[i], "a copy is of the same task, and what was moved from is empty");
    copy.wake();
  }
  void finish() {
    if (this->anybody_stopped()) return;
    Model::check(ended_.read() == 1, "a task that is woken twice ends once");
    this->expect_destroyed();
  }
  task_outcome poll(job_type& it, int number) {
    if (number == 1) return task_outcome::suspended;
    ended_.write(ended_.read() + 1);
    it.leave(job_value);
    return task_outcome::finished;
  }

 private:
  typename Model::template plain<int> ended_;
  job_type& task_ = this->make(1);
  std::array<basic_waker<job_type>, 2> mine_;
};

/// A result's destructor waits for another task, which its worker would run next. The worker is in the context of a
/// task there too, so it tells the other worker before it blocks.
template <class Model>
class waits_in_a_destructor_of : public job_program<Model, waits_in_a_destructor_of<Model>> {
  using job_type = job<Model, waits_in_a_destructor_of>;

 public:
  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      other_worker_.park();
      awaited_.run();  // stolen
    }
  }
  void finish() { this->expect_destroyed(); }

  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(job_value);
    return task_outcome::finished;
  }
  template <class Act>
  void in_context(job_type& it, Act act) {
    in_task_ = in_task_ || &it == &task_;
    act();
  }
  void destroy(job_type& it) {
    if (&it == &task_) {                     // its result has a handle, and gets
      if (in_task_) other_worker_.unpark();  // executor::blocking
      awaited_.state().wait();
      awaited_.give_back();
    }
    job_program<Model, waits_in_a_destructor_of>::destroy(it);
  }

 private:
  parker<Model> other_worker_;
  bool in_task_ = false;  // thread 0's
  job_type& task_ = this->make(0);
  job_type& awaited_ = this->make(1);
};
template <class Model>
class waits_in_a_destructor : public waits_in_a_destructor_of<Model> {
 public:
  static constexpr program_info about{"waits_in_a_destructor",
                                      "a worker that waits in the destructor of a result hands over its tasks", 2,
                                      reach::none, true};
};

/// Thread 0 is a worker with one task, which suspends; thread 1 shuts the scheduler down by cancelling, in the order in
/// which the engine does it.
template <class Model>
class shuts_down_of : public job_program<Model, shuts_down_of<Model>> {
  using job_type = job<Model, shuts_down_of>;

 public:
  shuts_down_of() { Model::check(all_.enter(), "the doors are open"); }

  void thread(unsigned i) {
    if (i == 0) {
      run(task_);
      return;
    }
    all_.close(licit::detail::doors::closed);
    registry_.cancel_all();
    Model::check(all_.wait_for_none(), "without a limit of time the wait ended early");
    ended_.write(1);
  }
  void finish() { this->expect_destroyed(); }

  task_outcome poll(job_type& /*it*/, int number) {
    Model::check(number == 1, "a cancelled task does not run");
    return task_outcome::suspended;
  }
  bool may_suspend(job_type& it) {
    if (!it.enter(registry_)) (void)it.state().cancel();  // closed
    return true;
  }
  void schedule(job_type& it, placement /*where*/) { run(it); }
  void destroy(job_type& it) {
    Model::check(ended_.read() == 0, "a task outlives its scheduler");
    job_program<Model, shuts_down_of>::destroy(it);
  }

 private:
  /// A worker. Whoever queues the task is the only one that may run it.
  void run(job_type& it) {
    if (it.run() != task_outcome::cancelled) return;
    all_.leave(0);
    all_.tell();
  }

  licit::detail::census<Model> all_{1};
  task_registry<Model, job_type> registry_{*Model::memory(), 1};
  typename Model::template plain<int> ended_;
  job_type& task_ = this->make(0);
};
template <class Model>
class shuts_down : public shuts_down_of<Model> {
 public:
  static constexpr program_info about{
      "shuts_down", "a shutdown that cancels waits for a task that suspends meanwhile, and for its end", 2, reach::none,
      true};
};

}  // namespace licit::suites

#endif
