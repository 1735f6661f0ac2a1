/// The Chase-Lev deque itself under the checker: its clients, exhaustively, and what breaks when an ordering is weaker.
#include <cstdint>
#include <cstdio>
#include <sys/resource.h>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "deque_line.hpp"

namespace licit::checker_test {
namespace {

using checker::change;
using checker::outcome;
using checker::violation;

class deque : public testing::Test {
 protected:
  void SetUp() override { orders::reset(); }
  void TearDown() override { orders::reset(); }

  using orders = checker::live_orders<chase_lev_orders>;

  template <class Client>
  static checker::verdict run(checker::release_sequences rule = checker::release_sequences::cxx20) {
    const checker::verdict v = checker::run_program<Client>({.sequences = rule});
    std::printf("  %llu executions, %.3f s, %.0f/s, rejected %llu, depth %zu  %s %s\n",
                static_cast<unsigned long long>(v.executions), v.seconds, static_cast<double>(v.executions) / v.seconds,
                static_cast<unsigned long long>(v.rejected), v.depth, std::string(name(v.kind)).c_str(),
                v.message.c_str());
    return v;
  }

  template <class Client>
  static void expect_ok() {
    for (const auto rule : {checker::release_sequences::cxx20, checker::release_sequences::cxx11}) {
      const checker::verdict v = run<Client>(rule);
      EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
      EXPECT_EQ(v.blocked, 0U);
    }
  }
};

using last_item = deque_line<"capacity=1: push pop | steal">;
using two_steals = deque_line<"capacity=2: push push pop pop | steal steal">;
using two_thieves = deque_line<"capacity=1: push pop | steal | steal">;
using wrap_around = deque_line<"capacity=2: push push pop push pop | steal steal">;
using growth = deque_line<"capacity=1: push push push pop | steal steal">;

TEST_F(deque, last_item) { expect_ok<last_item>(); }
TEST_F(deque, push_push_pop_pop_and_a_thief_of_two) { expect_ok<two_steals>(); }
TEST_F(deque, last_item_with_two_thieves) { expect_ok<two_thieves>(); }
TEST_F(deque, wrap_around) { expect_ok<wrap_around>(); }
TEST_F(deque, growth) { expect_ok<growth>(); }

TEST_F(deque, a_relaxed_reservation_races_since_cxx20) {
  orders::apply({"pop.reserve", change::weaken});
  EXPECT_EQ(run<two_steals>(checker::release_sequences::cxx20).kind, violation::race);
  EXPECT_EQ(run<two_steals>(checker::release_sequences::cxx11).outcome, outcome::ok);
}

TEST_F(deque, without_pops_fence_an_item_is_taken_twice) {
  orders::apply({"pop.fence", change::drop});
  EXPECT_EQ(run<two_steals>().outcome, outcome::violation);
}

TEST_F(deque, without_steals_fence_an_item_is_taken_twice) {
  orders::apply({"steal.fence", change::drop});
  EXPECT_EQ(run<two_steals>().outcome, outcome::violation);
}

TEST_F(deque, a_ring_published_relaxed_races) {
  orders::apply({"grow.publish", change::weaken});
  EXPECT_EQ(run<growth>().kind, violation::race);
}

TEST_F(deque, an_item_published_relaxed_races) {
  orders::apply({"push.publish", change::weaken});
  EXPECT_EQ(run<last_item>().kind, violation::race);
}

using overwritten = deque_line<"capacity=1: push pop push | steal">;
using overwritten_by_two = deque_line<"capacity=2: push push push pop | steal steal">;

TEST_F(deque, a_thief_reads_a_slot_before_its_next_overwrite) {
  expect_ok<overwritten>();
  expect_ok<overwritten_by_two>();
  orders::apply({"steal.claim", change::weaken});
  EXPECT_EQ(run<overwritten>().kind, violation::race);
  orders::apply({"steal.claim", change::weaken, order::acquire});
  EXPECT_EQ(run<overwritten>().kind, violation::race);
  orders::reset();
  orders::apply({"push.room", change::weaken});
  EXPECT_EQ(run<overwritten>().kind, violation::race);
  EXPECT_EQ(checker::run_program<overwritten>({.ghosts = false}).outcome, outcome::ok);  // what RC11 alone says
}

}  // namespace
}  // namespace licit::checker_test

/// A search of more than a million executions: exact in number, and in memory that does not grow with it.

namespace licit::checker_test {
namespace {

long peak_kilobytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

TEST(search_long, of_more_than_a_million_executions_needs_no_more_memory_than_a_short_one) {
  using client = deque_line<"capacity=2: push push push pop push pop | steal steal steal | steal steal">;
  constexpr std::uint64_t few = 10'000;
  EXPECT_EQ(checker::run_program<client>({.max_executions = few}).executions, few);
  const long before = peak_kilobytes();
  const checker::verdict v = checker::run_program<client>();
  const long after = peak_kilobytes();
  std::printf("  %llu executions, %.0f a second, on one core; at most %ld kB, %ld kB after the first %llu executions\n",
              static_cast<unsigned long long>(v.executions), static_cast<double>(v.executions) / v.seconds, after,
              before, static_cast<unsigned long long>(few));
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 2'838'274U);
  EXPECT_LT(after - before, 1024);
}

}  // namespace
}  // namespace licit::checker_test
