/// Programs of a task's state that no line can say: tasks that wait for another task, and the bounds of the operations.
#ifndef LICIT_SUITES_TASK_STATE_AWAITING_HPP
#define LICIT_SUITES_TASK_STATE_AWAITING_HPP

#include <licit/scheduler/census.hpp>

#include "suites/program.hpp"
#include "suites/task_state/job.hpp"

namespace licit::suites {

template <class Model>
class awaits : public job_program<Model, awaits<Model>> {
  using job_type = job<Model, awaits>;

 public:
  static constexpr program_info about{"awaits",
                                      "a task that awaits another is woken by its completion, and sees its result", 2};

  void thread(unsigned i) { i == 0 ? awaiting_.run() : awaited_.run(); }
  void finish() {
    if (!this->anybody_stopped()) this->expect_destroyed();
  }

  task_outcome poll(job_type& it, int number) {
    if (&it == &awaited_) {
      it.leave(job_value);
      return task_outcome::finished;
    }
    if (number == 1 && awaited_.begin_wait(awaiting_, 3)) return task_outcome::suspended;
    Model::check(awaited_.done() && awaited_.left() == job_value, "the result is visible to the awaiting task");
    awaited_.release();
    return task_outcome::finished;
  }
  void tell(job_type& it, int /*who*/) { it.wake_waiting(awaiting_); }

 private:
  job_type& awaited_ = this->make(1);
  job_type& awaiting_ = this->make(0);
};

template <class Model>
class awaits_and_is_stopped : public job_program<Model, awaits_and_is_stopped<Model>> {
  using job_type = job<Model, awaits_and_is_stopped>;

 public:
  static constexpr program_info about{"awaits_and_is_stopped",
                                      "a task that awaits another may be cancelled while the other completes", 3};

  void thread(unsigned i) {
    if (i == 0) {
      awaiting_.run();
    } else if (i == 1) {
      awaited_.run();
    } else {
      awaiting_.cancel();
      awaiting_.detach();
    }
  }
  void finish() {
    if (!this->anybody_stopped()) this->expect_destroyed();
  }

  task_outcome poll(job_type& it, int /*number*/) {
    if (&it == &awaited_) {
      it.leave(job_value);
      return task_outcome::finished;
    }
    if (!registered_.read()) {
      if (awaited_.begin_wait(awaiting_, 3)) {
        registered_.write(true);
        return task_outcome::suspended;
      }
    } else if (!awaited_.done()) {
      return task_outcome::suspended;
    }
    Model::check(awaited_.left() == job_value, "the result is visible to the awaiting task");
    awaited_.release();
    return task_outcome::finished;
  }
  /// Destroys the frame, which has the joiner and the handle in it. Only the awaiting task is cancelled.
  void stop(job_type& /*it*/) {
    if (registered_.read()) awaited_.give_up_wait(awaiting_);
    awaited_.detach();
  }
  void tell(job_type& it, int /*who*/) { it.wake_waiting(awaiting_); }

 private:
  typename Model::template plain<bool> registered_;  // in the frame of the awaiting task
  job_type& awaited_ = this->make(1);
  job_type& awaiting_ = this->make(1);
};

/// Two schedulers: a task of the first awaits one of the second, whose worker completes it while the first cancels and
/// ends. The first scheduler's memory is a cell that its end overwrites.
template <class Model>
class awaits_elsewhere : public job_program<Model, awaits_elsewhere<Model>> {
  using job_type = job<Model, awaits_elsewhere>;

 public:
  static constexpr program_info about{"awaits_elsewhere",
                                      "a scheduler ends only when no other's worker has a reference to its task",
                                      2,
                                      reach::none,
                                      true,
                                      "visit. begin."};

  void thread(unsigned i) {
    if (i == 1) {
      awaited_.run();
      return;
    }
    awaiting_.run();
    awaiting_.cancel();
    if (!awaiting_.done()) return;  // the other thread is about to run it, as a worker of the first scheduler
    awaiting_.detach();
    visitors_.all.wait_for_visitors();
    memory_.write(1);
  }
  void finish() {
    if (memory_.read() == 0) awaiting_.detach();
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
    awaited_.release();
    return task_outcome::finished;
  }
  void stop(job_type& /*it*/) {
    if (registered_.read()) awaited_.give_up_wait(awaiting_);
    awaited_.detach();
  }
  void tell(job_type& it, int /*who*/) {
    Model::check(memory_.read() == 0, "a thread uses a task of a scheduler that has ended");
    it.wake_waiting(awaiting_);
  }
  void destroy(job_type& it) {
    if (&it == &awaiting_) Model::check(memory_.read() == 0, "a task outlives its scheduler");
    job_program<Model, awaits_elsewhere>::destroy(it);
  }

  struct first_scheduler {
    licit::detail::census<Model> all{1};
    void visit_begins() { (void)all.come(); }
    void visit_ends() { all.go(); }
  };
  first_scheduler* visited_by(job_type& /*of*/, job_type& /*waiting*/) { return &visitors_; }

 private:
  first_scheduler visitors_;
  typename Model::template plain<int> memory_;       // 1: the first scheduler's is gone
  typename Model::template plain<bool> registered_;  // in the frame of the awaiting task
  job_type& awaited_ = this->make(1);
  job_type& awaiting_ = this->make(1);
};

/// A thread of another scheduler wakes a suspended task, and has not queued it yet, while a worker claims it.
template <class Model>
class claims_before_the_end : public job_program<Model, claims_before_the_end<Model>> {
  using job_type = job<Model, claims_before_the_end>;

 public:
  static constexpr program_info about{"claims_before_the_end",
                                      "a scheduler does not end before the thread that wakes its task has queued it",
                                      2,
                                      reach::none,
                                      true,
                                      "visit. begin."};

  claims_before_the_end() { task_.run(); }
  void thread(unsigned i) {
    if (i == 1) {
      task_.wake();
      task_.release();
      return;
    }
    (void)task_.run_in_place();
    if (!task_.done()) return;
    visitors_.wait_for_visitors();
    memory_.write(1);
  }
  void finish() {
    task_.release();
    this->expect_destroyed();
  }

  task_outcome poll(job_type& it, int number) {
    if (number == 1) return task_outcome::suspended;
    it.leave(job_value);
    return task_outcome::finished;
  }
  void schedule(job_type& it, placement /*where*/) {
    (void)visitors_.come();
    Model::check(memory_.read() == 0, "a task is queued on a scheduler that has ended");
    it.run();
    visitors_.go();
  }

 private:
  licit::detail::census<Model> visitors_{1};
  typename Model::template plain<int> memory_;  // 1: the scheduler's is gone
  job_type& task_ = this->make(2);
};

template <class Model>
class bounds {
 public:
  static constexpr program_info about{
      "bounds", "each operation does at most a few on the word, whatever the other threads do", 2, reach::none, false,
      "begin."};

  void thread(unsigned i) {
    if (i == 0) {
      constexpr int changes = 8;  // of the other thread, each of which may make begin look again
      const bool runs = Model::within(2 + changes, [&] { return state_.begin(); }) == beginning::runs;
      if (runs && !Model::within(1, [&] { return state_.suspend(); })) return;
      if (runs) (void)Model::within(2 + changes, [&] { return state_.begin(); });
      Model::within(1, [&] { return state_.complete(0); });
    } else {
      Model::within(1, [&] { state_.retain(); });
      const bool first = Model::within(1, [&] { return state_.wake(); });
      if (Model::within(4, [&] { return state_.join(3); })) Model::within(3, [&] { return state_.unjoin(); });
      const bool second = Model::within(1, [&] { return state_.cancel().idle; });
      Model::within(2, [&] { return state_.detach(); });
      Model::within(1, [&] { return state_.done(); });
      Model::check(!Model::within(1, [&] { return state_.release(); }), "a reference is left");
      Model::check(!(first && second), "either the wake or the cancel schedules the task, not both");
    }
  }
  void finish() {}

 private:
  task_state<Model, int> state_{2};
};

}  // namespace licit::suites

#endif
