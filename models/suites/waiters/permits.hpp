/// Those who wait: clients of the short lock, of permits, of the gate and of the rendezvous.
#ifndef LICIT_SUITES_WAITERS_PERMITS_HPP
#define LICIT_SUITES_WAITERS_PERMITS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/sync/permits.hpp>
#include <licit/scheduler/sync/rendezvous.hpp>

#include "suites/account.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// Letters: plain cells that one thread writes, and others read when they know that they may.
template <class Model>
class letters {
 public:
  letters() { Model::name(cell_, "letter"); }
  void write(std::size_t which) { cell_[which].write(written); }
  void read(std::size_t which) {
    Model::check(cell_[which].read() == written, "what was done before is not visible to who waited for it");
  }
  static constexpr std::size_t number = 3;

 private:
  static constexpr int written = 7;
  cells<typename Model::template plain<int>, number> cell_{number};
};

/// One short lock, and a cell that it guards.
///
///     enter    locks, uses the cell, unlocks
template <class Model, class LockModel>
class short_lock_client_over {
 public:
  static constexpr std::array words{"enter"};
  static constexpr std::array<const char*, 0> settings{};
  explicit short_lock_client_over(const line& l) : calls_{static_cast<int>(l.count(0))} {}

  bool perform(unsigned /*thread*/, const call& /*c*/) {
    lock_.lock();
    guarded_.write(guarded_.read() + 1);
    lock_.unlock();
    return true;
  }
  void settle() { Model::check(guarded_.read() == calls_, "two threads are in the lock"); }
  void leave() {}

 private:
  const int calls_;
  typename Model::template plain<int> guarded_;
  short_lock<LockModel> lock_;
};

/// Permits. Who holds all that there are alone uses a cell.
///
///     take(n) hurry(n) sleep(n)   takes n permits, and waits if it must: a coroutine, one that runs early, a thread
///     try(n)                      takes n permits, or none
///     quit(n)                     waits for n permits, if it must, and is cancelled at once
///     give(n)                     gives n permits
///     use                         the cell
///     write(l) read(l)            letter l
///
/// With `expects` takers expect that as many are free as they take, and givers that none is, as a mutex does.
template <class Model, class PermitsModel, class Task = waiting_task<Model>>
class permits_client_over {
  using permits_type = permits<PermitsModel, Task>;
  using waiter_type = placed<Model, typename permits_type::waiter_type>;

 public:
  enum : std::uint8_t {
    take_word,
    hurry_word,
    quit_word,
    sleep_word,
    try_word,
    give_word,
    use_word,
    write_word,
    read_word
  };
  static constexpr std::array words{"take", "hurry", "quit", "sleep", "try", "give", "use", "write", "read"};
  enum : std::uint8_t { free_setting, expects_setting };
  static constexpr std::array settings{"free", "expects"};

  explicit permits_client_over(const line& l)
      : begun_{static_cast<int>(l.setting(free_setting, 1))},
        expects_{l.setting(expects_setting, 0) != 0},
        tasks_{l, sleep_word},
        all_{static_cast<std::uint32_t>(begun_)} {}
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (c.word < write_word) return nullptr;
    return c.at(0, 0) < letters<Model>::number ? nullptr : "a number from 0 to 2 was expected";
  }

  bool perform(unsigned thread, const call& c) {
    const auto number = static_cast<std::uint32_t>(c.at(0, 1));
    switch (c.word) {
      case take_word: return take(thread, number, patience_of::coroutine);
      case hurry_word: return take(thread, number, patience_of::hurried);
      case sleep_word: return take(thread, number, patience_of::thread);
      case try_word: return took(thread, number, try_take(number));
      case quit_word: return quit(thread, number);
      case give_word: balance_[thread] += static_cast<int>(number); return give(number);
      case use_word: guarded_.write(guarded_.read() + 1); return true;
      case write_word: letters_.write(c.at(0, 0)); return true;
      default: letters_.read(c.at(0, 0)); return true;
    }
  }

  /// Every permit is free that nobody has, and the next who asks gets it.
  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    const int free = static_cast<int>(all_.free_now());
    int expected = begun_;
    for (const int each : balance_) expected += each;
    Model::check(free >= expected, "a permit is lost");
    Model::check(free <= expected, "a permit is there twice");
    Model::check(all_.try_take(static_cast<std::uint32_t>(free)), "the permits are free, and nobody can take them");
  }
  void leave() {}

 private:
  bool try_take(std::uint32_t number) { return expects_ ? all_.try_take_of(number, number) : all_.try_take(number); }
  bool give(std::uint32_t number) {
    constexpr std::uint32_t most = permits_type::most;
    return expects_ ? all_.give_beside(0, number, most) : all_.give(number, most);
  }
  bool took(unsigned thread, std::uint32_t number, bool done) {
    if (done) balance_[thread] -= static_cast<int>(number);
    return done;
  }
  bool take(unsigned thread, std::uint32_t number, patience_of how) {
    Task* const task = how == patience_of::thread ? nullptr : &tasks_.next(thread);
    if (try_take(number)) return took(thread, number, true);
    const waiter_type who;
    if (task != nullptr) who->belongs_to(*task);
    who->asks.write(number);
    if (!all_.take_or_wait(*who)) {
      const answer got = await_answer<Model>(*who, task, how);
      Model::check(got == answer::given, "a waiter for permits is told something else");
    }
    return took(thread, number, true);
  }
  bool quit(unsigned thread, std::uint32_t number) {
    const waiter_type who;
    who->belongs_to(tasks_.next(thread));
    who->asks.write(number);
    if (all_.take_or_wait(*who)) return give(number);
    return all_.cancel(*who);
  }

  letters<Model> letters_;
  typename Model::template plain<int> guarded_;
  const int begun_;
  const bool expects_;
  waiting_tasks<Model, Task> tasks_;
  permits_type all_;
  std::array<int, line::most_threads> balance_{};  // each its thread's: permits given less those taken
};

/// A gate, of which `missing` are missing.
///
///     wait hurry sleep     passes the gate, and waits if it must: a coroutine, one that runs early, a thread
///     quit                 waits, if it must, and is cancelled at once
///     destroy              passes as who waits for a latch does, and destroys it
///     destroy(1)           the same, beside a waiter that is cancelled before
///     arrive open shut     one arrives; opens the gate; one is missing from now on
///     look                 whether it is open
///     write(l) read(l)     letter l
template <class Model, class GateModel, class Task = waiting_task<Model>>
class gate_client_over {
  using gate_type = gate<GateModel, Task>;
  using waiter_type = placed<Model, typename gate_type::waiter_type>;

 public:
  enum : std::uint8_t {
    wait_word,
    hurry_word,
    quit_word,
    destroy_word,
    sleep_word,
    arrive_word,
    open_word,
    shut_word,
    look_word,
    write_word,
    read_word
  };
  static constexpr std::array words{"wait", "hurry", "quit", "destroy", "sleep", "arrive",
                                    "open", "shut",  "look", "write",   "read"};
  enum : std::uint8_t { missing_setting };
  static constexpr std::array settings{"missing"};

  explicit gate_client_over(const line& l) : tasks_{l, sleep_word} { gate_.emplace(l.setting(missing_setting, 1)); }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (c.word < write_word) return nullptr;
    return c.at(0, 0) < letters<Model>::number ? nullptr : "a number from 0 to 2 was expected";
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case wait_word: return pass(thread, patience_of::coroutine);
      case hurry_word: return pass(thread, patience_of::hurried);
      case sleep_word: return pass(thread, patience_of::thread);
      case quit_word: return quit(thread);
      case destroy_word: return destroy(thread, c.at(0, 0) != 0);
      case arrive_word: return (*gate_)->arrive(1);
      case open_word: (*gate_)->open(); return true;
      case shut_word: (*gate_)->shut(1); return true;
      case look_word: return (*gate_)->is_open();
      case write_word: letters_.write(c.at(0, 0)); return true;
      default: letters_.read(c.at(0, 0)); return true;
    }
  }
  void settle() {}
  void leave() {}

 private:
  bool pass(unsigned thread, patience_of how) {
    Task* const task = how == patience_of::thread ? nullptr : &tasks_.next(thread);
    const waiter_type who;
    if (task != nullptr) who->belongs_to(*task);
    if (!(*gate_)->pass_or_wait(*who)) (void)await_answer<Model>(*who, task, how);
    if (task != nullptr) task->ends();
    return true;
  }
  /// Whether a look, a wait or the lock has told that the gate is open: only the lock tells that its opener has left.
  bool destroy(unsigned thread, bool beside) {
    Task& task = tasks_.next(thread);
    const waiter_type who;
    const waiter_type other;
    who->belongs_to(task);
    other->belongs_to(task);
    bool left = false;
    if (!(*gate_)->is_open()) {
      left = (*gate_)->pass_or_wait(*who);
      if (beside && !(*gate_)->pass_or_wait(*other)) (void)(*gate_)->cancel(*other);
      if (!left) (void)await_answer<Model>(*who, &task, patience_of::hurried);
    }
    if (!left) (*gate_)->let_opener_leave();
    gate_.reset();
    return true;
  }
  bool quit(unsigned thread) {
    Task& task = tasks_.next(thread);
    const waiter_type who;
    who->belongs_to(task);
    const bool before = (*gate_)->pass_or_wait(*who) || (*gate_)->cancel(*who);
    task.ends();
    return before;
  }

  letters<Model> letters_;
  waiting_tasks<Model, Task> tasks_;
  made_later<placed<Model, gate_type>> gate_;
};

/// A rendezvous of `parties`. Each call of a line arrives.
///
///     meet early asleep    waits for the others: a coroutine, one that runs early, a thread
///     quit                 waits, if it must, and is cancelled at once
///     drop                 arrives for the last time, and does not wait
///     write(l) read(l)     letter l
template <class Model, class RendezvousModel>
class rendezvous_client_over {
  using task_type = waiting_task<Model>;
  using rendezvous_type = rendezvous<RendezvousModel, task_type>;
  using waiter_type = placed<Model, typename rendezvous_type::waiter_type>;

 public:
  enum : std::uint8_t { meet_word, early_word, quit_word, asleep_word, drop_word, write_word, read_word };
  static constexpr std::array words{"meet", "early", "quit", "asleep", "drop", "write", "read"};
  enum : std::uint8_t { parties_setting };
  static constexpr std::array settings{"parties"};

  explicit rendezvous_client_over(const line& l) : tasks_{l, asleep_word}, all_{l.setting(parties_setting, 2)} {}
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (c.word < write_word) return nullptr;
    return c.at(0, 0) < letters<Model>::number ? nullptr : "a number from 0 to 2 was expected";
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case meet_word: return meet(thread, patience_of::coroutine, false);
      case early_word: return meet(thread, patience_of::hurried, false);
      case asleep_word: return meet(thread, patience_of::thread, false);
      case quit_word: return meet(thread, patience_of::coroutine, true);
      case drop_word: return all_.arrive_and_drop();
      case write_word: letters_.write(c.at(0, 0)); return true;
      default: letters_.read(c.at(0, 0)); return true;
    }
  }
  void settle() {}
  void leave() {}

 private:
  /// Whether it was the last, or quits before it was told.
  bool meet(unsigned thread, patience_of how, bool quits) {
    task_type* const task = how == patience_of::thread ? nullptr : &tasks_.next(thread);
    const waiter_type who;
    if (task != nullptr) who->belongs_to(*task);
    const auto arrived = all_.arrive_or_wait(*who);
    if (arrived != rendezvous_type::arrival::waits) return arrived == rendezvous_type::arrival::last;
    if (quits) return all_.cancel(*who);
    (void)await_answer<Model>(*who, task, how);
    return false;
  }

  letters<Model> letters_;
  waiting_tasks<Model, task_type> tasks_;
  rendezvous_type all_;
};

}  // namespace licit::suites

#endif
