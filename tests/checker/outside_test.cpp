/// What a program does outside of the model: it is supported, or refused with a message.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#undef NDEBUG
#include <cassert>  // NOLINT(readability-duplicate-include): here, it asserts

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using checker::verdict;
using checker::violation;
using enum order;

/// One thread does it, after an operation.
template <auto What>
struct doing {
  static constexpr unsigned threads = 2;
  model::atomic<int> x;
  void thread(unsigned i) {
    x.store(1, relaxed);
    if (i == 1) What();
  }
  void finish() {}
};
template <auto What>
verdict run(const checker::options& o = {}) {
  return checker::run_program<doing<What>>(o);
}
void expect(const verdict& v, violation kind, const std::string& message) {
  EXPECT_EQ(v.outcome, outcome::violation);
  EXPECT_EQ(name(v.kind), name(kind)) << v.message;
  EXPECT_NE(v.message.find("thread 1 " + message), std::string::npos) << v.message;
  EXPECT_NE(v.trace.find("1.0"), std::string::npos) << v.trace;
}

void throw_one() { throw 1; }

TEST(outside, an_assert_that_fails_is_a_verdict) {
  const auto v = run<[] { assert(1 + 1 == 3); }>();
  expect(v, violation::assertion, "finds that it does not hold: ");
  EXPECT_NE(v.message.find("assert(1 + 1 == 3)"), std::string::npos) << v.message;
}
TEST(outside, an_abort_is_a_verdict) {
  expect(run<[] { std::abort(); }>(), violation::assertion, "calls abort()");
}
TEST(outside, an_exception_that_cannot_leave_is_a_verdict) {
  expect(run<[]() noexcept { throw_one(); }>(), violation::assertion, "calls abort()");
}
TEST(outside, exceptions_of_any_type_are_verdicts) {
  EXPECT_EQ(name(run<[] { throw_one(); }>().kind), name(violation::exception));
}
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(outside, a_null_pointer_is_a_verdict) {
  static int* volatile nowhere = nullptr;
  static volatile int one = 1, none = 0;
  expect(run<[] { *nowhere = 1; }>(), violation::use_after_free, "follows a pointer that is null");
  expect(run<[] { none = one / none; }>(), violation::assertion, "divides by zero");
}
#endif

TEST(outside, an_abort_elsewhere_still_aborts) {
  EXPECT_DEATH(assert(1 + 1 == 4), "1 \\+ 1 == 4");
  EXPECT_DEATH(std::abort(), "");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(outside, threads_of_the_system_are_refused) {
  expect(run<[] { std::thread([] {}).join(); }>(), violation::unsupported, "starts a thread of the system");
}
TEST(outside, threads_of_the_system_start_elsewhere) {
  bool ran = false;
  std::thread([&] { ran = true; }).join();
  EXPECT_TRUE(ran);
}

thread_local int mine = 5;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
thread_local std::string longer;

/// Both threads count in a variable of their own, and so does the main thread.
struct counting {
  static constexpr unsigned threads = 2;
  model::atomic<int> x;
  counting() { mine += 10; }
  void thread(unsigned /*i*/) {
    model::check(mine++ == 5, "as it begins");
    x.fetch_add(1, relaxed);
    model::check(mine++ == 6, "as this thread left it");
  }
  void finish() { model::check(mine == 15, "as the constructor left it"); }
};
TEST(outside, thread_local_variables_are_each_threads_own) {
  mine = 77;
  const verdict v = checker::run_program<counting>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 2U);
  EXPECT_EQ(mine, 77);
  mine = 5;
}
TEST(outside, thread_local_variables_with_destructors_are_refused) {
  expect(run<[] { longer = "a text that is too long for the string's own buffer"; }>(), violation::unsupported,
         "has a thread_local variable with a destructor");
}
#endif

/// A lock of the system's, held while another thread runs.
struct locked {
  static constexpr unsigned threads = 2;
  std::mutex lock;
  model::atomic<int> x;
  void thread(unsigned /*i*/) {
    const std::lock_guard held{lock};
    (void)x.exchange(1, relaxed);
    x.await([](int v) { return v == 2; }, relaxed);
  }
  void finish() {}
};
TEST(outside, a_step_that_does_not_end_is_told) {
  const verdict v = checker::run_program<locked>({.max_step_seconds = 1});
  EXPECT_EQ(name(v.kind), name(violation::endless));
  EXPECT_NE(v.message.find("does not come back for 1 seconds"), std::string::npos) << v.message;
  const verdict loop = run<[] {
    volatile bool more = true;
    while (more) {
    }
  }>({.max_step_seconds = 1});
  expect(loop, violation::endless, "does not come back");
}

}  // namespace
}  // namespace licit::checker_test
