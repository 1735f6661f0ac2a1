/// The wake-up protocol's semantics against the exhaustive checker: each execution of clients of the crew is a path of
/// the transition system, in whatever order its events are made, and every invariant holds on the way.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "crew_paths.hpp"
#include "proof/structures.hpp"

namespace licit::proof {
namespace {

using namespace of_crew;

/// Of models/suites/crew.hpp.
constexpr std::string_view two_tasks = "work | inject inject";
constexpr std::string_view stopped = "work | work | stop";
constexpr std::string_view one_for_two = "asleep=1: work | work | inject";
constexpr std::string_view posted = "work | post(0) post(0)";
constexpr std::string_view woken_and_posted = "asleep=1 announce: work | post(0)";
constexpr std::string_view sent_and_announced = "steals=0 put task(1) send(1) hand-over: work | work";
constexpr std::string_view batch_of_two =
    "asleep=1 task(1) set(0) await(1) task(2) set(1) await(0): work | work | batch(2)";

class wake_up_replay : public testing::Test {
 protected:
  ~wake_up_replay() override { checker::live_orders<crew_orders>::reset(); }
};

TEST_F(wake_up_replay, finds_a_path_for_every_execution_and_no_invariant_broken) {
  const transition_system system = wake_up_system();
  for (const auto& [text, workers, orders] : {std::tuple{two_tasks, 1U, 0}, {stopped, 2U, 0}, {one_for_two, 2U, 100}}) {
    concrete_crew s(system, invariants_of(system), workers, 1);
    walker w(s);
    const tally t = replayed(s, w, text, orders);
    EXPECT_EQ(t.others, 0U) << text << ": of " << t.orders << "\n" << t.dead_end;
    EXPECT_EQ(w.broken, std::set<std::string>{}) << text;
    EXPECT_GT(t.executions, 10U) << text;
    EXPECT_EQ(t.wrong, "") << text;
    std::printf("%s: %zu executions, %zu orders\n", text.data(), t.executions, t.orders);
  }
}

TEST_F(wake_up_replay, finds_a_path_for_the_first_executions_of_a_longer_client) {
  const transition_system system = wake_up_system();
  concrete_crew s(system, invariants_of(system), 2, 1);
  walker w(s);
  const tally t = replayed(s, w, batch_of_two, 4, 100);
  EXPECT_EQ(t.others, 0U) << t.dead_end;
  EXPECT_EQ(w.broken, std::set<std::string>{});
}

/// Whether the system has steps for what the line does: it has none for a watchdog.
bool has_steps(const suites::line& l) { return l.count(suites::crew_client<checker::model>::watch_word) == 0; }

/// How many of the lines it has steps for, each execution of which is a path: up to `most` of each.
template <template <class> class Client = suites::crew_client, class Lines>
std::size_t lines_are_paths(const Lines& lines, std::size_t most) {
  using client = suites::crew_client<checker::model>;
  const transition_system system = wake_up_system();
  std::size_t number = 0;
  for (const suites::client_line& each : lines) {
    const suites::line l = suites::parse(each.text, suites::vocabulary_of<client>());
    if (!has_steps(l)) continue;
    ++number;
    concrete_crew s(system, invariants_of(system), static_cast<unsigned>(l.count(client::work_word)), 1);
    walker w(s);
    const tally t = replayed<Client>(s, w, each.text, 1, most);
    EXPECT_EQ(t.others, 0U) << each.name << ": of " << t.orders << "\n" << t.dead_end;
    EXPECT_EQ(w.broken, std::set<std::string>{}) << each.name;
    EXPECT_GT(t.executions, 10U) << each.name;
    EXPECT_EQ(t.wrong, "") << each.name;
    std::printf("%s: %zu executions\n", std::string(each.name).c_str(), t.executions);
  }
  return number;
}

/// Those of the suite but one that has no steps. Whether the inject queue has memory, is lock-free, and how many
/// workers are many, are other suites' clients.
void clients_of_the_suite_are_paths(std::size_t most) {
  EXPECT_EQ(lines_are_paths(suites::crew_lines, most), suites::crew_lines.size() - 1);
  EXPECT_EQ(lines_are_paths(suites::crew_full_fences_lines, most), suites::crew_full_fences_lines.size());
  EXPECT_EQ(lines_are_paths<suites::crew_youngest_client>(suites::crew_youngest_lines, most),
            suites::crew_youngest_lines.size());
}

TEST_F(wake_up_replay, finds_a_path_for_the_first_executions_of_the_suites_clients) {
  clients_of_the_suite_are_paths(50);
}
TEST_F(wake_up_replay, finds_a_path_for_every_execution_of_the_suites_clients_long) {
  clients_of_the_suite_are_paths(1'000'000);
}

/// Whether the first executions of the line, or some at random, are not all paths once `change` has made each such step
/// another one.
template <class Change>
bool misses(std::string_view text, unsigned workers, const char* where, Change&& change, bool at_random = false) {
  const transition_system system = wake_up_system();
  concrete_crew s(system, invariants_of(system), workers, 1);
  for (std::size_t i = 0; i != s.transitions.size(); ++i) {
    if (!s.transitions[i].name.starts_with(where)) continue;
    change(s.transitions[i]);
    s.steps[i] = concrete_step(s.u, s.transitions[i], s.all);
  }
  walker w(s);
  const auto [how, orders, most] =
      at_random ? std::tuple{checker::mode::random, 0, 2000U} : std::tuple{checker::mode::exhaustive, 2, 1000U};
  return replayed(s, w, text, orders, most, how, true).others != 0;
}

TEST_F(wake_up_replay, misses_executions_if_the_semantics_forbid_what_is_real) {
  const auto demanding = [](const char* guard) { return [guard](transition& t) { t.guards.emplace_back(guard); }; };
  const char* all_taken =
      "(forall ((p Int)) (! (=> (and (<= 0 p) (< p pubs)) (select taken p)) :pattern ((select taken p))))";
  EXPECT_TRUE(misses(two_tasks, 1, "look > wait", demanding(all_taken)));                  // a look misses nothing
  EXPECT_TRUE(misses(two_tasks, 1, "idle: claim.look > idle", demanding("(= v heads)")));  // no old version of the head
  EXPECT_TRUE(misses(posted, 1, "pop.kept > park.begin", demanding(all_taken)));  // nor does one into the inbox
  EXPECT_TRUE(misses(woken_and_posted, 1, "parked.look > searching", [](transition& t) {
    t.redone["met"] = "(or (select met s) (and (select sent s) (= (select to s) me)))";  // it knows what was sent to it
  }));
  EXPECT_TRUE(misses(posted, 1, "", [](transition& t) {
    for (std::string& g : t.guards) {  // who takes a token knows also what nobody has left a token for
      if (const auto at = g.find("(select left p)"); at != std::string::npos) g.replace(at, 15, "(select sent p)");
    }
  }));
  EXPECT_TRUE(misses(
      sent_and_announced, 2, "idle: keep.push won > unpark.swap",
      [](transition& t) { t.updates["missed"] = stored("missed", "pubs", "looked"); },  // looks read inboxes
      true));
}

/// How often a worker goes to sleep while there is something in its inbox that was pushed before, by happens-before.
std::size_t sleeps_beside_known_work(const graph& g, unsigned worker) {
  std::size_t number = 0;
  const auto push_is_known = [&](const checker::detail::event& by, location_id inbox, unsigned drained) {
    for (event_id id = 0; id != g.size(); ++id) {
      const auto& push = g[id];
      const bool there = site_of(push) == "keep.push" && !push.reads() && push.op.location == inbox;
      if (there && g.rank(push) > drained && push.happened.within(by.happened)) return true;
    }
    return false;
  };
  unsigned drained = 0;  // pushes up to there
  location_id inbox = checker::detail::nowhere;
  for (const event_id id : g.thread(worker)) {
    if (site_of(g[id]) == "pop.kept") inbox = g[id].op.location;
    if (site_of(g[id]) == "drain.take") drained = g.rank(g[id]);
    if (site_of(g[id]) == "park.count" && push_is_known(g[id], inbox, drained)) ++number;
  }
  return number;
}

// So the schema must not say that a worker has taken all that it knows when it goes to sleep. A thief learns of the
// post here: it finds a slot empty that the sender has put something into.
TEST_F(wake_up_replay, has_executions_where_a_worker_goes_to_sleep_and_knows_of_work_in_its_inbox) {
  const suites::line l = suites::parse("post(1) task(1) send(0) next: work | work",
                                       suites::vocabulary_of<suites::crew_client<checker::model>>());
  checker::options o;
  o.how = checker::mode::random;
  o.sample.executions = 1000;
  std::size_t number = 0;
  o.observe = [&](const graph& g) { number += sleeps_beside_known_work(g, 0); };
  const auto v = checker::run_program_with<suites::line_program<suites::crew_client, checker::model>>(l, l.threads, o);
  EXPECT_NE(v.outcome, checker::outcome::violation) << v.message;
  EXPECT_NE(number, 0U);
}

TEST_F(wake_up_replay, sees_a_false_invariant) {
  const transition_system system = wake_up_system();
  const std::string file = std::string(invariants_of(system)) + "(invariant 99 \"wrong\" (<= heads 1))";
  concrete_crew s(system, file, 1, 1);
  walker w(s);
  EXPECT_EQ(replayed(s, w, two_tasks, 0, 20).others, 0U);
  EXPECT_TRUE(std::ranges::any_of(w.broken, [](const std::string& b) { return b.ends_with(": 99"); }));
}

TEST_F(wake_up_replay, finds_executions_of_a_mutant_in_its_own_system_where_they_break_what_is_recorded) {
  const auto mutants = wake_up_mutants();
  const auto found = std::ranges::find(mutants, "announce.fence acq_rel", &altered_system::name);
  ASSERT_NE(found, mutants.end());
  const transition_system wrong = found->system(), right = wake_up_system();
  checker::live_orders<crew_orders>::apply({"announce.fence", change::weaken, order::acq_rel});
  concrete_crew its(wrong, invariants_of(wrong), 1, 1), other(right, invariants_of(right), 1, 1);
  walker in_its(its), in_other(other);
  EXPECT_EQ(replayed(its, in_its, two_tasks, 0, 400).others, 0U);
  EXPECT_TRUE(in_its.broken.contains("idle: claim.look > idle: 21"));  // as wake_up.inv says
  EXPECT_NE(replayed(other, in_other, two_tasks, 0, 400, checker::mode::exhaustive, true).others, 0U);
}

}  // namespace
}  // namespace licit::proof
