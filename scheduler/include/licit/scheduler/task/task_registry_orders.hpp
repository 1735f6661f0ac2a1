/// The ordering table of the task registry.
#ifndef LICIT_SCHEDULER_TASK_REGISTRY_ORDERS_HPP
#define LICIT_SCHEDULER_TASK_REGISTRY_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table task_registry_orders{
    "task-registry",
    {
        rows::load("add.hand", order::relaxed, {}, "where to look first; a slot is claimed by add.claim"),
        rows::store("add.moved", order::relaxed, {}, "where others look first"),
        rows::load("add.segment", order::seq_cst, {"grow.publish"},
                   "acquires the slots; and a close that add.closed does not see finds the segment, whoever added it"),
        rows::load("add.look", order::relaxed, {}, "add.claim verifies it"),
        rows::compare_exchange("add.claim", order::seq_cst, order::relaxed, {"close.look", "close.take"},
                               "the task is visible to the thread that cancels it. Seq_cst: comes before add.closed"),
        rows::load("add.closed", order::seq_cst, {"close.set"},
                   "after add.claim: either the adder sees the registry closed, or close.look sees the task"),
        rows::compare_exchange("grow.publish", order::seq_cst, order::seq_cst,
                               {"add.segment", "close.segment", "grow.publish"},
                               "the slots are visible to those who use the segment; where another thread's came first, "
                               "as add.segment"),

        rows::compare_exchange("remove.take", order::relaxed, order::relaxed, {},
                               "atomicity decides who has the registry's reference. What others do with the task is "
                               "ordered by its count of references"),

        rows::store("close.set", order::seq_cst, {"add.closed"}, "before close.segment and close.look"),
        rows::load("close.segment", order::seq_cst, {"grow.publish"},
                   "acquires the slots; and sees each segment of a task whose adder does not see close.set"),
        rows::load("close.look", order::seq_cst, {"add.claim"}, "sees each task whose adder does not see close.set"),
        rows::update("close.take", order::acquire, {"add.claim"},
                     "what the adder did with the task comes before its cancellation"),

        rows::load("size.segment", order::relaxed, {}, "which segments there are, not what they hold"),
        rows::load("destroy.segment", order::relaxed, {}, "no other thread uses the registry any more"),
    }};

static_assert(task_registry_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it");

}  // namespace licit::inline v0

#endif
