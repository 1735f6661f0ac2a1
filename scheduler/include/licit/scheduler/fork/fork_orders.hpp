/// The ordering table of fork and join: the state of a job, whom a fork tells, whose work descends from what.
#ifndef LICIT_SCHEDULER_FORK_ORDERS_HPP
#define LICIT_SCHEDULER_FORK_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table fork_orders{
    "fork",
    {
        // fork_job.hpp
        rows::update("job.begin", order::release, {"job.look"},
                     "a joiner that reads the thief's token sees what the thief was doing when it began"),
        rows::update("job.complete", order::release, {"job.look"},
                     "the result is visible to the joiner; the thief's last access to the job, which may be gone then"),
        rows::load("job.look", order::acquire, {"job.begin", "job.complete"},
                   "a joiner that finds the job complete sees its result, and may end the job's frame"),
        rows::compare_exchange(
            "job.announce", order::relaxed, order::relaxed, {},
            "atomicity decides: either the thief sees that the joiner sleeps, or the joiner sees the "
            "thief's change; nothing is published"),

        // fork_side.hpp: a fork, and who sleeps
        rows::light_fence("offer.fence", {"look.heavy", "tell_of.heavy"},
                          "store-load: either the fork sees who sleeps or wants to be told, or that one sees the job"),
        rows::load("offer.alert", order::relaxed, {}, "after offer.fence; alert.take decides"),
        rows::update(
            "alert.take", order::relaxed, {},
            "atomicity decides who takes a request; unpark.swap, by which the taker wakes the joiner, publishes "
            "that it is gone, and the fork"),
        rows::fence(
            "alert.fence", order::seq_cst, {"look.fence"},
            "store-load, at the first fork since the last sleep: either it sees the parked workers, or the last "
            "searcher sees that there are forks, and uses the heavy fence"),
        rows::update("quiet.set", order::relaxed, {},
                     "the worker has no job in its deque, and forks no more until it wakes"),
        rows::fence("look.fence", order::seq_cst, {"alert.fence"}, "store-load, the last searcher's half"),
        rows::load("look.quiet", order::relaxed, {}, "after look.fence"),
        rows::heavy_fence("look.heavy", {"offer.fence"},
                          "store-load, the last searcher's half: its change of the idle set comes before its look"),

        // fork_side.hpp: what a side runs. A thief that sees a job in the deque sees what its owner wrote before the
        // push, and the owner's theft before it, and so on: all that it climbs by is at least as new as the job. What
        // is newer was written after the job left the deque, and then the claim fails (README.md, 4). Before a joiner
        // sleeps, tell_of.heavy and begin.fence decide. So nothing here is published.
        rows::store("origin.set", order::relaxed, {}, "before the thief's first push in the job"),
        rows::load("origin.look", order::relaxed, {},
                   "a thief's, after steal.bottom; a joiner's, after tell_of.heavy, or the origin's thief passes on"),
        rows::store("current.begin", order::relaxed, {}, "as origin.set; before job.begin, which publishes it"),
        rows::store("current.end", order::relaxed, {}, "before the next push; job.complete publishes it"),
        rows::load("current.look", order::relaxed, {}, "after steal.bottom, before steal.claim"),
        rows::load("current.own", order::relaxed, {}, "only the side's own thread writes it"),

        // fork_crew.hpp: a joiner that is about to sleep
        rows::load("tell_of.current", order::relaxed, {}, "of the thief after job.look; of others after tell_of.heavy"),
        rows::load("tell_of.look", order::relaxed, {},
                   "a bit that is there already had its heavy fence; one that was taken wakes the joiner again"),
        rows::update(
            "tell_of.bit", order::relaxed, {},
            "a request carries nothing but itself: whoever takes it wakes the joiner; the heavy fence follows"),
        rows::heavy_fence("tell_of.heavy", {"offer.fence", "begin.fence"},
                          "store-load, the joiner's half: its request comes before its look at jobs and thieves"),

        // fork_crew.hpp: a thief that begins
        rows::fence(
            "begin.fence", order::seq_cst, {"tell_of.heavy"},
            "store-load: either a joiner sees what the thief runs, or the thief sees the request that the joiner "
            "left where the job came from"),
        rows::load("pass_on.look", order::relaxed, {},
                   "after begin.fence; a request that is not there any more has woken its joiner, or is about to"),
        rows::update("pass_on.bits", order::relaxed, {}, "the thief's own forks will take them"),

        // fork_crew.hpp: foreign threads
        rows::compare_exchange("guest.enter", order::acquire, order::relaxed, {"guest.leave"},
                               "the deque is as the guest before left it"),
        rows::store("guest.leave", order::release, {"guest.enter"}, "the next guest finds the deque empty"),
    }};

static_assert(fork_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
