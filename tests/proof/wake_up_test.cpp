/// The wake-up protocol: its transition system comes out of the source, the invariants hold, and mutants break them.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/scheduler/idle/idle_set_orders.hpp>

#include <gtest/gtest.h>

#include "proof/prove.hpp"
#include "proof/structures.hpp"
#include "proof/tape.hpp"
#include "tables.hpp"

namespace licit::proof {
namespace {

const step& named(const transition_system& s, const std::string& name) {
  const auto found = std::ranges::find(s.steps, name, &step::name);
  if (found == s.steps.end()) throw std::out_of_range(name);
  return *found;
}

/// The names of the steps of `a` that `b` does not have in that form.
std::vector<std::string> differences(const transition_system& a, const transition_system& b) {
  std::vector<std::string> out;
  for (const step& s : a.steps) {
    const auto found = std::ranges::find(b.steps, s.name, &step::name);
    if (found == b.steps.end() || text(*found) != text(s)) out.push_back(s.name);
  }
  return out;
}

transition_system mutant(const std::string& name) {
  const auto all = wake_up_mutants();
  const auto found = std::ranges::find(all, name, &altered_system::name);
  if (found == all.end()) throw std::out_of_range(name);
  return found->system();
}

invariants file_of(const transition_system& s) {
  state variables = state_of(s);
  return read_invariants(invariants_of(s), s, variables);
}

bool there(const char* solver) {
  return std::system((std::string(solver) + " --version > /dev/null 2>&1").c_str()) == 0;
}

/// What stays open of the questions about the step, or of all.
std::vector<verdict> open(std::vector<question> questions, const std::string& step, const solver& by) {
  if (!step.empty()) std::erase_if(questions, [&](const question& q) { return q.step != step; });
  std::vector<verdict> all = ask(questions, by, 2);
  std::erase_if(all, [](const verdict& v) { return v.what == answer::proved; });
  return all;
}

TEST(wake_up_steps, have_sites_orders_guards_and_updates_of_the_source) {
  const transition_system s = wake_up_system();
  EXPECT_EQ(text(named(s, "searching: end.count > idle")),
            "  end.count: update head := (bvsub old #x0001000000000000), release\n  if (worker me)\n"
            "  if (not (= (bvlshr got! #x0000000000000030) #x0000000000000001))\n"
            "  must I54: (not (= (bvlshr got! #x0000000000000030) #x0000000000000000))\n  returns \n");
  EXPECT_EQ(text(named(s, "look > wait")),
            "  look: load work: none, of all, relaxed, behind look.fence, seq_cst\n  if (worker me)\n  then wait\n");
  const step& claim = named(s, "claim.take won > unpark.swap");
  EXPECT_EQ(claim.does->success, order::acq_rel);
  EXPECT_EQ(claim.updates.front().first, "found");
  EXPECT_EQ(named(s, "pop.kept > park.begin").from, std::vector<std::string>{"pop.kept"});
  EXPECT_EQ(text(named(s, "idle: keep.push won > unpark.swap")),
            "  keep.push: compare_exchange inbox[other]: one more, release\n  if (worker other)\n  found := other\n"
            "  then unpark.swap\n");
}

TEST(wake_up_steps, have_the_orders_of_the_run_time_tables) {
  const transition_system right = wake_up_system();
  EXPECT_EQ(differences(mutant("end.count relaxed"), right),
            (std::vector<std::string>{"searching: end.count > look", "searching: end.count > idle"}));
  EXPECT_EQ(differences(mutant("look.fence removed"), right),
            (std::vector<std::string>{"look > idle", "look > claim.look", "look > wait", "look > parked.look"}));
  EXPECT_TRUE(differences(wake_up_system(), right).empty());  // the tables are as they were
}

TEST(wake_up_steps, have_the_rules_of_the_source) {
  const transition_system hasty = mutant("the last searcher sleeps without another look");
  EXPECT_EQ(std::ranges::count(hasty.points, "look#2"), 0);
  EXPECT_TRUE(differences(hasty, wake_up_system()).size() >= 2);
}

TEST(wake_up_steps, tell_a_look_at_everything_from_one_at_a_part) {
  tape& t = tape::running();
  for (const int places : {4, 5}) {  // the inject queue, and queue and slot of two workers
    t.makes(2);
    t.begin({false, false, false, false, false});
    const std::vector<int> all(5);
    for (int i = 0; i != places; ++i) EXPECT_TRUE(t.empty(&all[static_cast<std::size_t>(i)]));
    EXPECT_EQ(t.steps().back().does->index, places == 5 ? "all" : "");
  }
}

TEST(wake_up_steps, are_refused_where_a_loop_counts_more_rounds_than_are_run) {
  const protocol_call counts{"counts", {"idle"}, true, [](const std::vector<bool>& decisions) -> std::string {
                               tape& t = tape::running();
                               t.begin(decisions);
                               const checker::live_row row{order::relaxed, order::relaxed};
                               for (int i = 0; i != 9; ++i) (void)t.load("a", row);
                               return "idle";
                             }};
  EXPECT_THROW(protocol_of("counts", {"idle"}, {counts}), std::logic_error);
}

TEST(wake_up_conditions, are_of_weakest_tables_that_are_known) {
  EXPECT_EQ(weakest_tables("idle-set"), (std::vector<std::string>{"", "claim.look acquire, claim.take release"}));
  for (const char* in_use_only : {"crew", "parker"}) {
    EXPECT_EQ(weakest_tables(in_use_only), std::vector<std::string>{""}) << in_use_only;
  }
}

TEST(wake_up_conditions, of_each_weakest_table_are_proved_by_each_solver_long) {
  for (const std::string& rows : weakest_tables("idle-set")) {
    use_rows<idle_set_orders>(rows);
    const transition_system s = wake_up_system();
    use_rows<idle_set_orders>("");
    for (const char* name : {"z3", "cvc5"}) {
      ASSERT_TRUE(there(name)) << "packages.txt, [verify] and [proof]";
      for (const verdict& v : open(questions_of(s, invariants_of(s)), "", {.name = name})) {
        ADD_FAILURE() << name << ", " << rows << ": " << v.step << " / " << v.goal;
      }
    }
  }
}

TEST(wake_up_conditions, that_are_recorded_for_a_mutant_are_open_long) {
  if (!there("z3")) GTEST_SKIP() << "no z3";
  const invariants file = file_of(wake_up_system());
  EXPECT_EQ(file.mutants.size(), wake_up_mutants().size());
  for (const altered_system& m : wake_up_mutants()) {
    const auto record = std::ranges::find(file.mutants, m.name, &invariants::record::mutant);
    ASSERT_NE(record, file.mutants.end()) << m.name;
    if (!record->right.empty()) continue;  // `licit prove --mutants` proves these
    const transition_system s = m.system();
    const auto left = open(questions_of(s, invariants_of(s)), record->step, {.resources = 2'000'000});
    EXPECT_EQ(std::ranges::count(left, record->goal, &verdict::goal), 1) << m.name;
  }
}

TEST(wake_up_conditions, assume_nothing_impossible_long) {  // of what is false, everything would be proved
  if (!there("z3")) GTEST_SKIP() << "no z3";
  const transition_system s = wake_up_system();
  std::vector<question> questions = questions_of(s, invariants_of(s));
  for (question& q : questions) q.goals = {{"false", "false", false}};
  // Steps that are never made: a searcher parks and none was counted; a worker begins to park, and its word is 0.
  const std::vector<std::string> excluded{"searching: park.count > look#2 (2)", "searching: park.count > wait (2)",
                                          "wait: park.begin > park.sleep", "park.begin > park.sleep"};
  const auto left = open(questions, "", {.resources = 500'000});
  for (const question& q : questions) {
    const bool is_open = std::ranges::count(left, q.step, &verdict::step) != 0;
    EXPECT_EQ(is_open, std::ranges::count(excluded, q.step) == 0) << q.step;
  }
}

TEST(wake_up_conditions, fail_for_a_wrong_invariant) {
  if (!there("z3")) GTEST_SKIP() << "no z3";
  const transition_system s = wake_up_system();
  const std::string file = std::string(invariants_of(s)) + "(invariant 99 \"wrong\" (<= pubs 7))";
  const auto left = open(questions_of(s, file), "a thread publishes work", {});
  EXPECT_EQ(std::ranges::count(left, "99", &verdict::goal), 1);
}

TEST(wake_up_conditions, count_bits_as_bits_are_counted) {  // what crew_prelude() says of `bits-in`
  std::mt19937_64 random{1};
  for (int i = 0; i != 10'000; ++i) {
    const std::uint64_t x = random() & random() & 0xffffffff;
    const std::uint64_t bit = std::uint64_t{1} << (random() % 32);
    if ((x & bit) == 0) {
      EXPECT_EQ(std::popcount(x | bit), std::popcount(x) + 1);
    } else {
      EXPECT_EQ(std::popcount(x & ~bit), std::popcount(x) - 1);
    }
    EXPECT_EQ(std::popcount(x) == 0, x == 0);
    EXPECT_LE(std::popcount(x), 64);
  }
}

}  // namespace
}  // namespace licit::proof
