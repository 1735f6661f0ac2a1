/// The ordering table of a task's state word. Every change of the word is a read-modify-write, so each one's release
/// sequence reaches to the newest, and whoever acquires has what all those before it released. The two stores are those
/// of a thread that has every reference, and has acquired what the others did before.
#ifndef LICIT_SCHEDULER_TASK_STATE_ORDERS_HPP
#define LICIT_SCHEDULER_TASK_STATE_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table task_state_orders{
    "task-state",
    {
        rows::load(
            "begin.look", order::relaxed, {},
            "begin.take and begin.discard look again; that a task yielded, only its runner and whoever takes its "
            "entry say, one after the other; of a cancel that is not seen here, suspend.leave tells"),
        rows::compare_exchange("begin.take", order::acquire, order::relaxed,
                               {"suspend.leave", "wake.notify", "cancel.notify"},
                               "what the last run wrote, and what each waker wrote before its wake, is visible to this "
                               "run"),
        rows::load("begin.last", order::acquire, {"complete.publish", "release.count"},
                   "as release.look, of the entry's reference"),
        rows::compare_exchange("begin.discard", order::release, order::relaxed,
                               {"complete.publish", "release.count", "release.look"},
                               "drops a reference, as release.count does"),
        rows::load("claim.look", order::relaxed, {}, "claim.take looks again"),
        rows::compare_exchange("claim.take", order::acquire, order::relaxed, {"wake.notify", "cancel.notify"},
                               "as begin.take, of a task that has never run"),
        rows::load("alone.look", order::acquire, {"release.count"},
                   "what others did with the task comes before this run, and whoever woke it had a reference"),
        rows::store("alone.take", order::relaxed, {}, "nobody else may access the word: there is no other reference"),
        rows::load("alone.again", order::acquire, {"release.count"},
                   "as alone.look, of references retained in the run"),
        rows::store("alone.complete", order::relaxed, {}, "as alone.take; the result is this thread's own"),
        rows::update("suspend.leave", order::release, {"begin.take", "wake.notify", "cancel.notify"},
                     "what this run wrote is visible to the next, in whatever thread; and to who schedules the task, "
                     "whose it is now"),
        rows::load("entry.look", order::relaxed, {}, "as yield.look"),
        rows::load("yield.look", order::relaxed, {}, "only claims make an entry stale, and none takes a running task"),
        rows::update("yield.again", order::relaxed, {}, "suspend.leave, which follows, releases"),
        rows::update("wake.notify", order::acq_rel, {"begin.take", "claim.take", "suspend.leave"},
                     "what the waker wrote is visible to the next run, also if another's wake scheduled it; acquires "
                     "on which executor the task is to be queued"),
        rows::update("cancel.notify", order::acq_rel, {"begin.take", "claim.take", "suspend.leave"},
                     "what was written before the cancel is visible to what destroys the task; acquires on which "
                     "executor the task is to be queued"),
        rows::update("stop.begin", order::acq_rel, {"ask.tell"},
                     "the stop source is visible to this thread, or what this one wrote to the thread that asks"),
        rows::update("ask.tell", order::acq_rel, {"stop.begin"}, "as stop.begin"),

        rows::update("complete.publish", order::acq_rel,
                     {"look.state", "join.register", "release.count", "release.look", "begin.discard", "begin.last"},
                     "releases the result, and this run's last accesses of the task; acquires the joiner, and with the "
                     "last reference what others did with the task"),
        rows::load("look.state", order::acquire, {"complete.publish"},
                   "the result is visible to who sees the task complete"),

        rows::update("join.register", order::release, {"complete.publish"},
                     "the joiner that was just written is visible to the completion that finds it"),
        rows::update("unjoin.take", order::relaxed, {},
                     "atomicity decides whose the joiner is; of a task that is complete, look.state acquires the rest"),
        rows::update("detach.tell", order::relaxed, {},
                     "atomicity decides who reports; of a task that is complete, look.state acquires the rest"),
        rows::load("wait.sleep", order::relaxed, {}, "the compare of a futex; look.state looks again"),
        rows::load("wait.sleep_for", order::relaxed, {}, "the compare of a futex; look.state looks again"),

        rows::load("rest.look", order::relaxed, {}, "begin.take acquires what is to be seen"),
        rows::load("rest.sleep", order::relaxed, {}, "the compare of a futex; rest.look looks again"),

        rows::load("home.look", order::relaxed, {},
                   "who schedules the task, wakes it as a joiner or sees it complete has acquired the last home.move "
                   "from the state; others only compare"),
        rows::store("home.move", order::relaxed, {}, "suspend.leave or complete.publish releases it, or the queue"),
        rows::load("worker.look", order::relaxed, {}, "a hint: claim.take finds a task that has begun"),
        rows::store("worker.set", order::relaxed, {}, "as home.move"),

        rows::update("retain.count", order::relaxed, {}, "the caller has a reference: none of this is the last"),
        rows::load("release.look", order::acquire, {"complete.publish", "release.count", "begin.discard"},
                   "as release.count, of a reference that is the last one already"),
        rows::update("release.count", order::acq_rel,
                     {"complete.publish", "release.count", "release.look", "begin.discard", "begin.last", "alone.look",
                      "alone.again"},
                     "every other holder's accesses of the task come before its destruction by the last"),
    }};

static_assert(task_state_orders.consistent(),
              "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
