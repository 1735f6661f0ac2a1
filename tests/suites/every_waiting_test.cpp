/// Generated clients of what tasks and threads wait for: planted ones that are wrong in one way, and specifications
/// that promise too much.
#include <cstddef>
#include <string>

#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/sync/job_line.hpp>
#include <licit/scheduler/sync/line_of_items.hpp>
#include <licit/scheduler/sync/permits.hpp>
#include <licit/scheduler/sync/rendezvous.hpp>
#include <licit/scheduler/sync/short_lock.hpp>
#include <licit/scheduler/sync/waiter.hpp>

#include <gtest/gtest.h>

#include "first_wrong.hpp"
#include "suites/altered.hpp"
#include "suites/every/channel_client.hpp"
#include "suites/every/jobs_client.hpp"
#include "suites/every/waiting.hpp"
#include "suites/every/waiting_client.hpp"
#include "suites/waiters.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites_test {
namespace {

using suites::specified_lock;
using suites::torn;
using suites::waiting_task;
using suites::with_rules;

TEST(every_waiting_structure, as_it_is_shipped_is_right) {
  EXPECT_EQ(first_wrong_part<suites::every_lock>(4, "edges=1"), "");
  EXPECT_EQ(first_wrong_part<suites::every_permits>(3, "give"), "");
  EXPECT_EQ(first_wrong_part<suites::every_permits>(2, "edges=1", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_gate>(3), "");
  EXPECT_EQ(first_wrong_part<suites::every_gate>(2, "edges=1 shut(2)", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_rendezvous>(4, "edges=1"), "");
  EXPECT_EQ(first_wrong_part<suites::every_rendezvous>(2, "edges=1 drop", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_channel>(3, "capacity=1"), "");
  EXPECT_EQ(first_wrong_part<suites::every_channel>(2, "capacity=2 edges=1 offer", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_jobs>(4, "capacity=1"), "");
  EXPECT_EQ(first_wrong_part<suites::every_jobs>(3, "capacity=2 edges=1", true), "");
}

std::string for_ever(const std::string& line, unsigned thread) {
  return line + ": for ever: wait of thread " + std::to_string(thread) + ", which no order of the calls lets wait: ";
}

// --- the lock

template <template <class> class Fault>
struct faulty_lock {
  template <class Model>
  using client = suites::specified_lock_client<Model, short_lock<Fault<Model>>, suites::lock_promise>;
};
template <class Model>
using deaf = with_rules<Model, short_lock_rules{.tries = 1, .wakes = false}>;
template <class Model>
using stale = with_rules<Model, short_lock_rules{.tries = 2, .expects = false}>;
template <class Model>
using torn_lock = torn<suites::once_tried<Model>, "lock.take">;

TEST(every_lock, that_wakes_nobody_is_wrong) {
  EXPECT_EQ(first_wrong_part<faulty_lock<deaf>::client>(3),
            for_ever(": | lock | lock unlock", 1) + "thread 2: wait, drop");
}
TEST(every_lock, whose_second_try_expects_what_the_first_one_saw_is_wrong) {
  EXPECT_EQ(first_wrong_part<faulty_lock<stale>::client>(2),
            unexplained(": | lock | lock") + "thread 1: wait; thread 2: wait");
}
TEST(every_lock, that_is_taken_in_two_steps_is_wrong) {
  EXPECT_EQ(first_wrong_part<faulty_lock<torn_lock>::client>(3),
            unexplained(": | lock | lock") + "thread 1: wait; thread 2: wait");
}

// --- permits

template <class Model>
using lock_of = specified_lock<Model>;
template <class Model, class Altered, class Promise = suites::permits_promise, class Task = waiting_task<Model>>
using permits_by = suites::waiting_client<Model, suites::permits_of_threads<Model, Altered, Task>, Task, Promise>;

template <class Model>
using torn_take = permits_by<Model, torn<lock_of<Model>, "take.claim">>;
template <class Model>
using torn_mark = permits_by<Model, torn<lock_of<Model>, "wait.mark">>;
template <class Model>
using torn_give = permits_by<Model, torn<lock_of<Model>, "give.add">>;
template <class Model>
using keeps = permits_by<Model, with_rules<lock_of<Model>, permits_rules{.passes_on = false}>>;
template <class Model>
using looks_not_behind = permits_by<Model, with_rules<lock_of<Model>, permits_rules{.looks_behind = false}>>;
template <class Model>
using unmarked = permits_by<Model, with_rules<lock_of<Model>, permits_rules{.marks = false}>>;
template <class Model>
using unlimited = permits_by<Model, with_rules<lock_of<Model>, permits_rules{.limits = false}>>;
template <class Model>
using forgetful = permits_by<Model, lock_of<Model>, suites::permits_promise, suites::forgotten_waiting_task<Model>>;

// What a thread that waits is not handed, as nobody sees it wait.
const std::string lost_by_a_cancel =
    unexplained(": | ask | give") + "thread 0: take refused 1; thread 1: enter refused 1, cancel; thread 2: put 1";
const std::string doubled = unexplained(": | ask | give") +
                            "thread 0: take 1, take refused 1; thread 1: enter refused 1, cancel; thread 2: put 1";

TEST(every_permits, that_are_lost_or_doubled_are_wrong) {
  EXPECT_EQ(first_wrong_part<torn_take>(2, "give", true),
            unexplained("give: | ask | try") + "thread 0: put 1, take refused 1; thread 1: enter 1; thread 2: take 1");
  EXPECT_EQ(first_wrong_part<torn_mark>(2), lost_by_a_cancel);
  EXPECT_EQ(first_wrong_part<torn_give>(2), doubled);
}
TEST(every_permits, whose_waiters_are_forgotten_are_wrong) {
  EXPECT_EQ(first_wrong_part<keeps>(2),
            unexplained(": | ask | give") +
                "thread 0: take refused 1; thread 1: enter refused 1, cancel lost; thread 2: put 1");
  EXPECT_EQ(first_wrong_part<looks_not_behind>(2, "", true),
            unexplained(": | ask(2) | give") +
                "thread 0: take refused 1; thread 1: enter refused 2, cancel; thread 2: put 1");
  EXPECT_EQ(first_wrong_part<unmarked>(2), doubled);
  EXPECT_EQ(first_wrong_part<forgetful>(3),
            for_ever(": | give | ask wait", 2) + "thread 1: put 1; thread 2: enter refused 1");
}

TEST(every_permits, that_exceed_the_limit_while_somebody_waits_are_wrong) {
  EXPECT_EQ(first_wrong_part<unlimited>(2, "give", true),
            unexplained("give: | ask(2) | give(2)") +
                "thread 0: put 1, take 1, take 1, take 1, take refused 1; thread 1: enter refused 2, cancel lost; "
                "thread 2: put 2");
}

/// Also a `try` beside a call that hands permits over finds what there is.
struct prompt_permits : suites::permits_promise {
  static bool allows(state& s, const suites::call_history& h, std::size_t which) {
    const suites::done_call& c = h[which];
    if (c.what == suites::deed::take && c.how != suites::ending::done) return !s.has(c.count);
    return permits_promise::allows(s, h, which);
  }
};
template <class Model>
using prompt = permits_by<Model, lock_of<Model>, prompt_permits>;

TEST(every_permits, break_the_promise_that_the_rest_is_free_before_anybody_is_told) {
  EXPECT_EQ(
      verdict_on<prompt>("edges=1: | sleep | try | give(2)"),
      "with wait before take refused 1, no order of the calls respects happens-before and the specification: "
      "thread 0: take 1, take refused 1; thread 1: enter refused 1, wait; thread 2: take refused 1; thread 3: put 2");
}

// --- the gate and the rendezvous

template <class Model, class Altered, class Task = waiting_task<Model>>
using gate_by =
    suites::waiting_client<Model, suites::gate_of_threads<Model, Altered, Task>, Task, suites::gate_promise>;
template <class Model>
using looks_once = gate_by<Model, with_rules<lock_of<Model>, gate_rules{.looks_again = false}>>;
template <class Model>
using uncounted = gate_by<Model, with_rules<lock_of<Model>, gate_rules{.counts = false}>>;
template <class Model>
using lends_late =
    gate_by<Model, with_rules<lock_of<Model>, waiter_rules{.lends_first = false}>, suites::counted_task<Model>>;
template <class Model>
using counted_gate = gate_by<Model, lock_of<Model>, suites::counted_task<Model>>;
template <class Model>
using gate_in_rounds = gate_by<Model, suites::one_by_one<Model>>;
template <class Model>
using one_opening = gate_by<Model, with_rules<suites::one_by_one<Model>, gate_rules{.tells_openings_apart = false}>>;
template <class Model, class Altered>
using rendezvous_by = suites::waiting_client<Model, suites::rendezvous_of_threads<Model, Altered, waiting_task<Model>>,
                                             waiting_task<Model>, suites::rendezvous_promise>;
template <class Model>
using rendezvous_in_rounds = rendezvous_by<Model, suites::one_by_one<Model>>;
template <class Model>
using one_phase =
    rendezvous_by<Model, with_rules<suites::one_by_one<Model>, rendezvous_rules{.tells_phases_apart = false}>>;

TEST(every_gate, that_opens_behind_a_look_is_wrong) {
  EXPECT_EQ(first_wrong_part<looks_once>(2),
            unexplained(": | ask | open") + "thread 0: look 0; thread 1: enter refused, cancel; thread 2: begin");
}
TEST(every_gate, at_which_more_arrive_than_are_missing_is_wrong) {
  EXPECT_EQ(first_wrong_part<uncounted>(1, "", true),
            unexplained(": | arrive(2)") + "thread 0: look refused 0; thread 1: come 2");
}
TEST(every_gate, whose_opener_has_no_reference_to_a_task_is_wrong) {
  EXPECT_EQ(first_wrong_part<counted_gate>(3), "");
  EXPECT_EQ(first_wrong_part<lends_late>(3),
            ": | open | ask wait: thread 2 writes destroyed, unordered with a plain write by thread 1");
}
TEST(every_gate, that_opens_for_more_than_it_wakes_at_once_opens_in_several_steps) {
  EXPECT_EQ(first_wrong_part<gate_in_rounds>(3), "");
  EXPECT_EQ(verdict_on<gate_in_rounds>("edges=1: | ask wait | ask quit | open"),
            "with wait before cancel, no order of the calls respects happens-before and the specification: thread 0: "
            "look 0; thread 1: enter refused, wait; thread 2: enter refused, cancel; thread 3: begin");
}
TEST(every_gate, in_rounds_lets_nobody_through_by_an_old_opening) {
  const std::string client = ": | ask wait shut ask | ask | open";
  EXPECT_EQ(verdict_on<gate_in_rounds>(client), "");
  EXPECT_EQ(verdict_on<one_opening>(client),
            unexplained("") +
                "thread 0: look refused 0; thread 1: enter refused, wait, close 1, enter refused, cancel lost; thread "
                "2: enter refused, cancel lost; thread 3: begin");
}
TEST(every_rendezvous, in_rounds_ends_one_phase_only) {
  EXPECT_EQ(first_wrong_part<rendezvous_in_rounds>(3), "");
  const std::string client = ": | meet wait meet | meet | meet";
  EXPECT_EQ(verdict_on<rendezvous_in_rounds>(client), "");
  EXPECT_EQ(verdict_on<one_phase>(client), unexplained("") +
                                               "thread 0: drop; thread 1: enter refused, wait, enter refused, cancel "
                                               "lost; thread 2: enter refused, cancel lost; thread 3: enter");
}

// --- the channel

template <class Model, class Altered>
using channel_by = suites::specified_channel_client<Model, Altered, waiting_task<Model>, suites::channel_promise>;
template <class Model>
using keeps_items = channel_by<Model, with_rules<lock_of<Model>, line_of_items_rules{.passes_on = false}>>;
template <class Model>
using overtaking = channel_by<Model, with_rules<lock_of<Model>, line_of_items_rules{.reserves = false}>>;
template <class Model>
using endless = channel_by<Model, with_rules<lock_of<Model>, line_of_items_rules{.tells_end = false}>>;
template <class Model>
using ends_early = channel_by<Model, with_rules<lock_of<Model>, line_of_items_rules{.ends_late = false}>>;
template <class Model>
using drops_in_silence = channel_by<Model, with_rules<lock_of<Model>, line_of_items_rules{.drops_end = false}>>;

TEST(every_channel, that_loses_an_item_or_a_waiter_is_wrong) {
  EXPECT_EQ(first_wrong_part<keeps_items>(3),
            unexplained(": | send | receive | receive") +
                "thread 0: look 0, look 0, look 1, pop 1, pop refused; thread 1: push 1 1; thread 2: pop refused 1, "
                "cancel lost 1; thread 3: pop refused 1, cancel 1");
  EXPECT_EQ(first_wrong_part<overtaking>(3),
            unexplained(": | send | receive | receive") +
                "thread 0: look 0, look 0, look 0, pop refused; thread 1: push 1 1; thread 2: pop 1 1; thread 3: pop "
                "refused 1, cancel lost 1");
  EXPECT_EQ(verdict_on<suites::every_channel>(": | sleep | receive | send close"), "");
  EXPECT_EQ(verdict_on<endless>(": | sleep | receive | send close"),
            unexplained("") +
                "thread 0: look 1, look 1, look 0, pop refused; thread 1: pop refused 1, wait 1 1; thread 2: pop "
                "refused 1, cancel 1; thread 3: push 1 1, close");
}
TEST(every_channel, whose_reservations_do_not_hold_is_wrong) {
  const std::string client = "offer: | reserve | reserve";
  EXPECT_EQ(verdict_on<suites::every_channel>(client), "");
  EXPECT_EQ(verdict_on<overtaking>(client), unexplained("") +
                                                "thread 0: push 1, look 0, look 0, look 1, pop 1, pop refused; thread "
                                                "1: hold, cancel lost 1; thread 2: hold, cancel lost 1");
}
TEST(every_channel, that_ends_while_an_item_is_inside_is_wrong) {
  const std::string client = ": | receive | receive | last";
  EXPECT_EQ(verdict_on<suites::every_channel>(client), "");
  EXPECT_EQ(verdict_on<ends_early>(client),
            unexplained("") +
                "thread 0: look 1, look 0, look 1, pop 1, pop refused; thread 1: pop refused 1, cancel lost 1; thread "
                "2: pop refused 1, cancel empty 1; thread 3: push 1, close");
}
TEST(every_channel, whose_items_are_dropped_in_silence_is_wrong) {
  EXPECT_EQ(verdict_on<suites::every_channel>(": | receive | drop"), "");
  EXPECT_EQ(verdict_on<drops_in_silence>(": | receive | drop"),
            unexplained("") +
                "thread 0: look 1, look 1, look 0, pop refused; thread 1: pop refused 1, cancel 1; thread 2: close 1");
}
TEST(every_channel, is_looked_at_under_its_lock) {
  EXPECT_EQ(verdict_on<suites::every_channel>(": | look | offer take close"), "");
}

// --- the line of jobs

template <class Model, class Altered>
using jobs_by = suites::specified_jobs_client<Model, Altered, waiting_task<Model>, suites::jobs_promise>;
template <class Model>
using leaves_with_a_job = jobs_by<Model, with_rules<lock_of<Model>, job_line_rules{.looks_for_answer = false}>>;
template <class Model>
using leaves_jobs = jobs_by<Model, with_rules<lock_of<Model>, job_line_rules{.looks_for_jobs = false}>>;
template <class Model>
using eldest_first = jobs_by<Model, with_rules<lock_of<Model>, job_line_rules{.youngest_first = false}>>;
template <class Model>
using jobs_of_one_round = jobs_by<Model, suites::one_round<Model>>;
template <class Model>
using leaves_in_silence = jobs_by<Model, with_rules<lock_of<Model>, job_line_rules{.tells_joiners = false}>>;

TEST(every_line_of_jobs, that_loses_a_job_or_a_waiter_is_wrong) {
  EXPECT_EQ(first_wrong_part<leaves_with_a_job>(2, "", true),
            unexplained(": | add | enlist") +
                "thread 0: close; thread 1: push 1; thread 2: push 2 1, take 2, take "
                "refused, cancel");
  EXPECT_EQ(first_wrong_part<leaves_jobs>(1),
            unexplained(": | add") + "thread 0: close; thread 1: push 1 1, take empty");
  EXPECT_EQ(first_wrong_part<leaves_in_silence>(2, "", true),
            unexplained(": | add | join") +
                "thread 0: close; thread 1: push 1 1, take 1, take empty; thread 2: enter refused 1, cancel 1");
}
TEST(every_line_of_jobs, that_tells_some_idle_threads_of_the_end_is_wrong) {
  const std::string client = "capacity=2: | enlist | enlist | close";
  EXPECT_EQ(verdict_on<suites::every_jobs>(client), "");
  EXPECT_TRUE(verdict_on<jobs_of_one_round>(client).starts_with(unexplained(""))) << client;
}
// A look fixes which thread became idle first, and that both are idle before the job comes.
TEST(every_line_of_jobs, that_wakes_the_thread_that_is_idle_for_longest_is_wrong) {
  const std::string client = "capacity=2: | add next next next | add look next | look add";
  EXPECT_EQ(verdict_on<suites::every_jobs>(client), "");
  EXPECT_EQ(verdict_on<eldest_first>(client),
            unexplained("") +
                "thread 0: close; thread 1: push 1 1, take 2, take 1, take refused, cancel lost 3, take empty; thread "
                "2: push 2 1, look 2, take refused, cancel; thread 3: look 2, push 3");
}

}  // namespace
}  // namespace licit::suites_test
