/// The ordering table of the run queue. There is no fence in it, and so no second table with asymmetric ones.
#ifndef LICIT_DEQUE_RUN_QUEUE_ORDERS_HPP
#define LICIT_DEQUE_RUN_QUEUE_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table run_queue_orders{
    "run-queue",
    {
        rows::load("push.own", order::relaxed, {}, "only the owner writes tail: it reads its own last store"),
        rows::store("push.item", order::relaxed, {},
                    "published by push.publish; a thief's read is a guess until its claim"),
        rows::store("push.publish", order::release, {"steal.tail", "half.tail"},
                    "the item, and what the owner wrote before it, are visible to the thief that takes it"),

        rows::load("room.head", order::acquire, {"steal.claim", "half.claim"},
                   "the thieves' reads of the slots below come before the owner's next stores to them; head is changed "
                   "by read-modify-writes only, so every claim's release sequence reaches to the newest"),

        rows::load("overflow.own", order::relaxed, {}, "only the owner writes tail: it reads its own last store"),
        rows::compare_exchange(
            "overflow.claim", order::relaxed, order::relaxed, {},
            "atomicity decides; the owner itself reads the slots, and writes them next; as an RMW it "
            "continues the thieves' release sequences"),
        rows::load("overflow.item", order::relaxed, {}, "the owner reads its own store"),

        rows::load("pop.own", order::relaxed, {}, "only the owner writes tail: it reads its own last store"),
        rows::load("pop.item", order::relaxed, {}, "the owner reads its own store, and has claimed the item"),
        rows::compare_exchange("pop.claim", order::relaxed, order::relaxed, {},
                               "atomicity decides; the owner's payload is its own; as an RMW it continues the thieves' "
                               "release sequences; what it learns of head is no room for pushes (I7)"),

        rows::load("steal.head", order::relaxed, {},
                   "the claim verifies it; one that is newer than the tail read after it makes a negative number of "
                   "items, which is none"),
        rows::load("steal.tail", order::acquire, {"push.publish", "half.publish"},
                   "the items below what it reads, and what was written before their push, are visible"),
        rows::load("steal.item", order::relaxed, {}, "a guess: it counts only if steal.claim succeeds"),
        rows::compare_exchange(
            "steal.claim", order::release, order::relaxed, {"room.head"},
            "the slot is read before the owner can learn that it is free; a lost claim publishes nothing"),

        rows::load("half.head", order::relaxed, {}, "as steal.head"),
        rows::load("half.tail", order::acquire, {"push.publish", "half.publish"}, "as steal.tail"),
        rows::load("half.own", order::relaxed, {}, "the thief's own tail: it reads its own last store"),
        rows::load("half.first", order::relaxed, {}, "a guess: it counts only if half.claim succeeds"),
        rows::load("half.item", order::relaxed, {}, "a guess: it counts only if half.claim succeeds"),
        rows::store("half.copy", order::relaxed, {},
                    "a free slot beyond the thief's tail: published by half.publish if the claim succeeds, else by "
                    "nobody"),
        rows::compare_exchange(
            "half.claim", order::release, order::relaxed, {"room.head"},
            "the slots are read before their owner can learn that they are free; a lost claim publishes nothing"),
        rows::store("half.publish", order::release, {"steal.tail", "half.tail"},
                    "the copies, and what half.tail acquired with them, are visible to who steals them on"),

        rows::load("size.head", order::relaxed, {}, "an estimate; promises nothing about other memory"),
        rows::load("size.tail", order::relaxed, {}, "an estimate; promises nothing about other memory"),
    }};

static_assert(run_queue_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
