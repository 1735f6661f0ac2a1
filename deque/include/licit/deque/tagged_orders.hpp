/// The ordering table of the tagged deque, symmetric fences.
#ifndef LICIT_DEQUE_TAGGED_ORDERS_HPP
#define LICIT_DEQUE_TAGGED_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table tagged_orders{
    "tagged",
    {
        rows::store("make.ring", order::relaxed, {}, "no other thread has the deque yet"),

        rows::load("push.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        rows::load("push.room", order::acquire, {"steal.claim"},
                   "the thief's read of a slot comes before the owner's next store to it"),
        rows::store("push.item", order::relaxed, {},
                    "published by push.publish; a thief's read is a guess until its claim"),
        rows::store("push.publish", order::release, {"steal.bottom"},
                    "the item, and what the owner wrote before it, are visible to the thief that takes it"),

        rows::load("grow.read", order::relaxed, {}, "the owner reads its own stores"),
        rows::store("grow.copy", order::relaxed, {}, "published by grow.publish"),
        rows::store("grow.publish", order::release, {"steal.ring"},
                    "the new ring's fields and slots are visible to a thief that reads the ring pointer"),

        rows::load("pop.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        rows::store(
            "pop.reserve", order::release, {"steal.bottom"},
            "C++20: a relaxed store here would end push.publish's release sequence, and a thief that reads this "
            "store takes an item that an earlier push published"),
        rows::fence("pop.fence", order::seq_cst, {"steal.fence"},
                    "store-load: either the thief sees the reservation or pop.top sees the thief's claim; and it is "
                    "the release "
                    "fence of pop.raise: who reads the raised tag sees the reservation"),
        rows::load("pop.top", order::relaxed, {}, "ordered by pop.fence; a stale value is older than a thief's look"),
        rows::load("pop.item", order::relaxed, {}, "the owner reads its own store"),
        rows::update("pop.raise", order::relaxed, {},
                     "comes after pop.fence, which releases the reservation; as an RMW it continues steal.claim's "
                     "release sequence"),
        rows::load("pop.near", order::relaxed, {}, "the owner reads its own store"),
        rows::load("pop.last", order::relaxed, {}, "the owner reads its own store"),
        rows::compare_exchange("pop.claim", order::relaxed, order::relaxed, {},
                               "atomicity alone decides the last item; as an RMW it continues steal.claim's release "
                               "sequence"),
        rows::store("pop.restore", order::relaxed, {},
                    "a thief that reads it finds nothing: top has passed the item that was here"),

        rows::compare_exchange("renew.claim", order::relaxed, order::relaxed, {},
                               "released as pop.raise is; what it copies ends below the highest bottom, so push.room "
                               "has acquired the thieves' reads of those slots"),
        rows::load("renew.item", order::relaxed, {}, "the owner reads its own store"),
        rows::load("renew.read", order::relaxed, {}, "the owner reads its own stores"),
        rows::store("renew.copy", order::relaxed, {}, "published by renew.publish"),
        rows::store(
            "renew.publish", order::release, {"steal.bottom"},
            "the moved items, and what was written before their push, are visible to the thief that takes them"),

        rows::load("steal.top", order::relaxed, {},
                   "steal.fence stands between it and steal.bottom, and acquires what the owner did before it raised "
                   "the tag; the claim verifies it"),
        rows::fence(
            "steal.fence", order::seq_cst, {"pop.fence"},
            "store-load, the thief's half: a thief that misses a reservation has what it saw of top seen by pop.top"),
        rows::load("steal.bottom", order::acquire, {"push.publish", "pop.reserve", "renew.publish", "half.publish"},
                   "the items below what it reads, and what was written before their push, are visible"),
        rows::load("steal.ring", order::acquire, {"grow.publish"},
                   "the ring may be newer than the bottom that was read: its fields need their own synchronisation"),
        rows::load("steal.item", order::relaxed, {}, "a guess: it counts only if steal.claim succeeds"),
        rows::compare_exchange(
            "steal.claim", order::release, order::relaxed, {"push.room"},
            "the slots are read before the owner can learn that they are free; a lost claim publishes nothing"),

        rows::load("half.own", order::relaxed, {}, "the thief's own bottom: it reads its own last store"),
        rows::store("half.item", order::relaxed, {}, "published by half.publish, once it is claimed"),
        rows::store("half.publish", order::release, {"steal.bottom"},
                    "the items, and what was written before their push, are visible to the thief's own thieves"),

        rows::load("size.top", order::relaxed, {}, "an estimate; promises nothing about other memory"),
        rows::load("size.bottom", order::relaxed, {}, "an estimate; promises nothing about other memory"),
    }};

static_assert(tagged_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
