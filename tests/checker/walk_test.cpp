/// Walks: what they come to is what the search explores; what they find can be replayed; samples are what their seed
/// makes them.
#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "deque_line.hpp"
#include "explored.hpp"
#include "waiting_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::mode;
using checker::model;
using checker::options;
using checker::outcome;
using checker::verdict;
using checker::violation;
using namespace shorthand;
using enum order;

options sample(mode how, std::uint64_t executions, std::uint64_t seed = 1, unsigned depth = 3) {
  return {.how = how, .sample = {.executions = executions, .seed = seed, .depth = depth}};
}

std::set<std::string> set_of(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

/// The random walk visits what the search finds: all of it, and nothing else.
void expect_the_same(const straight_line& program, std::uint64_t executions) {
  for (const auto rule : {checker::release_sequences::cxx20, checker::release_sequences::cxx11}) {
    options o = sample(mode::random, executions);
    o.sequences = rule;
    EXPECT_EQ(set_of(explored(program, o)), set_of(explored(program, {.sequences = rule}))) << text(program);
  }
}

TEST(random_walks, visit_what_the_search_explores) {
  expect_the_same({{W(0, 1), R(1)}, {W(1, 1), R(0)}}, 300);                                      // SB
  expect_the_same({{W(0, 1), F(), R(1)}, {W(1, 1), F(), R(0)}}, 300);                            // SB, fenced
  expect_the_same({{W(0, 1, seq_cst), R(1, seq_cst)}, {W(1, 1, seq_cst), R(0, seq_cst)}}, 300);  // SB, seq_cst
  expect_the_same({{W(0, 1), light(), R(1)}, {W(1, 1), heavy(), R(0)}}, 300);                    // and asymmetric
  expect_the_same({{W(0, 1), W(1, 1, release)}, {R(1, acquire), R(0)}}, 300);                    // MP
  expect_the_same({{W(0, 1), W(1, 2)}, {W(1, 1), W(0, 2)}}, 300);                                // 2+2W
  expect_the_same({{W(0, 1)}, {W(0, 2)}, {R(0), R(0)}, {R(0), R(0)}}, 10'000);                   // CoRR, twice
  expect_the_same({{W(0, 1)}, {W(1, 1)}, {R(0, acquire), R(1)}, {R(1, acquire), R(0)}}, 3000);   // IRIW
  expect_the_same({{A(0), A(0)}, {A(0), W(0, 5)}, {R(0), C(0, 2, 7)}}, 30'000);                  // updates
  expect_the_same({{{verb::weak_compare_exchange, 0, relaxed, relaxed, 1, 0}}, {A(0), R(0)}}, 300);
}

/// By threads, or by what they read: a walk that leaves one of the two out visits less, and this test would see it.
TEST(random_walks, need_both_threads_and_reads_chosen) {
  const straight_line store_buffering{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  EXPECT_EQ(set_of(explored(store_buffering)).size(), 4U);
  // PCT without a change point takes what is newest, but once.
  EXPECT_LT(set_of(explored(store_buffering, sample(mode::pct, 1))).size(), 4U);
  EXPECT_EQ(set_of(explored(store_buffering, sample(mode::pct, 1000))).size(), 4U);
}

TEST(random_walks, are_what_their_seed_makes_them) {
  const straight_line program{{W(0, 1), R(1), A(0)}, {W(1, 1), R(0), A(1)}};
  for (const mode how : {mode::random, mode::pct}) {
    EXPECT_EQ(explored(program, sample(how, 50, 7)), explored(program, sample(how, 50, 7)));
    EXPECT_NE(explored(program, sample(how, 50, 7)), explored(program, sample(how, 50, 8)));
  }
}

TEST(random_walks, say_that_they_are_samples) {
  const straight_line program{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  verdict v;
  explored(program, sample(mode::random, 123), &v);
  EXPECT_TRUE(v.sampled);
  EXPECT_EQ(v.outcome, outcome::ok);
  EXPECT_EQ(v.executions, 123U);
  explored(program, {}, &v);
  EXPECT_FALSE(v.sampled);
}

TEST(random_walks, end_at_a_limit_that_is_not_ok) {
  const straight_line program{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  verdict v;
  options o = sample(mode::random, 123);
  o.max_executions = 100;
  explored(program, o, &v);
  EXPECT_EQ(v.outcome, outcome::limit);
  EXPECT_EQ(v.executions, 100U);
  o = sample(mode::random, 1'000'000'000);
  o.max_seconds = 0.05;
  explored(program, o, &v);
  EXPECT_EQ(v.outcome, outcome::limit);
}

TEST(samples, out_of_range_are_refused) {
  const straight_line program{{W(0, 1)}};
  EXPECT_THROW(run(program, sample(mode::random, 0)), std::invalid_argument);
  EXPECT_THROW(run(program, sample(mode::pct, 1, 1, 0)), std::invalid_argument);
  EXPECT_THROW(run(program, {.how = mode::replay}), std::invalid_argument);
}

class walked_deque : public testing::Test {
 protected:
  void SetUp() override { orders::reset(); }
  void TearDown() override { orders::reset(); }
  using orders = checker::live_orders<chase_lev_orders>;
};

using two_steals = deque_line<"capacity=2: push push pop pop | steal steal">;

/// Samples come upon each of its executions.
using one_item = deque_line<"capacity=1: push pop | steal steal">;

std::vector<std::string> executions_of_one_item(options o) {
  std::vector<std::string> found;
  o.observe = [&](const checker::detail::graph& g) { found.push_back(canonical(g)); };
  const verdict v = checker::run_program<one_item>(o);
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  return found;
}

TEST_F(walked_deque, is_walked_through_as_it_is_searched) {
  const auto all = set_of(executions_of_one_item({}));
  EXPECT_EQ(all.size(), 23U);
  EXPECT_EQ(set_of(executions_of_one_item(sample(mode::random, 100'000))), all);
}

/// A thread parks, another looks whether it has: without fences the wake-up is lost.
template <bool Fenced>
struct parking {
  static constexpr unsigned threads = 2;
  model::atomic<int> work;
  model::atomic<int> parked;
  void thread(unsigned i) {
    if (i == 0) {
      parked.store(1, relaxed, "park");
      if (Fenced) model::fence(seq_cst);
      if (work.load(relaxed, "look") == 0) parked.wait(1, relaxed, "sleep");
    } else {
      work.store(1, relaxed, "publish");
      if (Fenced) model::fence(seq_cst);
      if (parked.load(relaxed, "is it parked") == 0) return;
      parked.store(0, relaxed, "unpark");
      parked.notify_one("wake");
    }
  }
  void finish() {}
};

/// Raised and then not told: who sleeps, sleeps though the value has changed.
struct untold {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 0) return flag.wait(0, acquire, "wait");
    flag.store(1, release, "raise");
  }
  void finish() {}
};

/// Found by a walk, found again when it is replayed.
template <class Program>
void expect_found(violation kind) {
  for (const mode how : {mode::random, mode::pct}) {
    const verdict v = checker::run_program<Program>(sample(how, 1000));
    EXPECT_EQ(v.kind, kind) << v.message;
    const verdict again = checker::replay<Program>(v.steps);
    EXPECT_EQ(again.kind, kind) << again.message;
    EXPECT_EQ(again.message, v.message);
  }
  const verdict searched = checker::run_program<Program>();
  EXPECT_EQ(searched.kind, kind);
  const verdict replayed = checker::replay<Program>(searched.steps);
  EXPECT_EQ(replayed.kind, kind) << replayed.message;
  EXPECT_EQ(replayed.message, searched.message);
}

TEST(waiting, lost_wakeups_are_found) {
  expect_found<untold>(violation::lost_wakeup);
  expect_found<parking<false>>(violation::deadlock);
  const verdict fenced = checker::run_program<parking<true>>(sample(mode::random, 2000));
  EXPECT_EQ(fenced.outcome, outcome::ok) << fenced.message;
}

/// The second value hides the first from who looks too late.
struct missed {
  static constexpr unsigned threads = 2;
  model::atomic<int> x;
  void thread(unsigned i) {
    if (i == 0) {
      x.await([](int v) { return v == 1; }, acquire, "await");
    } else {
      x.store(1, release);
      x.store(2, release);
    }
  }
  void finish() {}
};

TEST(waiting, deadlocks_are_found) {
  expect_found<missed>(violation::deadlock);
  expect_found<two_locks<false>>(violation::deadlock);
  const verdict v = checker::run_program<two_locks<true>>(sample(mode::random, 200));
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 200U);  // who waits for a lock gets it: no walk is in vain
}

TEST(waiting, loops_end_when_another_thread_ends_them) {
  for (const mode how : {mode::random, mode::pct}) {
    const verdict v = checker::run_program<spinning<true>>(sample(how, 500));
    EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
    EXPECT_EQ(v.executions, 500U);
  }
  expect_found<spinning<false>>(violation::endless);
}

/// The other thread's end of the loop is not in sight of who is always preferred: taken by turns, it comes.
struct preferred {
  static constexpr unsigned threads = 2;
  model::atomic<int> rounds;
  model::atomic<int> stop;
  void thread(unsigned i) {
    if (i == 1) return stop.store(1, relaxed);
    while (stop.load(relaxed) == 0) rounds.fetch_add(1, relaxed);
  }
  void finish() {}
};
TEST(waiting, an_unfair_choice_makes_no_loop_endless) {
  options o = sample(mode::pct, 50, 1, 1);
  o.max_events = 200;
  EXPECT_EQ(checker::run_program<preferred>(o).outcome, outcome::ok);
  // canonical choices alone prefer the first thread for ever, but for the patience
  EXPECT_EQ(checker::run_bytes<preferred>({}, {.max_events = 200}).outcome, outcome::ok);
}

/// A stall by the options, in a walk too.
TEST(waiting, with_a_thread_stopped) {
  options o = sample(mode::random, 200);
  o.stalled = {0, 1};
  const verdict v = checker::run_program<two_locks<true>>(o);
  EXPECT_EQ(v.kind, violation::deadlock) << v.message;
  options again;
  again.stalled = o.stalled;
  EXPECT_EQ(checker::replay<two_locks<true>>(v.steps, again).message, v.message);
}

/// Does something else each time that it is run.
struct fickle {
  static constexpr unsigned threads = 2;
  static inline int runs = 0;
  model::atomic<int> x;
  fickle() { ++runs; }
  void thread(unsigned i) {
    if (i == 0) x.store(runs, relaxed, "store");
    if (i == 1) x.load(relaxed);
  }
  void finish() {}
};
TEST(programs, that_are_not_deterministic_are_named_by_a_walk) {
  const verdict v = checker::run_program<fickle>(sample(mode::random, 10));
  EXPECT_EQ(v.kind, violation::nondeterministic);
  EXPECT_NE(v.message.find("at store"), std::string::npos) << v.message;
}

/// Is wrong the first time only.
struct wrong_once {
  static constexpr unsigned threads = 1;
  static inline int runs = 0;
  model::atomic<int> x;
  void thread(unsigned) {
    x.store(1, relaxed);
    model::check(++runs != 1, "not yet");
  }
  void finish() {}
};
TEST(programs, whose_violation_does_not_come_again_are_named) {
  const verdict v = checker::run_program<wrong_once>(sample(mode::random, 10));
  EXPECT_EQ(v.kind, violation::nondeterministic);
  EXPECT_NE(v.message.find("not yet"), std::string::npos) << v.message;
}

class records : public walked_deque {
 protected:
  void SetUp() override {
    walked_deque::SetUp();
    orders::apply({"steal.fence", checker::change::drop});
    good_ = checker::run_program<two_steals>().steps;
    ASSERT_GT(good_.steps.size(), 20U);
  }

  static void expect_refused(const checker::record& r, std::size_t at, const std::string& words) {
    const verdict v = checker::replay<two_steals>(r);
    EXPECT_EQ(v.kind, violation::unlike_record) << v.message;
    EXPECT_EQ(v.message.rfind("step " + std::to_string(at) + ": ", 0), 0U) << v.message;
    EXPECT_NE(v.message.find(words), std::string::npos) << v.message;
  }
  /// The first step that reads something that was written, from some step on.
  [[nodiscard]] std::size_t a_read(std::size_t from) const {
    while (good_.steps[from].action != "load" || !good_.steps[from].other) ++from;
    return from;
  }

  checker::record good_;
};

TEST_F(records, that_are_whole_are_replayed) {
  EXPECT_EQ(checker::replay<two_steals>(good_).outcome, outcome::violation);
  EXPECT_NE(checker::replay<two_steals>(good_).kind, violation::unlike_record);
}
TEST_F(records, with_another_source_are_refused) {
  const std::size_t at = a_read(5);
  checker::record r = good_;
  r.steps[at].other = checker::event_name{7, 7};
  expect_refused(r, at, "cannot take 7.7");
}
TEST_F(records, with_another_site_are_refused) {
  checker::record r = good_;
  r.steps[a_read(9)].site = "nowhere";
  expect_refused(r, a_read(9), "at nowhere");
}
TEST_F(records, with_another_order_are_refused) {
  checker::record r = good_;
  r.steps[a_read(9)].order = "seq_cst";
  expect_refused(r, a_read(9), "(seq_cst)");
}
TEST_F(records, with_another_thread_are_refused) {
  checker::record r = good_;
  r.steps[4].at.thread = 5;
  expect_refused(r, 4, "thread 5 cannot go on");
}
TEST_F(records, with_a_step_removed_are_refused) {
  for (std::size_t i = 0; i + 1 != good_.steps.size(); ++i) {
    checker::record r = good_;
    r.steps.erase(r.steps.begin() + static_cast<std::ptrdiff_t>(i));
    const verdict v = checker::replay<two_steals>(r);
    const bool last_of_its_thread = v.kind != violation::unlike_record;
    for (std::size_t j = i; last_of_its_thread && j != r.steps.size(); ++j) {
      EXPECT_NE(r.steps[j].at.thread, good_.steps[i].at.thread) << "step " << i;
    }
  }
}
TEST_F(records, of_broken_code_are_not_of_the_right_one) {
  orders::reset();
  const verdict v = checker::replay<two_steals>(good_);
  EXPECT_EQ(v.kind, violation::unlike_record) << v.message;
  EXPECT_NE(v.message.find("steal.fence"), std::string::npos) << v.message;
}
TEST_F(records, of_what_was_put_right_end_well) {
  const checker::record wrong = checker::run_program<two_locks<false>>().steps;
  checker::record begun = wrong;
  begun.steps.resize(1);
  EXPECT_EQ(checker::replay<two_locks<true>>(begun).outcome, outcome::ok);
}

/// Bytes choose: all executions are within their reach, and none is a fixed one.
TEST(bytes, reach_what_the_search_explores) {
  const straight_line program{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  runner<2>::text = &program;
  std::set<std::string> found;
  options o;
  o.observe = [&](const checker::detail::graph& g) { found.insert(canonical(g)); };
  for (unsigned code = 0; code != 1U << 12U; ++code) {
    std::array<std::uint8_t, 12> bytes{};
    for (unsigned i = 0; i != bytes.size(); ++i) bytes[i] = code >> i & 1U;
    EXPECT_TRUE(checker::run_bytes<runner<2>>(bytes, o).sampled);
  }
  EXPECT_EQ(found, set_of(explored(program)));
}

}  // namespace
}  // namespace licit::checker_test
