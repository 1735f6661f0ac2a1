/// The ordering table of the trace ring. There is no fence in it, and so no second table with asymmetric ones.
#ifndef LICIT_SCHEDULER_TRACE_RING_ORDERS_HPP
#define LICIT_SCHEDULER_TRACE_RING_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table trace_ring_orders{
    "trace-ring",
    {
        rows::store("record.begin", order::relaxed, {},
                    "published by the stores of the two words: who reads one of them sees that its slot was taken"),
        rows::store("record.time", order::release, {"read.time"},
                    "who reads it, and so may have a torn event, sees record.begin"),
        rows::store("record.what", order::release, {"read.what"},
                    "who reads it, and so may have a torn event, sees record.begin"),
        rows::store("record.end", order::release, {"read.end"}, "both words of every event below it are visible"),

        rows::load("read.end", order::acquire, {"record.end"}, "both words of every event below it are visible"),
        rows::load("read.time", order::acquire, {"record.time"},
                   "read.begin, which comes after it, is not older than the event whose word this is"),
        rows::load("read.what", order::acquire, {"record.what"},
                   "read.begin, which comes after it, is not older than the event whose word this is"),
        rows::load("read.begin", order::relaxed, {}, "what it must not miss, read.time and read.what have acquired"),
    }};

static_assert(trace_ring_orders.consistent(),
              "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
