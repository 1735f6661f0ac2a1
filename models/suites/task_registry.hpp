/// The task registry: client programs, mutants.
#ifndef LICIT_SUITES_TASK_REGISTRY_HPP
#define LICIT_SUITES_TASK_REGISTRY_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/task/task_registry.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/mutant.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<task_registry_orders> task_registry_site_rules{
    {"push.head", "head"},    {"sweep.head", "head"}, {"close.take", "head"},   {"add.count", "count"},
    {"sweep.count", "count"}, {"add.limit", "limit"}, {"sweep.limit", "limit"},
};

/// What the registry sees of a task. The fields are plain: only the thread that took a task out of the registry has
/// it, and comes after the thread that put it in.
template <class Model>
class registered_task {
 public:
  typename Model::template plain<registered_task*> registered;

  /// Before it is added.
  void complete() { done_.write(true); }
  [[nodiscard]] bool done() const { return done_.read(); }
  void retain() { references_.write(references_.read() + 1); }
  void release() {
    Model::check(references_.read() == 1, "a task was released twice, or never retained");
    references_.write(0);
    ++releases_;
  }
  void cancel() {
    Model::check(references_.read() == 1, "a task was cancelled after it was released");
    cancelled_ = true;
  }

  // Main thread, at the end.
  [[nodiscard]] int releases() const { return releases_; }
  [[nodiscard]] bool cancelled() const { return cancelled_; }

 private:
  typename Model::template plain<bool> done_;
  typename Model::template plain<int> references_;
  int releases_ = 0;  // with cancelled_, the thread's that has the task
  bool cancelled_ = false;
};

/// One registry. Each `add` of a line has a task of its own.
template <class Model>
class task_registry_client {
 public:
  enum : std::uint8_t { add_word, add_done_word, sweep_word, cancel_all_word };
  static constexpr std::array words{"add", "add_done", "sweep", "cancel_all"};  // add_done: a task that is complete
  static constexpr std::array<const char*, 0> settings{};

  explicit task_registry_client(const line& l) : tasks_{l.count(add_word) + l.count(add_done_word)} {
    std::size_t first = adds(l.before);  // thread 0's first are the main thread's
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first += adds(l.thread[t]);
    }
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case add_word: return add(next_[thread]++);
      case add_done_word: tasks_[next_[thread]].complete(); return add(next_[thread]++);
      case sweep_word: return all_.sweep() != 0;
      default: closed_ = true; return all_.cancel_all() != 0;
    }
  }

  /// Closes the registry if no thread did. Then each task that was retained has been released once, and a task that was
  /// added and is not complete has been cancelled. A thread that was stopped may have all of them.
  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    if (!closed_) all_.cancel_all();
    for (std::size_t i = 0; i != tasks_.size(); ++i) {
      const bool refused = !added_[i] && tasks_[i].releases() != 0;  // `add` retained and released it
      Model::check(tasks_[i].releases() == (added_[i] || refused ? 1 : 0), "each task is released once");
      if (added_[i] && !tasks_[i].done()) Model::check(tasks_[i].cancelled(), "a task was not cancelled");
    }
  }
  void leave() {}

 private:
  static std::size_t adds(const calls& of) { return of.count(add_word) + of.count(add_done_word); }

  /// False: the task was refused, and is not in the registry.
  bool add(std::size_t i) {
    added_[i] = all_.add(tasks_[i]);
    return added_[i];
  }

  cells<registered_task<Model>, most_items> tasks_;
  std::array<bool, most_items> added_{};                // each the adding thread's
  std::array<std::size_t, line::most_threads> next_{};  // each entry its thread's: the next task that it adds
  bool closed_ = false;
  task_registry<Model, registered_task<Model>> all_;
};

inline constexpr std::array task_registry_lines{
    client_line{"adders", "add | add", "two threads add at once: both tasks are registered"},
    client_line{"add_against_close", "add add | cancel_all",
                "a task added while the registry closes is refused or cancelled"},
    client_line{"add_against_sweep", "add_done add: add | sweep",
                "a sweep keeps every task that is not complete, also one added meanwhile"},
    client_line{"sweeps", "add_done add: sweep | sweep", "two sweeps at once: one of them has each task"},
    client_line{"sweep_against_close", "add add: sweep | cancel_all",
                "a sweep cancels the tasks that it has taken while the registry is closed"},
    client_line{"all_at_once", "add: add | sweep | cancel_all", "threads add, sweep and close at once"},
};

inline constexpr std::array task_registry_mutants{
    mutant{"push.chain relaxed", {"push.chain", change::weaken}},
    mutant{"sweep.take relaxed", {"sweep.take", change::weaken}},
    mutant{"close.take relaxed", {"close.take", change::weaken}},
    mutant{"push.chain a blind store", {"push.chain", change::blind_store}},
    mutant{"sweep.take a blind store", {"sweep.take", change::blind_store}},
};

/// A chain that a closed registry refuses is still linked to the tasks that it was to be put before.
template <class Model>
using linked_when_refused = with_rules<Model, task_registry_rules{.unlinks_refused = false}>;
template <class Model>
using linked_when_refused_client = task_registry_client<linked_when_refused<Model>>;
/// A chain is put back although the registry was closed.
template <class Model>
using reopened = with_rules<Model, task_registry_rules{.stays_closed = false}>;
template <class Model>
using reopened_client = task_registry_client<reopened<Model>>;

inline constexpr std::array linked_when_refused_lines{client_line{
    "keeps_links", "add: add | sweep | cancel_all", "a sweep cancels tasks of others together with its own"}};
inline constexpr std::array reopened_lines{
    client_line{"reopens", "add add: sweep | cancel_all", "a sweep puts its tasks back into a closed registry"}};

struct task_registry_suite {
  static constexpr const auto& orders = task_registry_orders;
  static constexpr const auto& mutants = task_registry_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<task_registry_client>(task_registry_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<linked_when_refused_client>(linked_when_refused_lines);
    to.template lines<reopened_client>(reopened_lines);
  }
};

}  // namespace licit::suites

#endif
