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
#include "suites/program.hpp"

namespace licit::suites {

using licit::detail::fork_search;

/// A joiner does not spin: it looks once, and sleeps.
inline constexpr fork_rules without_spins{.spins = 0, .pauses = false};
template <class Alter>
consteval fork_rules altered_fork_rules(Alter alter) {
  fork_rules made = without_spins;
  alter(made);
  return made;
}

/// Threads that work are workers; the others have sides of guests. Jobs live in memory that is gone when their join
/// ends: an access after that, an unordered one, a job that runs twice or an unrelated one that runs in a join fail the
/// program.
///
///     fork(j)   offers job j
///     join      ends the fork that is still open and was made last
///     run       runs what was taken
///     steal(t)  looks into thread t's deque once, and runs the job that it takes
///     work      the worker's loop, until `stop`
///     stop      ends the workers' loops
///     set(f)    sets flag f
///     await(f)  blocks until flag f is set
///     enter     the thread becomes a guest, if there is room; until `exit` its forks are the guest's, or run at once
///     exit
///
/// Before the colon, before the threads start: forks of thread 0, `take`, by which another thread takes the oldest of
/// them; then `job(j)`: what follows is what job j does when it runs. `asleep=1`: workers begin in the idle
/// set. `guests`: how many there may be at a time.
template <class Base, fork_rules Rules>
class fork_client_of {
  using Model = with_rules<Base, Rules>;

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
    take_word,
    job_word
  };
  static constexpr std::array words{"fork", "join", "steal", "work", "stop", "set", "await", "enter", "exit", "run"};
  static constexpr std::array before{"take", "job"};
  enum : std::uint8_t { asleep, guests };
  static constexpr std::array settings{"asleep", "guests"};

  explicit fork_client_of(const line& l)
      : line_{l},
        crew_{{.workers = workers_of(l), .asleep = l.setting(asleep, 0) != 0, .local_capacity = 2}},
        forks_{crew_.idle(),
               workers_of(l),
               [this](std::size_t i) -> parker<Model>& { return crew_.at_worker(i).sleep; },
               {.guests = l.threads - l.count(work_word) + l.setting(guests, 0), .capacity = 2}},
        results_{most_jobs},
        flags_{l.count(set_word)},
        entered_{l.setting(guests, 0)} {
    Model::name(results_, "result");
    Model::name(entered_, "entered");
    Model::name(flags_, "flag");
    for (unsigned t = 0; t != l.threads; ++t) {
      here_[t] = t < l.count(work_word) ? &forks_.at_side(t) : forks_.enter();
      own_[t] = here_[t];
      if (t >= l.count(work_word)) continue;
      tools_[t].emplace(t, workers_of(l), 8U);
      workers_[t].emplace(crew_, t, worker_options{.inject_batch = 1, .rounds = 1}, *tools_[t],
                          fork_search<Model>(forks_, t, 0));
    }
  }

  static const char* refuses(const line& l) {
    if (l.threads > most_threads) return "at most 3 threads";
    if (l.setting(guests, 0) > 1) return "at most one guest at a time";
    return l.count(set_word) > most_flags ? "more than 2 flags are set" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == work_word && thread >= l.count(work_word)) return "workers are the first threads, and work once";
    if (c.word == steal_word && c.at(0, 0) >= l.threads) return "there is no such thread";
    if ((c.word == fork_word || c.word == job_word) && c.at(0, 0) >= most_jobs) return "jobs are 0 to 5";
    if (c.word == set_word || c.word == await_word) {
      return c.at(0, 0) < l.count(set_word) ? nullptr : "nothing sets this flag";
    }
    return nullptr;
  }

  void prepare(const call& c) {
    if (c.word == take_word) {
      if (const auto got = forks_.steal(own_[0]->number())) taken_ = *got;
    } else {
      body_ = &(does_[described_ = c.at(0, 0)] = {&c + 1, 0});
    }
  }

  bool perform(unsigned thread, const call& c) {
    const bool described =
        body_ != nullptr && std::less_equal<>()(line_.before.begin(), &c) && std::less<>()(&c, line_.before.end());
    if (described) {
      *body_ = {body_->data(), body_->size() + 1};
      if (c.word == fork_word) parent_[c.at(0, 0)] = described_;
    } else if (c.word == work_word) {
      workers_[thread]->run([](crew_item /*none*/) {});
    } else if (c.word == run_word) {
      forks_.run(*here_[thread], *taken_);
    } else {
      act(*here_[thread], thread, c);
    }
    return true;
  }

  /// Every job that was forked has been joined, and has run.
  void settle() {
    for (const stack& each : open_) Model::check(each.used == 0, "a fork without a join");
  }
  void leave() {}

 private:
  static constexpr std::size_t most_threads = 3;
  static constexpr std::size_t most_jobs = 6;
  static constexpr std::size_t most_flags = 2;
  static constexpr std::size_t none = most_jobs;
  static constexpr int answer = 7;

  /// At least one, for the idle set.
  static std::size_t workers_of(const line& l) { return std::max<std::size_t>(l.count(work_word), 1); }

  using side = fork_side<Model>;
  using crew_type = crew<crew_item, Model, in_order, locked_list>;
  using worker_type = worker<crew_type, crew_tools, fork_search<Model>>;

  struct frame : fork_job<Model> {
    frame(fork_client_of& of, std::size_t which) : fork_job<Model>(&call_job), all{of}, number{which}, span{0} {}
    fork_client_of& all;
    std::size_t number;
    bool offered = false;
    typename Model::template plain<std::size_t> span;  // what a measurement has there: of the job, in forks
  };
  /// One side's thread: the forks that are still open, and the jobs for which it waits.
  struct stack {
    std::array<frame*, most_jobs> open{};
    std::size_t used = 0;
    std::size_t waits_for = none;
    std::size_t span = 0;  // of what it runs, in forks
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
    for (const call& c : does_[job.number]) act(where, where.number(), c);
    job.span.write(std::exchange(own.span, before));
    Model::check(results_[job.number].read() == 0, "exactly once: a job runs");
    results_[job.number].write(answer);
    own.waits_for = outer;
  }
  [[nodiscard]] bool descends(std::size_t job, std::size_t from) const {
    while (job != none && job != from) job = parent_[job];
    return job == from;
  }

  void act(side& where, unsigned thread, const call& c) {
    const std::size_t n = c.at(0, 0);
    switch (c.word) {
      case fork_word: return fork(where, n);
      case join_word: return join(where);
      case steal_word: return steal(where, n);
      case stop_word: return crew_.stop();
      case set_word: return flags_[n].store(1, order::relaxed, "set");
      case await_word: return flags_[n].await_value(1, order::relaxed, "await");
      case enter_word: return enter(thread);
      default: return exit(thread);
    }
  }

  void fork(side& where, std::size_t number) {
    void* const place = Model::memory()->allocate(sizeof(frame), alignof(frame));
    frame* const made = ::new (place) frame(*this, number);
    stack& own = open_[where.number()];
    Model::check(own.used != most_jobs, "a side has one thread at a time");
    if (own.used == most_jobs) return;
    own.open[own.used++] = made;
    made->offered = where.offer(*made);
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
    Model::check(results_[job->number].read() == answer, "a join returns with the result");
    own.span += 1 + job->span.read();
    job->~frame();
    Model::memory()->deallocate(job, sizeof(frame), alignof(frame));
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
  std::array<std::optional<crew_tools>, most_threads> tools_;
  std::array<std::optional<worker_type>, most_threads> workers_;
  std::optional<typename fork_crew<Model>::loot> taken_;
  std::array<side*, most_threads> own_{};
  std::array<side*, most_threads> here_{};  // its own, or a guest's
  cells<typename Model::template plain<int>, most_jobs> results_;
  cells<typename Model::template atomic<int>, most_flags> flags_;
  cells<typename Model::template plain<int>, 1> entered_;  // of the guest's side
  std::array<stack, most_threads + 2> open_{};             // by side
  std::array<std::span<const call>, most_jobs> does_{};
  std::array<std::size_t, most_jobs> parent_{none, none, none, none, none, none};
  std::size_t described_ = 0;
  std::span<const call>* body_ = nullptr;
};

}  // namespace licit::suites

#endif
