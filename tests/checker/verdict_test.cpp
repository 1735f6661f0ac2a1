/// The verdict's one vocabulary: what explore() says of its bounds, and the fields of a report.
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <licit/checker/edges.hpp>
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

/// Three threads of three operations each, chosen by a number; and, from one place in one of them to one in another, an
/// edge of happens-before: assumed, or made by a flag.
struct joined_program {
  static constexpr unsigned operations = 3;
  static constexpr unsigned kinds = 9;

  std::array<std::array<unsigned, operations>, 3> does{};
  unsigned from = 0, to = 1;              ///< threads
  unsigned from_after = 0, to_after = 0;  ///< so many operations of theirs
  bool by_flag = false;
};
inline joined_program joined;
inline std::uint64_t joined_executions;

template <class Model>
struct joined_client {
  static constexpr unsigned threads = 3;
  std::array<typename Model::template atomic<int>, 2> cells;
  typename Model::template atomic<int> flag;
  checker::place from{}, to{};
  bool told = false;

  void thread(unsigned i) {
    for (unsigned n = 0; n <= joined_program::operations; ++n) {
      edge(i, n);
      if (n != joined_program::operations) perform(joined.does[i][n]);
    }
  }
  void edge(unsigned i, unsigned n) {
    const checker::place here{i, Model::happened()[i]};
    if (i == joined.from && n == joined.from_after) joined.by_flag ? flag.store(1, release) : void(from = here);
    if (i == joined.to && n == joined.to_after) joined.by_flag ? void(told = flag.load(acquire) == 1) : void(to = here);
  }
  void perform(unsigned kind) {
    auto& cell = cells[kind % 2];
    switch (kind / 2) {
      case 0: return cell.store(1, relaxed);
      case 1: return void(cell.load(relaxed));
      case 2: return void(cell.fetch_add(1, seq_cst));
      case 3: return cell.store(2, seq_cst);
      case 4: return Model::fence(seq_cst);
      case 5: return void(cell.load(seq_cst));
      case 6: return Model::light_fence();
      case 7: return Model::heavy_fence();
      default: return cell.store(3, release);
    }
  }
  void finish() { joined_executions += (joined.by_flag ? told : checker::could_happen_before(from, to)) ? 1U : 0U; }
};

/// The executions that have the edge are those of the client that makes it by a flag, and finds it.
TEST(verdicts, an_edge_from_outside_is_possible_where_a_flag_can_make_it) {
  std::minstd_rand random(18);
  std::uint64_t with = 0;
  std::uint64_t all = 0;
  for (int program = 0; program != 2000; ++program) {
    joined = {};
    for (auto& thread : joined.does) {
      for (unsigned& kind : thread) kind = static_cast<unsigned>(random() % (2 * joined_program::kinds));
    }
    joined.from = static_cast<unsigned>(random() % 3);
    joined.to = (joined.from + 1 + static_cast<unsigned>(random() % 2)) % 3;
    joined.from_after = static_cast<unsigned>(random() % 4);
    joined.to_after = static_cast<unsigned>(random() % 4);
    joined_executions = 0;
    all += checker::run<joined_client>().executions;
    const std::uint64_t assumed = std::exchange(joined_executions, 0);
    joined.by_flag = true;
    EXPECT_EQ(checker::run<joined_client>().outcome, outcome::ok);
    EXPECT_EQ(assumed, joined_executions) << "program " << program;
    with += assumed;
  }
  EXPECT_GT(with, 10'000U);
  EXPECT_LT(with, all);  // some are ruled out
}

}  // namespace
}  // namespace licit::verdict_test
