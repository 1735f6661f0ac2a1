/// The ordering table of the census.
#ifndef LICIT_SCHEDULER_CENSUS_ORDERS_HPP
#define LICIT_SCHEDULER_CENSUS_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table census_orders{
    "census",
    {
        rows::load("enter.look", order::relaxed, {}, "enter.count verifies it"),
        rows::compare_exchange("enter.count", order::relaxed, order::relaxed, {},
                               "atomicity decides between a task and the closing; the waiter reads the same word"),
        rows::load("child.own", order::relaxed, {}, "the worker reads its own last store"),
        rows::store("child.count", order::relaxed, {},
                    "a worker's task counts its child before it is itself counted as gone, by leave.count"),
        rows::load("leave.own", order::relaxed, {}, "the worker reads its own last store"),
        rows::store("leave.count", order::release, {"sum.gone"},
                    "what the task did, and the children that it and those before it have counted, are visible to who "
                    "waits for the last"),
        rows::update("leave.others", order::release, {"sum.gone"}, "as leave.count, for threads that share a count"),
        rows::fence("tell.fence", order::seq_cst, {"wait.fence"},
                    "store-load: leave.count or leave.others comes before the look for who waits"),
        rows::load("tell.waiting", order::relaxed, {}, "ordered by tell.fence"),
        rows::update("tell.change", order::relaxed, {}, "the waiter's sleep compares it; the counts say the rest"),

        rows::update("close.set", order::relaxed, {}, "atomicity decides between the closing and a task that enters"),
        rows::update("close.tell", order::relaxed, {}, "a hint, see its readers"),
        rows::load("closes.look", order::relaxed, {}, "a hint: who is let in is waited for all the same"),
        rows::load(
            "cancels.look", order::relaxed, {},
            "a hint: a child that is let in is waited for, and so is a task that runs though it could be cancelled"),
        rows::store("wait.begin", order::relaxed, {}, "ordered by wait.fence"),
        rows::store("wait.end", order::relaxed, {}, "nobody relies on it"),
        rows::load("wait.changes", order::relaxed, {}, "before the counts are read; wait.sleep compares it again"),
        rows::fence("wait.fence", order::seq_cst, {"tell.fence"},
                    "store-load, the waiter's half: a worker that misses wait.begin has its counts seen here"),
        rows::load("wait.sleep", order::relaxed, {}, "a compare, in the moment of falling asleep"),
        rows::load("wait.sleep.timed", order::relaxed, {}, "as wait.sleep"),
        rows::update("visit.come", order::relaxed, {},
                     "atomicity decides between a visitor and visit.close; a task that the visitor keeps from its end, "
                     "or hands over, orders it before the look"),
        rows::update("visit.go", order::release, {"visit.look"}, "what the visitor did comes before the end"),
        rows::load("visit.look", order::acquire, {"visit.go"}, "the end comes after what the visitors did"),
        rows::load("stay.own", order::relaxed, {}, "the worker reads its own last store"),
        rows::store("stay.count", order::relaxed, {}, "read when the worker has ended"),
        rows::load("sum.visits", order::relaxed, {}, "the end of the workers' threads comes before it"),
        rows::update("visit.close", order::relaxed, {}, "atomicity decides between a visitor and the end"),
        rows::update("hold.add", order::relaxed, {}, "the caller, or who lent it its hold, has not dropped its own"),
        rows::update("hold.drop", order::acq_rel, {"hold.drop"},
                     "what all holders did comes before the last one's drop"),
        rows::load("sum.gone", order::acquire, {"leave.count", "leave.others"},
                   "all counts of entries that come before it are then read no lower"),
        rows::load("sum.entered", order::relaxed, {}, "read after all of sum.gone, which orders it"),
        rows::load("sum.outside", order::relaxed, {}, "a figure"),
        rows::load("sum.children", order::relaxed, {}, "read after all of sum.gone, which orders it"),
    }};

static_assert(census_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
