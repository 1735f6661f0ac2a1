/// A task's state: client programs, mutants.
#ifndef LICIT_SUITES_TASK_STATE_HPP
#define LICIT_SUITES_TASK_STATE_HPP

#include <array>

#include <licit/scheduler/task/task_state.hpp>

#include "suites/altered.hpp"
#include "suites/every/parts.hpp"
#include "suites/every/task_client.hpp"
#include "suites/program.hpp"
#include "suites/task_state/awaiting.hpp"
#include "suites/task_state/client.hpp"
#include "suites/task_state/hopping.hpp"
#include "suites/task_state/lifetimes.hpp"

namespace licit::suites {

inline const site_rules_for<task_state_orders> task_state_site_rules{
    {"begin.look", "state"},    {"begin.take", "state"},       {"suspend.leave", "state"}, {"wake.notify", "state"},
    {"cancel.notify", "state"}, {"complete.publish", "state"}, {"join.register", "state"}, {"unjoin.take", "state"},
    {"detach.tell", "state"},   {"retain.count", "state"},     {"release.count", "state"}, {"begin.discard", "state"},
    {"claim.take", "state"},    {"yield.again", "state"},      {"home.look", "home"},      {"home.move", "home"},
    {"stop.begin", "state"},    {"ask.tell", "state"},         {"begin.last", "state"},    {"release.look", "state"},
    {"alone.look", "state"},    {"alone.take", "state"},       {"alone.again", "state"},   {"alone.complete", "state"},
};

inline constexpr std::array task_state_lines{
    client_line{"wake_while_running", "run | post wake release",
                "a wake during a run causes another run, which sees what the waker wrote"},
    client_line{"two_wakers", "run | post wake release | post wake release",
                "the last run sees what each of two wakers wrote, in whichever order they came"},
    client_line{"moves_on", "suspends=1 run: wake release | wake release",
                "a run sees what the run before it wrote in another thread"},
    client_line{"wake_after_complete", "run | note(1) wake wake release",
                "a wake of a complete task does nothing, and keeps only its memory alive"},
    client_line{"cancel_against_complete", "run | cancel look detach",
                "a task that is cancelled has run to its end, or not at all"},
    client_line{"cancel_against_wake", "suspends=1 run: wake release | cancel detach",
                "whichever call schedules the task, what the canceller wrote is visible where the task is stopped"},
    client_line{"cancel_while_running", "suspends=9: run | cancel detach",
                "a task that is cancelled during a run and suspends is stopped, and sees why"},
    client_line{"joiner", "run | join(3) detach", "a registered joiner is told; otherwise the result is there"},
    client_line{"joiner_replaced", "run | join(3) unjoin join(4) detach",
                "of two joiners the one that was registered last is told, and not the other", reach::none, false,
                "begin."},
    client_line{"joiner_dropped", "run | join(3) unjoin detach",
                "a joiner that was taken back in time is not told; one that was not is told"},
    client_line{"last_reference", "run | note(1) release | note(2) release",
                "the last of three releases destroys the task, after all that the other threads did with it"},
    client_line{"reference_passed_on", "run | retain note(1) release note(2) release",
                "a thread that has a reference can retain another for somebody else"},
    client_line{"exception_unobserved", "throws=1: run | detach",
                "an exception is reported once if its handle is dropped, before the exception or after"},
    client_line{"claim_against_run", "run | claim note(1) release | note(2) release",
                "a task runs once, claimed or in its turn; the entry that is left in the queue keeps its memory"},
    client_line{"claim_against_claim", "run | claim release | claim release",
                "of two claims at most one runs the task"},
    client_line{"claimed_and_woken", "suspends=1: run | claim release | post wake release",
                "a claimed task that is woken has one entry in a queue, and its run sees what the waker wrote"},
    client_line{"claims_what_has_not_begun", "suspends=1 run: claim release | post wake release",
                "a task that was woken is left to the worker that finds it in its queue"},
    client_line{"claimed_and_yields", "yields=1: run | claim release",
                "a claimed task that yields is run again by whoever takes the entry that it left, or by its runner"},
    client_line{"swept_against_claim", "sweep run | claim release | note(2) release",
                "who sweeps a queue drops an entry that a claim has left, or puts it back"},
    client_line{"swept_and_woken", "suspends=1: sweep run | claim release | post wake release",
                "an entry that is the task's again stays in the queue that is swept"},
    client_line{"claim_against_cancel", "run | claim release | cancel detach",
                "a task that is cancelled and claimed has run to its end, or not at all"},
    client_line{"asks_against_cancel", "asks=1: run | cancel detach",
                "the stop of a task that has made its source is requested once, by one thread or the other"},
    client_line{"asks_and_is_stopped", "asks=1 suspends=9: run | cancel detach",
                "the stop of a task that has made its source is requested before the task is stopped"},
    client_line{"asks_against_two", "asks=1: run | cancel release | cancel detach",
                "of two that cancel a task one requests the stop, or the task itself"},
    client_line{"asks_and_is_stopped_by_two", "asks=1 suspends=1: run | cancel | cancel",
                "a task is stopped after its stop was requested, whoever else cancels it"},
    client_line{
        "held", "hold look release | note(1) release",
        "a thread with entry and handle runs a task that others have too, or have had, and destroys it after them"},
    client_line{"held_and_woken", "hold release | post wake release",
                "such a run, or the one after it, sees what the waker wrote"},
    client_line{"held_and_suspended", "suspends=1: hold release | post wake release | note(1) release",
                "a task that suspends in such a run is woken as any other"},
    client_line{"held_and_yields", "yields=1: hold release | note(1) release",
                "a task that yields in such a run is run again"},
    client_line{"held_against_cancel", "hold detach | cancel release",
                "a task that is cancelled and held has run to its end, or not at all"},
    client_line{"held_and_asks", "asks=1: hold detach | cancel release",
                "a task that makes its stop source in such a run is told to stop, or has no canceller any more"},
    client_line{"held_and_throws", "throws=1: hold detach | note(1) release",
                "an exception of such a run is reported when the handle is dropped"},
    client_line{"yields_against_cancel", "yields=1 suspends=9: run | cancel detach",
                "a task that is cancelled while it is in the queue after a yield is stopped"},
};

/// In each of these a thread waits for another.
inline constexpr std::array task_state_waiting_lines{
    client_line{"yields", "yields=1: run | take | post wake release",
                "a task that yielded is run again by the thread that takes it from the queue, woken meanwhile or not",
                reach::none, true},
    client_line{"blocks", "run | wait release", "a thread that sleeps until the task is complete is woken", reach::none,
                true},
    client_line{"blocks_while_woken", "run | wait release | cancel release",
                "a thread sleeps until the task is complete, while another cancels and releases it", reach::none, true},
    client_line{"blocks_for", "run | wait_for detach",
                "a thread that sleeps for a time sees the result, or has no joiner registered any more", reach::none,
                true},
    client_line{"rests", "drive release | post wake release",
                "a thread that runs one task sleeps while the task is idle, and is woken with it", reach::none, true},
};

inline constexpr std::array task_state_mutants{
    mutant{"begin.take relaxed", {"begin.take", change::weaken}},
    mutant{"suspend.leave relaxed", {"suspend.leave", change::weaken}},
    mutant{"begin.last relaxed", {"begin.last", change::weaken}},
    mutant{"begin.discard relaxed", {"begin.discard", change::weaken}},
    mutant{"alone.look relaxed", {"alone.look", change::weaken}},
    mutant{"alone.again relaxed", {"alone.again", change::weaken}},
    mutant{"claim.take relaxed", {"claim.take", change::weaken}},
    mutant{"wake.notify relaxed", {"wake.notify", change::weaken}},
    mutant{"wake.notify acquire", {"wake.notify", change::weaken, order::acquire}},
    mutant{"wake.notify release", {"wake.notify", change::weaken, order::release}},
    mutant{"cancel.notify relaxed", {"cancel.notify", change::weaken}},
    mutant{"cancel.notify acquire", {"cancel.notify", change::weaken, order::acquire}},
    mutant{"cancel.notify release", {"cancel.notify", change::weaken, order::release}},
    mutant{"stop.begin relaxed", {"stop.begin", change::weaken}},
    mutant{"stop.begin acquire", {"stop.begin", change::weaken, order::acquire}},
    mutant{"stop.begin release", {"stop.begin", change::weaken, order::release}},
    mutant{"ask.tell acquire", {"ask.tell", change::weaken, order::acquire}},
    mutant{"ask.tell release", {"ask.tell", change::weaken, order::release}},
    mutant{"ask.tell relaxed", {"ask.tell", change::weaken}},
    mutant{"complete.publish relaxed", {"complete.publish", change::weaken}},
    mutant{"complete.publish acquire", {"complete.publish", change::weaken, order::acquire}},
    mutant{"complete.publish release", {"complete.publish", change::weaken, order::release}},
    mutant{"look.state relaxed", {"look.state", change::weaken}},
    mutant{"join.register relaxed", {"join.register", change::weaken}},
    mutant{"release.look relaxed", {"release.look", change::weaken}},
    mutant{"release.count relaxed", {"release.count", change::weaken}},
    mutant{"release.count acquire", {"release.count", change::weaken, order::acquire}},
    mutant{"release.count release", {"release.count", change::weaken, order::release}},
};

/// A run takes a task that yielded for one that was scheduled.
template <class Model>
using yields_forgotten = with_rules<Model, task_state_rules{.knows_yields = false}>;
/// A suspension does not look whether the task was woken during the run.
template <class Model>
using notifications_ignored = with_rules<Model, task_state_rules{.heeds_notifications = false}>;
/// A completion does not look for a joiner.
template <class Model>
using joiners_ignored = with_rules<Model, task_state_rules{.heeds_joiners = false}>;
/// A claim leaves an entry in the queue without a reference.
template <class Model>
using entries_unkept = with_rules<Model, task_state_rules{.keeps_entries = false}>;
/// A task that is scheduled again gets a second entry.
template <class Model>
using entries_doubled = with_rules<Model, task_state_rules{.reuses_entries = false}>;
/// A task completes as if nobody had taken it out of its registry.
template <class Model>
using registries_ignored = with_rules<Model, task_protocol_rules{.heeds_registry = false}>;
/// What a task destroys or reports is destroyed and reported outside of it.
template <class Model>
using contexts_left = with_rules<Model, task_protocol_rules{.enters_for_destructors = false}>;
/// A completion does not care for the result.
template <class Model>
using results_forgotten = with_rules<Model, task_protocol_rules{.keeps_results = false}>;
/// A thread with entry and handle takes the task as if nobody else had a reference.
template <class Model>
using others_ignored = with_rules<Model, task_state_rules{.looks_for_others = false}>;
/// Such a thread completes the task as if the run had made no reference.
template <class Model>
using lent_ignored = with_rules<Model, task_state_rules{.looks_again = false}>;
/// A task is cancelled before its stop is requested.
template <class Model>
using stops_requested_late = with_rules<Model, task_protocol_rules{.requests_stops_first = false}>;
/// A thread that sweeps a queue drops every entry that a claim has left.
template <class Model>
using scheduled_swept = with_rules<Model, task_state_rules{.spares_scheduled = false}>;
/// A thread that cancels a task whose stop another requests cancels it at once.
template <class Model>
using stops_cut_short = with_rules<Model, task_protocol_rules{.leaves_to_first = false}>;
/// Nobody counts the threads of others that have references to a scheduler's tasks.
template <class Model>
using visitors_uncounted = with_rules<Model, task_protocol_rules{.counts_visitors = false}>;
/// A wake that would change nothing is a load only.
template <class Model>
struct wakes_skipped : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    T fetch_or(T bits, Site s) {
      if constexpr (is_at<Site, "wake.notify">) {
        const T seen = base::load(order::acquire, "wake.look");
        if ((seen & bits) == bits) return seen;
      }
      return base::fetch_or(bits, s);
    }
  };
};

template <class Model>
using yields_forgotten_client = task_state_client<yields_forgotten<Model>>;
template <class Model>
using notifications_ignored_client = task_state_client<notifications_ignored<Model>>;
template <class Model>
using joiners_ignored_client = task_state_client<joiners_ignored<Model>>;
template <class Model>
using wakes_skipped_client = task_state_client<wakes_skipped<Model>>;
template <class Model>
using entries_unkept_client = task_state_client<entries_unkept<Model>>;
template <class Model>
using entries_doubled_client = task_state_client<entries_doubled<Model>>;
template <class Model>
using others_ignored_client = task_state_client<others_ignored<Model>>;
template <class Model>
using stops_requested_late_client = task_state_client<stops_requested_late<Model>>;
template <class Model>
using swept_away_client = task_state_client<scheduled_swept<Model>>;
template <class Model>
using stops_cut_short_client = task_state_client<stops_cut_short<Model>>;
template <class Model>
using claims_torn_client = task_state_client<torn<Model, "claim.take">>;
template <class Model>
using wakes_torn_client = task_state_client<torn<Model, "wake.notify">>;
template <class Model>
using suspends_torn_client = task_state_client<torn<Model, "suspend.leave">>;
template <class Model>
using completions_torn_client = task_state_client<torn<Model, "complete.publish">>;
template <class Model>
using joins_torn_client = task_state_client<torn<Model, "join.register">>;
template <class Model>
using releases_torn_client = task_state_client<torn<Model, "release.count">>;

/// A task that was woken may be claimed before its waker has queued it.
template <class Model>
using woken_claimed = with_rules<Model, task_state_rules{.claims_what_was_woken = true}>;

template <class Model>
class claims_what_was_woken : public claims_before_the_end<woken_claimed<Model>> {
 public:
  static constexpr program_info about{"claims_what_was_woken",
                                      "a woken task that is claimed ends, and its scheduler, before it is queued",
                                      2,
                                      reach::none,
                                      true,
                                      "visit."};
};
template <class Model>
class ends_despite_visitors : public awaits_elsewhere<visitors_uncounted<Model>> {
 public:
  static constexpr program_info about{
      "ends_despite_visitors",
      "a scheduler that does not count visitors ends while one has a reference to its task",
      2,
      reach::none,
      true,
      "visit."};
};
template <class Model>
using visited_forgotten = with_rules<Model, task_protocol_rules{.remembers_visited = false}>;
template <class Model>
class visits_mixed_up : public moves_before_it_is_told<visited_forgotten<Model>> {
 public:
  static constexpr program_info about{
      "visits_mixed_up", "who tells a task ends its visit where the task is by then", 2, reach::none, false, "begin."};
};
template <class Model>
class moves_uncounted : public moves_while_awaited<visitors_uncounted<Model>> {
 public:
  static constexpr program_info about{
      "moves_uncounted",
      "a scheduler ends while a thread that its task has moved to tells another of its tasks",
      2,
      reach::none,
      true,
      "visit."};
};
template <class Model>
class ends_with_a_lost_reference : public ends_while_registries_close<registries_ignored<Model>> {
 public:
  static constexpr program_info about{"ends_with_a_lost_reference",
                                      "a completion drops the reference that the closing registry has taken", 2};
};
template <class Model>
class hops_with_a_lost_reference : public hops_while_registries_close<registries_ignored<Model>> {
 public:
  static constexpr program_info about{"hops_with_a_lost_reference",
                                      "a move drops the reference that the closing registry has taken", 2};
};
template <class Model>
class waits_outside_of_a_task : public waits_in_a_destructor_of<contexts_left<Model>> {
 public:
  static constexpr program_info about{"waits_outside_of_a_task",
                                      "a worker that waits in the destructor of a result hands nothing over", 2,
                                      reach::none, true};
};
template <class Model>
class forgets_results : public drops<results_forgotten<Model>> {
 public:
  static constexpr program_info about{"forgets_results", "a completion leaves the result of a task without a handle",
                                      2};
};
template <class Model>
class suspends_behind_a_shutdown : public shuts_down_of<with_rules<Model, task_registry_rules{.looks_after = false}>> {
 public:
  static constexpr program_info about{
      "suspends_behind_a_shutdown", "a task that enters a registry without a look at whether it is closed is not found",
      2, reach::none, true};
};
template <class Model>
class forgets_what_it_lent : public lends<lent_ignored<Model>> {
 public:
  static constexpr program_info about{
      "forgets_what_it_lent", "a task that is completed without a look at the references is destroyed too early", 2};
};
template <class Model>
class ignores_joiners : public awaits<joiners_ignored<Model>> {
 public:
  static constexpr program_info about{"ignores_joiners", "a completion that ignores its joiner leaves a task suspended",
                                      2};
};

inline constexpr std::array yields_forgotten_lines{
    client_line{"forgets_yields", "yields=1 suspends=9: run | cancel detach",
                "a run takes a task that yielded for one that was scheduled"}};
inline constexpr std::array claims_torn_lines{
    client_line{"claims_torn", "run | claim release", "a claim by a load and a store runs the task beside its turn"}};
inline constexpr std::array entries_unkept_lines{
    client_line{"leaves_entries_without_reference", "run | claim release",
                "the entry that a claim leaves is discarded after the task is gone"}};
inline constexpr std::array entries_doubled_lines{
    client_line{"queues_twice", "suspends=1: run | claim release | wake release",
                "a claimed task that is woken is in two queues, and one entry is taken for a task that may run"}};
inline constexpr std::array others_ignored_lines{
    client_line{"takes_what_others_have", "hold release | note(1) release",
                "a task that is taken by a store though another thread has a reference is destroyed too early"}};
inline constexpr std::array swept_away_lines{
    client_line{"swept_away", "suspends=1: sweep run | claim release | post wake release",
                "a task that is scheduled again loses its entry to who sweeps the queue"}};
inline constexpr std::array stops_cut_short_lines{
    client_line{"stops_cut_short", "asks=1 suspends=1: run | cancel release | cancel detach",
                "a task is stopped while another thread requests its stop"}};
inline constexpr std::array stops_requested_late_lines{
    client_line{"cancels_before_it_requests", "asks=1 suspends=9: run | cancel detach",
                "a task that is cancelled before its stop is requested may be stopped before that"}};
inline constexpr std::array wakes_torn_lines{
    client_line{"wakes_torn", "run | post wake release", "a wake by a load and a store overwrites the end of a run"}};
inline constexpr std::array suspends_torn_lines{
    client_line{"suspends_torn", "run | post wake release", "a suspension by a load and a store overwrites a wake"}};
inline constexpr std::array completions_torn_lines{
    client_line{"completions_torn", "run | join(3) detach", "a completion by a load and a store overwrites a joiner"}};
inline constexpr std::array joins_torn_lines{client_line{
    "joins_torn", "run | join(3) detach", "a registration by a load and a store overwrites the completion"}};
inline constexpr std::array releases_torn_lines{
    client_line{"releases_torn", "run | note(1) release | note(2) release",
                "of two releases by a load and a store, both destroy the task, or neither"}};
inline constexpr std::array wakes_skipped_lines{
    client_line{"looks_before_it_wakes", "run | post wake release | post wake release",
                "a wake that changes nothing does not tell the run what its waker wrote"}};
inline constexpr std::array notifications_ignored_lines{
    client_line{"ignores_notifications", "run | post wake release",
                "a suspension that does not look whether the task was woken loses the wake"}};
inline constexpr std::array joiners_ignored_lines{
    client_line{"ignores_sleepers", "run | wait release", "a completion that ignores its joiner leaves a thread asleep",
                reach::none, true}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_task_state = specified_task_client<Model, task_state<Model, int>, task_promise>;

inline constexpr std::string_view out_of_turn =
    "acts on entries that are taken out of their turn, and generated clients take none so";
inline constexpr std::string_view stopped = "acts on stop sources, which generated clients do not have";
inline constexpr std::string_view joined =
    "acts on joiners and on last references, which generated clients do not have";
inline constexpr std::array task_state_unreached{
    unreached{"begin.last relaxed", out_of_turn}, unreached{"begin.discard relaxed", out_of_turn},
    unreached{"alone.look relaxed", out_of_turn}, unreached{"alone.again relaxed", out_of_turn},
    unreached{"claim.take relaxed", out_of_turn}, unreached{"ask.tell acquire", stopped},
    unreached{"stop.begin acquire", stopped},     unreached{"stop.begin release", stopped},
    unreached{"stop.begin relaxed", stopped},     unreached{"ask.tell release", stopped},
    unreached{"ask.tell relaxed", stopped},       unreached{"complete.publish release", joined},
    unreached{"join.register relaxed", joined},   unreached{"release.look relaxed", joined},
    unreached{"release.count relaxed", joined},   unreached{"release.count acquire", joined},
    unreached{"release.count release", joined}};

struct task_state_suite {
  static constexpr const auto& orders = task_state_orders;
  static constexpr const auto& mutants = task_state_mutants;
  static constexpr const auto& unreached = task_state_unreached;

  template <class List>
  static void programs(List& to) {
    to.template lines<task_state_client>(task_state_lines);
    to.template add<awaits>();
    to.template add<bounds>();
    to.template add<lends>();
    to.template add<awaits_elsewhere>();
    to.template add<claims_before_the_end>();
    to.template add<hops>();
    to.template add<hops_in_a_held_run>();
    to.template add<hops_and_is_cancelled>();
    to.template add<moves_while_awaited>();
    to.template add<moves_before_it_is_told>();
    to.template add<ends_while_registries_close>();
    to.template add<hops_while_registries_close>();
    to.template add<is_refused_while_registries_close>();
    to.template add<gets>();
    to.template add<drops>();
    to.template add<wakers>();
    to.template add<waits_in_a_destructor>();
    to.template add<shuts_down>();
    to.template add<awaits_and_is_stopped>();
    to.template lines<task_state_client>(task_state_waiting_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_task_state>();
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<yields_forgotten_client>(yields_forgotten_lines);
    to.template lines<claims_torn_client>(claims_torn_lines);
    to.template lines<entries_unkept_client>(entries_unkept_lines);
    to.template lines<entries_doubled_client>(entries_doubled_lines);
    to.template lines<others_ignored_client>(others_ignored_lines);
    to.template lines<stops_requested_late_client>(stops_requested_late_lines);
    to.template lines<swept_away_client>(swept_away_lines);
    to.template lines<stops_cut_short_client>(stops_cut_short_lines);
    to.template add<forgets_what_it_lent>();
    to.template lines<wakes_torn_client>(wakes_torn_lines);
    to.template lines<suspends_torn_client>(suspends_torn_lines);
    to.template lines<completions_torn_client>(completions_torn_lines);
    to.template lines<joins_torn_client>(joins_torn_lines);
    to.template lines<releases_torn_client>(releases_torn_lines);
    to.template lines<wakes_skipped_client>(wakes_skipped_lines);
    to.template lines<notifications_ignored_client>(notifications_ignored_lines);
    to.template add<ends_despite_visitors>();
    to.template add<claims_what_was_woken>();
    to.template add<moves_uncounted>();
    to.template add<visits_mixed_up>();
    to.template add<waits_outside_of_a_task>();
    to.template add<forgets_results>();
    to.template add<suspends_behind_a_shutdown>();
    to.template add<ends_with_a_lost_reference>();
    to.template add<hops_with_a_lost_reference>();
    to.template add<ignores_joiners>();
    to.template lines<joiners_ignored_client>(joiners_ignored_lines);
  }
};

}  // namespace licit::suites

#endif
