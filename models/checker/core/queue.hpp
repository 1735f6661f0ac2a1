/// The threads that wait on an atomic, and who may wake them.
///
/// Each atomic that is waited on has a queue: a hidden word with a bit for each sleeping thread. To fall asleep and to
/// notify are read-modify-writes of it, so they are ordered per address as the sections of a lock would be. The compare
/// of a wait is a read of the atomic itself, just before its thread joins the queue.
#ifndef LICIT_CHECKER_CORE_QUEUE_HPP
#define LICIT_CHECKER_CORE_QUEUE_HPP

#include "core/graph.hpp"

namespace licit::checker::detail {

/// The bits of those that the notify may wake, given the queue's value. A futex wakes whoever sleeps; a standard notify
/// whom [atomics.wait] makes eligible: a write newer than what the waiter compared happens before the call. (To wake
/// others too is allowed, and is nothing new: they compare again, as if they had compared later.)
word wakeable(const graph& g, const event& notify, word queue);

/// Whether a thread may fall asleep where `read`, the read half of its entry to the queue, stands: a notify that is
/// earlier in the queue's order shows it everything that precedes the notify, so what it compared is not older.
bool may_sleep(const graph& g, event_id read);

/// The notify, its write half, that took the thread's bit out of the queue; `initial` while the thread sleeps.
event_id waker(const graph& g, location_id queue, unsigned thread);

}  // namespace licit::checker::detail

#endif
