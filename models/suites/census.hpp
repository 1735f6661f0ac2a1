/// The census of tasks: client programs, mutants.
#ifndef LICIT_SUITES_CENSUS_HPP
#define LICIT_SUITES_CENSUS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/scheduler/census.hpp>

#include "suites/account.hpp"
#include "suites/mutant.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<census_orders> census_site_rules{
    {"enter.look", "entered"},  {"child.closed", "entered"},  {"close.set", "entered"},    {"sum.entered", "entered"},
    {"child.own", "children"},  {"sum.children", "children"}, {"leave.own", "gone"},       {"sum.gone", "gone"},
    {"wait.begin", "waiting"},  {"wait.end", "waiting"},      {"tell.waiting", "waiting"}, {"wait.changes", "changes"},
    {"tell.change", "changes"},
};

using licit::detail::census;
using licit::detail::doors;

/// A census; tasks, each of which writes a plain cell when it runs; and a thread that shuts down, and reads the cells
/// when no task is left. Another task than the one that runs is handed to the worker that is to run it: `spawned_`
/// says whether it was let in.
///
///     enter           a foreign thread: a task is let in
///     spawn spawn(w)  a foreign thread, or the task that runs on worker w: another is let in, or not, and handed over
///     run(w,t)        worker w runs task t, which ends
///     take(w,t)       the same, of the task that was handed over, once it was; nothing if it was not let in
///     idle            a worker: nothing more to run
///     close           no task is let in any more from outside; close(1): none at all
///     wait(n)         until there is no task; then the first n have run
///     refused         a foreign thread: no task is let in
template <class Model>
class census_client {
 public:
  enum : std::uint8_t { enter_word, spawn_word, run_word, take_word, idle_word, close_word, wait_word, refused_word };
  static constexpr std::array words{"enter", "spawn", "run", "take", "idle", "close", "wait", "refused"};
  enum : std::uint8_t { workers };
  static constexpr std::array settings{"workers"};

  explicit census_client(const line& l)
      : census_{l.setting(workers, 1)}, done_{l.count(run_word) + l.count(take_word)} {
    Model::name(done_, "done");
    if (l.count(spawn_word) != 0) Model::name(spawned_.emplace(), "spawned");
  }

  bool perform(unsigned /*thread*/, const call& c) {
    switch (c.word) {
      case enter_word: return census_.enter();
      case spawn_word: return spawn(c);
      case run_word: return run(c);
      case take_word: return take(c);
      case idle_word: census_.tell(); return true;
      case close_word: census_.close(c.at(0, 0) == 0 ? doors::inside : doors::closed); return true;
      case wait_word: return wait(c.at(0, 0));
      default: return !census_.enter();
    }
  }

  void settle() { Model::check(census_.alive() == 0, "a task is counted that is gone"); }
  void leave() {}

 private:
  static constexpr std::size_t most_tasks = 2;
  static constexpr int let_in = 1;
  static constexpr int turned_away = 2;

  bool spawn(const call& c) {
    const bool in = c.numbers == 0 ? census_.enter() : census_.enter(c.at(0, 0));
    spawned_->store(in ? let_in : turned_away, order::release, "spawn");
    return in;
  }
  bool run(const call& c) {
    done_[c.at(1, 0)].write(1);
    census_.leave(c.at(0, 0));
    return true;
  }
  bool take(const call& c) {
    return spawned_->await([](int s) { return s != 0; }, order::acquire, "take") == let_in && run(c);
  }
  bool wait(std::size_t tasks) {
    Model::check(census_.wait_for_none(), "without a limit of time the wait ended early");
    for (std::size_t t = 0; t != tasks; ++t) {
      Model::check(done_[t].read() == 1, "the census was empty before a task had ended");
    }
    return true;
  }

  census<Model> census_;
  cells<typename Model::template plain<int>, most_tasks> done_;
  std::optional<typename Model::template atomic<int>> spawned_;
};

inline constexpr std::array census_lines{
    client_line{.name = "one_task",
                .text = "enter!: run idle | close wait(1)",
                .property = "a shutdown waits for the task that runs, asleep or not",
                .waits = true},
    client_line{.name = "child",
                .text = "workers=2 enter!: spawn(0)! run(0,0) idle | take(1,1)! idle | close wait(2)",
                .property = "a shutdown waits for a child that runs elsewhere, though its parent is gone",
                .waits = true},
    client_line{.name = "late",
                .text = "take idle | spawn | close wait refused!",
                .property = "a task that is let in as the doors close is waited for",
                .waits = true},
    client_line{.name = "all_closed",
                .text = "enter!: spawn(0) run(0,0) take(0,1) idle | close(1) wait(1)",
                .property = "with the doors closed to workers' tasks too, a child is refused, or waited for",
                .waits = true},
};

inline constexpr std::array census_mutants{
    mutant{"leave.count relaxed", {"leave.count", change::weaken}},
    mutant{"sum.gone relaxed", {"sum.gone", change::weaken}},
    mutant{"tell.fence removed", {"tell.fence", change::drop}},
    mutant{"tell.fence not light", {"tell.fence", change::symmetric}},
    mutant{"wait.fence removed", {"wait.fence", change::drop}},
    mutant{"wait.fence not heavy", {"wait.fence", change::symmetric}},
    mutant{"wait.begin removed", {"wait.begin", change::drop}},
    mutant{"child.count removed", {"child.count", change::drop}},
    mutant{"enter.count a blind store", {"enter.count", change::blind_store}},
};

struct census_suite {
  static constexpr const auto& orders = census_orders;
  static constexpr const auto& mutants = census_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<census_client>(census_lines);
  }
};

}  // namespace licit::suites

#endif
