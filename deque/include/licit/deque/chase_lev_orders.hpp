/// The ordering table of the Chase-Lev deque, symmetric fences, release-store form of `push`.
#ifndef LICIT_DEQUE_CHASE_LEV_ORDERS_HPP
#define LICIT_DEQUE_CHASE_LEV_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table chase_lev_orders{
    "chase-lev",
    {
        rows::store("make.ring", order::relaxed, {}, "no other thread has the deque yet"),

        rows::load("push.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        rows::load("push.room", order::acquire, {"steal.claim", "half.claim"},
                   "the thief's read of a slot comes before the owner's next store to it"),
        rows::store("push.item", order::relaxed, {},
                    "published by push.publish; a thief's read is a guess until its claim"),
        rows::fence("push.fence", order::relaxed, {},
                    "none: push.publish is a release store; in the form of Lê et al. this is the release fence"),
        // Compiled (models/machine/codegen): `stlr` on aarch64, where a release fence would be `dmb ish` in every push.
        rows::store("push.publish", order::release, {"steal.bottom", "half.bottom", "half.again"},
                    "the item, and what the owner wrote before it, are visible to the thief that takes it"),

        rows::load("grow.read", order::relaxed, {}, "the owner reads its own stores"),
        rows::store("grow.copy", order::relaxed, {}, "published by grow.publish"),
        rows::store("grow.publish", order::release, {"steal.ring", "half.ring"},
                    "the new ring's fields and slots are visible to a thief that reads the ring pointer"),

        rows::load("pop.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        // Compiled: a light barrier on riscv64 and ppc64le, which a release fence in push would save; a full one
        // follows.
        rows::store(
            "pop.reserve", order::release, {"steal.bottom", "half.bottom", "half.again"},
            "C++20: a relaxed store here would end push.publish's release sequence, and a thief that reads this "
            "store takes an item that an earlier push published"),
        // Compiled: `lock or` on x86-64 by native.hpp, where clang's own would be `mfence`.
        rows::fence(
            "pop.fence", order::seq_cst, {"steal.fence", "half.fence", "half.claim", "half.again"},
            "store-load: either the thief sees the reservation or pop.top sees the thief's claim; it is also the "
            "release fence of pop.restore"),
        rows::load("pop.top", order::relaxed, {},
                   "ordered by pop.fence; a stale value below the true top is excluded by it"),
        rows::load("pop.item", order::relaxed, {}, "the owner reads its own store"),
        rows::load("pop.last", order::relaxed, {}, "the owner reads its own store"),
        // Compiled: a call on plain aarch64, so it has a function of its own there.
        rows::compare_exchange("pop.claim", order::relaxed, order::relaxed, {},
                               "atomicity alone decides the last item; as an RMW it continues steal.claim's release "
                               "sequence; nothing is published"),
        rows::store("pop.restore", order::relaxed, {},
                    "comes after pop.fence, which releases all that the owner wrote"),

        rows::load("steal.top", order::relaxed, {},
                   "steal.fence stands between it and steal.bottom; the claim verifies it"),
        rows::fence(
            "steal.fence", order::seq_cst, {"pop.fence"},
            "store-load, the thief's half: a thief that misses a reservation has its earlier claims seen by pop.top"),
        rows::load("steal.bottom", order::acquire, {"push.publish", "pop.reserve"},
                   "the items below what it reads, and what was written before their push, are visible"),
        rows::load("steal.ring", order::acquire, {"grow.publish"},
                   "the ring may be newer than the bottom that was read: its fields need their own synchronisation"),
        rows::load("steal.item", order::relaxed, {}, "a guess: it counts only if steal.claim succeeds"),
        // Compiled: g++ 12 leaves the release out on riscv64; native.hpp puts a fence there.
        rows::compare_exchange(
            "steal.claim", order::release, order::relaxed, {"push.room"},
            "the slot is read before the owner can learn that it is free; a lost claim publishes nothing"),

        rows::load("half.top", order::relaxed, {},
                   "half.fence stands between it and half.bottom; the claim verifies it"),
        rows::fence("half.fence", order::seq_cst, {"pop.fence"},
                    "store-load before the first claim, as steal.fence: the top that was read may be another's claim"),
        rows::load("half.bottom", order::acquire, {"push.publish", "pop.reserve"},
                   "the items below what it reads, and what was written before their push, are visible"),
        rows::load("half.ring", order::acquire, {"grow.publish"},
                   "for each item anew: the ring may be newer than the bottom that was read"),
        rows::load("half.item", order::relaxed, {}, "a guess: it counts only if half.claim succeeds"),
        // Compiled: a locked instruction on x86-64 whatever its order, so that no claim but the first has a fence.
        rows::compare_exchange("half.claim", order::seq_cst, order::relaxed, {"pop.fence", "push.room"},
                               "store-load with half.again after it: either that load sees a reservation, or pop.top "
                               "sees this claim; a lost claim ends the theft"),
        rows::load(
            "half.again", order::seq_cst, {"pop.fence", "push.publish", "pop.reserve"},
            "after half.claim and before the next one: the owner may have come nearer, or have pushed anew where "
            "it popped"),

        rows::load("size.top", order::relaxed, {}, "an estimate; promises nothing about other memory"),
        rows::load("size.bottom", order::relaxed, {}, "an estimate; promises nothing about other memory"),
    }};

static_assert(chase_lev_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
