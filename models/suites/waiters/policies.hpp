/// What the clients of those who wait run over: the lock's specification, and tasks that wait.
#ifndef LICIT_SUITES_WAITERS_POLICIES_HPP
#define LICIT_SUITES_WAITERS_POLICIES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include <licit/scheduler/sync/short_lock.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<waiters_orders> waiters_site_rules{
    {"lock.take", "lock"},     {"lock.wait", "lock"},      {"lock.free", "lock"},       {"answer.give", "answer"},
    {"answer.look", "answer"}, {"answer.wait", "answer"},  {"take.look", "permits"},    {"take.claim", "permits"},
    {"wait.look", "permits"},  {"wait.claim", "permits"},  {"wait.mark", "permits"},    {"give.look", "permits"},
    {"give.add", "permits"},   {"settle.look", "permits"}, {"settle.store", "permits"}, {"count.look", "permits"},
    {"gate.look", "gate"},     {"gate.open", "gate"},      {"gate.shut", "gate"},
};

/// Lists are guarded by the checker's own mutex, which is what the short lock promises.
template <class Model>
struct specified_lock : Model {
  using guard_of_lists = typename Model::mutex;
};

/// A coroutine's task. It outlives the frame where it waits.
template <class Model>
class waiting_task {
 public:
  executor* lend() { return nullptr; }
  void wake_lent(executor* /*none*/) { woken_.store(1, order::release, "wake"); }
  /// Suspended until it is woken.
  void rest() { woken_.await_value(1, order::acquire, "rest"); }
  /// The wait is over, and so is the task.
  void ends() {}

 private:
  typename Model::template atomic<int> woken_;
};
/// Nobody wakes it.
template <class Model>
struct forgotten_waiting_task : waiting_task<Model> {
  void wake_lent(executor* /*none*/) {}
};
/// It is destroyed with its last reference: its own, or one that it has lent.
template <class Model>
class counted_task : public waiting_task<Model> {
 public:
  counted_task() { Model::name(destroyed_, "destroyed"); }
  executor* lend() {
    references_.fetch_add(1, order::relaxed, "lend");
    return nullptr;
  }
  void wake_lent(executor* none) {
    Model::check(destroyed_.read() == 0, "a task is woken after its end");
    waiting_task<Model>::wake_lent(none);
    ends();
  }
  void ends() {
    if (references_.fetch_sub(1, order::acq_rel, "release") == 1) destroyed_.write(1);
  }

 private:
  typename Model::template atomic<int> references_{1};
  typename Model::template plain<int> destroyed_;
};

/// A task for each call of a line that may wait, by threads.
template <class Model, class Task>
class waiting_tasks {
 public:
  /// With so many words at the beginning of the vocabulary that wait.
  waiting_tasks(const line& l, std::size_t words) : all_{count(l.before, words) + of_threads(l, words)} {
    std::size_t first = count(l.before, words);
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first += count(l.thread[t], words);
    }
  }
  Task& next(unsigned thread) { return all_[next_[thread]++]; }

 private:
  static std::size_t count(const calls& all, std::size_t words) {
    std::size_t n = 0;
    for (std::size_t word = 0; word != words; ++word) n += all.count(word);
    return n;
  }
  static std::size_t of_threads(const line& l, std::size_t words) {
    std::size_t n = 0;
    for (unsigned t = 0; t != l.threads; ++t) n += count(l.thread[t], words);
    return n;
  }

  cells<Task, most_items> all_;
  std::array<std::size_t, line::most_threads> next_{};  // each entry its thread's
};

/// A waiter in memory that is not used again: the wake-up of a thread may come after its waiter is gone. Or another
/// object that another thread may use for too long.
template <class Model, class Waiter>
class placed {
 public:
  template <class... With>
  explicit placed(const With&... with)
      : place_{Model::memory()->allocate(sizeof(Waiter), alignof(Waiter))}, it_{::new(place_) Waiter(with...)} {}
  ~placed() {
    std::destroy_at(it_);
    Model::memory()->deallocate(place_, sizeof(Waiter), alignof(Waiter));
  }
  placed(const placed&) = delete;
  placed& operator=(const placed&) = delete;
  Waiter& operator*() const { return *it_; }
  Waiter* operator->() const { return it_; }

 private:
  void* place_;
  Waiter* it_;
};

/// How a call of a line waits.
enum class patience_of : std::uint8_t {
  coroutine,  ///< until it is woken
  hurried,    ///< the same, but it runs once for another reason, and looks
  thread,     ///< by its waiter's word
};

/// Waits for an answer to `who`, which is linked and belongs to the task unless it is a thread's.
template <class Model, class Waiter, class Task>
answer await_answer(Waiter& who, Task* task, patience_of how) {
  if (how == patience_of::thread) return who.sleep();
  if (how == patience_of::hurried) {
    if (const answer early = who.answered(); early != answer::none) return early;
  }
  task->rest();
  const answer got = who.answered();
  Model::check(got != answer::none, "a task is woken before it is answered");
  return got;
}

}  // namespace licit::suites

#endif
