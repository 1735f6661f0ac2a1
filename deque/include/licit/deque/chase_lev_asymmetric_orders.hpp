/// The ordering table of the Chase-Lev deque with asymmetric fences: the owner's is light, the thief's heavy.
///
/// Beside chase_lev_orders.hpp, which gives the reasons that are the same. A light fence is no release fence for
/// anybody but heavy fences, so each store of the owner that thieves read has its own order.
#ifndef LICIT_DEQUE_CHASE_LEV_ASYMMETRIC_ORDERS_HPP
#define LICIT_DEQUE_CHASE_LEV_ASYMMETRIC_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table chase_lev_asymmetric_orders{
    "chase-lev-asymmetric",
    {
        rows::store("make.ring", order::relaxed, {}, "no other thread has the deque yet"),

        rows::load("push.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        rows::load("push.room", order::acquire, {"steal.claim"},
                   "the thief's read of a slot comes before the owner's next store to it"),
        rows::store("push.item", order::relaxed, {},
                    "published by push.publish; a thief's read is a guess until its claim"),
        rows::fence("push.fence", order::relaxed, {},
                    "none: push.publish is a release store; in the form of Lê et al. this is the release fence"),
        // Compiled (models/machine/codegen): `stlr` on aarch64, where a release fence would be `dmb ish` in every push.
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
        rows::light_fence("pop.fence", {"steal.fence"},
                          "store-load: either the thief sees the reservation or pop.top sees the thief's claim"),
        rows::load("pop.top", order::relaxed, {},
                   "ordered by pop.fence; a stale value below the true top is excluded by it"),
        rows::load("pop.item", order::relaxed, {}, "the owner reads its own store"),
        rows::load("pop.last", order::relaxed, {}, "the owner reads its own store"),
        // Compiled: a call on plain aarch64, so it has a function of its own there.
        rows::compare_exchange("pop.claim", order::relaxed, order::relaxed, {},
                               "atomicity alone decides the last item; as an RMW it continues steal.claim's release "
                               "sequence; nothing is published"),
        rows::store(
            "pop.restore", order::release, {"steal.bottom"},
            "a light fence releases nothing to an acquire load; a thief that reads this store finds nothing, or, "
            "by load buffering, wins the item that an earlier push published"),

        rows::load("steal.top", order::relaxed, {},
                   "steal.fence stands between it and steal.bottom; the claim verifies it"),
        rows::load("steal.look", order::relaxed, {},
                   "a look before the dear fence: an item whose push happens before the call looks gone only if it was "
                   "reserved or claimed; what looks there is looked at again"),
        rows::heavy_fence(
            "steal.fence", {"pop.fence"},
            "store-load, the thief's half: a thief that misses a reservation has its earlier claims seen by pop.top"),
        rows::load("steal.bottom", order::acquire, {"push.publish", "pop.reserve", "pop.restore"},
                   "the items below what it reads, and what was written before their push, are visible"),
        rows::load("steal.ring", order::acquire, {"grow.publish"},
                   "the ring may be newer than the bottom that was read: its fields need their own synchronisation"),
        rows::load("steal.item", order::relaxed, {}, "a guess: it counts only if steal.claim succeeds"),
        // Compiled: g++ 12 leaves the release out on riscv64; native.hpp puts a fence there.
        rows::compare_exchange(
            "steal.claim", order::release, order::relaxed, {"push.room"},
            "the slot is read before the owner can learn that it is free; a lost claim publishes nothing"),

        rows::load("size.top", order::relaxed, {}, "an estimate; promises nothing about other memory"),
        rows::load("size.bottom", order::relaxed, {}, "an estimate; promises nothing about other memory"),
    }};

static_assert(chase_lev_asymmetric_orders.consistent(),
              "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
