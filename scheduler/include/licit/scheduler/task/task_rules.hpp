/// What tasks' operations come to, and what they decide apart from memory orders.
#ifndef LICIT_SCHEDULER_TASK_RULES_HPP
#define LICIT_SCHEDULER_TASK_RULES_HPP

#include <cstdint>

namespace licit::inline v0 {

/// What a completion found, and what its caller must do.
struct completion {
  bool awaited;   ///< a joiner is registered: read `joiner()`, tell it, and release its reference
  bool detached;  ///< there is no handle any more: the caller reports an exception
  bool last;      ///< the dropped reference was the last: destroy the task
};

/// What whoever takes a task to run it must do.
enum class beginning : std::uint32_t {
  runs,            ///< run it
  cancelled,       ///< complete it without running it
  stale,           ///< nothing: it was taken out of its turn before
  stale_and_last,  ///< destroy it: the entry had the last reference
};

/// What a thread that cancels a task must do.
enum class stop_step : std::uint32_t {
  cancel,   ///< cancel it: it has no stop source
  request,  ///< request the stop, and cancel the task after that, so that what is to be told is still there
  leave,    ///< nothing: another thread is about to do both, or has done them
};

/// What an operation makes of the word that it found.
struct task_state_rules {
  bool knows_yields = true;            ///< `begin`: a task that yielded is running already
  bool heeds_notifications = true;     ///< `suspend`: a task that was notified during the run is scheduled again
  bool heeds_joiners = true;           ///< `complete`: a registered joiner is told
  bool keeps_entries = true;           ///< `claim`: the entry that stays in the queue has a reference
  bool reuses_entries = true;          ///< a task that is scheduled again while it has a stale entry gets no second one
  bool spares_scheduled = true;        ///< `discard`: an entry that is the task's again stays in the queue
  bool claims_what_was_woken = false;  ///< `claim`: also a task that has run before
  bool looks_for_others = true;        ///< `begin_alone`: there may be other references
  bool looks_again = true;             ///< `complete_alone`: the run may have made others
};

/// The result of a run.
enum class task_outcome : std::uint32_t {
  finished,   ///< complete, with a value
  threw,      ///< complete, with an exception
  suspended,  ///< until it is woken
  yielded,    ///< queued again
  cancelled,  ///< complete, without having run to its end
  moved,      ///< queued on another executor, which has admitted it: it is none of this one's tasks any more
  stale,      ///< it did not run: another thread had taken it, or has it now
};

/// How tasks wait for one another.
struct task_protocol_rules {
  bool keeps_results = true;           ///< a result without a handle is destroyed by the completion
  bool enters_for_destructors = true;  ///< destructors and reports run in the context of the task
  bool heeds_registry = true;          ///< a task that `cancel_all` has taken out of its slot has lost a reference
  bool requests_stops_first = true;    ///< a stop is requested before the task may be destroyed for it
  bool leaves_to_first = true;         ///< if another thread requests the stop, a canceller leaves the rest to that one
  bool counts_visitors = true;    ///< a thread with a reference to a task that it is to wake is counted on its executor
  bool remembers_visited = true;  ///< the thread's visit ends where it began, wherever the task is by then
};

}  // namespace licit::inline v0

#endif
