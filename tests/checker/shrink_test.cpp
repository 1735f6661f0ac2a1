/// Clients made smaller: to what, exactly, and what is not touched.
#include <string>

#include <licit/checker/run.hpp>
#include <licit/checker/shrink.hpp>

#include <gtest/gtest.h>

#include "programs/chase_lev/mutants.hpp"
#include "programs/chase_lev/programs.hpp"

namespace licit::checker_test {
namespace {

using checker::model;
using checker::verdict;
using models::change;
using orders = models::live_orders<chase_lev_orders>;
using enum order;

class shrinking : public testing::Test {
 protected:
  void SetUp() override { orders::reset(); }
  void TearDown() override { orders::reset(); }

  /// The smallest client that shows the mutant.
  template <template <class> class Program>
  static std::string smallest(const models::mutation& m, std::uint64_t executions = 20'000) {
    orders::apply(m);
    const auto run = [](const checker::options& o) { return checker::run<Program>(o); };
    const verdict wrong = run({});
    const auto found = checker::shrink(run, {}, wrong, executions);
    if (!found) return "nothing";
    EXPECT_EQ(found->kind, wrong.kind);
    EXPECT_LE(found->picture.steps.size(), wrong.picture.steps.size());
    return checker::text(found->calls, Program<model>::about.threads);
  }
};

TEST_F(shrinking, of_pop_without_its_fence) {
  EXPECT_EQ(smallest<models::two_items>({"pop.fence", change::drop}),
            "thread 0: push, push, pop, pop; thread 1: steal");
}
TEST_F(shrinking, of_two_growths_to_one) {
  EXPECT_EQ(smallest<models::growth_two_thieves>({"grow.publish", change::weaken}),
            "thread 0: push, push; thread 1: steal; thread 2: nothing");
}
TEST_F(shrinking, of_two_thieves_to_one) {
  EXPECT_EQ(smallest<models::lap_two_thieves>({"push.publish", change::weaken}),
            "thread 0: push; thread 1: steal; thread 2: nothing");
}
TEST_F(shrinking, of_an_item_that_is_lost_without_any_thief) {
  EXPECT_EQ(smallest<models::refill>({"pop.restore", change::drop}), "thread 0: push, pop, push; thread 1: nothing");
}

struct no_operations {
  static constexpr unsigned threads = 1;
  model::atomic<int> x;
  void thread(unsigned) { model::check(x.load(relaxed) == 1, "one"); }
  void finish() {}
};
TEST_F(shrinking, is_not_for_what_is_right_or_has_no_operations) {
  const auto right = [](const checker::options& o) { return checker::run<models::last_item>(o); };
  EXPECT_FALSE(checker::shrink(right, {}, right({})));
  const auto wrong = [](const checker::options& o) { return checker::run_program<no_operations>(o); };
  EXPECT_FALSE(checker::shrink(wrong, {}, wrong({})));
}

/// Two checks, of which the first is that which is looked for; and operations that come after it.
struct checks {
  static constexpr unsigned threads = 1;
  model::atomic<int> x;
  void thread(unsigned) {
    if (!model::leaves_out("first")) x.store(1, relaxed);
    if (!model::leaves_out("second")) x.store(x.load(relaxed) + 2, relaxed);
    const int now = x.load(relaxed);
    model::check(now != 3, "not three");
    model::check(now != 2, "not two");
    if (!model::leaves_out("third")) x.store(4, relaxed);
  }
  void finish() {}
};
TEST_F(shrinking, keeps_to_the_same_check) {
  const auto run = [](const checker::options& o) { return checker::run_program<checks>(o); };
  const auto found = checker::shrink(run, {}, run({}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->message, "not three");
  EXPECT_EQ(checker::text(found->calls, 1), "thread 0: first, second");
}

TEST_F(shrinking, gives_up_a_run_at_the_limit) {
  EXPECT_EQ(smallest<models::two_items>({"pop.fence", change::drop}, 1), "nothing");
}

}  // namespace
}  // namespace licit::checker_test
