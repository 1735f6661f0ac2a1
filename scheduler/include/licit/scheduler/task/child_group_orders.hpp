/// The ordering table of a group of child tasks.
#ifndef LICIT_SCHEDULER_CHILD_GROUP_ORDERS_HPP
#define LICIT_SCHEDULER_CHILD_GROUP_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table child_group_orders{
    "child-group",
    {
        rows::update("enter.count", order::relaxed, {}, "the caller is counted: none of this is the last"),
        rows::update("enter.back", order::relaxed, {}, "the caller is counted: none of this is the last"),
        rows::update("decide.first", order::relaxed, {},
                     "atomicity decides who is first; leave.count publishes the rest"),
        rows::store("cancel.set", order::relaxed, {},
                    "a child that is cancelled by it acquires that from its own state, which orders this, too"),
        rows::load("lose.look", order::relaxed, {}, "the child has acquired its cancellation"),
        rows::store("lose.set", order::relaxed, {}, "published by leave.count"),
        rows::load("lost.look", order::relaxed, {}, "all children have left: joined.look or join.count orders it"),

        rows::update("join.count", order::acq_rel, {"leave.count"},
                     "releases the waker to the last child; where none is left, what all children did is visible"),
        rows::update("leave.count", order::acq_rel, {"join.count", "leave.count"},
                     "releases the child's last use of the group and of what is its parent's; the last child acquires "
                     "that of the others, and the waker"),
        rows::store("leave.told", order::release, {"joined.look"},
                    "what all children did is visible to the parent, and none of them uses the group any more"),
        rows::load("joined.look", order::acquire, {"leave.told"}, "so is the parent's view of it"),
    }};

static_assert(child_group_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it");

}  // namespace licit::inline v0

#endif
