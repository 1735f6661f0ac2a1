/// The task registry: client programs, mutants.
#ifndef LICIT_SUITES_TASK_REGISTRY_HPP
#define LICIT_SUITES_TASK_REGISTRY_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/task/task_registry.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<task_registry_orders> task_registry_site_rules{
    {"add.hand", "hand"},         {"add.moved", "hand"},          {"add.segment", "segment"},
    {"grow.publish", "segment"},  {"add.look", "slot"},           {"add.claim", "slot"},
    {"remove.take", "slot"},      {"close.look", "slot"},         {"close.take", "slot"},
    {"close.segment", "segment"}, {"add.closed", "closed"},       {"close.set", "closed"},
    {"size.segment", "segment"},  {"destroy.segment", "segment"},
};

/// What the registry sees of a task, and what a scheduler does with it. It has two references of its own, one of them
/// the registry's. Its frame is plain: whatever the registry does not order is a race.
template <class Model>
class registered_task {
 public:
  using slot = typename Model::template atomic<registered_task*>;

  /// The thread that adds the task, before.
  void begin() { frame_.write(alive); }
  /// The thread that runs it: to its end.
  void complete(bool removed) {
    Model::check(frame_.read() == alive, "a task is destroyed before it is complete");
    drop(removed ? 2 : 1);
  }

  // cancel_all
  void request_stop() {
    Model::check(frame_.read() == alive, "a task is cancelled that is not there yet, or not any more");
    ++stops_;
  }
  void release() { drop(1); }

  // Main thread, at the end.
  [[nodiscard]] int stops() const { return stops_; }
  [[nodiscard]] bool destroyed() const { return frame_.read() == gone; }

 private:
  static constexpr int alive = 1;
  static constexpr int gone = 2;

  void drop(int references) {
    const int before = references_.fetch_sub(references, order::acq_rel, "drop");
    Model::check(before >= references, "a reference is dropped that is another's");
    if (before == references) frame_.write(gone);
  }

  typename Model::template plain<int> frame_;
  typename Model::template atomic<int> references_{2};
  int stops_ = 0;  // the thread's that has taken the task out
};

/// One registry. Each `add` of a line has a task of its own; they are numbered from 0 on, by threads, the first of
/// thread 0 being those that the main thread adds.
///
///     add          a task is added; one that is refused is completed at once
///     complete(n)  task n, which was added before the threads start, or by this one, is completed
///     cancel_all
template <class Model>
class task_registry_client {
 public:
  enum : std::uint8_t { add_word, complete_word, cancel_all_word };
  static constexpr std::array words{"add", "complete", "cancel_all"};
  enum : std::uint8_t { first_setting };
  static constexpr std::array settings{"first"};

  explicit task_registry_client(const line& l)
      : tasks_{l.count(add_word)}, all_{*Model::memory(), static_cast<std::uint32_t>(l.setting(first_setting, 1))} {
    std::size_t first = l.before.count(add_word);
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first += l.thread[t].count(add_word);
    }
  }
  static const char* refuses(const line& l, unsigned /*thread*/, const call& c) {
    if (c.word != complete_word) return nullptr;
    return c.at(0, 0) < l.count(add_word) ? nullptr : "there is no such task";
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case add_word: return add(next_[thread]++);
      case complete_word: return complete(c.at(0, 0));
      default: closed_ = true; return all_.cancel_all() != 0;
    }
  }

  /// Closes the registry if no thread did. Then each task is destroyed once, and each that was added and was alive when
  /// the registry was closed was told to stop.
  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    for (std::size_t i = 0; i != tasks_.size() && !closed_; ++i) {
      Model::check(state_[i] != ended || tasks_[i].destroyed(), "a task that is complete is kept");
    }
    if (!closed_) all_.cancel_all();
    for (std::size_t i = 0; i != tasks_.size(); ++i) {
      if (state_[i] == none) continue;
      if (state_[i] == added) {
        Model::check(tasks_[i].stops() == 1, "a task that is alive after the close was not told to stop");
        (void)complete(i);
      }
      Model::check(tasks_[i].stops() <= 1, "a task was taken out twice");
      Model::check(tasks_[i].destroyed(), "a task is never destroyed");
    }
  }
  void leave() {}

 private:
  enum state : std::uint8_t { none, added, ended };

  /// False: the task was refused.
  bool add(std::size_t i) {
    tasks_[i].begin();
    state_[i] = added;
    slots_[i] = all_.add(tasks_[i]);
    if (slots_[i] != nullptr) return true;
    (void)complete(i);
    return false;
  }
  bool complete(std::size_t i) {
    if (state_[i] != added) return false;
    state_[i] = ended;
    tasks_[i].complete(slots_[i] == nullptr || all_.remove(slots_[i], tasks_[i]));
    return true;
  }

  cells<registered_task<Model>, most_items> tasks_;
  std::array<typename registered_task<Model>::slot*, most_items> slots_{};  // with state_
  std::array<state, most_items> state_{};               // each the thread's that adds or completes the task
  std::array<std::size_t, line::most_threads> next_{};  // each entry its thread's: the next task that it adds
  bool closed_ = false;
  task_registry<Model, registered_task<Model>> all_;
};

inline constexpr std::array task_registry_lines{
    client_line{"adders", "first=2: add | add", "two threads add at once: each task has a slot"},
    client_line{"growers", "add: add | add", "two threads add slots at once: those of one are used"},
    client_line{"add_against_close", "add add | cancel_all",
                "a task added while the registry closes is refused or cancelled"},
    client_line{"completion_against_close", "add: complete | cancel_all",
                "a task that completes while the registry closes is destroyed after both have done with it"},
    client_line{"slot_again", "add: complete add | cancel_all",
                "a slot that is used again while the registry closes has the one task or the other"},
    client_line{"remote_completion", "add: complete | add add", "a slot that another thread frees is used again"},
    client_line{"closed_twice", "add: cancel_all | cancel_all",
                "two threads close the registry: one of them has the task"},
    client_line{"others_slots", "first=2: add | add | cancel_all",
                "a task in a slot that another thread has made is refused or cancelled"},
    client_line{"all_at_once", "add: complete | add | cancel_all", "threads complete, add and close at once"},
};

inline constexpr std::array task_registry_mutants{
    mutant{"add.segment acquire", {"add.segment", change::weaken, order::acquire}},
    mutant{"add.segment relaxed", {"add.segment", change::weaken}},
    mutant{"add.claim release", {"add.claim", change::weaken, order::release}},
    mutant{"add.claim relaxed", {"add.claim", change::weaken}},
    mutant{"add.claim a blind store", {"add.claim", change::blind_store}},
    mutant{"add.closed relaxed", {"add.closed", change::weaken}},
    mutant{"grow.publish acq_rel", {"grow.publish", change::weaken, order::acq_rel, order::seq_cst}},
    mutant{"grow.publish acquire where it fails", {"grow.publish", change::weaken, order::seq_cst, order::acquire}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}},
    mutant{"grow.publish a blind store", {"grow.publish", change::blind_store}},
    mutant{"remove.take a blind store", {"remove.take", change::blind_store}},
    mutant{"close.set relaxed", {"close.set", change::weaken}},
    mutant{"close.segment acquire", {"close.segment", change::weaken, order::acquire}},
    mutant{"close.segment relaxed", {"close.segment", change::weaken}},
    mutant{"close.look acquire", {"close.look", change::weaken, order::acquire}},
    mutant{"close.look relaxed", {"close.look", change::weaken}},
    mutant{"close.take relaxed", {"close.take", change::weaken}},
};

/// A task that is added does not look at the registry any more.
template <class Model>
using looks_before = with_rules<Model, task_registry_rules{.looks_after = false}>;
template <class Model>
using looks_before_client = task_registry_client<looks_before<Model>>;

inline constexpr std::array looks_before_lines{client_line{
    "looks_before", "add | cancel_all", "a task is added to a registry that was closed after the adder looked"}};

/// A task that completes stays in its slot until the registry is closed.
template <class Model>
using keeps_the_ended = with_rules<Model, task_registry_rules{.forgets = false}>;
template <class Model>
using keeps_the_ended_client = task_registry_client<keeps_the_ended<Model>>;

inline constexpr std::array keeps_the_ended_lines{
    client_line{"keeps_what_has_ended", "add: complete | add", "a task that is complete stays allocated"}};

/// cancel_all looks at a slot and then empties it.
template <class Model>
using takes_torn_client = task_registry_client<torn<Model, "close.take">>;

inline constexpr std::array takes_torn_lines{
    client_line{"takes_torn", "add: complete | cancel_all", "a task is taken out by two threads"}};

struct task_registry_suite {
  static constexpr const auto& orders = task_registry_orders;
  static constexpr const auto& mutants = task_registry_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<task_registry_client>(task_registry_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<looks_before_client>(looks_before_lines);
    to.template lines<takes_torn_client>(takes_torn_lines);
    to.template lines<keeps_the_ended_client>(keeps_the_ended_lines);
  }
};

}  // namespace licit::suites

#endif
