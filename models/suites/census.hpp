/// The census of tasks: client programs, mutants.
#ifndef LICIT_SUITES_CENSUS_HPP
#define LICIT_SUITES_CENSUS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/census.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/history.hpp"
#include "suites/every/parts.hpp"
#include "suites/every/record.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<census_orders> census_site_rules{
    {"enter.look", "entered"},  {"closes.look", "told"},      {"cancels.look", "told"},    {"close.tell", "told"},
    {"hold.add", "holders"},    {"hold.drop", "holders"},     {"close.set", "entered"},    {"sum.entered", "entered"},
    {"child.own", "children"},  {"sum.children", "children"}, {"leave.own", "gone"},       {"sum.gone", "gone"},
    {"wait.begin", "waiting"},  {"wait.end", "waiting"},      {"tell.waiting", "waiting"}, {"wait.changes", "changes"},
    {"leave.others", "gone"},   {"tell.change", "changes"},   {"visit.come", "visitors"},  {"visit.go", "visitors"},
    {"visit.look", "visitors"}, {"visit.close", "visitors"},  {"stay.own", "visits"},      {"stay.count", "visits"},
    {"sum.visits", "visits"},
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
///     help(t)         a foreign thread that came: runs task t, which ends
///     foster          the same thread, in a task that it runs: another is let in, or not, and handed over
///     idle            a worker: nothing more to run
///     close           no task is let in any more from outside; close(1): none at all
///     wait(n)         until there is no task; then the first n have run
///     refused         a foreign thread: no task is let in
///     come come(w)    a thread whose task keeps the scheduler from its end, or worker w: a visitor is counted
///     visit visit(w)  the visitor, or worker w: uses what the scheduler has, and leaves
///     hook            a foreign thread: visits, if the scheduler has not ended for good
///     end             after `wait`, when no visitor is left: what the scheduler has is gone
///     end_visits      the same, and refuses visitors from now on
///     hold            a holder: another one is added
///     drop            a holder uses what the scheduler has; the last one destroys it
template <class Model>
class census_client {
 public:
  // clang-format off
  enum : std::uint8_t {
    enter_word, spawn_word, run_word, take_word, idle_word, close_word, wait_word, refused_word,
    come_word, visit_word, hook_word, end_word, end_visits_word, hold_word, drop_word, help_word, foster_word
  };
  static constexpr std::array words{
    "enter", "spawn", "run", "take", "idle", "close", "wait", "refused",
    "come", "visit", "hook", "end", "end_visits", "hold", "drop", "help", "foster"
  };
  // clang-format on
  enum : std::uint8_t { workers };
  static constexpr std::array settings{"workers"};

  explicit census_client(const line& l)
      : census_{l.setting(workers, 1)}, held_{l.count(drop_word) != 0}, done_{tasks_of(l)} {
    Model::name(done_, "done");
    Model::name(spawned_, "spawned");
  }

  static const char* refuses(const line& l) {
    if (l.setting(workers, 1) == 0) return "workers is at least 1";
    const std::size_t let_in_first = l.count(enter_word);
    if (l.count(run_word) + l.count(help_word) != let_in_first) {
      return "each task that enters needs one run, and each run an enter";
    }
    if (spawns_of(l) > 1) return "one task at most is spawned";
    if (spawns_of(l) != l.count(take_word)) return "a spawn needs one take, and a take a spawn";
    if (l.count(drop_word) != 0 && l.count(drop_word) != l.count(hold_word) + 1) return "each holder drops once";
    return let_in_first + l.count(take_word) > most_tasks ? "more than 2 tasks" : nullptr;
  }
  static const char* refuses(const line& l, unsigned /*thread*/, const call& c) {
    const std::size_t tasks = tasks_of(l);
    if (runs(c)) {
      if (task_of(c) >= tasks) return "there is no such task";
      if (uses_of(l, task_of(c)) > 1) return "another call runs this task too";
    }
    switch (c.word) {
      case help_word: return nullptr;
      case run_word:
      case take_word:
      case come_word:
      case visit_word:
      case spawn_word: return c.at(0, 0) < l.setting(workers, 1) ? nullptr : no_such_worker;
      case close_word: return c.at(0, 0) <= 1 ? nullptr : "0 or 1";
      case wait_word: return c.at(0, 0) <= tasks ? nullptr : "more than there are tasks";
      default: return c.numbers == 0 ? nullptr : no_numbers;
    }
  }

  bool perform(unsigned /*thread*/, const call& c) {
    switch (c.word) {
      case enter_word: return census_.enter();
      case spawn_word: return spawn(c);
      case run_word: return run(c);
      case help_word: return done_[task_of(c)].write(1), census_.leave(), true;
      case foster_word: return hands_over(census_.enter_inside());
      case take_word: return take(c);
      case idle_word: census_.tell(); return true;
      case close_word: census_.close(c.at(0, 0) == 0 ? doors::inside : doors::closed); return true;
      case wait_word: return wait(c.at(0, 0));
      case come_word:
        if (c.numbers == 0) return census_.come();
        census_.come(c.at(0, 0));
        return true;
      case visit_word: return visit(true, c);
      case hook_word: return visit(census_.come(), c);
      case end_word: return end([this] { census_.wait_for_visitors([] { return true; }); });
      case hold_word: census_.hold(); return true;
      case drop_word: return drop();
      case end_visits_word: return end([this] { census_.end_visits(); });
      default: return !census_.enter();
    }
  }

  void settle() {
    Model::check(census_.alive() == 0, "a task is counted that is gone");
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    Model::check(!held_ || used_.read() == 1, "all holders let go, and nobody was the last");
  }
  void leave() {}

 private:
  static constexpr std::size_t most_tasks = 2;
  static constexpr int let_in = 1;
  static constexpr int turned_away = 2;

  static std::size_t spawns_of(const line& l) { return l.count(spawn_word) + l.count(foster_word); }
  static std::size_t tasks_of(const line& l) { return l.count(run_word) + l.count(help_word) + l.count(take_word); }
  static bool runs(const call& c) {
    const bool is_word = c.what == call::kind::word;
    return is_word && (c.word == run_word || c.word == take_word || c.word == help_word);
  }
  static std::size_t task_of(const call& c) { return c.at(c.word == help_word ? 0 : 1, 0); }
  /// By how many calls the task is run.
  static std::size_t uses_of(const line& l, std::size_t task) {
    std::size_t uses = 0;
    const auto add = [&](const calls& all) {
      for (const call& c : all) uses += runs(c) && task_of(c) == task ? 1U : 0U;
    };
    add(l.before);
    for (const calls& all : l.thread) add(all);
    return uses;
  }
  bool spawn(const call& c) { return hands_over(c.numbers == 0 ? census_.enter() : census_.enter(c.at(0, 0))); }
  bool hands_over(bool in) {
    spawned_.store(in ? let_in : turned_away, order::release, "spawn");
    return in;
  }
  bool run(const call& c) {
    done_[c.at(1, 0)].write(1);
    census_.leave(c.at(0, 0));
    return true;
  }
  bool take(const call& c) {
    return spawned_.await([](int s) { return s != 0; }, order::acquire, "take") == let_in && run(c);
  }
  bool wait(std::size_t tasks) {
    Model::check(census_.wait_for_none(), "without a limit of time the wait ended early");
    for (std::size_t t = 0; t != tasks; ++t) {
      Model::check(done_[t].read() == 1, "the census was empty before a task had ended");
    }
    return true;
  }

  bool visit(bool comes, const call& c) {
    if (comes) Model::check(used_.read() == 0, "a visitor uses a scheduler that has ended");
    c.numbers == 0 ? census_.go() : census_.go(c.at(0, 0));
    return comes;
  }
  bool drop() {
    Model::check(used_.read() == 0, "a holder uses a scheduler that is destroyed");
    if (census_.let_go()) used_.write(1);
    return true;
  }
  template <class Wait>
  bool end(Wait no_visitor) {
    no_visitor();
    used_.write(1);
    return true;
  }

  census<Model> census_;
  const bool held_;
  typename Model::template plain<int> used_;  // 1: the scheduler has ended
  cells<typename Model::template plain<int>, most_tasks> done_;
  typename Model::template atomic<int> spawned_;
};

/// The client class of generated clients. Thread 0 shuts down; each other thread is a worker, and a foreign thread too
/// that hands it tasks. The main thread names the thread that it stands for: `enter(1)`. A call that the thread may not
/// make where it stands is left out.
///
///     enter       a task is let in from outside, or not; the thread has it
///     spawn       the same, in a task that the thread runs
///     end         the task ends, and the worker has nothing more to run
///     come go     in a task: a visit begins; it ends
///     close wait  close(1): to children too; behind a close: until there is no task
///     vacant      behind a wait: whether no visitor is left
///     hold drop   a holder: another hold; whether it was the last one
template <class Model, class Census, class Specification>
class specified_census_client {
 public:
  // clang-format off
  enum : std::uint8_t {
    enter_word, spawn_word, end_word, come_word, go_word, close_word, wait_word, vacant_word, alive_word, hold_word,
    drop_word
  };
  static constexpr std::array words{
    "enter", "spawn", "end", "come", "go", "close", "wait", "vacant", "alive", "hold", "drop"
  };
  // clang-format on
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_census_client(const line& l) : record_{l.before.size(), l.setting(edges, 0) != 0} {
    stands_[0].holds = 1;
  }

  static const char* refuses(const line& l) {
    if (l.setting(edges, 0) > 1) return edges_too_many;
    for (const call& c : l.thread[0]) {
      if (c.numbers != 0 && c.word != close_word) return "only the main thread names another";
    }
    for (const call& c : l.before) {
      if (c.word == wait_word) return "the main thread does not wait";
    }
    return nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (thread == 0 && c.word == close_word) return c.at(0, 0) <= 1 ? nullptr : "0 or 1";
    if (thread == 0) return c.at(0, 0) <= workers ? nullptr : "a thread from 0 to 3 was expected";
    if (c.numbers != 0) return no_numbers;
    const bool ends_all = c.word == close_word || c.word == wait_word || c.word == vacant_word;
    return ends_all || thread > workers ? "only thread 0 may call this, and three threads beside it any" : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    const std::size_t by = c.word == close_word ? thread : c.at(0, thread);
    standing& s = stands_[by];
    if (!may(c.word, by, s)) return false;
    before_.add(thread);
    const auto make = [&](done_call& made) { return apply(made, c, by, s), false; };
    return record_.perform(thread, make, {.what = c.word == wait_word ? deed::wait : deed::size});
  }
  void settle() { record_.settle(); }
  void leave() { settle(); }

  static std::string why_wrong() { return call_record<Model, Specification>::why_wrong(); }

 private:
  static constexpr unsigned workers = 3;
  static constexpr std::size_t most_tasks = 8;
  struct standing {
    items tasks = {};  // that it has, by their numbers
    std::uint8_t entered = 0, visits = 0, holds = 0;
    bool closed = false, waited = false;
  };

  static bool may(unsigned word, std::size_t by, const standing& s) {
    switch (word) {
      case enter_word: return s.entered != most_tasks;
      case spawn_word: return by != 0 && !s.tasks.empty() && s.entered != most_tasks;
      case end_word: return by != 0 && !s.tasks.empty();
      case come_word: return !s.tasks.empty();
      case go_word: return s.visits != 0;
      case wait_word: return s.closed;
      case vacant_word: return s.waited;
      case hold_word:
      case drop_word: return s.holds != 0 || word == hold_word;
      default: return true;
    }
  }

  void apply(done_call& made, const call& c, std::size_t by, standing& s) {
    switch (c.word) {
      case enter_word: return enters(made, census_.enter(), by, s);
      case spawn_word: made.room = census_record::a_child; return enters(made, census_.enter(by - 1), by, s);
      case end_word: return ends(made, by, s);
      case come_word:
        made.what = deed::come;
        ++s.visits;
        return Model::check(census_.come(), "a visitor is refused before the visits have ended");
      case go_word: return made.what = deed::go, --s.visits, census_.go();
      case close_word: return closes(made, c, s);
      case wait_word: return waits(s);
      case vacant_word:
        made.what = deed::look;
        made.count = census_.wait_for_visitors([] { return false; }) ? 1 : 0;
        return;
      case alive_word: return void(made.count = static_cast<std::uint8_t>(census_.alive()));
      case hold_word: return made.what = deed::hold, ++s.holds, census_.hold();
      default:
        made.what = deed::drop;
        --s.holds;
        made.count = census_.let_go() ? 1 : 0;
    }
  }
  static void enters(done_call& made, bool let_in, std::size_t by, standing& s) {
    made.what = deed::enter;
    if (!let_in) {
      made.how = ending::refused;
      return;
    }
    const auto task = static_cast<std::uint8_t>(by * most_tasks + s.entered++);
    made.with.push_back(task);
    s.tasks.push_back(task);
  }
  void ends(done_call& made, std::size_t by, standing& s) {
    made.what = deed::end;
    const std::uint8_t task = s.tasks[s.tasks.size() - 1];
    (void)s.tasks.take_back(task);
    made.with.push_back(task);
    census_.leave(by - 1);
    census_.tell();
  }
  void closes(done_call& made, const call& c, standing& s) {
    made.what = deed::close;
    made.room = static_cast<std::uint8_t>(c.at(0, 0));
    s.closed = true;
    census_.close(made.room == census_record::all_doors ? doors::closed : doors::inside);
  }
  void waits(standing& s) {
    Model::check(census_.wait_for_none(), "without a limit of time the wait ended early");
    s.waited = true;
  }

  Census census_{workers};
  std::array<standing, workers + 1> stands_{};  // each its thread's
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

template <class Model>
using every_census = specified_census_client<Model, census<Model>, census_promise>;

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
    client_line{.name = "helped",
                .text = "enter!: come! help(0) visit! | close wait(1) end",
                .property = "a shutdown waits for a task that a waiting thread runs, and the end for that thread",
                .waits = true,
                .goes_round = "visit."},
    client_line{.name = "helped_twice",
                .text = "enter! enter!: come! help(0) visit! | come! help(1) visit! | close wait(2) end",
                .property = "two waiting threads share one count of ends",
                .waits = true,
                .goes_round = "visit."},
    client_line{.name = "fostered",
                .text = "enter!: come! foster! help(0) visit! | take(0,1)! idle | close wait(2) end",
                .property = "a shutdown that drains lets in what a waiting thread's task spawns, and waits for it",
                .waits = true,
                .goes_round = "visit."},
    client_line{.name = "visitor",
                .text = "enter! come!: run idle | visit! | close wait(1) end",
                .property = "the end waits for a visitor that came while a task existed",
                .waits = true,
                .goes_round = "visit."},
    client_line{.name = "lent_by_a_worker",
                .text = "enter!: come(0) run idle | visit! | close wait(1) end",
                .property = "the end waits for a visitor that a worker's task has counted",
                .waits = true,
                .goes_round = "visit."},
    client_line{.name = "lent_and_told_by_workers",
                .text = "workers=2 enter! enter!: come(0) run(0,0) idle | visit(1)! run(1,1) idle | close wait(2) end",
                .property = "a visit that begins and ends on workers does not keep the end",
                .waits = true,
                .goes_round = "visit. sum. wait."},
    client_line{.name = "visits_end",
                .text = "hook | hook | end_visits",
                .property = "a visitor is waited for, or refused",
                .waits = true,
                .goes_round = "visit."},
    client_line{.name = "holders",
                .text = "hold! hold!: drop | drop | drop",
                .property = "the last of three holders has the memory to itself"},
    client_line{.name = "held_on",
                .text = "hold!: hold! drop drop | drop",
                .property = "a holder adds another while a third lets go"},
};

inline constexpr std::array census_mutants{
    mutant{"leave.count relaxed", {"leave.count", change::weaken}},
    mutant{"leave.others relaxed", {"leave.others", change::weaken}},
    mutant{"sum.gone relaxed", {"sum.gone", change::weaken}},
    mutant{"tell.fence removed", {"tell.fence", change::drop}},
    mutant{"wait.fence removed", {"wait.fence", change::drop}},
    mutant{"wait.begin removed", {"wait.begin", change::drop}},
    mutant{"child.count removed", {"child.count", change::drop}},
    mutant{"enter.count a blind store", {"enter.count", change::blind_store}},
    mutant{"stay.count removed", {"stay.count", change::drop}},
    mutant{"visit.go relaxed", {"visit.go", change::weaken}},
    mutant{"visit.look relaxed", {"visit.look", change::weaken}},
    mutant{"hold.drop acquire", {"hold.drop", change::weaken, order::acquire}},
    mutant{"hold.drop release", {"hold.drop", change::weaken, order::release}},
};

template <class Model>
using comes_torn_client = census_client<torn<Model, "visit.come">>;
template <class Model>
using closes_torn_client = census_client<torn<Model, "visit.close">>;
template <class Model>
using drops_torn_client = census_client<torn<Model, "hold.drop">>;

inline constexpr std::array comes_torn_lines{
    client_line{.name = "comes_torn",
                .text = "hook | hook | end_visits",
                .property = "a visitor that is counted by a load and a store is not waited for",
                .waits = true,
                .goes_round = "visit."}};
inline constexpr std::array closes_torn_lines{
    client_line{.name = "closes_torn",
                .text = "hook | hook | end_visits",
                .property = "an end by a load and a store forgets the visitors that came meanwhile",
                .waits = true,
                .goes_round = "visit."}};
inline constexpr std::array drops_torn_lines{
    client_line{.name = "drops_torn",
                .text = "hold!: drop | drop",
                .property = "two holders that drop by a load and a store both believe to be the last, or neither"}};

inline constexpr std::array census_unreached{
    unreached{"leave.others relaxed", "generated clients have workers and a thread that shuts down, and no other"},
    unreached{"stay.count removed", "workers' visits are counted when the workers have ended, which no client says"},
};

struct census_suite {
  static constexpr const auto& orders = census_orders;
  static constexpr const auto& mutants = census_mutants;
  static constexpr const auto& unreached = census_unreached;

  template <class List>
  static void programs(List& to) {
    to.template lines<census_client>(census_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_census>();
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<comes_torn_client>(comes_torn_lines);
    to.template lines<closes_torn_client>(closes_torn_lines);
    to.template lines<drops_torn_client>(drops_torn_lines);
  }
};

}  // namespace licit::suites

#endif
