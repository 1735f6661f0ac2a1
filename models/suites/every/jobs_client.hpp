/// The client class of generated clients of a line of jobs.
#ifndef LICIT_SUITES_EVERY_JOBS_CLIENT_HPP
#define LICIT_SUITES_EVERY_JOBS_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <licit/scheduler/sync/job_line.hpp>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/every/waiting.hpp"
#include "suites/every/waiting_client.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// A line of jobs with a limit of threads. A thread that is told to start one becomes it, until it leaves. A call that
/// the thread may not make where it stands is left out.
///
///     add          a job, by a thread that is none of the line's
///     enlist       adds a job, and is then idle as a thread of the line, if that is what it is told to start
///     shrink       as if the thread that was to be started could not be
///     next         a thread of the line has a job, leaves, or is idle
///     join         whether all threads have left, or waits for it
///     wait quit    waits until it is told; takes the wait back: a thread of the line leaves
///     close drop   closes the line; also takes the jobs that are queued
///     look         how many threads there are
template <class Model, class JobModel, class Task, class Specification>
class specified_jobs_client {
  struct job {
    job* next = nullptr;
    std::uint8_t number = 0;
    typename Model::template plain<int> done;
  };
  using line_type = job_line<job, JobModel, Task>;

 public:
  enum : std::uint8_t {
    next_word,
    join_word,
    wait_word,
    quit_word,
    add_word,
    enlist_word,
    shrink_word,
    close_word,
    drop_word,
    look_word
  };
  static constexpr std::array words{"next", "join", "wait", "quit", "add", "enlist", "shrink", "close", "drop", "look"};
  enum : std::uint8_t { capacity, edges };
  static constexpr std::array settings{"capacity", "edges"};
  using promise = Specification;

  explicit specified_jobs_client(const line& l)
      : room_{static_cast<std::uint8_t>(l.setting(capacity, 1))},
        jobs_{l.count(add_word) + l.count(enlist_word)},
        waits_{l, wait_word},
        all_{l.setting(capacity, 1)},
        record_{0, l.setting(edges, 0) != 0} {
    std::uint8_t first = 0;
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = first;
      first = static_cast<std::uint8_t>(first + l.thread[t].count(add_word) + l.thread[t].count(enlist_word));
    }
  }

  static const char* refuses(const line& l) {
    if (l.before.size() != 0) return "the main thread does nothing before";
    if (l.count(add_word) + l.count(enlist_word) > most_items) return too_many_items;
    return l.setting(edges, 0) > 1 ? edges_too_many : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    return c.numbers != 0 ? no_numbers : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    if (!may(c.word, thread)) return false;
    before_.add(thread);
    if (c.word != enlist_word) return make(thread, c.word);
    const bool done = make(thread, add_word);
    while (stands_[thread] != standing::outside && !waits_.is_waiting(thread)) (void)make(thread, next_word);
    return done;
  }
  /// Threads that are idle take their waits back. Then the line is closed, and each thread works until it leaves; then
  /// those that wait for that take their waits back.
  void settle() {
    waits_.take_back([&](unsigned t) {
      if (stands_[t] != standing::outside) last(t, quit_word);
    });
    last(0, close_word);
    for (unsigned t = 0; t != line::most_threads; ++t) {
      while (stands_[t] != standing::outside) last(t, next_word);
    }
    waits_.take_back([&](unsigned t) { last(t, quit_word); });
    record_.settle();
  }
  void leave() { settle(); }

  static std::string why_wrong() { return call_record<Model, Specification>::why_wrong(); }

 private:
  enum class standing : std::uint8_t { outside, starts, works };

  bool make(unsigned thread, unsigned word) {
    const done_call asked{.what = word == wait_word ? deed::wait : deed::push, .count = role_of(thread)};
    return record_.perform(thread, [&](done_call& made) { return apply(made, thread, word), false; }, asked);
  }

  void last(unsigned thread, unsigned word) {
    (void)record_.perform_last([&](done_call& made) {
      made.thread = static_cast<std::uint8_t>(thread);
      made.sees = made.before;
      made.count = role_of(thread);
      return apply(made, thread, word), false;
    });
  }
  [[nodiscard]] std::uint8_t role_of(unsigned thread) const {
    return stands_[thread] == standing::outside ? jobs_record::a_joiner : jobs_record::a_worker;
  }
  [[nodiscard]] bool may(unsigned word, unsigned thread) const {
    const bool outside = stands_[thread] == standing::outside;
    if (word == wait_word || word == quit_word) return waits_.is_waiting(thread);
    if (waits_.is_waiting(thread)) return false;
    if (word == look_word) return true;
    if (word == shrink_word) return stands_[thread] == standing::starts;
    return outside == (word != next_word);
  }

  void apply(done_call& made, unsigned thread, unsigned word) {
    switch (word) {
      case add_word: return add(made, thread);
      case shrink_word:
        made.what = deed::retract;
        stands_[thread] = standing::outside;
        return drop(made, all_.shrink());
      case next_word: return next(made, thread);
      case join_word: return join(made, thread);
      case wait_word: return wait(made, thread);
      case quit_word: return quit(made, thread);
      case look_word:
        made.what = deed::look;
        made.count = static_cast<std::uint8_t>(all_.threads());
        return;
      default:
        made.what = deed::close;
        made.count = word == drop_word ? 1 : 0;
        drop(made, all_.close(word == drop_word));
    }
  }
  void add(done_call& made, unsigned thread) {
    job& mine = jobs_[next_[thread]];
    mine.number = ++next_[thread];
    made.room = room_;
    made.with.push_back(mine.number);
    const auto how = all_.add(mine);
    made.count = how == line_type::added::grow ? 1 : 0;
    if (how == line_type::added::grow) stands_[thread] = standing::starts;
    if (how == line_type::added::refused) made.how = ending::refused;
  }
  void next(done_call& made, unsigned thread) {
    made.what = deed::take;
    stands_[thread] = standing::works;
    const auto step = all_.next(waits_.begins(thread, true));
    if (step.waits) {
      made.how = ending::refused;
      return waits_.joins(thread);
    }
    waits_.ends(thread);
    takes(made, thread, step.job);
  }
  void join(done_call& made, unsigned thread) {
    made.what = deed::enter;
    if (all_.gone_or_wait(waits_.begins(thread, false))) return waits_.ends(thread);
    made.how = ending::refused;
    waits_.joins(thread);
  }
  void wait(done_call& made, unsigned thread) {
    (void)waits_.rests(thread);
    hears(made, thread);
  }
  void quit(done_call& made, unsigned thread) {
    made.what = deed::cancel;
    auto& who = waits_.of(thread);
    const bool joins = stands_[thread] == standing::outside;
    if (joins ? all_.cancel(who) : all_.give_up(who)) {
      stands_[thread] = standing::outside;
      return waits_.ends(thread);
    }
    hears(made, thread);
    made.how = ending::lost;
  }
  /// It was told.
  void hears(done_call& made, unsigned thread) {
    if (stands_[thread] != standing::outside) takes(made, thread, all_.answered(waits_.of(thread)).job);
    waits_.ends(thread);
  }
  /// A job; or the thread has left.
  void takes(done_call& made, unsigned thread, job* one) {
    if (one != nullptr) return has(made, *one);
    made.how = ending::empty;
    stands_[thread] = standing::outside;
  }
  void drop(done_call& made, job* first) {
    while (first != nullptr) has(made, *std::exchange(first, first->next));
  }
  static void has(done_call& made, job& one) {
    one.done.write(one.done.read() + 1);
    made.with.push_back(one.number);
  }

  std::uint8_t room_;
  cells<job, most_items> jobs_;
  waits_of_threads<Model, typename line_type::waiter_type, Task> waits_;
  line_type all_;
  std::array<std::uint8_t, line::most_threads> next_{};  // each entry its thread's
  std::array<standing, line::most_threads> stands_{};    // the same
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
