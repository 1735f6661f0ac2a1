/// What all ways to run a program have in common: the scheduler's tools over the virtual clock, tasks, how they run and
/// end, and requests from outside.
#ifndef LICIT_SIMULATION_EXECUTION_HPP
#define LICIT_SIMULATION_EXECUTION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <licit/scheduler/idle/patience.hpp>
#include <licit/scheduler/idle/victims.hpp>
#include <licit/scheduler/inject/interval.hpp>
#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/random.hpp>

#include "machine.hpp"
#include "memory.hpp"
#include "programs.hpp"

namespace licit_simulation {

struct virtual_nanoseconds {
  static std::uint64_t now() {
    machine& here = machine::current();
    here.spend(here.prices().clock, expense::pauses);
    return here.now() / 1000;
  }
};

/// What one worker did. Counting costs nothing.
struct tally : licit::no_metrics {
  void search_begins() { ++searches; }
  void steal_tried() { ++tried; }
  void stole(std::size_t /*victim*/, std::uint64_t items) {
    ++steals;
    stolen += items;
  }
  void slot_stolen(std::size_t /*victim*/) { ++slots; }
  void parks() { ++sleeps; }
  void overflowed(std::uint64_t items) { overflows += items; }

  void add(const tally& other) {
    searches += other.searches;
    tried += other.tried;
    steals += other.steals;
    stolen += other.stolen;
    slots += other.slots;
    sleeps += other.sleeps;
    overflows += other.overflows;
    polls += other.polls;
    busy += other.busy;
  }

  std::uint64_t searches = 0, tried = 0, steals = 0, stolen = 0, slots = 0, sleeps = 0, overflows = 0, polls = 0;
  picoseconds busy = 0;  ///< within polls
};

class simulated_tools {
 public:
  simulated_tools(std::size_t self, std::size_t workers, std::uint64_t seed) : others{self, workers, seed} {}

  bool tick() { return interval_.due(); }
  void look_soon(std::size_t polls) { interval_.soon(static_cast<std::uint32_t>(polls)); }
  void caught(std::size_t items) { patience_.caught(items); }
  void before_search() { relax(patience_.due()); }
  static void pause(unsigned round) { relax(1U << (round < 6 ? round : 6)); }
  void going_to_sleep() { patience_.forget(); }
  void awake() { interval_.restart(); }

  tally metrics;
  licit::detail::victims<simulated> others;

 private:
  static void relax(unsigned times) {
    machine::current().spend(times * machine::current().prices().pause, expense::pauses);
  }

  licit::detail::patience patience_;
  licit::detail::tick_interval<virtual_nanoseconds> interval_{licit::interval_options{}};
};

struct task;

}  // namespace licit_simulation

template <>
struct licit::inject_link<licit_simulation::task*> {
  static licit_simulation::task* get(licit_simulation::task* item) noexcept;
  static void set(licit_simulation::task* item, licit_simulation::task* next) noexcept;
};

namespace licit_simulation {

/// A part that is being run. A line of memory.
struct alignas(64) task {
  part what;
  task* parent = nullptr;
  task* next = nullptr;                        ///< in an inbox
  simulated::atomic<std::uint32_t> pending{};  ///< forked parts that have not ended
  std::uint16_t first = 0, last = 0;           ///< with a static split: the workers that it is for
  picoseconds arrived = 0;                     ///< of a request
};
static_assert(sizeof(task) == 64);

struct outcome {
  picoseconds time = 0;  ///< until the root has ended, or the last request
  tally all;
  std::uint64_t wakes = 0, misses = 0, accesses = 0;
  picoseconds asleep = 0;                ///< of all workers, until then
  account spent;                         ///< of all workers, unless they slept; not by the central queue
  picoseconds half_began = 0;            ///< when half of the workers had begun something
  std::vector<picoseconds> latencies{};  ///< of requests
};

struct setting {
  std::size_t workers = 1;
  std::uint64_t seed = 1;
  costs prices;
  picoseconds own_cost = 0;  ///< of a task, beyond the accesses that are simulated
  faults planted{};
};

/// Of the service: so many requests come at exponential intervals, from so many threads outside.
struct arrivals {
  std::size_t requests = 0;
  std::size_t threads = 1;
  double load = 0.7;  ///< of what all workers together could do
};

enum class way : std::uint8_t {
  steals,        ///< the scheduler's loop as it is
  steals_one,    ///< the same, one task at a time
  split,         ///< no thefts: a forked part is for a fixed share of its parent's workers
  shares,        ///< no thefts: who forks gives a part to a random worker that has fewer
  joins,         ///< parts are not tasks: each fork is a `licit::join`, on the stack
  central_queue  ///< one queue under a lock
};

/// What all ways have in common: a task's run, and how it ends.
class execution {
 public:
  execution(const program& of, const setting& s) : of_{of}, setting_{s} {}

  task* make(const part& what, task* parent) {
    void* place = machine::current().memory().allocate(sizeof(task), alignof(task));
    return ::new (place) task{.what = what, .parent = parent};
  }

  /// `fork(task, step)` makes the task's parts, and has them run.
  template <class Fork>
  void poll(task* t, Fork&& fork) {
    machine& here = machine::current();
    here.load(t);
    here.spend(setting_.own_cost);
    while (t != nullptr) {
      const step s = of_.plan(t->what);
      here.spend(s.before);
      if (s.forks != 0) {
        t->pending.store(static_cast<std::uint32_t>(s.forks), own_site{});
        return fork(t, s);
      }
      t = ended(t, s);
    }
  }

  /// The same for a part and all below it, without tasks. The part's end.
  void poll_whole(task* t) {
    machine& here = machine::current();
    here.load(t);
    here.spend(setting_.own_cost + shape_of(of_, t->what, setting_.prices).work);
    t = whole_ended(t);
    while (t != nullptr) {
      here.spend(shape_of(of_, t->what, setting_.prices).work);
      t = whole_ended(t);
    }
  }

  void root_ended(task* root) {
    roots_ended.push_back(root);
    at.push_back(machine::current().now());
  }

  [[nodiscard]] const program& of() const { return of_; }
  std::vector<task*> roots_ended;  ///< in this order
  std::vector<picoseconds> at;     ///< when

 private:
  /// Returns a task that goes on with another part, if one does.
  task* ended(task* t, step s) {
    for (;;) {
      machine::current().spend(s.after);
      if (s.goes_on) {
        t->what = s.then;
        return t;
      }
      t = joined(t);
      if (t == nullptr) return nullptr;
      s = of_.plan(t->what);
    }
  }
  task* whole_ended(task* t) {
    t = joined(t);
    return t != nullptr ? ended(t, of_.plan(t->what)) : nullptr;
  }
  /// The parent, if this was its last part.
  task* joined(task* t) {
    if (t->parent == nullptr) {
      root_ended(t);
      return nullptr;
    }
    return t->parent->pending.fetch_sub(1, own_site{}) == 1 ? t->parent : nullptr;
  }

  const program& of_;
  const setting& setting_;
};

/// A thread outside: `submit(request, worker)` for each of its requests, when it comes.
template <class Submit>
void arrive(execution& run, const setting& s, const arrivals& service, std::size_t thread, Submit&& submit) {
  licit::detail::random random(s.seed * 1000 + thread);
  const auto work = static_cast<double>(shape_of(run.of(), run.of().root, s.prices).work);
  const double between = work / static_cast<double>(s.workers) / service.load * static_cast<double>(service.threads);
  double next = 0;
  for (std::size_t i = thread; i < service.requests; i += service.threads) {
    next -= between * std::log((static_cast<double>(random.next() >> 11) + 0.5) / 9007199254740992.0);
    machine::current().wait_until(static_cast<picoseconds>(next));
    task* one = run.make(run.of().root, nullptr);
    one->arrived = static_cast<picoseconds>(next);
    machine::current().spend(s.own_cost / 2);
    submit(one, random.below(static_cast<std::uint32_t>(s.workers)));
  }
}

}  // namespace licit_simulation

inline licit_simulation::task* licit::inject_link<licit_simulation::task*>::get(licit_simulation::task* item) noexcept {
  return item->next;
}
inline void licit::inject_link<licit_simulation::task*>::set(licit_simulation::task* item,
                                                             licit_simulation::task* next) noexcept {
  item->next = next;
}

#endif
