/// What a worker's loop knows of joins: it steals one, and runs it.
#ifndef LICIT_SCHEDULER_FORK_SEARCH_HPP
#define LICIT_SCHEDULER_FORK_SEARCH_HPP

#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/idle/victims.hpp>

namespace licit::inline v0::detail {

/// For a loop without joins.
struct no_forks {
  static bool is_first() { return false; }
  static bool steal() { return false; }
  static bool has() { return false; }
  static void run() {}
  static bool sees_work() { return false; }
  template <class Idle>
  static bool sees_work_for_others(const Idle& /*idle*/) {
    return false;
  }
  static void going_to_sleep() {}
};

/// For one worker's thread. A worker looks at joins before it looks at tasks, since somebody's stack waits for a join;
/// every `tasks_first`-th time the tasks come first, so that neither waits forever.
template <class Policy = native>
class fork_search {
 public:
  static constexpr unsigned tasks_first = 8;

  /// `all` outlives the search.
  fork_search(fork_crew<Policy>& all, std::size_t self, std::uint64_t seed)
      : all_{all}, self_{all.at_side(self)}, others_{self, all.sides(), seed} {}

  /// Whether joins come first this time.
  bool is_first() { return ++searches_ % tasks_first != 0; }

  /// Takes a job from another side, if it finds one. O(sides).
  bool steal() {
    return others_.visit([this](std::size_t victim) {
      if (all_.sleeps(victim)) return false;
      const auto got = all_.steal(victim);
      if (got) loot_ = *got;
      return static_cast<bool>(got);
    });
  }
  /// Whether `steal` has taken one that has not run yet.
  [[nodiscard]] bool has() const { return loot_.taken != nullptr; }
  void run() {
    const auto mine = loot_;
    loot_ = {};
    all_.run(self_, mine);
  }

  /// The last searcher: whether it must stay awake.
  bool sees_work() { return all_.sees_work(); }
  /// The last searcher, which has found something: whether it must wake another. A worker that parks later looks for
  /// itself.
  bool sees_work_for_others(const idle_set<Policy>& idle) { return idle.parked() != 0 && all_.sees_work(); }
  void going_to_sleep() { all_.quiet(self_); }

 private:
  fork_crew<Policy>& all_;
  fork_side<Policy>& self_;
  victims<Policy> others_;
  typename fork_crew<Policy>::loot loot_;
  unsigned searches_ = 0;
};

}  // namespace licit::inline v0::detail

#endif
