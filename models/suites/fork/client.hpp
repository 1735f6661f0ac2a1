/// Fork and join: the client class of its programs.
#ifndef LICIT_SUITES_FORK_CLIENT_HPP
#define LICIT_SUITES_FORK_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/fork_search.hpp>
#include <licit/scheduler/worker.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/crew.hpp"
#include "suites/fork/jobs.hpp"
#include "suites/program.hpp"

namespace licit::suites {

using licit::detail::fork_search;

/// A joiner does not spin: it looks once, and sleeps.
struct chosen_fork_rules {
  unsigned spins = 0;
  bool pauses = false;
  chosen_rule<&fork_rules::wakes_idle> wakes_idle;
  chosen_rule<&fork_rules::wakes_joiners> wakes_joiners;
  chosen_rule<&fork_rules::only_descendants> only_descendants;
  chosen_rule<&fork_rules::passes_on> passes_on;
  chosen_rule<&fork_rules::looks_again> looks_again;
  chosen_rule<&fork_rules::waits_after_exception> waits_after_exception;
  chosen_rule<&fork_rules::drops_second_exception> drops_second_exception;
  chosen_rule<&fork_rules::wakes_at_begin> wakes_at_begin;
};
struct choose_fork_rules {
  constexpr auto operator()(fork_rules /*usual*/) const { return chosen_fork_rules{}; }
  constexpr auto operator()(worker_rules /*usual*/) const { return chosen_worker_rules{}; }
};
template <class Base>
using with_fork_choice = with_choice<Base, choose_fork_rules{}>;

/// The rules of a broken program: those of a joiner that does not spin, but for one.
template <class Alter>
consteval fork_rules altered_fork_rules(Alter alter) {
  fork_rules made{.spins = 0, .pauses = false};
  alter(made);
  return made;
}

/// Threads that work or sleep are workers; the others have sides of guests.
///
///     fork(j)   offers job j
///     quiet(j)  the same, and tells nobody of it until `announce`
///     announce
///     join      ends the fork that is still open and was made last
///     fail      the same, by join.hpp's own code, where the caller's half has thrown
///     run       runs what was taken
///     steal(t)  looks into thread t's deque once, and runs the job that it takes
///     work      the worker's loop, until `stop`
///     sleep     what that loop does where the last searcher finds nothing; runs the jobs and the task that it then
///               finds, or is woken for
///     inject(j) injects a task, which does what job j does
///     stop      ends the workers' loops
///     set(f)    sets flag f
///     await(f)  blocks until flag f is set
///     enter     the thread becomes a guest, if there is room; until `exit` its forks are the guest's, or run at once
///     exit
///     seize(t)  takes the oldest of thread t's, and begins to run it; what follows is a part of it until
///     end
///
/// What a thread did before `set` is visible after `await`. A job may end before its forks have been joined, where
/// flags see to it that they have run: a thread that has nothing to do in the end has fewer executions.
///
/// Before the colon, before the threads start: forks of thread 0, or after `by(t)` of thread t; `take(t)`, by which the
/// thread takes the oldest of thread t's; `begin` and `end`, by which it begins to run it, and has run it; then
/// `job(j)`: what follows is what job j does when it runs; `throw` there: it ends by an exception. `asleep=1`: workers
/// begin in the idle set.
/// `forked=1`: every thread has forked before. `guests`: how many there may be at a time.
template <class Base>
class fork_client : fork_jobs<with_fork_choice<Base>>::performer {
  using Model = with_fork_choice<Base>;
  using jobs = fork_jobs<Model>;

 public:
  enum : std::uint8_t {
    fork_word,
    join_word,
    steal_word,
    work_word,
    stop_word,
    set_word,
    await_word,
    enter_word,
    exit_word,
    run_word,
    sleep_word,
    end_word,
    seize_word,
    fail_word,
    quiet_word,
    announce_word,
    throw_word,
    inject_word,
    take_word,
    job_word,
    by_word,
    begin_word
  };
  static constexpr std::array words{"fork", "join",  "steal", "work",  "stop", "set",   "await",    "enter", "exit",
                                    "run",  "sleep", "end",   "seize", "fail", "quiet", "announce", "throw", "inject"};
  static constexpr std::array before{"take", "job", "by", "begin"};
  enum : std::uint8_t { asleep, guests, forked };
  static constexpr std::array settings{"asleep", "guests", "forked"};

  explicit fork_client(const line& l)
      : line_{l},
        crew_{{.workers = workers_of(l), .asleep = l.setting(asleep, 0) != 0, .local_capacity = 2}},
        forks_{crew_.idle(),
               workers_of(l),
               [this](std::size_t i) -> parker<Model>& { return crew_.at_worker(i).sleep; },
               {.guests = l.threads - sleepers_of(l) + l.setting(guests, 0), .capacity = 2}},
        jobs_{*this},
        flags_{l.count(set_word)},
        entered_{l.setting(guests, 0)} {
    Model::name(entered_, "entered");
    Model::name(flags_, "flag");
    for (unsigned t = 0; t != l.threads; ++t) {
      here_[t] = t < sleepers_of(l) ? &forks_.at_side(t) : forks_.enter();
      own_[t] = here_[t];
      if (l.setting(forked, 0) != 0) jobs_.fork_once(*own_[t]);
      if (t >= l.count(work_word)) continue;
      tools_[t].emplace(t, workers_of(l), 8U);
      workers_[t].emplace(crew_, t, worker_options{.inject_batch = 1, .rounds = 1}, *tools_[t],
                          fork_search<Model>(forks_, t, 0));
    }
  }

  static const char* refuses(const line& l) {
    if (l.threads > most_threads) return "at most 3 threads";
    if (l.setting(guests, 0) > 1) return "at most one guest at a time";
    const bool by_hand = l.count(seize_word) + l.count(begin_word) != 0;
    if (by_hand && l.count(throw_word) != 0) return "jobs throw where nothing is seized or begun";
    return l.count(set_word) > most_flags ? "more than 4 flags are set" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if ((c.word == work_word || c.word == sleep_word) && thread >= sleepers_of(l)) {
      return "workers are the first threads, and work or sleep once";
    }
    if ((c.word == steal_word || c.word == take_word || c.word == seize_word || c.word == by_word) &&
        c.at(0, 0) >= l.threads)
      return "there is no such thread";
    const bool of_job = c.word == fork_word || c.word == quiet_word || c.word == job_word || c.word == inject_word;
    if (of_job && c.at(0, 0) >= jobs::most) return "jobs are 0 to 5";
    if (c.word == throw_word && !is_first(l, c)) return "jobs throw: the word stands behind job(j)";
    if (c.word == set_word || c.word == await_word) {
      return c.at(0, 0) < l.count(set_word) ? nullptr : "nothing sets this flag";
    }
    return nullptr;
  }

  void prepare(const call& c) {
    switch (c.word) {
      case by_word: by_ = static_cast<unsigned>(c.at(0, 0)); break;
      case take_word: (void)take(by_, c.at(0, 0)); break;
      case begin_word: begin(by_); break;
      default: jobs_.describe(c.at(0, 0), c);
    }
  }

  bool perform(unsigned thread, const call& c) {
    const bool first = is_first(line_, c);
    if (first && jobs_.is_described()) {
      jobs_.add(c.word == fork_word, c.word == throw_word, c.at(0, 0));
      return true;
    }
    switch (c.word) {
      case work_word: workers_[thread]->run([&](crew_item one) { run_task(thread, one); }); break;
      case sleep_word: sleep(thread); break;
      case seize_word: return take(thread, c.at(0, 0)) && begin(thread);
      case run_word:
        if (const auto& one = taken_[thread]) forks_.run(*here_[thread], *one);
        break;
      case end_word: end(first ? by_ : thread); break;
      default: act(*here_[first ? by_ : thread], thread, c);
    }
    return true;
  }

  void settle() { jobs_.settle(); }
  void leave() {}

 private:
  static constexpr std::size_t most_threads = 3;
  static constexpr std::size_t most_flags = 4;

  /// At least one, for the idle set.
  static std::size_t workers_of(const line& l) { return std::max<std::size_t>(sleepers_of(l), 1); }
  static std::size_t sleepers_of(const line& l) { return l.count(work_word) + l.count(sleep_word); }

  /// Before the threads start.
  static bool is_first(const line& l, const call& c) {
    return std::less_equal<>()(l.before.begin(), &c) && std::less<>()(&c, l.before.end());
  }

  using side = fork_side<Model>;
  using loot = typename fork_crew<Model>::loot;
  using crew_type = crew<crew_item, Model, in_order, locked_list>;
  using worker_type = worker<crew_type, crew_tools, fork_search<Model>>;

  bool take(unsigned thread, std::size_t from) {
    const auto got = forks_.steal(own_[from]->number());
    if (got) taken_[thread] = *got;
    return static_cast<bool>(got);
  }
  bool begin(unsigned thread) {
    const auto& one = taken_[thread];
    if (!one || begun_[thread]) return false;
    begun_[thread].emplace(forks_, *own_[thread], *one);
    jobs_.begin(*own_[thread], *one->taken);
    return true;
  }
  void end(unsigned thread) {
    if (!begun_[thread]) return;
    jobs_.end(*own_[thread]);
    begun_[thread].reset();
  }

  /// The steps of the worker's loop (worker.hpp), without the crew's look at tasks and its fence.
  void sleep(unsigned self) {
    auto& idle = crew_.idle();
    if (line_.setting(asleep, 0) != 0 || falls_asleep(self)) {
      do {
        crew_.at_worker(self).sleep.park();
      } while (idle.is_parked(self));
    }
    for (unsigned t = 0; t != line_.threads; ++t) {
      if (t != self) steal(*own_[self], t);
    }
    crew_item task{};
    if (line_.count(inject_word) != 0 && crew_.injected().pop(std::span(&task, 1)) != 0) run_task(self, task);
    idle.end_search();
  }
  bool falls_asleep(unsigned self) {
    const bool searched = crew_.idle().begin_search();
    forks_.quiet(*own_[self]);
    const bool last = crew_.idle().park(self, searched);
    return !last || !forks_.sees_work() || !crew_.idle().retract(self);
  }

  static crew_item task_of(std::size_t job) { return crew_item{job + 1}; }
  void run_task(unsigned thread, crew_item one) { jobs_.run_alone(*own_[thread], static_cast<std::size_t>(one) - 1); }

  void perform_in_job(side& where, const call& c) override { act(where, where.number(), c); }
  void act(side& where, unsigned thread, const call& c) {
    const std::size_t n = c.at(0, 0);
    switch (c.word) {
      case fork_word: return jobs_.fork(where, n);
      case quiet_word: return jobs_.fork(where, n, true);
      case announce_word: return where.announce();
      case join_word: return jobs_.join(where);
      case fail_word: return jobs_.fail(where);
      case steal_word: return steal(where, n);
      case stop_word: return crew_.stop();
      case set_word: return flags_[n].store(1, order::release, "set");
      case throw_word: return;  // the job's result says so
      case inject_word: return crew_.inject(task_of(n));
      case await_word: return flags_[n].await_value(1, order::acquire, "await");
      case enter_word: return enter(thread);
      default: return exit(thread);
    }
  }

  void steal(side& where, std::size_t from) {
    const auto got = forks_.steal(own_[from]->number());
    if (got) forks_.run(where, *got);
  }

  void enter(unsigned thread) {
    side* const guest = forks_.enter();
    if (guest == nullptr) return;
    entered_[0].write(1);  // a race unless the guest before has visibly left, and with it all that is by side
    here_[thread] = guest;
  }
  void exit(unsigned thread) {
    side* const guest = std::exchange(here_[thread], own_[thread]);
    if (guest != own_[thread]) forks_.leave(*guest);
  }

  const line& line_;
  crew_type crew_;
  fork_crew<Model> forks_;
  std::array<made_later<crew_tools>, most_threads> tools_;
  std::array<made_later<worker_type>, most_threads> workers_;
  std::array<std::optional<loot>, most_threads> taken_;
  std::array<std::optional<typename fork_crew<Model>::theft>, most_threads> begun_;
  unsigned by_ = 0;  ///< before the threads start: whose calls follow
  std::array<side*, most_threads> own_{};
  std::array<side*, most_threads> here_{};  // its own, or a guest's
  jobs jobs_;
  cells<typename Model::template atomic<int>, most_flags> flags_;
  cells<typename Model::template plain<int>, 1> entered_;  // of the guest's side
};

}  // namespace licit::suites

#endif
