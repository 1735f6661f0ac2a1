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
  void finish() { this->expect_destroyed(); }

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
  void tell(job_type& of, int /*who*/) { awaiting_.wake_lent(of.joiner_at()); }

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
  void finish() { this->expect_destroyed(); }

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
  void tell(job_type& of, int /*who*/) { awaiting_.wake_lent(of.joiner_at()); }

 private:
  typename Model::template plain<bool> registered_;  // in the frame of the awaiting task
  job_type& awaited_ = this->make(1);
  job_type& awaiting_ = this->make(1);
};

/// Two schedulers: a task of the first awaits another one, and is cancelled. It holds the handle, and is told by
/// whoever completes the other; `Program` has what the awaited one does.
template <class Model, class Program>
class awaits_and_ends : public job_program<Model, Program> {
 public:
  using job_type = job<Model, Program>;

  task_outcome poll(job_type& it, int number) {
    if (&it == &awaited_) return static_cast<Program*>(this)->poll_awaited(number);
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
  void tell(job_type& of, int /*who*/) {
    first_.expect_alive("a thread uses a task of a scheduler that has ended");
    awaiting_.wake_lent(of.joiner_at());
  }
  void destroy(job_type& it) {
    if (&it == &awaiting_) first_.expect_alive("a task outlives its scheduler");
    job_program<Model, Program>::destroy(it);
  }

 protected:
  enum class awaited_is { elsewhere, here };

  job_home<Model> first_;
  typename Model::template plain<bool> registered_;  // in the frame of the awaiting task
  job_type& awaited_;
  job_type& awaiting_ = this->make(1, first_);

 private:
  friend Program;
  explicit awaits_and_ends(awaited_is where)
      : awaited_{where == awaited_is::here ? this->make(1, first_) : this->make(1)} {}
};

/// The awaited task is the second scheduler's, whose worker completes it while the first one cancels and ends.
template <class Model>
class awaits_elsewhere : public awaits_and_ends<Model, awaits_elsewhere<Model>> {
  using base = awaits_and_ends<Model, awaits_elsewhere>;

 public:
  static constexpr program_info about{"awaits_elsewhere",
                                      "a scheduler ends only when no other's worker has a reference to its task",
                                      2,
                                      reach::none,
                                      true,
                                      "visit. begin."};

  awaits_elsewhere() : base{base::awaited_is::elsewhere} {}
  void thread(unsigned i) {
    if (i == 1) {
      this->awaited_.run();
      return;
    }
    this->awaiting_.run();
    this->awaiting_.cancel();
    if (!this->awaiting_.done()) return;  // the other thread is about to run it, as a worker of the first scheduler
    this->awaiting_.detach();
    this->first_.end();
  }
  void finish() {
    if (!this->first_.ended()) this->awaiting_.detach();
    this->expect_destroyed();
  }
  task_outcome poll_awaited(int /*number*/) {
    this->awaited_.leave(job_value);
    return task_outcome::finished;
  }
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
    home_.end();
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
    home_.visit_begins();
    home_.expect_alive("a task is queued on a scheduler that has ended");
    it.run();
    home_.visit_ends();
  }

 private:
  job_home<Model> home_;
  job_type& task_ = this->make(2, home_);
};

/// A thread with a task's entry and handle runs it, and the run gives another thread a reference.
template <class Model>
class lends : public job_program<Model, lends<Model>> {
  using job_type = job<Model, lends>;

 public:
  static constexpr program_info about{"lends", "a task lives as long as the last reference, also one that its run made",
                                      2};

  void thread(unsigned i) {
    if (i == 0) {
      (void)task_.run_held();
      Model::check(task_.done() && task_.left() == job_value, "the result is there");
      task_.release();
    } else if (lent_.load(order::acquire) == 1) {
      taken_.write(1);
      task_.note(1);
      task_.release();
    }
  }
  void finish() {
    if (this->anybody_stopped()) return;
    if (taken_.read() == 0) task_.release();
    this->expect_destroyed();
  }

  task_outcome poll(job_type& it, int /*number*/) {
    it.retain();
    lent_.store(1, order::release);
    it.leave(job_value);
    return task_outcome::finished;
  }

 private:
  typename Model::template atomic<int> lent_{0};
  typename Model::template plain<int> taken_;
  job_type& task_ = this->make(1);
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
      if (Model::within(5, [&] { return state_.join(3); })) Model::within(4, [&] { return state_.unjoin(); });
      (void)Model::within(1, [&] { return state_.begin_to_stop(); });
      const bool second = Model::within(1, [&] { return state_.cancel(); });
      Model::within(2, [&] { return state_.detach(); });
      Model::within(1, [&] { return state_.done(); });
      Model::check(!Model::within(2, [&] { return state_.release(); }), "a reference is left");
      Model::check(!(first && second), "either the wake or the cancel schedules the task, not both");
    }
  }
  void finish() {}

 private:
  task_state<Model, int> state_{2};
};

}  // namespace licit::suites

#endif
