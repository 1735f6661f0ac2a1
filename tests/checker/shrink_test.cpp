/// Clients made smaller: to what, exactly, and what is not touched.
#include <string>

#include <licit/checker/run.hpp>
#include <licit/checker/shrink.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::model;
using enum order;

/// A right client that could do without its operation.
struct right {
  static constexpr unsigned threads = 1;
  model::atomic<int> x;
  void thread(unsigned) {
    if (!model::leaves_out("store")) x.store(1, relaxed);
  }
  void finish() {}
};

struct no_operations {
  static constexpr unsigned threads = 1;
  model::atomic<int> x;
  void thread(unsigned) { model::check(x.load(relaxed) == 1, "one"); }
  void finish() {}
};
TEST(shrinking, is_not_for_what_is_right_or_has_no_operations) {
  const auto well = [](const checker::options& o) { return checker::run_program<right>(o); };
  EXPECT_FALSE(checker::shrink(well, {}, well({})));
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
TEST(shrinking, keeps_to_the_same_check) {
  const auto run = [](const checker::options& o) { return checker::run_program<checks>(o); };
  const auto found = checker::shrink(run, {}, run({}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->message, "not three");
  EXPECT_EQ(checker::text(found->calls, 1), "thread 0: first, second");
}

/// Thread 0 waits for a wake-up, which thread 1 leaves out if it sees that it is late.
struct late_wake_up {
  static constexpr unsigned threads = 3;
  model::atomic<int> woken, late, other;
  void thread(unsigned i) {
    if (i == 0 && !model::leaves_out("wait")) woken.await([](int v) { return v != 0; }, relaxed);
    if (i == 1 && !model::leaves_out("other")) other.store(1, relaxed);
    if (i == 1 && !model::leaves_out("wake") && late.load(relaxed) == 0) woken.store(1, relaxed);
    if (i == 2 && !model::leaves_out("be late")) late.store(1, relaxed);
  }
  void finish() {}
};
TEST(shrinking, does_not_leave_out_what_a_thread_waits_for) {
  const auto run = [](const checker::options& o) { return checker::run_program<late_wake_up>(o); };
  const auto found = checker::shrink(run, {}, run({}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, checker::violation::deadlock);
  EXPECT_EQ(checker::text(found->calls, 3), "thread 0: wait; thread 1: wake; thread 2: be late");
}

TEST(shrinking, gives_up_a_run_at_the_limit) {
  const auto run = [](const checker::options& o) { return checker::run_program<checks>(o); };
  EXPECT_FALSE(checker::shrink(run, {}, run({}), 0));
}

}  // namespace
}  // namespace licit::checker_test
