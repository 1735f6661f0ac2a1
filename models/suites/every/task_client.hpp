/// The client class of generated clients of a task's state.
#ifndef LICIT_SUITES_EVERY_TASK_CLIENT_HPP
#define LICIT_SUITES_EVERY_TASK_CLIENT_HPP

#include <array>
#include <cstdint>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// A task's state, to which all threads have references. Thread 0 has the task's entry first. Who is told to queue the
/// task has its entry from then on, and begins it. A call that the thread may not make is left out.
template <class Model, class State, class Specification>
class specified_task_client {
 public:
  enum : std::uint8_t { begin_word, suspend_word, complete_word, wake_word, cancel_word, done_word };
  static constexpr std::array words{"begin", "suspend", "complete", "wake", "cancel", "done"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_task_client(const line& l) : record_{l.before.size(), l.setting(edges, 0) != 0} {
    has_entry_[0] = true;
  }

  static const char* refuses(const line& l) { return l.setting(edges, 0) > 1 ? edges_too_many : nullptr; }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    return c.numbers != 0 ? no_numbers : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    const bool may = c.word == begin_word ? has_entry_[thread] : c.word >= wake_word || runs_[thread];
    if (!may) return false;
    before_.add(thread);
    return record_.perform(thread, [&](done_call& made) { return apply(made, thread, c.word), false; });
  }
  void settle() { record_.settle(); }
  void leave() { settle(); }

 private:
  static constexpr std::uint32_t references = 8;

  void apply(done_call& made, unsigned thread, unsigned word) {
    switch (word) {
      case begin_word: return begin(made, thread);
      case suspend_word:
        made.what = deed::suspend;
        runs_[thread] = false;
        return queued(made, thread, state_.suspend());
      case complete_word:
        made.what = deed::complete;
        runs_[thread] = false;
        (void)state_.complete(0);
        return;
      case wake_word: made.what = deed::wake; return queued(made, thread, state_.wake());
      case cancel_word: made.what = deed::cancel; return queued(made, thread, state_.cancel());
      default: made.what = deed::look; made.count = state_.done() ? 1 : 0;
    }
  }
  void begin(done_call& made, unsigned thread) {
    made.what = deed::begin;
    has_entry_[thread] = false;
    const beginning how = state_.begin();
    Model::check(how == beginning::runs || how == beginning::cancelled, "an entry of the task is stale");
    made.count = how == beginning::cancelled ? 1 : 0;
    runs_[thread] = true;
  }
  void queued(done_call& made, unsigned thread, bool by_this) {
    made.count = by_this ? 1 : 0;
    if (by_this) has_entry_[thread] = true;
  }

  State state_{references};
  std::array<bool, line::most_threads> has_entry_{};  // each its thread's
  std::array<bool, line::most_threads> runs_{};       // each its thread's
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
