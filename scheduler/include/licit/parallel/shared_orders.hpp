/// The ordering table of what the parts of a parallel algorithm share.
#ifndef LICIT_PARALLEL_SHARED_ORDERS_HPP
#define LICIT_PARALLEL_SHARED_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table parallel_orders{
    "parallel",
    {
        rows::load("end.look", order::relaxed, {},
                   "an old value makes a part run in vain; the joins of the parts order the last look"),
        rows::load("lower.look", order::relaxed, {}, "lower.claim verifies it"),
        rows::compare_exchange("lower.claim", order::relaxed, order::relaxed, {},
                               "atomicity decides which position is lowest; what was found there reaches the caller by "
                               "the joins of the parts"),

        rows::update("add.count", order::relaxed, {}, "atomicity counts every item"),
        rows::update("report.enter", order::acquire, {"report.leave"},
                     "what the last call of the callback did, and the count that it was given, come before this one"),
        rows::load("report.count", order::relaxed, {}, "no older than the last caller's, which report.enter acquires"),
        rows::store("report.leave", order::release, {"report.enter"}, "what this call did comes before the next one"),
    }};

static_assert(parallel_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it");

}  // namespace licit::inline v0

#endif
