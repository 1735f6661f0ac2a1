/// Fork and join: the jobs of its programs, and what must hold of them.
#ifndef LICIT_SUITES_FORK_JOBS_HPP
#define LICIT_SUITES_FORK_JOBS_HPP

#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/fork/join.hpp>

#include "suites/account.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// Jobs live in memory that is gone when their join ends: an access after that, an unordered one, a job that runs twice
/// or an unrelated one that runs in a join fail the program. So does an exception that is not the one that a join has
/// to throw, and one that nobody destroys: its object is allocated where it is thrown.
template <class Model>
class fork_jobs {
  using side = fork_side<Model>;

 public:
  static constexpr std::size_t most = 6;

  /// Performs a call that is a part of a job.
  class performer {
   public:
    virtual void perform_in_job(side& where, const call& c) = 0;

   protected:
    ~performer() = default;
  };

  explicit fork_jobs(performer& by) : by_{by}, results_{most} { Model::name(results_, "result"); }

  // --- before the threads start

  /// The calls that follow `word` in the line are what the job does: `add` is called for each.
  void describe(std::size_t job, const call& word) { does_[described_ = job] = {&word + 1, 0}; }
  [[nodiscard]] bool is_described() const { return described_ != none; }
  void add(bool forks, bool throws, std::size_t job) {
    std::span<const call>& all = does_[described_];
    all = {all.data(), all.size() + 1};
    if (forks) parent_[job] = described_;
    if (throws) gives_[described_] = exception_of(described_);
  }
  /// Nobody else is there: the side's alert word says afterwards that it forks.
  void fork_once(side& where) {
    frame one(*this, 0);
    (void)where.offer(one);
    (void)where.take_back(one);
  }

  // --- the side's thread

  void fork(side& where, std::size_t number, bool quietly = false) {
    auto* const made = make<frame>(*this, number);
    stack& own = open_[where.number()];
    Model::check(own.used != most, "a side has one thread at a time");
    if (own.used == most) return;
    own.open[own.used++] = made;
    if (own.runs != none) parent_[number] = own.runs;
    made->offered = quietly ? where.offer_quietly(*made) : where.offer(*made);
  }
  void join(side& where) {
    stack& own = open_[where.number()];
    Model::check(own.used != 0, "a side has one thread at a time");
    if (own.used == 0) return;
    frame* const job = own.open[--own.used];
    if (!job->offered || where.take_back(*job)) {
      job->run(where);
    } else {
      const std::size_t outer = std::exchange(own.waits_for, job->number);
      where.wait(*job);
      own.waits_for = outer;
    }
    Model::check(job->take() == gives_[job->number], "a join returns with the result, or throws the exception");
    own.span += 1 + job->span.read();
    destroy(job);
  }
  /// A join, the caller's half of which has thrown.
  void fail(side& where) {
    stack& own = open_[where.number()];
    if (own.used == 0) return;
    frame* const job = own.open[--own.used];
    const std::size_t outer = std::exchange(own.waits_for, job->number);
    licit::detail::end_without_result(where, *job);
    own.waits_for = outer;
    Model::check(!job->takes, "a join throws the first exception by the order of its arguments");
    destroy(job);
  }
  /// It runs a job not by its calls, but by those of the thread.
  void begin(side& where, fork_job<Model>& job) { open_[where.number()].runs = static_cast<frame&>(job).number; }
  void end(side& where) { results_[std::exchange(open_[where.number()].runs, none)].write(answer); }

  /// A task, which does what the job does.
  void run_alone(side& where, std::size_t job) {
    for (const call& c : does_[job]) by_.perform_in_job(where, c);
  }

  /// After the threads have ended: every job that was forked has been joined, and has run.
  void settle() {
    for (const stack& each : open_) Model::check(each.used == 0, "a fork without a join");
  }

 private:
  static constexpr std::size_t most_sides = 5;  // three threads, a worker, a guest
  static constexpr std::size_t none = most;
  static constexpr int answer = 7;
  static constexpr int exception_of(std::size_t job) { return answer + 1 + static_cast<int>(job); }

  template <class T>
  using plain = typename Model::template plain<T>;
  struct exception {
    plain<int> what;
  };
  struct frame : fork_job<Model> {
    frame(fork_jobs& of, std::size_t which) : fork_job<Model>(&call_job), all{of}, number{which} {}
    fork_jobs& all;
    std::size_t number;
    bool offered = false;
    bool takes = false;

    // As in join.hpp, the result is read and destroyed, or only that.
    int take() {
      takes = true;
      return end_result();
    }
    void drop() { Model::check(end_result() == all.gives_[number], "a half has ended when the join throws"); }
    int end_result() {
      const int result = all.results_[number].read();
      if (result < exception_of(0)) return result;
      exception* const it = thrown.read();
      const int what = it->what.read();
      destroy(it);
      return what;
    }
    plain<std::size_t> span{0};  // what a measurement has there: of the job, in forks
    plain<exception*> thrown{nullptr};
  };
  /// One side's thread: the forks that are still open, and the jobs for which it waits.
  struct stack {
    std::array<frame*, most> open{};
    std::size_t used = 0;
    std::size_t waits_for = none;
    std::size_t span = 0;     ///< of what it runs, in forks
    std::size_t runs = none;  ///< by the thread's calls
  };

  static void call_job(fork_job<Model>& job, side& where) noexcept {
    auto& mine = static_cast<frame&>(job);
    mine.all.run(mine, where);
  }
  void run(frame& job, side& where) noexcept {
    stack& own = open_[where.number()];
    Model::check(own.waits_for == none || descends(job.number, own.waits_for),
                 "a thread that waits for a job runs only what descends from it");
    const std::size_t outer = std::exchange(own.waits_for, none);
    const std::size_t before = std::exchange(own.span, 0);
    for (const call& c : does_[job.number]) by_.perform_in_job(where, c);
    job.span.write(std::exchange(own.span, before));
    Model::check(results_[job.number].read() == 0, "exactly once: a job runs");
    if (gives_[job.number] != answer) {
      auto* const thrown = make<exception>();
      thrown->what.write(gives_[job.number]);
      job.thrown.write(thrown);
    }
    results_[job.number].write(gives_[job.number]);
    own.waits_for = outer;
  }
  [[nodiscard]] bool descends(std::size_t job, std::size_t from) const {
    while (job != none && job != from) job = parent_[job];
    return job == from;
  }

  template <class T, class... With>
  static T* make(With&&... with) {
    return ::new (Model::memory()->allocate(sizeof(T), alignof(T))) T(std::forward<With>(with)...);
  }
  template <class T>
  static void destroy(T* one) {
    one->~T();
    Model::memory()->deallocate(one, sizeof(T), alignof(T));
  }

  performer& by_;
  cells<typename Model::template plain<int>, most> results_;
  std::array<stack, most_sides> open_{};
  std::array<std::span<const call>, most> does_{};
  std::array<int, most> gives_{answer, answer, answer, answer, answer, answer};
  std::array<std::size_t, most> parent_{none, none, none, none, none, none};
  std::size_t described_ = none;
};

}  // namespace licit::suites

#endif
