/// The verdict's one vocabulary: what explore() says of its bounds, and the fields of a report.
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <licit/checker/explore.hpp>
#include <licit/checker/live_orders.hpp>

#include <gtest/gtest.h>

namespace licit::verdict_test {
namespace {

using checker::model;
using checker::outcome;
using enum order;

template <class Model>
struct racy {
  static constexpr unsigned threads = 2;
  typename Model::template plain<int> x{0};
  typename Model::template atomic<int> unrelated;
  void thread(unsigned i) {
    if (!Model::leaves_out("touch")) unrelated.fetch_add(1, relaxed);
    if (!Model::leaves_out("write")) x.write(static_cast<int>(i));
  }
  void finish() {}
};

template <class Model>
struct counting {
  static constexpr unsigned threads = 3;
  typename Model::template atomic<int> x;
  void thread(unsigned) { x.fetch_add(1, relaxed); }
  void finish() {}
};

std::map<std::string, std::string> fields_of(const checker::verdict& v) {
  std::map<std::string, std::string> all;
  checker::visit_fields(v, [&](std::string_view name, const auto& value) {
    if constexpr (std::is_convertible_v<decltype(value), std::string_view>) {
      all[std::string(name)] = value;
    } else {
      all[std::string(name)] = std::to_string(value);
    }
  });
  all.erase("seconds");
  return all;
}

TEST(verdicts, say_their_bound) {
  EXPECT_EQ(checker::explore<counting>().bound, "none, c++20");
  EXPECT_EQ(checker::explore<counting>({.options = {.sequences = checker::release_sequences::cxx11}}).bound,
            "none, c++11");
  EXPECT_EQ(checker::explore<counting>({.stall = 1}).bound, "none, c++20, stall 1");
  const checker::options pct{.how = checker::mode::pct, .sample = {.executions = 7, .seed = 3, .depth = 2}};
  EXPECT_EQ(checker::explore<counting>({.options = pct}).bound, "7 pct depth 2, seed 3");
  const checker::options random{.how = checker::mode::random, .sample = {.executions = 7, .seed = 3}};
  EXPECT_EQ(checker::explore<racy>({.options = random}).bound, "7 random, seed 3, number 0");
}

/// C++20's release sequences do not reach the second store, C++11's do: who acquires it learns of the first.
template <class Model>
struct stored_again {
  static constexpr unsigned threads = 2;
  typename Model::template atomic<int> x;
  void thread(unsigned i) {
    if (i == 1) {
      x.load(acquire);
      return;
    }
    x.store(1, release);
    x.store(2, relaxed);
  }
  void finish() {}
};

TEST(verdicts, one_is_of_both_rules_where_they_do_not_differ) {
  const auto of_both =
      checker::explore_by_both_rules([](const checker::options& o) { return checker::run<counting>(o); }, {.stall = 1});
  ASSERT_EQ(of_both.size(), 1U);
  EXPECT_EQ(of_both[0].bound, "none, both, stall 1");
  const auto apart =
      checker::explore_by_both_rules([](const checker::options& o) { return checker::run<stored_again>(o); });
  ASSERT_EQ(apart.size(), 2U);
  EXPECT_EQ(apart[0].bound, "none, c++20");
  EXPECT_EQ(apart[1].bound, "none, c++11");
  EXPECT_EQ(apart[0].executions, apart[1].executions);
}

/// The reader has the writer's past twice: by a relaxed read, which only a fence may use, and by the acquire of what
/// C++11's release sequences reach.
template <class Model>
struct relaxed_first {
  static constexpr unsigned threads = 2;
  typename Model::template atomic<int> x, y;
  void thread(unsigned i) {
    if (i == 0) {
      x.store(1, release);
      x.store(2, relaxed);
      y.store(1, release);
    } else if (y.load(relaxed) == 1 && x.load(acquire) == 2) {
      Model::check(Model::happened()[0] == 0, "the writer is known");
    }
  }
  void finish() {}
};

TEST(verdicts, an_acquire_does_not_know_what_only_a_fence_may_learn) {
  const auto apart =
      checker::explore_by_both_rules([](const checker::options& o) { return checker::run<relaxed_first>(o); });
  ASSERT_EQ(apart.size(), 2U);
  EXPECT_EQ(apart[0].outcome, outcome::ok);
  EXPECT_EQ(apart[1].outcome, outcome::violation);
}

TEST(verdicts, of_a_sample_are_by_each_rule) {
  const auto two = checker::explore_by_both_rules([](const checker::options& o) { return checker::run<counting>(o); },
                                                  {.options = {.how = checker::mode::bytes}});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].bound, "1 by bytes");
}

TEST(verdicts, processes_tell_whether_the_rules_differ) {
  const auto both = checker::explore_by_both_rules(
      [](const checker::options& o) { return checker::run<stored_again>(o); }, {.jobs = 2});
  EXPECT_EQ(both.size(), 2U);
}

TEST(verdicts, are_exhaustive_only_of_the_whole) {
  EXPECT_TRUE(checker::explore<counting>().exhaustive);
  EXPECT_FALSE(checker::explore<counting>({.share = {0, 2}}).exhaustive);
  const checker::options random{.how = checker::mode::random, .sample = {.executions = 7}};
  EXPECT_FALSE(checker::explore<counting>({.options = random}).exhaustive);
  EXPECT_THROW(checker::explore<counting>({.options = random, .share = {0, 2}}), std::invalid_argument);
}

TEST(verdicts, have_one_set_of_names) {
  const std::map<std::string, std::string> right{
      {"verdict", "ok"}, {"mode", "exhaustive"}, {"bound", "none, c++20"}, {"executions", "6"}, {"blocked", "0"}};
  EXPECT_EQ(fields_of(checker::explore<counting>()), right);
  auto wrong = fields_of(checker::explore<racy>({.shrink = true}));
  EXPECT_EQ(wrong["verdict"], "violation");
  EXPECT_EQ(wrong["kind"], "data race");
  EXPECT_EQ(wrong["client"], "thread 0: write; thread 1: write");
  EXPECT_NE(wrong["message"], "");
  auto part = fields_of(checker::explore<counting>({.share = {1, 2}}));
  EXPECT_EQ(part["mode"], "shard");
  EXPECT_EQ(part["shard"], "1/2");
  EXPECT_TRUE(part.contains("pieces") && part.contains("explored"));
  EXPECT_EQ(fields_of(checker::explore<counting>({.options = {.max_executions = 2}}))["message"],
            "stopped after 2 executions");
}

TEST(verdicts, keep_what_a_replay_needs) {
  const checker::verdict v = checker::explore<racy>({.options = {.max_events = 77}, .shrink = true});
  EXPECT_EQ(v.options.max_events, 77U);
  EXPECT_EQ(checker::replay<racy<model>>(v.steps, v.options).kind, checker::violation::race);
}

TEST(mutations, are_one_at_run_time_and_at_compile_time) {
  constexpr row r = rows::store("s", release, {}, "");
  constexpr std::array some{checker::mutation{"other", checker::change::drop},
                            checker::mutation{"s", checker::change::weaken, relaxed, relaxed}};
  static_assert(checker::mutated(r, some) == checker::live_row{relaxed, relaxed});
  static_assert(checker::mutated(r, std::array{checker::mutation{"s", checker::change::drop}}).dropped);
  static_assert(checker::shipped(r) == checker::live_row{release, relaxed});
  static_assert(!checker::can_change(operation::load, checker::change::drop));
}

}  // namespace
}  // namespace licit::verdict_test
