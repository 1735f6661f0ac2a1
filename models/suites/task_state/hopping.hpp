/// Programs of tasks that move from one scheduler to another, and of the registries that they leave.
#ifndef LICIT_SUITES_TASK_STATE_HOPPING_HPP
#define LICIT_SUITES_TASK_STATE_HOPPING_HPP

#include <licit/scheduler/task/task_registry.hpp>

#include "suites/program.hpp"
#include "suites/task_state/awaiting.hpp"
#include "suites/task_state/job.hpp"

namespace licit::suites {

/// Thread 0 runs a task, which moves, and is suspended on the second scheduler, where thread 1 wakes it.
template <class Model, class Program>
class hop_program : public job_program<Model, Program> {
 public:
  using job_type = job<Model, Program>;

  void finish() {
    if (this->anybody_stopped()) return;
    if (!task_.done()) task_.cancel();  // the wake came before the task was there
    task_.release();
    this->expect_destroyed();
  }

  task_outcome poll(job_type& it, int number) {
    if (number == 1 && it.move_to(second_)) return task_outcome::moved;
    if (number == 2) return task_outcome::suspended;
    it.leave(job_value);
    return task_outcome::finished;
  }
  void schedule(job_type& it, placement /*where*/) {
    Model::check(&it.home() == &second_, "a task is queued on the scheduler that it has left");
    it.run();
  }

 protected:
  job_home<Model> first_;
  job_home<Model> second_;
  job_type& task_ = this->make(2, first_);

 private:
  friend Program;
  hop_program() = default;
};

template <class Model>
class hops : public hop_program<Model, hops<Model>> {
 public:
  static constexpr program_info about{"hops", "a task that has moved is queued where it is, whoever wakes it", 2};
  void thread(unsigned i) {
    if (i == 0) {
      this->task_.run();
    } else {
      this->task_.wake();
      this->task_.release();
    }
  }
};
/// Thread 0 has the task's handle and its entry, and perhaps every reference.
template <class Model>
class hops_in_a_held_run : public hop_program<Model, hops_in_a_held_run<Model>> {
 public:
  static constexpr program_info about{
      "hops_in_a_held_run", "a task that moves in a run by its only owner is another worker's from then on", 2};
  void thread(unsigned i) {
    if (i == 1) return this->task_.release();
    (void)this->task_.run_held();
    this->task_.wake();
  }
};
template <class Model>
class hops_and_is_cancelled : public hop_program<Model, hops_and_is_cancelled<Model>> {
 public:
  static constexpr program_info about{"hops_and_is_cancelled", "a task that has moved is destroyed where it is", 2};
  void thread(unsigned i) {
    if (i == 0) {
      this->task_.run();
    } else {
      this->task_.cancel();
      this->task_.release();
    }
  }
};

/// The awaited task is of the same scheduler, moves, and completes on the second one, while the first one cancels what
/// is left and ends.
template <class Model>
class moves_while_awaited : public awaits_and_ends<Model, moves_while_awaited<Model>> {
  using base = awaits_and_ends<Model, moves_while_awaited>;

 public:
  static constexpr program_info about{
      "moves_while_awaited",
      "a scheduler ends only when nobody has a reference to its task, wherever the task "
      "that it awaits has moved",
      2,
      reach::none,
      true,
      "visit. begin. left."};

  moves_while_awaited() : base{base::awaited_is::here} {}
  void thread(unsigned i) {
    if (i == 1) {
      this->awaited_.run();                    // a worker of the first scheduler
      left_.store(1, order::release, "left");  // by the count of its tasks
      this->awaited_.run();                    // a worker of the second one
      return;
    }
    this->awaiting_.run();
    this->awaiting_.cancel();
    if (!this->awaiting_.done()) return;
    this->awaiting_.detach();
    left_.await_value(1, order::acquire, "left.look");
    this->first_.end();
  }
  void finish() {
    if (this->anybody_stopped()) return;
    if (!this->first_.ended()) this->awaiting_.detach();
    this->expect_destroyed();
  }
  task_outcome poll_awaited(int number) {
    if (number == 1 && this->awaited_.move_to(second_)) return task_outcome::moved;
    this->awaited_.leave(job_value);
    return task_outcome::finished;
  }
  void schedule(typename base::job_type& it, placement /*where*/) {
    if (&it == &this->awaiting_) it.run();  // the other waits for thread 1 in the second scheduler's queue
  }

 private:
  job_home<Model> second_;
  typename Model::template atomic<int> left_;
};

/// A task that awaits another runs early, finds that complete, and moves before it is told.
template <class Model>
class moves_before_it_is_told : public job_program<Model, moves_before_it_is_told<Model>> {
  using job_type = job<Model, moves_before_it_is_told>;

 public:
  static constexpr program_info about{"moves_before_it_is_told",
                                      "who tells a task that has moved ends its visit where it began",
                                      2,
                                      reach::none,
                                      false,
                                      "begin."};

  void thread(unsigned i) {
    if (i == 1) {
      awaited_.run();
      return;
    }
    awaiting_.run();
    awaiting_.wake();  // for another reason
    awaiting_.release();
  }
  void finish() {
    if (this->anybody_stopped()) return;
    first_.expect_nobody();
    second_.expect_nobody();
    this->expect_destroyed();
  }

  task_outcome poll(job_type& it, int /*number*/) {
    if (&it == &awaited_) {
      it.leave(job_value);
      return task_outcome::finished;
    }
    if (!registered_.read() && awaited_.begin_wait(awaiting_, 3)) {
      registered_.write(true);
      return task_outcome::suspended;
    }
    if (!awaited_.done()) return task_outcome::suspended;
    if (!moved_.read()) {
      moved_.write(true);
      if (awaiting_.move_to(second_)) return task_outcome::moved;
    }
    awaited_.release();
    return task_outcome::finished;
  }
  void tell(job_type& of, int /*who*/) { awaiting_.wake_lent(of.joiner_at()); }

 private:
  job_home<Model> first_;
  job_home<Model> second_;
  typename Model::template plain<bool> registered_;  // in the frame of the awaiting task
  typename Model::template plain<bool> moved_;
  job_type& awaited_ = this->make(1);
  job_type& awaiting_ = this->make(1, first_);
};

/// A task is in the registry of its scheduler. Thread 0 runs it, and thread 1 closes the registry.
template <class Model, class Program>
class registered_program : public job_program<Model, Program> {
 public:
  using job_type = job<Model, Program>;

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      here_.cancel_all();
    }
  }
  void finish() {
    if (this->anybody_stopped()) return;
    if (!task_.done()) there_.cancel_all();
    Model::check(task_.done(), "a task is in one registry at least while it is suspended");
    task_.release();
    this->expect_destroyed();
  }

 protected:
  using registry = task_registry<Model, job_type>;
  registry here_{*Model::memory(), 1};
  registry there_{*Model::memory(), 1};
  job_home<Model> first_;
  job_home<Model> second_;
  job_type& task_ = this->make(1, first_);

 private:
  friend Program;
  registered_program() { Model::check(task_.enter(here_), "an open registry takes a task"); }
};

template <class Model>
class ends_while_registries_close : public registered_program<Model, ends_while_registries_close<Model>> {
 public:
  static constexpr program_info about{"ends_while_registries_close",
                                      "a task that completes while its registry closes is destroyed once, after both",
                                      2};
  using job_type = job<Model, ends_while_registries_close>;
  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(job_value);
    return task_outcome::finished;
  }
};
template <class Model>
class hops_while_registries_close : public registered_program<Model, hops_while_registries_close<Model>> {
 public:
  static constexpr program_info about{
      "hops_while_registries_close",
      "a task that moves while the registry closes that it leaves is cancelled, or is in "
      "the other registry",
      2};
  using job_type = job<Model, hops_while_registries_close>;
  bool admits(job_type& it, job_home<Model>& /*to*/) { return it.enter(this->there_); }
  task_outcome poll(job_type& it, int number) {
    if (number == 1 && it.move_to(this->second_)) return task_outcome::moved;
    return task_outcome::suspended;
  }
};
template <class Model>
class is_refused_while_registries_close : public registered_program<Model, is_refused_while_registries_close<Model>> {
 public:
  static constexpr program_info about{"is_refused_while_registries_close",
                                      "a task that is refused is where it was, in the registry there", 2};
  using job_type = job<Model, is_refused_while_registries_close>;
  bool admits(job_type& it, job_home<Model>& /*to*/) {
    (void)it.enter(this->there_);
    return false;
  }
  task_outcome poll(job_type& it, int /*number*/) {
    Model::check(!it.move_to(this->second_), "a scheduler that refuses a task has none");
    Model::check(&it.home() == &this->first_, "a task that is refused stays");
    if (!refused_.read()) this->there_.cancel_all();
    refused_.write(true);
    it.leave(job_value);
    return task_outcome::finished;
  }

 private:
  typename Model::template plain<bool> refused_;
};

}  // namespace licit::suites

#endif
