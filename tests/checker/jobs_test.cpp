/// A search in several processes: the counts of one, and no process left, however it ends.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <licit/checker/explore.hpp>

#include <gtest/gtest.h>

#include "deque_line.hpp"
#include "parallel/shared_array.hpp"
#include "parallel/verdict_bytes.hpp"

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using enum order;

template <class Program>
checker::verdict with(unsigned jobs, const checker::options& o = {}, const checker::share& which = {}) {
  return checker::explore([](const checker::options& p) { return checker::run_program<Program>(p); },
                          {.options = o, .share = which, .jobs = jobs});
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

/// Each thread adds twice: 8! / 2!^4 = 2520 executions, of which `When` says what happens in some.
template <auto When>
struct adding {
  static constexpr unsigned threads = 4;
  model::atomic<int> x;
  std::array<int, 8> seen{};
  void thread(unsigned i) {
    seen[2 * i] = x.fetch_add(1, relaxed);
    seen[2 * i + 1] = x.fetch_add(1, relaxed);
  }
  void finish() {
    if (seen == std::array{2, 6, 1, 4, 3, 7, 0, 5}) When();
  }
};

using large = deque_line<"capacity=2: push push push pop pop | steal steal | steal steal">;
using fine = adding<[] {}>;
using wrong = adding<[] { model::check(false, "the one"); }>;
using crashing = adding<[] { std::raise(SIGKILL); }>;
using leaving = adding<[] { ::_exit(0); }>;

template <class Program>
void expect_same_counts() {
  const checker::verdict one = with<Program>(1);
  ASSERT_EQ(one.outcome, outcome::ok);
  for (const unsigned jobs : {2U, 3U, 16U}) {
    const checker::verdict v = with<Program>(jobs);
    EXPECT_EQ(v.outcome, outcome::ok);
    EXPECT_EQ(v.executions, one.executions);
    EXPECT_EQ(v.blocked, one.blocked);
    EXPECT_EQ(v.rejected, one.rejected);
    EXPECT_EQ(v.share.explored, v.share.pieces);
    EXPECT_FALSE(has_children());
  }
}

TEST(jobs, count_what_one_process_counts) {
  expect_same_counts<large>();
  expect_same_counts<fine>();
  expect_same_counts<deque_line<"capacity=2: push push pop push pop | steal steal">>();
}

TEST(jobs, share_a_share) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i != 3; ++i) {
    const checker::verdict v = with<large>(2, {}, {i, 3});
    EXPECT_EQ(v.executions, with<large>(1, {}, {i, 3}).executions);
    sum += v.executions;
  }
  EXPECT_EQ(sum, with<large>(1).executions);
}

TEST(jobs, find_a_violation_and_stop) {
  const checker::verdict v = with<wrong>(3);
  EXPECT_EQ(v.outcome, outcome::violation);
  EXPECT_EQ(v.message, "the one");
  EXPECT_NE(v.trace.find(" U atomic 0 "), std::string::npos) << v.trace;
  EXPECT_EQ(text(v.picture), v.trace);
  EXPECT_EQ(checker::replay<wrong>(v.steps).message, "the one");
  EXPECT_FALSE(has_children());
}

TEST(jobs, hold_to_the_limit_together) {
  EXPECT_EQ(with<large>(2, {.max_executions = 87643}).outcome, outcome::ok);
  const checker::verdict v = with<large>(2, {.max_executions = 87642});
  EXPECT_EQ(v.outcome, outcome::limit);
  EXPECT_EQ(v.executions, 87642U);
  EXPECT_FALSE(has_children());
}

template <class Program>
std::string error_of(unsigned jobs) {
  try {
    (void)with<Program>(jobs);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(jobs, name_the_piece_of_a_process_that_crashed) {
  const std::string error = error_of<crashing>(2);
  EXPECT_EQ(error.rfind("the process that explored piece ", 0), 0U) << error;
  EXPECT_NE(error.find(" ended by signal 9 (Killed)"), std::string::npos) << error;
  EXPECT_FALSE(has_children());
}

TEST(jobs, miss_a_verdict) {
  const std::string error = error_of<leaving>(2);
  EXPECT_NE(error.find(" ended without a result (status 0)"), std::string::npos) << error;
  EXPECT_FALSE(has_children());
}

/// Does something else in each process.
struct fickle {
  static constexpr unsigned threads = 4;
  static inline const pid_t first = ::getpid();
  model::atomic<int> x;
  void thread(unsigned) {
    x.fetch_add(1, relaxed);
    if (::getpid() == first) x.fetch_add(1, relaxed);
  }
  void finish() {}
};
TEST(jobs, notice_that_pieces_are_missing) {
  EXPECT_EQ(error_of<fickle>(2).rfind("the program is not deterministic: ", 0), 0U);
}

TEST(jobs, are_not_for_observers) {
  EXPECT_THROW(with<large>(2, {.observe = [](const checker::detail::graph&) {}}), std::invalid_argument);
  EXPECT_THROW(with<large>(2, {}, {3, 3}), std::invalid_argument);
}

TEST(jobs, tell_how_far_they_are) {
  std::uint64_t last = 0;
  std::uint64_t all = 0;
  (void)checker::explore([](const checker::options& o) { return checker::run_program<large>(o); },
                         {.jobs = 2, .progress = [&](std::uint64_t done, std::uint64_t pieces) {
                            EXPECT_GE(done, last);
                            last = done;
                            all = pieces;
                          }});
  EXPECT_GT(last, 0U);
  EXPECT_LE(last, all);
}

/// Far too many executions to end.
struct endless {
  static constexpr unsigned threads = 8;
  model::atomic<int> x;
  void thread(unsigned) {
    for (int i = 0; i != 4; ++i) x.fetch_add(1, relaxed);
  }
  void finish() {}
};

/// The process that explores is killed: those that it forked must end with it, for they come to us as their new parent.
TEST(jobs, end_with_their_parent) {
  constexpr auto ample = std::chrono::seconds(60);
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  for (const int signal : {SIGINT, SIGKILL}) {
    checker::detail::shared_array<bool> working(1);
    const pid_t parent = ::fork();
    if (parent == 0) {
      (void)std::signal(SIGINT, SIG_DFL);  // a shell's background job ignores it
      (void)checker::explore([](const checker::options& o) { return checker::run_program<endless>(o); },
                             {.options = {.max_seconds = 60}, .jobs = 3, .progress = [&](std::uint64_t, std::uint64_t) {
                                working[0] = true;
                              }});
      ::_exit(0);
    }
    const auto start = std::chrono::steady_clock::now();
    while (!working[0] && std::chrono::steady_clock::now() - start < ample) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_TRUE(working[0]);
    ASSERT_EQ(::kill(parent, signal), 0);
    unsigned ended = 0;
    while (has_children() && std::chrono::steady_clock::now() - start < ample) {
      ended += ::waitpid(-1, nullptr, WNOHANG) > 0 ? 1U : 0U;
    }
    EXPECT_FALSE(has_children()) << "processes go on after " << ::strsignal(signal);
    EXPECT_LE(ended, 4U);
  }
}

TEST(verdict_bytes, arrive_whole_or_not_at_all) {
  const checker::verdict sent{.outcome = outcome::violation,
                              .kind = checker::violation::race,
                              .message = "a\nb",
                              .executions = 1,
                              .blocked = 2,
                              .seconds = 3.5,
                              .share = {.pieces = 6, .explored = 7},
                              .trace = std::string("c\0d", 3),
                              .picture = {.kind = "race",
                                          .message = "a",
                                          .threads = 2,
                                          .steps = {{.thread = 1, .number = 3, .site = "s", .source = 9}},
                                          .edges = {{checker::execution::relation::fr, 4, 5, true, true}},
                                          .cycle = {6},
                                          .later = 7,
                                          .inner = 8},
                              .calls = {{1, 2, "push"}},
                              .steps = {{{{1, 2}, "load", "s", "l", "acquire", "", checker::event_name{3, 4}, 0, false},
                                         {{1, 3}, "store", "", "l", "release", "7", {}, 5, true}},
                                        6},
                              .rejected = 4,
                              .depth = 5};
  const std::string bytes = checker::detail::to_bytes(sent);
  checker::verdict got;
  ASSERT_TRUE(checker::detail::from_bytes(bytes, got));
  EXPECT_EQ(checker::detail::to_bytes(got), bytes);
  EXPECT_EQ(got.trace, sent.trace);
  EXPECT_EQ(got.share.explored, 7U);
  ASSERT_EQ(got.picture.steps.size(), 1U);
  EXPECT_EQ(got.picture.steps[0].site, "s");
  EXPECT_EQ(got.picture.steps[0].source, 9U);
  ASSERT_EQ(got.picture.edges.size(), 1U);
  EXPECT_EQ(got.picture.edges[0].to, 5U);
  EXPECT_EQ(got.picture.cycle, std::vector<std::size_t>{6});
  EXPECT_EQ(got.picture.inner, 8U);
  ASSERT_EQ(got.steps.steps.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    const checker::step& step = got.steps.steps[i];
    EXPECT_TRUE(step.same(sent.steps.steps[i]));
    EXPECT_EQ(step.other, sent.steps.steps[i].other);
  }
  EXPECT_EQ(got.steps.steps[1].choice, 5U);
  EXPECT_TRUE(got.steps.steps[1].waits);
  EXPECT_EQ(got.steps.ended_in, 6U);
  ASSERT_EQ(got.calls.size(), 1U);
  EXPECT_EQ(got.calls[0].name, "push");
  for (std::size_t n = 0; n != bytes.size(); ++n)
    EXPECT_FALSE(checker::detail::from_bytes(bytes.substr(0, n), got)) << n;
  EXPECT_FALSE(checker::detail::from_bytes(bytes + "f", got));
}

}  // namespace
}  // namespace licit::checker_test
