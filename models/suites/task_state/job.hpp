/// Tasks whose frame and result are not atomic: whatever the state word alone does not order is a race.
#ifndef LICIT_SUITES_TASK_STATE_JOB_HPP
#define LICIT_SUITES_TASK_STATE_JOB_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>

#include <licit/scheduler/task/task_protocol.hpp>

#include "suites/line.hpp"

namespace licit::suites {

/// What a task leaves as its result.
enum job_result : int { no_result = 0, job_value = 7, job_stopped = 8 };
inline constexpr int a_thread = 0;  ///< the joiner that is a thread asleep; the others are told by number

/// A task of a program. The program says what a run does: `task_outcome poll(job&, int number)`, from 1 on.
template <class Model, class Program>
class job : public task_protocol<job<Model, Program>, Model, int> {
  using base = task_protocol<job, Model, int>;
  template <class T>
  using plain = typename Model::template plain<T>;

 public:
  job(Program& program, unsigned number, unsigned references) : base{references}, program_{program}, number_{number} {
    Model::name(frame_, "frame");
    Model::name(result_, "result");
  }

  /// A run, or a thread that saw the task complete.
  void leave(int what) { result_.write(what); }
  [[nodiscard]] int left() const { return result_.read(); }
  [[nodiscard]] unsigned number() const { return number_; }
  /// Any thread that has a reference. The task's destruction overwrites the note.
  void note(std::size_t which) { notes_[which].write(1); }

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
  std::uint32_t unregister(task_outcome /*how*/) { return 1; }
  void tell_stop() { program_.tell_stop(*this); }
  [[nodiscard]] bool has_result() const { return false; }
  static bool may_suspend() { return true; }
  void schedule(placement where) { program_.schedule(*this, where); }
  void tell(int who) { who == a_thread ? this->state().wake_sleeper() : program_.tell(*this, who); }
  void discard() { program_.report(*this); }
  auto* visited_by(job& waiting) { return program_.visited_by(*this, waiting); }
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
  void tell_stop(job_type& /*of*/) { Model::check(false, "a stop is requested that nobody asked for"); }
  struct no_executor {
    static void visit_begins() {}
    static void visit_ends() {}
  };
  no_executor* visited_by(job_type& /*of*/, job_type& /*waiting*/) { return nullptr; }

  void destroy(job_type& it) {
    auto& times = destroyed_[it.number()];
    times.write(times.read() + 1);
    std::pmr::memory_resource& memory = *Model::memory();
    std::destroy_at(&it);
    memory.deallocate(&it, sizeof(job_type), alignof(job_type));
  }

 protected:
  /// Main thread, before the others start: scheduled, with its own reference and so many others.
  job_type& make(unsigned references) {
    void* const place = Model::memory()->allocate(sizeof(job_type), alignof(job_type));
    return *::new (place) job_type(static_cast<Program&>(*this), made_++, 1 + references);
  }

  /// Main thread, at the end.
  void expect_destroyed() {
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
  friend Program;
  job_program() { Model::name(destroyed_, "destroyed"); }

  unsigned made_ = 0;
  std::array<typename Model::template plain<int>, 2> destroyed_;
};

}  // namespace licit::suites

#endif
