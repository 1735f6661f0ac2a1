/// A search in shares: what they count adds up to the whole, and no execution is in two of them.
#include "parallel/split.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/checker/explore.hpp>

#include <gtest/gtest.h>

#include "deque_line.hpp"
#include "explored.hpp"

namespace licit::checker_test {
namespace {

using namespace shorthand;
using checker::explorer;
using checker::model;
using checker::outcome;
using checker::share;
using enum order;

/// Six updates, in every order that the threads leave: 6! / 2!^2.
const straight_line additions{{A(0), A(0)}, {A(0), A(0)}, {A(0)}, {A(0)}};
/// Weak compare-exchanges, and stores that modification order puts in many places: graphs are built for nothing.
const straight_line scramble{
    {W(0, 1, seq_cst), {verb::weak_compare_exchange, 1, seq_cst, relaxed, 2, 0}, R(0, seq_cst)},
    {W(1, 1, seq_cst), {verb::weak_compare_exchange, 0, seq_cst, relaxed, 3, 1}, R(1, seq_cst)},
    {W(0, 4, seq_cst), F(), R(1)},
};

/// Two threads wait for a third, which runs on two atomics meanwhile: some executions are blocked.
struct waiting {
  static constexpr unsigned threads = 4;
  model::atomic<int> turn;
  model::atomic<int> other;
  void thread(unsigned i) {
    if (i == 3) {
      other.fetch_add(1, relaxed);
      turn.fetch_add(1, release);
      turn.fetch_add(1, release);
    } else if (i == 2) {
      other.fetch_add(1, relaxed);
      (void)turn.load(acquire);
    } else {
      turn.await([](int v) { return v == 2; }, acquire);
      other.fetch_add(1, relaxed);
    }
  }
  void finish() {}
};

template <class Program>
explorer program() {
  return [](const checker::options& o) { return checker::run_program<Program>(o); };
}
explorer program(const straight_line& text) {
  return [&text](const checker::options& o) { return run(text, o); };
}

/// The level and number of pieces of a program that is too small for a survey to cut it.
explorer cut_at(unsigned level, const explorer& whole, const share& which) {
  return [=](const checker::options& given) {
    checker::options o = given;
    o.where = {.level = level, .above = which.index == 0, .takes = [which](std::uint64_t piece) {
                 return piece % which.count == which.index;
               }};
    return whole(o);
  };
}

void expect_same(const checker::verdict& whole, const checker::verdict& sum) {
  EXPECT_EQ(sum.executions, whole.executions);
  EXPECT_EQ(sum.blocked, whole.blocked);
  EXPECT_EQ(sum.rejected, whole.rejected);
  EXPECT_EQ(sum.depth, whole.depth);
}

struct named {
  const char* name;
  explorer run;
};

std::vector<named> programs() {
  return {{"two thieves", program<deque_line<"capacity=1: push push pop | steal | steal">>()},
          {"a deque that wraps around", program<deque_line<"capacity=2: push push pop push pop | steal steal">>()},
          {"waiting", program<waiting>()},
          {"additions", program(additions)},
          {"scramble", program(scramble)}};
}

TEST(split, programs_have_what_can_be_counted_wrong) {
  EXPECT_EQ(program(additions)({}).executions, 180U);
  EXPECT_GT(program<waiting>()({}).blocked, 10U);
  EXPECT_GT(program(scramble)({}).rejected, 2U);
}

TEST(split, shares_add_up_to_the_whole_at_every_level) {
  for (const auto& [name, run] : programs()) {
    const checker::verdict whole = run({});
    ASSERT_EQ(whole.outcome, outcome::ok) << name << whole.message;
    for (const unsigned level : {1U, 2U, 3U, 5U, 8U, 100U}) {
      for (const unsigned count : {1U, 2U, 3U, 7U, 64U}) {
        SCOPED_TRACE(name + (", level " + std::to_string(level)) + ", shares " + std::to_string(count));
        checker::verdict sum;
        for (unsigned i = 0; i != count; ++i) checker::detail::add(sum, cut_at(level, run, {i, count})({}));
        expect_same(whole, sum);
        EXPECT_EQ(sum.share.explored, sum.share.pieces);
      }
    }
  }
}

TEST(split, more_shares_than_pieces_leave_some_empty) {
  const explorer run = program<deque_line<"capacity=1: push pop | steal">>();
  const checker::verdict whole = run({});
  checker::verdict sum;
  unsigned empty = 0;
  for (unsigned i = 0; i != 50; ++i) {
    const checker::verdict v = cut_at(2, run, {i, 50})({});
    empty += v.executions == 0 ? 1U : 0U;
    checker::detail::add(sum, v);
  }
  EXPECT_GT(empty, 30U);
  expect_same(whole, sum);
}

TEST(split, no_execution_is_in_two_shares) {
  const std::vector<std::string> whole = explored(scramble);
  std::multiset<std::string> found;
  for (unsigned i = 0; i != 5; ++i) {
    const auto of_share = [&](const checker::options& o) {
      std::ranges::for_each(explored(scramble, o), [&](const std::string& e) { found.insert(e); });
      return checker::verdict{};
    };
    (void)cut_at(3, of_share, {i, 5})({});
  }
  EXPECT_EQ(found, (std::multiset<std::string>(whole.begin(), whole.end())));
}

/// Large enough for a survey to cut: 87,643 executions.
using large = deque_line<"capacity=2: push push push pop pop | steal steal | steal steal">;

TEST(split, a_survey_finds_many_pieces) {
  const checker::verdict whole = program<large>()({});
  for (const unsigned count : {1U, 3U, 8U}) {
    const checker::detail::survey s = checker::detail::take_survey(program<large>(), {}, count);
    EXPECT_FALSE(s.complete());
    EXPECT_GT(s.pieces, 64U * count);
    EXPECT_LT(s.above.executions, whole.executions / 2) << "the shares would explore the same";
  }
  EXPECT_TRUE(checker::detail::take_survey(program<deque_line<"capacity=1: push pop | steal">>(), {}, 8).complete());
}

TEST(split, shares_of_a_surveyed_search_add_up) {
  for (const auto& run :
       {program<large>(), program<waiting>(), program<deque_line<"capacity=1: push pop | steal">>()}) {
    const checker::verdict whole = run({});
    for (const unsigned count : {1U, 2U, 8U}) {
      checker::verdict sum;
      for (unsigned i = 0; i != count; ++i) checker::detail::add(sum, checker::explore(run, {.share = {i, count}}));
      expect_same(whole, sum);
      EXPECT_EQ(sum.share.explored, sum.share.pieces);
    }
  }
}

TEST(split, the_rules_differ_if_they_do_in_one_share) {
  checker::verdict total;
  checker::detail::add(total, {.rules_differ = true});
  checker::detail::add(total, {});
  EXPECT_TRUE(total.rules_differ);
}

TEST(split, shares_are_even) {
  constexpr unsigned count = 4;
  std::uint64_t most = 0;
  std::uint64_t all = 0;
  for (unsigned i = 0; i != count; ++i) {
    const std::uint64_t n = checker::explore(program<large>(), {.share = {i, count}}).executions;
    most = std::max(most, n);
    all += n;
  }
  EXPECT_LT(static_cast<double>(most) * count / static_cast<double>(all), 1.5);
}

TEST(split, a_share_that_there_is_not) {
  EXPECT_THROW(checker::explore(program<large>(), {.share = {8, 8}}), std::invalid_argument);
  EXPECT_THROW(checker::explore(program<large>(), {.share = {0, 0}}), std::invalid_argument);
}

/// A share may come to executions that are not its own after its last one: they are not beyond the limit.
TEST(split, limits_hold_for_a_share) {
  constexpr unsigned count = 4;
  for (unsigned i = 0; i != count; ++i) {
    const auto limited = [&](std::uint64_t most) {
      return checker::explore(program<large>(), {.options = {.max_executions = most}, .share = {i, count}});
    };
    const std::uint64_t executions = limited(1'000'000).executions;
    EXPECT_EQ(limited(executions).outcome, outcome::ok) << i;
    EXPECT_EQ(limited(executions - 1).outcome, outcome::limit) << i;
    EXPECT_EQ(limited(executions - 1).executions, executions - 1) << i;
  }
}

/// Wrong in one execution only, and that far from the first.
struct rarely_wrong {
  static constexpr unsigned threads = 4;
  model::atomic<int> x;
  std::array<int, 8> seen{};
  void thread(unsigned i) {
    seen[2 * i] = x.fetch_add(1, relaxed);
    seen[2 * i + 1] = x.fetch_add(1, relaxed);
  }
  void finish() { model::check(seen != std::array{2, 6, 1, 4, 3, 7, 0, 5}, "the one"); }
};

TEST(split, a_violation_is_found_by_the_share_that_it_is_in) {
  unsigned found = 0;
  for (unsigned i = 0; i != 6; ++i) {
    const checker::verdict v = checker::explore(program<rarely_wrong>(), {.share = {i, 6}});
    found += v.outcome == outcome::violation ? 1U : 0U;
    EXPECT_EQ(v.message, v.outcome == outcome::violation ? "the one" : "");
    EXPECT_FALSE(v.exhaustive) << "a share says nothing of the others";
  }
  EXPECT_EQ(found, 1U);
}

}  // namespace
}  // namespace licit::checker_test
