/// The client classes of generated clients of the structures for which tasks and threads wait.
#ifndef LICIT_SUITES_EVERY_WAITING_CLIENT_HPP
#define LICIT_SUITES_EVERY_WAITING_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/sync/permits.hpp>
#include <licit/scheduler/sync/rendezvous.hpp>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/every/waiting.hpp"
#include "suites/line.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// What each thread waits for, once at a time: its waiter, and its task where it is a coroutine.
template <class Model, class Waiter, class Task>
class waits_of_threads {
 public:
  /// The words before `wait` ask; `quit` follows it.
  waits_of_threads(const line& l, unsigned wait_word) : wait_word_{wait_word}, tasks_{l, wait_word} {}

  [[nodiscard]] bool is_waiting(std::size_t thread) const { return is_waiting_[thread]; }
  /// Whether the thread may make the call where it stands: only one that waits ends a wait, and it does not ask.
  [[nodiscard]] bool may(unsigned thread, unsigned word) const {
    const bool ends_wait = word == wait_word_ || word == wait_word_ + 1;
    return is_waiting_[thread] == ends_wait || word > wait_word_ + 1;
  }
  /// On the main thread, at the end: `back(thread)` for each that waits.
  template <class Back>
  void take_back(Back&& back) const {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (is_waiting_[t]) back(t);
    }
  }
  /// A waiter, until `ends`; of a task, unless the thread itself is to sleep.
  Waiter& begins(unsigned thread, bool asleep) {
    task_[thread] = asleep ? nullptr : &tasks_.next(thread);
    Waiter& who = *waiter_[thread].emplace();
    if (!asleep) who.belongs_to(*task_[thread]);
    return who;
  }
  void joins(unsigned thread) { is_waiting_[thread] = true; }
  [[nodiscard]] Waiter& of(unsigned thread) { return **waiter_[thread]; }
  /// Until it is told. A coroutine runs once for another reason, and looks.
  answer rests(unsigned thread) {
    return await_answer<Model>(of(thread), task_[thread],
                               task_[thread] == nullptr ? patience_of::thread : patience_of::hurried);
  }
  /// The waiter is gone.
  void ends(unsigned thread) {
    waiter_[thread].reset();
    is_waiting_[thread] = false;
    if (task_[thread] != nullptr) task_[thread]->ends();
  }

 private:
  const unsigned wait_word_;
  waiting_tasks<Model, Task> tasks_;
  // Each entry its thread's.
  std::array<made_later<placed<Model, Waiter>>, line::most_threads> waiter_;
  std::array<Task*, line::most_threads> task_{};
  std::array<bool, line::most_threads> is_waiting_{};
};

/// What the client classes have in common. `Of` is what the threads share, and `Of::words` has these four first:
///
///     ask     has what it asks for at once, or joins the line
///     sleep   the same, and a thread that joins sleeps until it is told
///     wait    waits until it is told
///     quit    takes the wait back
///
/// A call that the thread may not make where it stands is left out.
template <class Model, class Of, class Task, class Specification>
class waiting_client {
 public:
  enum : std::uint8_t { ask_word, sleep_word, wait_word, quit_word, first_other };
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  static constexpr auto words = Of::words;
  using promise = Specification;

  explicit waiting_client(const line& l) : waits_{l, wait_word}, record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) {
    for (const call& c : l.before) {
      if (c.word < first_other) return "the main thread does not wait";
    }
    return l.setting(edges, 0) > 1 ? edges_too_many : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (!Of::has_number(c.word)) return c.numbers != 0 ? no_numbers : nullptr;
    return c.at(0, 1) - 1 < 2 ? nullptr : "1 or 2 was expected";
  }

  bool perform(unsigned thread, const call& c) {
    if (!waits_.may(thread, c.word)) return false;
    before_.add(thread);
    const auto number = static_cast<std::uint8_t>(c.at(0, Of::has_number(c.word) ? 1 : 0));
    if (c.word == wait_word) return wait(thread);
    const auto make = [&](done_call& made) {
      made.count = number;
      if (c.word == quit_word) return quit(made, thread), false;
      if (c.word < wait_word) return ask(made, thread, c.word == sleep_word), false;
      return all_.apply(made, c.word), false;
    };
    const bool done = record_.perform(thread, make);
    return c.word == sleep_word && waits_.is_waiting(thread) ? wait(thread) : done;
  }
  /// The waits that are left are taken back, and what is left is asked for.
  void settle() {
    waits_.take_back([&](unsigned t) { last(t, [&](done_call& made) { quit(made, t); }); });
    bool more = false;
    do {
      last(0, [&](done_call& made) { more = all_.looks_again(made); });
    } while (more);
    record_.settle();
  }
  void leave() { settle(); }

  static std::string why_wrong() { return call_record<Model, Specification>::why_wrong(); }

 private:
  template <class Make>
  void last(unsigned thread, Make&& make) {
    (void)record_.perform_last([&](done_call& made) {
      made.thread = static_cast<std::uint8_t>(thread);
      made.sees = made.before;
      return make(made), false;
    });
  }
  void ask(done_call& made, unsigned thread, bool asleep) {
    auto& who = waits_.begins(thread, asleep);
    made.what = deed::enter;
    made.how = all_.ask(who, made.count);
    made.how == ending::refused ? waits_.joins(thread) : waits_.ends(thread);
  }
  bool wait(unsigned thread) {
    const auto make = [&](done_call& /*made*/) {
      Model::check(waits_.rests(thread) == answer::given, "a waiter is told something else");
      waits_.ends(thread);
      return false;
    };
    return record_.perform(thread, make, {.what = deed::wait});
  }
  void quit(done_call& made, unsigned thread) {
    made.what = deed::cancel;
    if (!all_.cancel(waits_.of(thread))) made.how = ending::lost;  // to who has told it
    waits_.ends(thread);
  }

  waits_of_threads<Model, typename Of::waiter_type, Task> waits_;
  Of all_;
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

/// Permits, of which none is free at first. A number is 1 or 2.
///
///     ask(n) sleep(n)   asks for n permits
///     try(n) give(n)    takes n permits, or none; gives n, if no more than the limit are free then
template <class Model, class PermitsModel, class Task>
class permits_of_threads {
  using permits_type = permits<PermitsModel, Task>;

 public:
  enum : std::uint8_t { try_word = 4, give_word };
  static constexpr std::array words{"ask", "sleep", "wait", "quit", "try", "give"};
  static constexpr bool has_number(unsigned word) { return word < 2 || word >= try_word; }
  using waiter_type = typename permits_type::waiter_type;

  ending ask(waiter_type& who, std::uint8_t number) {
    who.asks.write(number);
    return all_.take_or_wait(who) ? ending::done : ending::refused;
  }
  bool cancel(waiter_type& who) { return all_.cancel(who); }
  void apply(done_call& made, unsigned word) {
    if (word == try_word) return take(made);
    made.what = deed::put;
    if (!all_.give(made.count, permits_record::limit)) made.how = ending::refused;
  }
  /// At the end: takes one, as long as there is one.
  bool looks_again(done_call& made) {
    made.count = 1;
    take(made);
    return made.how == ending::done;
  }

 private:
  void take(done_call& made) {
    made.what = deed::take;
    if (!all_.try_take(made.count)) made.how = ending::refused;
  }

  permits_type all_{0};
};

/// A gate, of which one is missing at first.
///
///     open shut(n)      opens the gate; n are missing from now on
///     arrive(n) look    n arrive at once; whether it is open
template <class Model, class GateModel, class Task>
class gate_of_threads {
  using gate_type = gate<GateModel, Task>;

 public:
  enum : std::uint8_t { open_word = 4, shut_word, arrive_word, look_word };
  static constexpr std::array words{"ask", "sleep", "wait", "quit", "open", "shut", "arrive", "look"};
  static constexpr bool has_number(unsigned word) { return word == shut_word || word == arrive_word; }
  using waiter_type = typename gate_type::waiter_type;

  ending ask(waiter_type& who, std::uint8_t /*number*/) {
    return all_.pass_or_wait(who) ? ending::done : ending::refused;
  }
  bool cancel(waiter_type& who) { return all_.cancel(who); }
  void apply(done_call& made, unsigned word) {
    switch (word) {
      case open_word: made.what = deed::begin; return all_.open();
      case shut_word: made.what = deed::close; return all_.shut(made.count);
      case arrive_word:
        made.what = deed::come;
        if (!all_.arrive(made.count)) made.how = ending::refused;
        return;
      default: (void)looks_again(made);
    }
  }
  /// Once.
  bool looks_again(done_call& made) {
    made.what = deed::look;
    if (!all_.is_open()) made.how = ending::refused;
    return false;
  }

 private:
  gate_type all_{1};
};

/// A rendezvous of three parties.
///
///     meet     the same as `ask`: one party comes
///     drop     it comes for the last time, and does not wait
template <class Model, class RendezvousModel, class Task>
class rendezvous_of_threads {
  using rendezvous_type = rendezvous<RendezvousModel, Task>;
  using arrival = typename rendezvous_type::arrival;

 public:
  static constexpr std::array words{"meet", "sleep", "wait", "quit", "drop"};
  static constexpr bool has_number(unsigned /*word*/) { return false; }
  using waiter_type = typename rendezvous_type::waiter_type;

  ending ask(waiter_type& who, std::uint8_t /*number*/) {
    const arrival how = all_.arrive_or_wait(who);
    return how == arrival::waits ? ending::refused : how == arrival::last ? ending::done : ending::empty;
  }
  bool cancel(waiter_type& who) { return all_.cancel(who); }
  void apply(done_call& made, unsigned /*word*/) { (void)looks_again(made); }
  /// At the end: once.
  bool looks_again(done_call& made) {
    made.what = deed::drop;
    if (!all_.arrive_and_drop()) made.how = ending::refused;
    return false;
  }

 private:
  rendezvous_type all_{3};
};

/// A lock. A thread that has it does not ask for it again.
///
///     lock unlock
template <class Model, class Lock, class Specification>
class specified_lock_client {
 public:
  enum : std::uint8_t { lock_word, unlock_word };
  static constexpr std::array words{"lock", "unlock"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_lock_client(const line& l) : record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) {
    if (l.before.size() != 0) return "the main thread does not lock";
    return l.setting(edges, 0) > 1 ? edges_too_many : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    return c.numbers != 0 ? no_numbers : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    const bool locks = c.word == lock_word;
    if (has_[thread] == locks) return false;
    before_.add(thread);
    has_[thread] = locks;
    const auto make = [&](done_call& /*made*/) {
      locks ? lock_.lock() : lock_.unlock();
      return false;
    };
    return record_.perform(thread, make, {.what = locks ? deed::wait : deed::drop});
  }
  void settle() { record_.settle(); }
  void leave() { settle(); }

  static std::string why_wrong() { return call_record<Model, Specification>::why_wrong(); }

 private:
  Lock lock_;
  std::array<bool, line::most_threads> has_{};  // each its thread's
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
