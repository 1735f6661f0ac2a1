/// Fork and join of coroutines: a task with two open joins, of which a thief takes what it finds.
#ifndef LICIT_SUITES_FORK_COROUTINES_HPP
#define LICIT_SUITES_FORK_COROUTINES_HPP

#include <array>
#include <cstddef>

#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/open_join.hpp>
#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>

#include "suites/altered.hpp"
#include "suites/fork/client.hpp"
#include "suites/program.hpp"
#include "suites/task_state/job.hpp"

namespace licit::suites {

using licit::detail::open_join_rules;

/// Thread 0 runs a task that opens two joins, and leaves it while they are open. Afterwards it forks for itself, by the
/// same deque. Thread 1 steals, and the task goes on in whichever thread. A second coroutine has no frame: it counts
/// who has run it, or has made a task of it, by plain cells.
template <class Model, class Program>
class joins_coroutines : public job_program<Model, Program> {
 public:
  using job_type = job<Model, Program>;
  using crew = fork_crew<Model>;

  void finish() {
    if (this->anybody_stopped()) return;
    Model::check(ended_.read() == 1, "a task that has joined ends once");
    this->expect_destroyed();
  }

 protected:
  struct second final : licit::detail::open_join<Model> {
    explicit second(const char* name) { Model::name(begun, name); }
    void make_task() noexcept override { begin(); }
    void stop() noexcept override {
      Model::check(begun.read() == 1, "a second that is cancelled is a task");
      stopped.write(stopped.read() + 1);
    }
    bool is_stopped() noexcept override { return asked_++ != 0; }  // it ends later
    void begin() {
      Model::check(begun.read() == 0, "exactly once: a second coroutine begins");
      begun.write(1);
    }
    typename Model::template plain<int> begun;  // where the handle is
    typename Model::template plain<int> stopped;

   private:
    int asked_ = 0;
  };

  void open_both() {
    joins_.open(outer_, sides_[0]);
    joins_.open(inner_, sides_[0]);
  }
  /// The first coroutine of a join has ended. Whether the join is closed; otherwise the task waits for the second.
  bool join(second& one, bool waits_before = false) {
    if (joins_.take_back(one)) return one.begin(), true;
    Model::check(one.begun.read() == 1, "a task that has lost a second sees the task that was made of it");
    if (!waits_before) joins_.close(one);
    return !waits_before;
  }
  task_outcome end(job_type& it) {
    ended_.write(ended_.read() + 1);
    it.leave(job_value);
    return task_outcome::finished;
  }

  void steal(unsigned thread, unsigned from) {
    const auto got = forks_.steal(sides_[from]->number());
    if (got) forks_.run(*sides_[thread], *got);
  }
  void fork(unsigned thread) {
    (void)sides_[thread]->offer(mine_);
    sides_[thread]->take_back(mine_) ? mine_.run(*sides_[thread]) : sides_[thread]->wait(mine_);
    Model::check(mine_.ran.read() == 1, "a join returns after its job");
  }

  idle_set<Model> idle_{1};
  parker<Model> sleep_;
  crew forks_;
  licit::detail::open_joins<Model> joins_;
  second outer_{"outer"};
  second inner_{"inner"};
  std::array<fork_side<Model>*, 2> sides_;

 private:
  friend Program;
  joins_coroutines()
      : forks_{
            idle_, 1, [this](std::size_t /*one*/) -> parker<Model>& { return sleep_; }, {.guests = 1, .capacity = 2}} {
    sides_ = {&forks_.at_side(0), forks_.enter()};
  }

  struct plain_job : fork_job<Model> {
    plain_job() : fork_job<Model>(&run_it) {}
    static void run_it(fork_job<Model>& self, fork_side<Model>& /*where*/) noexcept {
      auto& cell = static_cast<plain_job&>(self).ran;
      cell.write(cell.read() + 1);
    }
    typename Model::template plain<int> ran;
  };

  plain_job mine_;
  typename Model::template plain<int> ended_;
};

/// The task loses its joins or not. Then it waits, and the thief wakes it. `taken`: the thief has the outer one
/// already.
template <class Model, bool Taken, bool Forks>
class joins_and_waits_of : public joins_coroutines<Model, joins_and_waits_of<Model, Taken, Forks>> {
  using base = joins_coroutines<Model, joins_and_waits_of>;
  using typename base::crew;
  using typename base::job_type;
  friend base;

 public:
  joins_and_waits_of() {
    this->open_both();
    if (Taken) taken_ = *this->forks_.steal(0);
  }
  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      if (Forks) this->fork(0);
    } else {
      runs_.await_value(1, order::relaxed, "await");  // a wake before that would be no other run
      if (Taken) this->forks_.run(*this->sides_[1], taken_);
      this->steal(1, 0);
      task_.wake();
    }
  }
  void finish() {
    if (!this->anybody_stopped()) task_.release();
    base::finish();
  }
  task_outcome poll(job_type& it, int number) {
    if (number == 1) {
      runs_.store(1, order::relaxed, "runs");
      inner_joined_.write(this->join(this->inner_, true));
      this->joins_.settle();
      return task_outcome::suspended;
    }
    if (!inner_joined_.read()) (void)this->join(this->inner_);
    (void)this->join(this->outer_);
    return this->end(it);
  }

 private:
  typename Model::template atomic<int> runs_;
  typename Model::template plain<bool> inner_joined_;
  typename crew::loot taken_;
  job_type& task_ = this->make(1);
};

/// The task yields. Thread 1 takes it from the queue, and offers what is left there, so that thread 0 may steal it; or
/// nobody could steal there, and thread 1 does so before.
template <class Model, bool Forks, bool Offers = true>
class joins_and_yields_of : public joins_coroutines<Model, joins_and_yields_of<Model, Forks, Offers>> {
  using base = joins_coroutines<Model, joins_and_yields_of>;
  using typename base::job_type;
  friend base;

 public:
  joins_and_yields_of() { this->open_both(); }
  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      if (Forks) this->fork(0);
      if (Offers) this->steal(0, 1);
    } else {
      if (!Offers) this->steal(1, 0);
      queued_.await_value(1, order::acquire, "await");
      task_.run();
    }
  }
  void schedule(job_type& /*it*/, placement /*where*/) { queued_.store(1, order::release, "queue"); }
  task_outcome poll(job_type& it, int number) {
    if (number == 1) {
      this->joins_.withdraw();
      return task_outcome::yielded;
    }
    this->joins_.offer_again(Offers ? this->sides_[1] : nullptr);
    (void)this->join(this->inner_);
    (void)this->join(this->outer_);
    return this->end(it);
  }

 private:
  typename Model::template atomic<int> queued_;
  job_type& task_ = this->make(0);
};

template <class Model>
using unspinning = with_rules<Model, fork_rules{.spins = 0, .pauses = false}>;

template <class Model>
class joins_and_waits : public joins_and_waits_of<unspinning<Model>, false, false> {
 public:
  static constexpr program_info about{"joins_and_waits",
                                      "a task that waits within joins, of which a thief takes one, goes on elsewhere",
                                      2, reach::none, true};
};
template <class Model>
class joins_and_loses : public joins_and_waits_of<unspinning<Model>, true, false> {
 public:
  static constexpr program_info about{"joins_and_loses",
                                      "the same where the thief takes both second coroutines; each begins once", 2,
                                      reach::none, true};
};
template <class Model>
class joins_and_yields : public joins_and_yields_of<unspinning<Model>, false> {
 public:
  static constexpr program_info about{
      "joins_and_yields",
      "a task that yields within joins goes on elsewhere, and offers their second coroutines there; each begins once",
      2, reach::none, true};
};
template <class Model>
class joins_and_leaves : public joins_and_yields_of<unspinning<Model>, false, false> {
 public:
  static constexpr program_info about{
      "joins_and_leaves",
      "a task yields within joins, of which a thief may have one, and goes on where nobody steals; each begins once", 2,
      reach::none, true};
};
template <class Model>
class joins_and_forks : public joins_and_waits_of<unspinning<Model>, true, true> {
 public:
  static constexpr program_info about{"joins_and_forks",
                                      "the same as joins_and_loses, where the worker that the task has left forks", 2,
                                      reach::none, true};
};

/// Over altered rules. The worker that the task has left forks, by the deque in which the joins may still be.
template <class Model, open_join_rules Rules>
using altered_joins = with_rules<unspinning<Model>, Rules>;

template <class Model>
class keeps_offers
    : public joins_and_waits_of<altered_joins<Model, open_join_rules{.ends_offers = false}>, false, true> {
 public:
  static constexpr program_info about{"keeps_offers",
                                      "a task waits, and leaves its joins in the deque of a thread that it has left", 2,
                                      reach::none, true};
};
template <class Model>
class keeps_offers_of_yield
    : public joins_and_yields_of<altered_joins<Model, open_join_rules{.ends_offers = false}>, true> {
 public:
  static constexpr program_info about{"keeps_offers_of_yield",
                                      "a task yields, and leaves its joins in the deque of a thread that it has left",
                                      2, reach::none, true};
};
template <class Model>
class forgets_thief
    : public joins_and_waits_of<altered_joins<Model, open_join_rules{.waits_for_thief = false}>, true, false> {
 public:
  static constexpr program_info about{
      "forgets_thief", "a task goes on before the thief has made a task of what it took", 2, reach::none, true};
};
template <class Model>
class forgets_outer
    : public joins_and_waits_of<altered_joins<Model, open_join_rules{.settles_outer = false}>, true, true> {
 public:
  static constexpr program_info about{
      "forgets_outer", "a task that has lost its inner join leaves the outer one to a deque that it has left", 2,
      reach::none, true};
};

}  // namespace licit::suites

#endif
