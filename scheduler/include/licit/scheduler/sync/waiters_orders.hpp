/// The ordering table of waiters: the short lock, the answer to a waiter, the word of permits, the flag of a gate.
#ifndef LICIT_SCHEDULER_WAITERS_ORDERS_HPP
#define LICIT_SCHEDULER_WAITERS_ORDERS_HPP

#include <licit/deque/order.hpp>

namespace licit::inline v0 {

inline constexpr table waiters_orders{
    "waiters",
    {
        rows::compare_exchange("lock.take", order::acquire, order::relaxed, {"lock.free"},
                               "what earlier holders did to the guarded data is visible; a failure takes nothing"),
        rows::update("lock.wait", order::acquire, {"lock.free"}, "the same, for a thread that may have slept"),
        rows::load("lock.sleep", order::relaxed, {}, "only the exchange after it takes the lock"),
        rows::update("lock.free", order::release, {"lock.take", "lock.wait"},
                     "what this holder did is visible to the next ones"),

        rows::store("answer.give", order::release, {"answer.look", "answer.wait"},
                    "the giver's last use of the waiter, and what it did before it gave, are visible to who waited"),
        rows::load("answer.look", order::acquire, {"answer.give"},
                   "a coroutine may run for another reason, before the giver has woken it; it may end its frame"),
        rows::load("answer.wait", order::acquire, {"answer.give"}, "a wake-up of a thread orders nothing"),
        rows::load("answer.sleep", order::relaxed, {}, "the load after it decides"),
        rows::load("answer.doze", order::relaxed, {}, "the load after it decides"),

        rows::load("take.look", order::relaxed, {}, "take.claim compares what this has seen"),
        rows::compare_exchange("take.claim", order::acquire, order::relaxed, {"give.add", "settle.store"},
                               "what those did who gave these permits is visible; a failure takes nothing"),
        rows::load("wait.look", order::relaxed, {}, "wait.claim or wait.mark compares what this has seen"),
        rows::compare_exchange("wait.claim", order::acquire, order::relaxed, {"give.add", "settle.store"},
                               "as take.claim"),
        rows::compare_exchange("wait.mark", order::relaxed, order::relaxed, {},
                               "who sees the mark takes the lock, which orders the list"),
        rows::load("give.look", order::relaxed, {}, "give.add compares what this has seen"),
        rows::compare_exchange("give.add", order::release, order::relaxed, {"take.claim", "wait.claim", "settle.look"},
                               "what was done under the permit is visible to who takes it; a failure gives nothing"),
        rows::load("settle.look", order::acquire, {"give.add"},
                   "who hands over permits that others gave hands over what these did, by the answer"),
        rows::store("settle.store", order::release, {"take.claim", "wait.claim"},
                    "as give.add; while the mark is set nobody changes the word without the lock"),
        rows::load("count.look", order::relaxed, {}, "a number that may be old at once"),

        rows::load("gate.look", order::acquire, {"gate.open"}, "what was done before the gate opened is visible"),
        rows::store("gate.open", order::release, {"gate.look"},
                    "what this thread did, and by the lock what all did who had arrived, is visible"),
        rows::store("gate.shut", order::relaxed, {}, "who reads it takes the lock, or learns nothing"),
    }};

static_assert(waiters_orders.consistent(), "a row is doubled, gives no reason, or its partner does not name it");

}  // namespace licit::inline v0

#endif
