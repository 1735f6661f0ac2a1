/// Fork and join, with the real worker loop: client programs, mutants.
#ifndef LICIT_SUITES_FORK_HPP
#define LICIT_SUITES_FORK_HPP

#include <array>
#include <string_view>

#include "suites/altered.hpp"
#include "suites/fork/cancelled.hpp"
#include "suites/fork/client.hpp"
#include "suites/fork/coroutines.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<fork_orders> fork_site_rules{
    {"job.look", "job"},       {"offer.alert", "alert"},   {"current.look", "current"},    {"origin.look", "origin"},
    {"guest.enter", "guest"},  {"current.own", "current"}, {"tell_of.current", "current"}, {"tell_of.look", "alert"},
    {"pass_on.look", "alert"}, {"look.quiet", "alert"},    {"job.begin", "job"},           {"job.complete", "job"},
    {"job.announce", "job"},
};

inline constexpr std::string_view last_job = "fork(1) join | steal(0)";
inline constexpr std::string_view asleep_job = "fork(1) by(1) take: join | run";
inline constexpr std::string_view idle = "asleep=1 job(1) set(0): work | fork(1) await(0) join stop";
inline constexpr std::string_view idle_awake = "job(1) set(0): work | fork(1) await(0) join stop";
inline constexpr std::string_view first_fork = "job(1) set(0): sleep | fork(1) await(0) join";
inline constexpr std::string_view another_fork = "forked=1 job(1) set(0): sleep | fork(1) await(0) join";
// The thief ends its job, and joins its forks, when these have run, so that it does not become a joiner itself.
inline constexpr std::string_view fork_of_thief =
    "forked=1 fork(1) by(1) take(0) begin job(2) set(0): join set(1) | fork(2) await(0) end await(1) join";
inline constexpr std::string_view later_fork =
    "forked=1 fork(1) by(1) take(0) job(1) fork(2) await(0) job(2) set(0): join set(1) | run await(1) join";
inline constexpr std::string_view stolen_onward =
    "forked=1 fork(1) by(1) take(0) begin fork(2) by(2) take(1) job(2) fork(3) await(0) job(3) set(0): "
    "join set(1) | await(2) end await(1) join | run set(2) await(1) join";
// A fork takes the joiner's request while another thief, which finds none, begins the new job before the joiner looks.
inline constexpr std::string_view request_taken =
    "forked=1 fork(1) by(1) take(0) begin quiet(2) by(2) take(1) job(2) fork(3) await(0) job(3) set(0): "
    "join set(1) | announce await(2) end await(1) join | run set(2) await(1) join";
// The thief has the joiner's request from before: the joiner leaves none, and passes no fence.
inline constexpr std::string_view old_request =
    "forked=1 fork(1) by(1) take(0) begin job(3) set(0): join fork(2) set(2) await(3) join set(1) | "
    "end await(2) seize(0) set(3) fork(3) await(0) end await(1) join";
inline constexpr std::string_view joining_thief =
    "fork(1) by(1) take(0) job(1) fork(2) await(0) join job(2) set(0): join | run";
inline constexpr std::string_view unrelated = "fork(1) by(1) take job(1) fork(2) join: join | run fork(3) join";
// The thief of the thief has ended its job, and forks for itself; the thief has ended it, and runs another one.
inline constexpr std::string_view unrelated_onward =
    "fork(1) by(1) take(0) begin fork(2) by(2) take(1) begin end: join | await(0) end join | fork(3) set(0) join";
inline constexpr std::string_view unrelated_again =
    "fork(1) by(1) take(0) begin by(2) fork(2): join | end seize(2) fork(3) join end set(0) | await(0) join";
// Thread 1 has taken job 1. It begins when thread 0, which forked that, may run job 3 while it waits for job 2.
inline constexpr std::string_view begins_late =
    "fork(1) by(1) take(0) by(0) fork(2) by(2) take(0) begin fork(3) job(1) fork(4) set(0) join job(3) await(0): "
    "join join | run | join end";
// Thread 1 waits for job 2, runs job 3 meanwhile, and forks there.
inline constexpr std::string_view helper_forks =
    "forked=1 fork(1) by(1) take(0) job(1) fork(2) set(2) await(3) join job(2) set(3) fork(3) await(0) join "
    "job(3) fork(4) await(1) join set(0) job(4) set(1): await(3) join | run | await(2) steal(1)";
// The same where the forks of job 4 descend from job 3 by way of the inner one of two jobs on the helper's stack.
inline constexpr std::string_view helper_within =
    "forked=1 fork(1) by(1) take(0) job(1) fork(2) set(0) await(1) join job(2) fork(3) set(1) await(2) join "
    "job(3) set(2) fork(4) await(3) join job(4) fork(5) await(3) join job(5) set(3): "
    "await(1) steal(2) join | run | await(0) steal(1)";
// Thief and joiner race for job 4, while job 3, which was forked before the joiner left its request, waits.
inline constexpr std::string_view lost_elsewhere =
    "forked=1 fork(1) by(1) take(0) begin fork(2) by(2) take(1) begin job(3) set(0): "
    "join set(1) | fork(4) join await(2) end await(1) join | fork(3) await(0) end set(2) await(1) join";
// The thief may have a request of thread 0, which waits no more, beside that of thread 1.
inline constexpr std::string_view two_requests =
    "forked=1 fork(1) by(1) fork(2) by(2) take(0) begin job(3) set(0): "
    "join | await(2) join set(1) | end seize(1) set(2) fork(3) await(0) end await(1) join";
// A thief of the thief passes the request on, and ends its job before the thief forks.
inline constexpr std::string_view request_kept =
    "forked=1 fork(1) by(1) take(0) begin fork(2) by(2) take(1) job(2) set(1) job(3) set(0): "
    "join set(2) | await(1) fork(3) await(0) end await(2) join join | run";
inline constexpr std::string_view request_and_idle =
    "asleep=1 by(1) quiet(1) by(2) take(1) begin job(2) await(0) job(3) set(0): "
    "work | join set(1) | fork(2) fork(3) await(0) end await(1) join join stop";
inline constexpr std::string_view old_request_and_idle =
    "asleep=1 by(1) quiet(1) by(2) take(1) begin job(2) set(0): work | join | end fork(2) await(0) join stop";
// A worker was woken for the first of two. While it searched, nobody was woken for the second, which the first needs.
inline constexpr std::string_view two_forks =
    "asleep=1 by(2) fork(1) fork(2) job(1) await(0) job(2) set(0): work | sleep | await(0) join join stop";
inline constexpr std::string_view fork_then_task =
    "asleep=1 by(2) fork(1) inject(2) job(1) await(0) job(2) set(0): work | sleep | await(0) join stop";
inline constexpr std::string_view task_then_fork =
    "asleep=1 inject(1) job(1) await(0) job(2) set(0): work | sleep | fork(2) await(0) join stop";
inline constexpr std::string_view guest_after_guest = "guests=1: enter fork(1) join exit | enter fork(2) join exit";
inline constexpr std::string_view fails_both = "job(1) throw: fork(1) fail | steal(0)";

inline constexpr std::array fork_lines{
    waiting("last_job", last_job, "owner and thief race for the only job; the frame ends after the thief has left it"),
    waiting("two_thieves", "fork(1) join | steal(0) | steal(0)", "two thieves and the owner race for the only job"),
    waiting("two_open", "fork(1) fork(2) join join | steal(0)", "a thief takes the oldest of two open forks"),
    waiting("asleep", asleep_job, "a joiner that sleeps, or is about to, learns that its job is complete"),
    waiting("fails", "fork(1) fail | steal(0)", "a half that throws leaves its join when the other has ended"),
    waiting("fails_asleep", "fork(1) by(1) take: fail | run", "the same where it sleeps, or is about to"),
    waiting("fails_stolen", "fork(1) by(1) take job(1) throw: join | run", "a join throws what its stolen half threw"),
    waiting("fails_both", fails_both, "of two halves that throw, the first's exception leaves, the other is destroyed"),
    waiting("guests", guest_after_guest, "two foreign threads use one side, one after the other"),
    waiting("first_fork", first_fork, "the last searcher and the first fork: either sees the other"),
    waiting("another_fork", another_fork, "the same of a thread that has forked before"),
    waiting("idle", idle, "a worker that sleeps learns of a fork"),
    waiting("fork_of_thief", fork_of_thief, "a joiner that sleeps, or is about to, takes what its thief forks"),
    waiting("later_fork", later_fork, "the same of a thief that the joiner does not know yet"),
    waiting("stolen_onward", stolen_onward, "the same of the thief's thief, which begins meanwhile"),
    waiting("old_request", old_request, "the same of a thief that has the joiner's request since an earlier join"),
    waiting("idle_awake", idle_awake, "a worker that is about to sleep learns of a fork"),
    waiting("unrelated_onward", unrelated_onward, "a joiner leaves alone what its thief's thief forks afterwards"),
    waiting("unrelated_again", unrelated_again, "a joiner leaves alone what its thief forks in its next job"),
};
/// Some hundred thousand executions each, and more.
inline constexpr std::array fork_longer_lines{
    waiting("joining_thief", joining_thief, "later_fork, where the thief joins what it forks"),
};
inline constexpr std::array fork_of_many_lines{
    waiting("idle_of_many", idle, "idle, where thieves and joiners pass over sleepers"),
};
/// A thief that joins while its joiner helps, or is asked to; one that forks while another begins; several that sleep.
inline constexpr std::array fork_sampled_lines{
    waiting("request_taken", request_taken, "stolen_onward, where the thief's fork takes the request meanwhile"),
    waiting("unrelated", unrelated, "a joiner helps its thief, and leaves alone what the thief forks afterwards"),
    waiting("nested", "job(1) fork(2) join: fork(1) join | steal(0)",
            "a thief joins a fork of its own, of which the joiner may run the half"),
    waiting("begins_late", begins_late, "a stolen job descends from what its victim ran when it was taken"),
    waiting("helper_forks", helper_forks, "a joiner takes what its thief forks in a job that it runs while it waits"),
    waiting("helper_within", helper_within, "the same where the thief has stolen jobs within one another"),
    waiting("lost_elsewhere", lost_elsewhere, "a joiner that was too late for one job looks for others"),
    waiting("two_requests", two_requests, "a fork wakes each joiner that has left a request"),
    waiting("request_kept", request_kept, "a request stays with the thief when it is passed on"),
    waiting("request_and_idle", request_and_idle, "a fork wakes a sleeping worker, and a joiner too"),
    waiting("old_request_and_idle", old_request_and_idle, "a fork wakes a worker beside a joiner that waits no more"),
    waiting("two_forks", two_forks, "a worker that has found a fork wakes another for the next one"),
    waiting("fork_then_task", fork_then_task, "a worker that has found a fork wakes another for a task"),
    waiting("task_then_fork", task_then_fork, "a worker that has found a task wakes another for a fork"),
};

/// As with more than 32 workers.
template <class Model>
using fork_of_many_client = fork_client<with_rules<Model, idle_set_rules{.few = 0, .in_word = 1}>>;

/// The joiner announces its sleep by a load and a store, between which the thief may complete the job.
template <class Model>
using announces_torn_client = fork_client<torn<Model, "job.announce">>;

inline constexpr std::array fork_mutants{
    mutant{"job.complete relaxed", {"job.complete", change::weaken}},
    mutant{"job.look relaxed", {"job.look", change::weaken}},
    mutant{"guest.enter relaxed", {"guest.enter", change::weaken}},
    mutant{"guest.leave relaxed", {"guest.leave", change::weaken}},
    mutant{"no alert.fence", {"alert.fence", change::drop}},
    mutant{"no look.fence", {"look.fence", change::drop}},
    mutant{"no look.heavy", {"look.heavy", change::drop}},
    mutant{"no offer.fence", {"offer.fence", change::drop}},
    mutant{"no tell_of.heavy", {"tell_of.heavy", change::drop}},
    mutant{"job.begin relaxed", {"job.begin", change::weaken}},
    mutant{"no begin.fence", {"begin.fence", change::drop}},
};

struct fork_suite {
  static constexpr const auto& orders = fork_orders;
  static constexpr const auto& mutants = fork_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<fork_client>(fork_lines);
    to.template lines<fork_of_many_client>(fork_of_many_lines);
    to.template add<joins_and_waits>();
    to.template add<joins_and_loses>();
    to.template add<joins_and_yields>();
    to.template add<joins_and_stops>();
    to.template add<joins_and_leaves>();
  }
  template <class List>
  static void longer(List& to) {
    to.template lines<fork_client>(fork_longer_lines);
  }
  template <class List>
  static void sampled(List& to) {
    to.template lines<fork_client>(fork_sampled_lines);
    to.template add<joins_and_forks>();
  }
  template <class List>
  static void broken(List& to) {
    one<altered_fork_rules([](fork_rules& r) { r.wakes_idle = false; })>(
        to, "idle_not_told", idle, "a fork wakes nobody who sleeps in the idle set");
    one<altered_fork_rules([](fork_rules& r) { r.wakes_joiners = false; })>(
        to, "joiner_not_told", later_fork, "a fork wakes no joiner that has asked for it");
    one<altered_fork_rules([](fork_rules& r) { r.only_descendants = false; })>(
        to, "runs_unrelated", unrelated, "a joiner runs whatever its thief offers");
    one<altered_fork_rules([](fork_rules& r) { r.looks_again = false; })>(
        to, "sleeps_without_a_look", later_fork, "a joiner sleeps without a look after it left its request");
    one<altered_fork_rules([](fork_rules& r) { r.waits_after_exception = false; })>(
        to, "leaves_by_exception", "fork(1) fail | steal(0)",
        "a half that throws leaves the frame while a thief runs the other");
    one<altered_fork_rules([](fork_rules& r) { r.drops_second_exception = false; })>(
        to, "throws_the_second", fails_both, "of two exceptions of a join, the wrong one is dropped");
    one<altered_fork_rules([](fork_rules& r) { r.passes_on = false; })>(
        to, "request_not_passed_on", stolen_onward, "a thief takes no requests over from where it stole");
    one<altered_fork_rules([](fork_rules& r) { r.wakes_at_begin = false; })>(
        to, "begins_in_silence", later_fork,
        "a joiner that slept before it knew the thief is not woken when the thief begins");
    to.template lines<announces_torn_client>(std::array{waiting(
        "announces_torn", asleep_job, "a joiner sleeps although its job was completed meanwhile: nobody wakes it")});
    one<worker_rules{.passes_on = false}>(to, "found_in_silence", two_forks,
                                          "the last searcher, which has found a fork, tells nobody of the next one");
    to.template add<keeps_offers>();
    to.template add<keeps_offers_of_yield>();
    to.template add<forgets_thief>();
    to.template add<forgets_outer>();
    to.template add<stops_innermost>();
  }

 private:
  template <auto Rules, class List>
  static void one(List& to, std::string_view name, std::string_view text, std::string_view property) {
    to.template lines_under<fork_client, Rules>(std::array{waiting(name, text, property)});
  }
};

}  // namespace licit::suites

#endif
