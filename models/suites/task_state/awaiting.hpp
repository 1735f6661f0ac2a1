/// Programs of a task's state that no line can say: tasks that wait for another task, and the bounds of the operations.
#ifndef LICIT_SUITES_TASK_STATE_AWAITING_HPP
#define LICIT_SUITES_TASK_STATE_AWAITING_HPP

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
    if (number == 1) {
      awaiting_.retain();  // the joiner's
      if (awaited_.state().join(3)) return task_outcome::suspended;
      awaiting_.release();
    }
    Model::check(awaited_.done() && awaited_.left() == job_value, "the result is visible to the awaiting task");
    awaited_.release();
    return task_outcome::finished;
  }
  void tell(job_type& /*it*/, int /*who*/) {
    awaiting_.wake();
    awaiting_.release();
  }

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
      awaiting_.retain();  // the joiner's
      if (awaited_.state().join(3)) {
        registered_.write(true);
        return task_outcome::suspended;
      }
      awaiting_.release();
    } else if (!awaited_.done()) {
      return task_outcome::suspended;
    }
    Model::check(awaited_.left() == job_value, "the result is visible to the awaiting task");
    awaited_.release();
    return task_outcome::finished;
  }
  /// Destroys the frame, which has the joiner and the handle in it. Only the awaiting task is cancelled.
  void stop(job_type& /*it*/) {
    if (registered_.read() && awaited_.state().unjoin()) awaiting_.release();
    awaited_.detach();
  }
  void tell(job_type& /*it*/, int /*who*/) {
    awaiting_.wake();
    awaiting_.release();
  }

 private:
  typename Model::template plain<bool> registered_;  // in the frame of the awaiting task
  job_type& awaited_ = this->make(1);
  job_type& awaiting_ = this->make(1);
};

template <class Model>
class bounds {
 public:
  static constexpr program_info about{
      "bounds", "each operation does at most a few on the word, whatever the other threads do", 2};

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
      const bool second = Model::within(1, [&] { return state_.cancel(); });
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
