/// The ordering table of the LIFO slot.
#ifndef LICIT_SCHEDULER_LIFO_SLOT_ORDERS_HPP
#define LICIT_SCHEDULER_LIFO_SLOT_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table lifo_slot_orders{
    "lifo-slot",
    {
        rows::store("put.store", order::release, {"steal.swap"},
                    "the item, and what the owner wrote before it, are visible to the thief that takes it"),
        rows::update("put.swap", order::release, {"steal.swap"},
                     "as put.store; the displaced item is the owner's own, so nothing is acquired"),
        rows::update("take.swap", order::relaxed, {}, "atomicity decides; the item is the owner's own"),
        rows::load("take_if.look", order::relaxed, {}, "a hint: take.swap decides"),
        rows::load("steal.look", order::relaxed, {}, "a hint: steal.swap decides"),
        rows::update("steal.swap", order::acquire, {"put.store", "put.swap"},
                     "what was written before the item was put is visible to who takes it"
                     "; releases nothing: the slot itself is all that it gives back"),
        rows::load("empty.look", order::relaxed, {}, "an estimate; who must not miss an item fences before it"),
    }};

static_assert(lifo_slot_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
