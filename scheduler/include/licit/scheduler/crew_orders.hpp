/// The ordering table of what a crew of workers shares beside its checked parts: the fences of its wake-up protocol,
/// and the flag that ends it.
#ifndef LICIT_SCHEDULER_CREW_ORDERS_HPP
#define LICIT_SCHEDULER_CREW_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table crew_orders{
    "crew",
    {
        rows::fence("announce.fence", order::seq_cst, {"look.fence"},
                    "store-load: either the announcer sees that nobody searches any more, or who stopped searching "
                    "sees the work"),
        rows::fence("look.fence", order::seq_cst, {"announce.fence"},
                    "store-load, the other half: the change of the idle set comes before the look at the queues"),
        rows::store("stop.set", order::relaxed, {}, "the unpark that follows it makes it visible to who was asleep"),
        rows::load("stop.seen", order::relaxed, {}, "read again after each park"),
    }};

static_assert(crew_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
