/// The ordering table of timers and the driver. Lists in a wheel are guarded by its lock (waiters_orders.hpp).
#ifndef LICIT_SCHEDULER_TIMERS_ORDERS_HPP
#define LICIT_SCHEDULER_TIMERS_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table timers_orders{
    "timers",
    {
        rows::load("earliest.look", order::relaxed, {},
                   "under a wheel's lock: who raised the word before it looked into this wheel is visible; elsewhere a "
                   "number that may be old, and who lowers it tells the holder"),
        rows::load("lower.look", order::relaxed, {}, "lower.claim compares what this has seen"),
        rows::compare_exchange(
            "lower.claim", order::relaxed, order::relaxed, {},
            "atomicity decides: deadline and holder are in one word, so who lowers the one knows the "
            "other; the wheel's lock orders what is in it"),
        rows::update("raise.or", order::relaxed, {},
                     "before the looks into the wheels, by their locks; an RMW, it continues give.or's sequence"),
        rows::load("take.look", order::relaxed, {}, "take.claim compares what this has seen"),
        rows::compare_exchange("take.claim", order::acquire, order::relaxed, {"give.or"},
                               "what the last holder did to the reactor is visible; a failure takes nothing"),
        rows::update("give.or", order::release, {"take.claim"}, "what this holder did is visible to the next one"),
        rows::load("holder.look", order::relaxed, {},
                   "with rest.fence and tell.fence: either it sees that nobody holds the driver, or who gave it away "
                   "sees the worker that parks"),
        rows::fence("rest.fence", order::seq_cst, {"tell.fence"},
                    "store-load: the change of the idle set comes before the look at the deadline and its holder"),
        rows::fence("tell.fence", order::seq_cst, {"rest.fence"},
                    "store-load, the other half: a nearer deadline, or a driver that is free, before the look at the "
                    "idle set"),
    }};

static_assert(timers_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
