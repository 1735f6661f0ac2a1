/// The ordering table of the parker.
#ifndef LICIT_SCHEDULER_PARKER_ORDERS_HPP
#define LICIT_SCHEDULER_PARKER_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table parker_orders{
    "parker",
    {
        rows::update("park.begin", order::acquire, {"unpark.swap"},
                     "where a token is there already: what was written before every unpark since the last park is "
                     "visible; the word is changed by read-modify-writes only, so it reads from all their releases"),
        rows::load("park.sleep", order::relaxed, {}, "the futex's compare; park.take looks again"),
        rows::compare_exchange("park.take", order::acquire, order::relaxed, {"unpark.swap"},
                               "as park.begin; a wake-up for no reason fails, and sleeps again"),
        rows::update("doze.begin", order::acquire, {"unpark.swap"}, "as park.begin, for a park with a time limit"),
        rows::load("doze.sleep", order::relaxed, {}, "the futex's compare; doze.end looks again"),
        rows::update("doze.end", order::acquire, {"unpark.swap"},
                     "as park.begin, where a token came before the time was over"),
        rows::update("outside.begin", order::relaxed, {},
                     "where a token is there already, outside.end reads this, which continues unpark.swap's sequence"),
        rows::update("outside.end", order::acquire, {"unpark.swap"}, "as doze.end"),
        rows::update("unpark.swap", order::release,
                     {"park.begin", "park.take", "doze.begin", "doze.end", "outside.end"},
                     "what was written before it is visible after the park that takes the token; a swap also where one "
                     "is there already, so that this unpark's writes are too"),
    }};

static_assert(parker_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
