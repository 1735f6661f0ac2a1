/// Random walks of the wake-up protocol's system, and its mutants: the condition that is recorded for each is false in
/// a state that is reached, and for many in an execution of the checker's.
#include <algorithm>
#include <initializer_list>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "crew_paths.hpp"
#include "proof/crew_mutants.hpp"
#include "proof/structures.hpp"
#include "suites/crew.hpp"
#include "suites/idle_set.hpp"
#include "suites/parker.hpp"

namespace licit::proof {
namespace {

using namespace of_crew;

const invariants::record& recorded(const std::string& mutant) {
  static const transition_system right = wake_up_system();
  static state variables = state_of(right);
  static const invariants file = read_invariants(invariants_of(right), right, variables);
  return *std::ranges::find(file.mutants, mutant, &invariants::record::mutant);
}

/// A walk at random from the first state, of two workers and another thread. It ends when `see` says so, or something
/// has no place in the universe.
template <class See>
void walk(concrete_crew& s, std::mt19937& random, See&& see) {
  cells now = s.first(), next;
  for (int n = 0; n != 3000; ++n) {
    // Between the calls a few steps are always possible: without a bound they would be most of the walk.
    const std::size_t calls = s.system.steps.size();
    const std::size_t i = random() % 8 != 0 ? random() % calls : calls + random() % (s.steps.size() - calls);
    const cell me = random() % s.u.threads(), other = random() % s.u.threads();
    std::string wrong;
    if (!s.steps[i].make(now, me, other, random() % (now[s.u.at("heads")] + 1), next, wrong)) continue;
    if (next[s.u.at("heads")] >= s.u.most() || next[s.u.at("pubs")] >= s.u.most()) return;
    if (see(s.transitions[i].name, now, next, wrong)) return;
    now = next;
  }
}

// What a solver leaves open refutes nothing. So the recorded condition is seen to be false.
TEST(wake_up_mutants, break_what_is_recorded_in_a_state_that_is_reached) {
  std::set<std::string> rest;
  for (const altered_system& m : wake_up_mutants()) {
    const invariants::record& what = recorded(m.name);
    if (!what.right.empty()) continue;
    const transition_system its = m.system();
    concrete_crew s(its, invariants_of(its), 2, 1, 7);
    std::mt19937 random(1);
    bool found = false;
    for (int n = 0; n != 3000 && !found; ++n) {
      walk(s, random, [&](const std::string& step, const cells& now, const cells& next, const std::string& wrong) {
        if (step != what.step) return false;
        if (wrong != what.goal && std::ranges::count(s.broken(next), what.goal) == 0) return false;
        found = s.broken(now).empty();
        return true;
      });
    }
    if (!found) rest.insert(m.name);
  }
  EXPECT_EQ(rest, std::set<std::string>{});
}

// A solver that finds no contradiction does not show that there is none. A state that is reached, does.
TEST(wake_up_walks, make_each_step_where_nothing_is_broken) {
  const transition_system right = wake_up_system();
  std::set<std::string> rest;
  // With 8 workers some of them may be woken while others search.
  for (const auto& [workers, most, walks] : {std::tuple{2U, cell{9}, 12000}, {8U, cell{14}, 300}}) {
    concrete_crew s(right, invariants_of(right), workers, 1, most);
    if (rest.empty()) {
      for (const transition& t : s.transitions) rest.insert(t.name);
    }
    std::mt19937 random(1);
    for (int n = 0; n != walks; ++n) {
      walk(s, random, [&](const std::string& step, const cells& now, const cells& next, const std::string& wrong) {
        if (rest.erase(step) == 0) return false;
        EXPECT_EQ(s.broken(now), std::vector<std::string>{}) << step;
        EXPECT_EQ(s.broken(next), std::vector<std::string>{}) << step;
        EXPECT_EQ(wrong, "") << step;
        return false;
      });
    }
  }
  // A worker begins to park, and its word is 0; a searcher parks, and none was counted; a worker reads its bit as
  // clear, and then as set.
  const std::set<std::string> never{"park.begin > park.sleep", "wait: park.begin > park.sleep",
                                    "searching: park.count > look#2 (2)", "searching: park.count > wait (2)",
                                    "parked.look > parked.look#3"};
  EXPECT_EQ(rest, never);
}

/// Whether executions of the line (models/suites/crew.hpp) are paths of the mutant's system, and one of them makes the
/// recorded condition false.
template <class Model = checker::model>
void replay(const altered_system& m, std::string_view text, unsigned workers) {
  const transition_system its = m.system();
  concrete_crew s(its, invariants_of(its), workers, 1);
  walker w(s);
  const tally t = replayed<suites::crew_client, Model>(s, w, text, 0, 250);
  EXPECT_EQ(t.others, 0U) << m.name << "\n" << t.dead_end;
  EXPECT_TRUE(w.falsified.contains(recorded(m.name).step + ": " + recorded(m.name).goal)) << m.name;
}

constexpr std::string_view two_tasks = "work | inject inject";
constexpr std::string_view posted = "work | post(0) post(0)";
constexpr std::string_view one_for_two = "asleep=1: work | work | inject";

const altered_system& named(std::string_view mutant) {
  static const std::vector<altered_system> all = wake_up_mutants();
  return *std::ranges::find(all, mutant, &altered_system::name);
}

template <const auto& Table>
void replay_rows(std::span<const suites::mutant> mutants, std::initializer_list<std::string_view> names) {
  using orders = checker::live_orders<Table>;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(mutants, name, &suites::mutant::name);
    ASSERT_NE(found, mutants.end()) << name;
    const transition_system its = named(name).system();
    orders::apply(found->what);
    replay({std::string(name), [&] { return its; }}, two_tasks, 1);
    orders::reset();
  }
}

TEST(wake_up_mutants, break_what_is_recorded_in_executions_of_the_checker) {
  replay_rows<crew_orders>(suites::crew_mutants, {"announce.fence removed", "announce.fence acq_rel"});
  replay_rows<idle_set_orders>(suites::idle_set_mutants, {"claim.take acquire", "parked.look relaxed"});
  replay_rows<parker_orders>(suites::parker_mutants,
                             {"park.begin relaxed", "park.take relaxed", "unpark.swap relaxed"});
  replay<without_token<checker::model>>(named("unpark leaves no token"), two_tasks, 1);
  replay<without_wake<checker::model>>(named("unpark wakes nobody"), two_tasks, 1);
  replay<trusting_wakes<checker::model>>(named("park takes every wake-up for its token"), two_tasks, 1);
  const auto replay_rule = [](const char* mutant, detail::worker_rules rules, std::string_view text, unsigned workers) {
    const suites::choice_of now(rules);
    replay(named(mutant), text, workers);
  };
  replay_rule("the last searcher leaves without another look", {.passes_on = false}, one_for_two, 2);
  replay_rule("a post wakes nobody", {.wakes_for_posts = false}, posted, 1);
  replay_rule("a worker does not look into its inbox", {.looks_in_inbox = false}, posted, 1);
}

}  // namespace
}  // namespace licit::proof
