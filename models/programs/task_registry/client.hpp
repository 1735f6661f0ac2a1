/// What the client programs of the task registry share: tasks that count their references, and are not atomic
/// otherwise.
#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_CLIENT_HPP

#include <array>
#include <cstddef>

#include <licit/scheduler/task/task_registry.hpp>

#include "program.hpp"

namespace licit::models::on_task_registry {

/// What the registry sees of a task. Its fields are plain: who takes a task out of the registry is the only one that
/// has it, and comes after who put it in.
template <class Model>
class entry {
 public:
  typename Model::template plain<entry*> registered;

  void complete() { done_.write(true); }  ///< before it is added
  [[nodiscard]] bool done() const { return done_.read(); }
  void retain() { references_.write(references_.read() + 1); }
  void release() {
    Model::check(references_.read() == 1, "let go twice, or never taken");
    references_.write(0);
    ++let_go_;
  }
  void cancel() {
    Model::check(references_.read() == 1, "cancelled after it was let go");
    cancelled_ = true;
  }

  // At the end.
  [[nodiscard]] int let_go() const { return let_go_; }
  [[nodiscard]] bool cancelled() const { return cancelled_; }

 private:
  typename Model::template plain<bool> done_;
  typename Model::template plain<int> references_;
  int let_go_ = 0;  // of the thread that has it
  bool cancelled_ = false;
};

template <class Model, std::size_t Tasks>
class client {
 public:
  using task = entry<Model>;

 protected:
  /// Any thread. False: it was refused, and is not in the registry.
  bool add(std::size_t i) {
    if (Model::leaves_out("add")) return false;
    added_[i] = all_.add(tasks_[i]);
    return added_[i];
  }
  void sweep() {
    if (!Model::leaves_out("sweep")) all_.sweep();
  }
  void cancel_all() {
    all_.cancel_all();
    closed_ = true;
  }

  task& at(std::size_t i) { return tasks_[i]; }

  /// Main thread, at the end; closes it, if no thread did: what was added was let go once, and those that were not
  /// complete were cancelled. A thread that was stopped may have all of them.
  void settle(unsigned threads) {
    for (unsigned t = 0; t != threads; ++t) {
      if (Model::stalled(t)) return;
    }
    if (!closed_) cancel_all();
    for (std::size_t i = 0; i != Tasks; ++i) {
      Model::check(tasks_[i].let_go() == (added_[i] ? 1 : 0) + (refused(i) ? 1 : 0), "each is let go once");
      if (added_[i] && !tasks_[i].done()) Model::check(tasks_[i].cancelled(), "a task was not cancelled");
    }
  }

 private:
  /// A refused one was retained and let go by `add` itself.
  [[nodiscard]] bool refused(std::size_t i) const { return !added_[i] && tasks_[i].let_go() != 0; }

  std::array<task, Tasks> tasks_;
  std::array<bool, Tasks> added_{};  // each of the thread that adds it
  bool closed_ = false;              // of the thread that closes it
  task_registry<Model, task> all_;
};

}  // namespace licit::models::on_task_registry

#endif
