/// Those who wait: the client classes over the rules that they run with, and over broken ones.
#ifndef LICIT_SUITES_WAITERS_CLIENTS_HPP
#define LICIT_SUITES_WAITERS_CLIENTS_HPP

#include "suites/altered.hpp"
#include "suites/every/channel_client.hpp"
#include "suites/every/jobs_client.hpp"
#include "suites/every/waiting.hpp"
#include "suites/every/waiting_client.hpp"
#include "suites/waiters/channel.hpp"
#include "suites/waiters/permits.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// The short lock, whose threads do not try for long.
template <class Model>
using once_tried = with_rules<Model, short_lock_rules{.tries = 1}>;
template <class Model>
using twice_tried = with_rules<Model, short_lock_rules{.tries = 2}>;
template <class Model>
using short_lock_client = short_lock_client_over<Model, once_tried<Model>>;
/// A thread that has several to wake frees the lock after each.
template <class Model>
using one_by_one = with_rules<specified_lock<Model>, wake_ups_rules{.most = 1}>;
template <class Model>
using permits_client = permits_client_over<Model, specified_lock<Model>>;
template <class Model>
using permits_one_by_one_client = permits_client_over<Model, one_by_one<Model>>;
template <class Model>
using gate_one_by_one_client = gate_client_over<Model, one_by_one<Model>>;
template <class Model>
using rendezvous_one_by_one_client = rendezvous_client_over<Model, one_by_one<Model>>;
template <class Model>
using channel_one_by_one_client = channel_client_over<Model, one_by_one<Model>>;
template <class Model>
using jobs_one_by_one_client = jobs_client_over<Model, one_by_one<Model>>;
template <class Model>
using locked_permits_client = permits_client_over<Model, once_tried<Model>>;
template <class Model>
using gate_client = gate_client_over<Model, specified_lock<Model>>;
template <class Model>
using counted_gate_client = gate_client_over<Model, specified_lock<Model>, counted_task<Model>>;
template <class Model>
using rendezvous_client = rendezvous_client_over<Model, specified_lock<Model>>;
template <class Model>
using channel_client = channel_client_over<Model, specified_lock<Model>>;
template <class Model>
using jobs_client = jobs_client_over<Model, specified_lock<Model>>;

// Broken ones.

template <class Model>
using deaf_lock_client = short_lock_client_over<Model, with_rules<Model, short_lock_rules{.tries = 1, .wakes = false}>>;
template <class Model>
using stale_lock_client =
    short_lock_client_over<Model, with_rules<Model, short_lock_rules{.tries = 2, .expects = false}>>;
template <class Model>
using torn_lock_client = short_lock_client_over<Model, torn<once_tried<Model>, "lock.take">>;
template <class Model>
using torn_take_of_permits_client = permits_client_over<Model, torn<specified_lock<Model>, "take.claim">>;
template <class Model>
using torn_mark_client = permits_client_over<Model, torn<specified_lock<Model>, "wait.mark">>;
template <class Model>
using torn_give_client = permits_client_over<Model, torn<specified_lock<Model>, "give.add">>;
template <class Model>
using keeps_permits_client =
    permits_client_over<Model, with_rules<specified_lock<Model>, permits_rules{.passes_on = false}>>;
template <class Model>
using looks_not_behind_client =
    permits_client_over<Model, with_rules<specified_lock<Model>, permits_rules{.looks_behind = false}>>;
template <class Model>
using unmarked_client = permits_client_over<Model, with_rules<specified_lock<Model>, permits_rules{.marks = false}>>;
template <class Model>
using forgetful_permits_client = permits_client_over<Model, specified_lock<Model>, forgotten_waiting_task<Model>>;
template <class Model>
using looks_once_client = gate_client_over<Model, with_rules<specified_lock<Model>, gate_rules{.looks_again = false}>>;
template <class Model>
using lends_late_client =
    gate_client_over<Model, with_rules<specified_lock<Model>, waiter_rules{.lends_first = false}>, counted_task<Model>>;
template <class Model>
using lets_nobody_leave_client =
    gate_client_over<Model, with_rules<specified_lock<Model>, gate_rules{.lets_leave = false}>>;
template <class Model>
using lets_no_round_finish_client =
    gate_client_over<Model, with_rules<one_by_one<Model>, gate_rules{.lets_finish = false}>>;
template <class Model>
using one_opening_client =
    gate_client_over<Model, with_rules<one_by_one<Model>, gate_rules{.tells_openings_apart = false}>>;
template <class Model>
using one_phase_client =
    rendezvous_client_over<Model, with_rules<one_by_one<Model>, rendezvous_rules{.tells_phases_apart = false}>>;
template <class Model>
using keeps_items_client =
    channel_client_over<Model, with_rules<specified_lock<Model>, line_of_items_rules{.passes_on = false}>>;
template <class Model>
using overtaking_receiver_client =
    channel_client_over<Model, with_rules<specified_lock<Model>, line_of_items_rules{.reserves = false}>>;
template <class Model>
using endless_client =
    channel_client_over<Model, with_rules<specified_lock<Model>, line_of_items_rules{.tells_end = false}>>;
template <class Model>
using drops_in_silence_client =
    channel_client_over<Model, with_rules<specified_lock<Model>, line_of_items_rules{.drops_end = false}>>;
/// A thread that has more to wake than there is room for leaves the rest.
template <class Model>
using one_round = with_rules<specified_lock<Model>, wake_ups_rules{.most = 1, .goes_on = false}>;
template <class Model>
using gate_of_one_round_client = gate_client_over<Model, one_round<Model>>;
template <class Model>
using channel_of_one_round_client = channel_client_over<Model, one_round<Model>>;
template <class Model>
using jobs_of_one_round_client = jobs_client_over<Model, one_round<Model>>;
template <class Model>
using leaves_with_a_job_client =
    jobs_client_over<Model, with_rules<specified_lock<Model>, job_line_rules{.looks_for_answer = false}>>;
template <class Model>
using leaves_jobs_client =
    jobs_client_over<Model, with_rules<specified_lock<Model>, job_line_rules{.looks_for_jobs = false}>>;
template <class Model>
using leaves_in_silence_client =
    jobs_client_over<Model, with_rules<specified_lock<Model>, job_line_rules{.tells_joiners = false}>>;

}  // namespace licit::suites

#endif
