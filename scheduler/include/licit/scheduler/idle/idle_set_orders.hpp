/// The ordering table of the idle set. The fences that its protocol needs are the callers', between the work and the
/// set: scheduler/idle/README.md.
#ifndef LICIT_SCHEDULER_IDLE_SET_ORDERS_HPP
#define LICIT_SCHEDULER_IDLE_SET_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table idle_set_orders{
    "idle-set",
    {
        rows::update("park.bit", order::relaxed, {}, "published by park.count"),
        rows::update("park.count", order::release, {"claim.take"},
                     "the bit is visible to who takes the unit that is added here; the caller's fence is after it, and "
                     "acquires what end.count released"),

        rows::load("claim.look", order::relaxed, {},
                   "after the caller's fence: either it sees the worker that parks, or that sees the caller's work"),
        rows::compare_exchange(
            "claim.take", order::acq_rel, order::relaxed, {"park.count", "parked.look"},
            "acquires the bits of all who parked before; what was written before the claim is visible to the "
            "worker that finds itself claimed (few workers: their bits are here)"),
        rows::load("claim.bits", order::relaxed, {}, "a hint: claim.clear decides"),
        rows::update("claim.clear", order::release, {"parked.look"},
                     "as claim.take, where the bits are in words of their own"),

        rows::load("parked.look", order::acquire, {"claim.take", "claim.clear"},
                   "a worker that finds itself claimed sees what was written before the claim"),

        rows::load("retract.look", order::relaxed, {}, "retract.take verifies it"),
        rows::compare_exchange("retract.take", order::relaxed, order::relaxed, {},
                               "atomicity decides; the worker's own bit"),
        rows::update("retract.clear", order::relaxed, {}, "atomicity decides; the worker's own bit"),
        rows::update("retract.return", order::relaxed, {},
                     "a unit that was not used; as an RMW it continues the release sequences of those who parked"),

        rows::load("begin.look", order::relaxed, {}, "begin.count verifies it"),
        rows::compare_exchange("begin.count", order::relaxed, order::relaxed, {}, "atomicity decides"),
        rows::update("end.count", order::release, {"end.count"},
                     "what a searcher has brought home is visible to the last one, which looks for all of them: the "
                     "caller's fence after it acquires"),
        rows::load("wants.look", order::relaxed, {}, "as claim.look: ordered by the caller's fence"),
        rows::load("count.look", order::relaxed, {}, "an estimate; promises nothing about other memory"),
    }};

static_assert(idle_set_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
