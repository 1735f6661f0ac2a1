/// The ordering table of the split deque. No fence, and nothing seq_cst: the owner and a thief never have to agree on
/// who came first, as a thief takes only what the word says is public, and the word decides by itself.
#ifndef LICIT_DEQUE_SPLIT_ORDERS_HPP
#define LICIT_DEQUE_SPLIT_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table split_orders{
    "split",
    {
        rows::store("make.ring", order::relaxed, {}, "no other thread has the deque yet"),
        rows::store("make.end", order::relaxed, {}, "no other thread has the deque yet"),

        rows::load("push.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        rows::load("push.end", order::relaxed, {}, "a request carries nothing but itself; missed, it is seen later"),
        rows::store("push.item", order::relaxed, {},
                    "private until answer.publish; a thief's read is a guess until its claim"),
        rows::store("push.bottom", order::relaxed, {}, "others read it for size only: no item is taken by it"),

        rows::load(
            "room.word", order::acquire, {"steal.claim"},
            "the thief's reads of the slots come before the owner's next stores to them; all changes of the word "
            "are read-modify-writes, so a later value stands for the earlier claims too"),
        rows::load("grow.read", order::relaxed, {}, "the owner reads its own stores"),
        rows::store("grow.copy", order::relaxed, {}, "published by grow.publish"),
        rows::store("grow.publish", order::release, {"steal.ring"},
                    "the new ring's fields and slots are visible to a thief that reads the ring pointer"),

        rows::load("answer.word", order::relaxed, {}, "only the owner adds to the count: an old value is too high"),
        rows::store("answer.end", order::relaxed, {},
                    "before answer.publish: a thief that sees the word from then on sees the request cleared"),
        rows::store("answer.begin", order::relaxed, {}, "as answer.end"),
        rows::update("answer.publish", order::release, {"steal.word"},
                     "the items, and what the owner wrote before it pushed them, are visible to the thief that takes "
                     "them; and so are answer.end and answer.begin, or it would not ask again"),

        rows::load("pop.own", order::relaxed, {}, "only the owner writes bottom: it reads its own last store"),
        rows::load("pop.begin", order::relaxed, {}, "a request carries nothing but itself; missed, it is seen later"),
        rows::load("pop.item", order::relaxed, {}, "the owner reads its own store"),
        rows::store("pop.bottom", order::relaxed, {}, "others read it for size only: no item is taken by it"),

        rows::load("turn.end_seen", order::relaxed, {}, "a request that stands is left; missed, it fails turn.end"),
        rows::compare_exchange("turn.end", order::relaxed, order::relaxed, {},
                               "atomicity alone keeps a request that comes meanwhile; the bound is the owner's own"),
        rows::load("turn.begin_seen", order::relaxed, {}, "as turn.end_seen"),
        rows::compare_exchange("turn.begin", order::relaxed, order::relaxed, {}, "as turn.end"),

        rows::load("reclaim.word", order::relaxed, {}, "reclaim.take verifies it; a count of nothing stays so"),
        rows::compare_exchange("reclaim.take", order::relaxed, order::relaxed, {},
                               "atomicity alone decides whose the items are; they are the owner's own, and as an RMW "
                               "it continues the release sequences of claims and publications"),
        rows::store("renumber.bottom", order::relaxed, {}, "made visible by renumber.word"),
        rows::update("renumber.word", order::release, {"steal.word", "size.word"},
                     "who sees the new top sees the new bottom: with the old one the deque would look empty"),

        rows::load(
            "steal.word", order::acquire, {"answer.publish", "renumber.word"},
            "the public items, and what was written before their push, are visible; a bottom that goes with top"),
        rows::load("steal.ring", order::acquire, {"grow.publish"},
                   "the ring may be newer than the word that was read: its fields need their own synchronisation"),
        rows::load("steal.item", order::relaxed, {}, "a guess: it counts only if steal.claim succeeds"),
        rows::compare_exchange(
            "steal.claim", order::release, order::relaxed, {"room.word"},
            "the slots are read before the owner can learn that they are free; a lost claim publishes nothing"),
        rows::load("ask.end_seen", order::relaxed, {},
                   "a request that is seen standing is answered by a change of the word after the one that was read"),
        rows::store("ask.end", order::relaxed, {}, "a request carries nothing but itself"),
        rows::load("ask.begin_seen", order::relaxed, {}, "as ask.end_seen"),
        rows::store("ask.begin", order::relaxed, {}, "a request carries nothing but itself"),

        rows::load("half.own", order::relaxed, {}, "of the thief's own deque: it reads its own last store"),
        rows::load("half.asked", order::relaxed, {}, "of the thief's own deque: as pop.begin"),

        rows::load("size.word", order::acquire, {"renumber.word"},
                   "a bottom that goes with top; otherwise an estimate"),
        rows::load("size.bottom", order::relaxed, {}, "an estimate, and never too low for what the caller knows of"),
    }};

static_assert(split_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
