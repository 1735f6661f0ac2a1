/// Fork and join of coroutines: a task that is cancelled within two open joins.
#ifndef LICIT_SUITES_FORK_CANCELLED_HPP
#define LICIT_SUITES_FORK_CANCELLED_HPP

#include <licit/scheduler/fork/open_join.hpp>

#include "suites/fork/coroutines.hpp"
#include "suites/program.hpp"

namespace licit::suites {

/// The task opens its joins and waits within them. Thread 1 takes what it finds, and cancels the task, which runs or
/// waits.
template <class Model>
class joins_and_stops_of : public joins_coroutines<Model, joins_and_stops_of<Model>> {
  using base = joins_coroutines<Model, joins_and_stops_of>;
  using typename base::job_type;
  friend base;

 public:
  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      return;
    }
    opened_.await_value(1, order::relaxed, "await");
    this->steal(1, 0);
    task_.cancel();
  }
  void finish() {
    if (this->anybody_stopped()) return;
    task_.release();
    for (const auto* each : {&this->outer_, &this->inner_}) {
      Model::check(each->begun.read() == 1, "a second begins once");
      Model::check(each->stopped.read() == 1, "a cancellation reaches each second that has become a task, once");
    }
    this->expect_destroyed();
  }
  task_outcome poll(job_type& /*it*/, int /*number*/) {
    this->open_both();
    opened_.store(1, order::relaxed, "opened");
    this->joins_.settle();
    return task_outcome::suspended;
  }
  void stop(job_type& /*it*/) {
    int asked = 0;
    while (!this->joins_.are_stopped()) {  // a second that ends later wakes the task
      if (++asked > 2) return Model::check(false, "a cancelled task that has stopped its joins ends");
    }
  }

 private:
  typename Model::template atomic<int> opened_;
  job_type& task_ = this->make(1);
};

template <class Model>
class joins_and_stops : public joins_and_stops_of<unspinning<Model>> {
 public:
  static constexpr program_info about{"joins_and_stops",
                                      "a task is cancelled within joins, of which a thief may have one: both are told",
                                      2, reach::none, true};
};

template <class Model>
class stops_innermost : public joins_and_stops_of<altered_joins<Model, open_join_rules{.stops_outer = false}>> {
 public:
  static constexpr program_info about{
      "stops_innermost", "a cancelled task tells its innermost second only, and not the one that was stolen", 2,
      reach::none, true};
};

}  // namespace licit::suites

#endif
