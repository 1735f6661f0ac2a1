/// The ordering table of the task registry.
#ifndef LICIT_SCHEDULER_TASK_REGISTRY_ORDERS_HPP
#define LICIT_SCHEDULER_TASK_REGISTRY_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table task_registry_orders{
    "task-registry",
    {
        rows::load("push.head", order::relaxed, {}, "the compare-exchange verifies it; nothing is read through it"),
        rows::compare_exchange("push.chain", order::release, order::relaxed, {"sweep.take", "close.take"},
                               "the tasks and their links are visible to who takes the chain"),
        rows::update("add.count", order::relaxed, {}, "says when to sweep; promises nothing about other memory"),
        rows::load("add.limit", order::relaxed, {}, "says when to sweep; promises nothing about other memory"),

        rows::load("sweep.head", order::relaxed, {}, "the compare-exchange verifies it"),
        rows::compare_exchange("sweep.take", order::acquire, order::relaxed, {"push.chain"},
                               "the links of all that were pushed: each push continues those before it"),
        rows::update("sweep.count", order::relaxed, {}, "an estimate"),
        rows::store("sweep.limit", order::relaxed, {}, "an estimate"),

        rows::update("close.take", order::acquire, {"push.chain"}, "as sweep.take"),
        rows::load("size.count", order::relaxed, {}, "an estimate"),
    }};

static_assert(task_registry_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it");

}  // namespace licit::inline v0

#endif
