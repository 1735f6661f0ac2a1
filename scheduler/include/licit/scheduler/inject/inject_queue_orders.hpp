/// The ordering table of the inject queue. There is no fence in it, and so no second table with asymmetric ones.
#ifndef LICIT_SCHEDULER_INJECT_QUEUE_ORDERS_HPP
#define LICIT_SCHEDULER_INJECT_QUEUE_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table inject_queue_orders{
    "inject-queue",
    {
        rows::load("push.closed", order::relaxed, {}, "coherence is enough: a close that happens before is seen"),
        rows::update("push.ticket", order::acquire, {"move.tail"},
                     "the segment that it is of was made before; tail is changed by read-modify-writes only"),
        rows::compare_exchange("push.item", order::release, order::relaxed, {"pop.item", "pop.poison"},
                               "the item, and what its pusher wrote before it, are visible to who takes it; the pusher "
                               "has read the segment for the last time; what it reads when it fails says only that"),

        rows::load("batch.tail", order::relaxed, {}, "the claim verifies it"),
        rows::compare_exchange("batch.ticket", order::acquire, order::relaxed, {"move.tail"}, "as push.ticket"),

        rows::load("extend.next", order::acquire, {"extend.link"},
                   "what is linked was made, and filled, before move.tail shows it to others"),
        rows::store("extend.fill", order::relaxed, {}, "published by extend.link"),
        rows::compare_exchange("extend.link", order::release, order::relaxed, {"extend.next"},
                               "the new segment and its items are visible to who moves the tail there; one that lost "
                               "looks again, at extend.next"),
        rows::load("extend.tail", order::relaxed, {}, "the claim verifies it"),
        rows::compare_exchange("move.tail", order::release, order::relaxed,
                               {"push.ticket", "batch.ticket", "look.tail", "advance.tail"},
                               "the segment that it moves to was made before; and no end is in a former life of it"),
        rows::load("return.tail", order::relaxed, {}, "the claim verifies it"),
        rows::compare_exchange(
            "return.ticket", order::release, order::relaxed, {"advance.tail"},
            "the segment was read with that ticket, at extend.next, which nobody waits for any more; "
            "the tail is changed by read-modify-writes only, so who sees it elsewhere has seen this"),

        rows::load("pop.kept", order::relaxed, {}, "a hint; drain.take takes"),
        rows::load("look.tail", order::acquire, {"move.tail"},
                   "the segments up to there were made before; head is read after it: if that is in the same segment, "
                   "it is in this life of it or a later one"),
        rows::load("look.head", order::relaxed, {}, "the claim verifies it"),
        rows::load("pop.again", order::relaxed, {},
                   "a hint that the tail was old; a claim beyond the tail is harmless"),
        rows::compare_exchange("pop.claim", order::acquire, order::relaxed, {"advance.head"},
                               "the segment that it is of was made before, also when it has come back meanwhile"),
        rows::load("pop.item", order::acquire, {"push.item"}, "what was written before the push is visible"),
        rows::update("pop.poison", order::acquire, {"push.item"}, "as pop.item, of a push that came just now"),

        rows::compare_exchange("advance.claim", order::acquire, order::relaxed, {"advance.head"}, "as pop.claim"),
        rows::load("advance.tail", order::acquire, {"move.tail", "return.ticket"},
                   "where the head moves to, the tail was before, for all that see the head there; that segment was "
                   "made before; and the one that it leaves is not read with a ticket that was given back"),
        rows::load("advance.next", order::relaxed, {}, "advance.tail has seen that it is there"),
        rows::load("advance.look", order::relaxed, {}, "the claim verifies it"),
        rows::compare_exchange("advance.head", order::release, order::relaxed, {"pop.claim", "advance.claim"},
                               "the segment that it moves to was made before"),

        rows::update("finish.count", order::acq_rel, {"finish.count"},
                     "who counts the last one frees the segment: all accesses of the others come before"),
        rows::load("obtain.look", order::relaxed, {}, "a hint; obtain.spare takes"),
        rows::update("obtain.spare", order::acquire, {"recycle.spare"},
                     "all accesses to the segment in its last life come before it is made anew"),
        rows::load("recycle.look", order::relaxed, {}, "the compare-exchange verifies it"),
        rows::compare_exchange("recycle.spare", order::release, order::relaxed, {"obtain.spare"},
                               "the segment is not accessed any more"),

        rows::load("keep.top", order::relaxed, {}, "the compare-exchange verifies it"),
        rows::compare_exchange("keep.push", order::release, order::relaxed, {"drain.take"},
                               "the item's link, and what its pusher wrote before, are visible to who takes it"),
        rows::update("drain.take", order::acquire, {"keep.push"},
                     "the items and their links are visible; pushes on top of others continue their release sequence"),

        rows::load("empty.kept", order::relaxed, {}, "who asks after a fence sees what was pushed before the other's"),
        rows::load("size.kept", order::relaxed, {},
                   "an estimate; who put items back sees its own store or a later one"),
        rows::load("size.tail", order::relaxed, {}, "an estimate; promises nothing about other memory"),
        rows::load("size.head", order::relaxed, {}, "an estimate; promises nothing about other memory"),

        rows::update("close.flag", order::relaxed, {}, "promises nothing about other memory"),
        rows::load("closed.flag", order::relaxed, {}, "promises nothing about other memory"),

        rows::load("destroy.head", order::relaxed, {}, "all uses happen before"),
        rows::load("destroy.next", order::relaxed, {}, "all uses happen before"),
        rows::load("destroy.spare", order::relaxed, {}, "all uses happen before"),
    }};

static_assert(inject_queue_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it");

}  // namespace licit::inline v0

#endif
