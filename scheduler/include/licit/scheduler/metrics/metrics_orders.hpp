/// The ordering table of the metrics: counters that one worker writes and anybody reads.
#ifndef LICIT_SCHEDULER_METRICS_ORDERS_HPP
#define LICIT_SCHEDULER_METRICS_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table metrics_orders{
    "metrics",
    {
        rows::load("count.own", order::relaxed, {}, "only the worker writes its counters: it reads its own last store"),
        rows::store("count.add", order::relaxed, {}, "a number; promises nothing about other memory"),
        rows::load("count.read", order::relaxed, {}, "a number; promises nothing about other memory"),
        rows::store("parked.change", order::relaxed, {}, "all of the parked time is in this one word"),
        rows::load("parked.read", order::relaxed, {}, "all of the parked time is in this one word"),
        rows::store("task.begin", order::relaxed, {}, "text that is never freed; promises nothing about other memory"),
        rows::store("task.end", order::relaxed, {}, "no text, or text that is never freed; as task.begin"),
        rows::load("task.read", order::relaxed, {}, "text that is never freed; promises nothing about other memory"),
    }};

static_assert(metrics_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it back");

}  // namespace licit::inline v0

#endif
