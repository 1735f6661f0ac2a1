/// Tasks whose frame and result are not atomic: whatever the state word alone does not order is a race.
#ifndef LICIT_SUITES_TASK_STATE_JOB_HPP
#define LICIT_SUITES_TASK_STATE_JOB_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>

#include <licit/scheduler/census.hpp>
#include <licit/scheduler/task/task_protocol.hpp>

#include "suites/line.hpp"

namespace licit::suites {

/// What a task leaves as its result.
enum job_result : int { no_result = 0, job_value = 7, job_stopped = 8 };
inline constexpr int a_thread = 0;  ///< the joiner that is a thread asleep; the others are told by number

/// What a program's tasks belong to. A home that counts visitors ends when it has none.
template <class Model>
class job_home {
 public:
  explicit job_home(bool counts = true) : counts_{counts} { Model::name(ended_, "ended"); }

  [[nodiscard]] bool counts_visitors() const { return counts_; }
  void visit_begins() { (void)visitors_.come(); }
  void visit_ends() { visitors_.go(); }

  /// The thread that has run its last task.
  void end() {
    (void)visitors_.wait_for_visitors([] { return true; });  // gives no processor away
    ended_.write(1);
  }
  /// The runner of a task that moves here. The program decides.
  template <class Task>
  [[nodiscard]] bool admit(Task& task) {
    return task.is_admitted_to(*this);
  }
  /// Any thread that uses it.
  void expect_alive(const char* otherwise) const { Model::check(ended_.read() == 0, otherwise); }
  [[nodiscard]] bool ended() const { return ended_.read() != 0; }
  /// The main thread, at the end.
  void expect_nobody() const { Model::check(visitors_.visitors() == 0, "a visit ends where it did not begin"); }

 private:
  const bool counts_;
  licit::detail::census<Model> visitors_{1};
  typename Model::template plain<int> ended_;
};

/// A task of a program. The program says what a run does: `task_outcome poll(job&, int number)`, from 1 on.
template <class Model, class Program>
class job : public task_protocol<job<Model, Program>, Model, int, job_home<Model>> {
  using base = task_protocol<job, Model, int, job_home<Model>>;
  template <class T>
  using plain = typename Model::template plain<T>;

 public:
  job(Program& program, job_home<Model>& home, unsigned number, unsigned references)
      : base{home, references}, program_{program}, number_{number} {
    Model::name(frame_, "frame");
    Model::name(result_, "result");
  }

  /// A run, or a thread that saw the task complete.
  void leave(int what) { result_.write(what); }
  [[nodiscard]] int left() const { return result_.read(); }
  [[nodiscard]] unsigned number() const { return number_; }
  /// Any thread that has a reference. The task's destruction overwrites the note.
  void note(std::size_t which) { notes_[which].write(1); }

  void request_stop() { this->cancel(); }  // for a registry
  using base::joiner_at;                   // for a program's `tell`
  void discard_result() { program_.discard_result(*this); }
  [[nodiscard]] bool is_admitted_to(job_home<Model>& home) { return program_.admits(*this, home); }

 private:
  friend base;

  task_outcome poll() {
    frame_.write(frame_.read() + 1);
    return program_.poll(*this, frame_.read());
  }
  bool stop() {
    frame_.write(-1);
    leave(job_stopped);
    program_.stop(*this);
    return true;
  }
  static constexpr std::uint32_t own_references = 2;
  std::uint32_t unregister(task_outcome /*how*/) { return this->leave_registry() ? own_references : 1; }
  [[nodiscard]] bool may_ask() const { return program_.may_ask(); }
  void tell_stop() { program_.tell_stop(*this); }
  [[nodiscard]] bool has_result() const { return program_.has_result(*this); }
  bool may_suspend() { return program_.may_suspend(*this); }
  template <class Act>
  void in_context(Act act) {
    program_.in_context(*this, act);
  }
  void schedule(placement where) { program_.schedule(*this, where); }
  void tell(int who) { who == a_thread ? this->state().wake_sleeper() : program_.tell(*this, who); }
  void discard() { program_.report(*this); }
  static bool is_bare() { return false; }
  void destroy() {
    frame_.write(0);
    result_.write(no_result);
    for (auto& n : notes_) n.write(0);
    program_.destroy(*this);
  }

  Program& program_;
  const unsigned number_;
  plain<int> frame_;
  plain<int> result_;
  std::array<plain<int>, 4> notes_;
};

/// The base of a program. A thread that is told to schedule a task runs it there and then: no queue synchronises
/// anything.
template <class Model, class Program>
class job_program {
 public:
  using job_type = job<Model, Program>;

  // What a program does not say itself.
  void stop(job_type& /*of*/) {}
  void schedule(job_type& it, placement /*where*/) { it.run(); }
  void tell(job_type& /*of*/, int /*who*/) { Model::check(false, "a joiner is told that nobody registered"); }
  void report(job_type& /*of*/) {}
  bool admits(job_type& /*it*/, job_home<Model>& /*to*/) { return true; }
  [[nodiscard]] bool has_result(const job_type& /*of*/) const { return false; }
  void discard_result(job_type& /*of*/) {}
  bool may_suspend(job_type& /*it*/) { return true; }
  template <class Act>
  void in_context(job_type& /*it*/, Act act) {
    act();
  }
  [[nodiscard]] bool may_ask() const { return false; }
  void tell_stop(job_type& /*of*/) { Model::check(false, "a stop is requested that nobody asked for"); }

  void destroy(job_type& it) {
    auto& times = destroyed_[it.number()];
    times.write(times.read() + 1);
    std::pmr::memory_resource& memory = *Model::memory();
    std::destroy_at(&it);
    memory.deallocate(&it, sizeof(job_type), alignof(job_type));
  }

 protected:
  job_program() { Model::name(destroyed_, "destroyed"); }  // NOLINT(bugprone-crtp-constructor-accessibility)

  /// Main thread, before the others start: scheduled, with its own reference and so many others.
  job_type& make(unsigned references) { return make(references, nowhere_); }
  job_type& make(unsigned references, job_home<Model>& home) {
    void* const place = Model::memory()->allocate(sizeof(job_type), alignof(job_type));
    return *::new (place) job_type(static_cast<Program&>(*this), home, made_++, 2 + references);
  }

  /// Main thread, at the end. A thread that was stopped for good may have kept a reference.
  void expect_destroyed() {
    if (anybody_stopped()) return;
    for (unsigned i = 0; i != made_; ++i) {
      Model::check(destroyed_[i].read() == 1, "a task is destroyed once, when its last reference is released");
    }
  }
  [[nodiscard]] static bool anybody_stopped() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return true;
    }
    return false;
  }

 private:
  job_home<Model> nowhere_{false};  ///< a home that does not end
  unsigned made_ = 0;
  std::array<typename Model::template plain<int>, 2> destroyed_;
};

}  // namespace licit::suites

#endif
