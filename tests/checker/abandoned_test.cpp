/// Executions that are abandoned: the program's threads are dropped where they stand, and none of its code runs on.
#include <array>
#include <malloc.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using checker::run_program;
using checker::verdict;
using checker::violation;
using enum order;

/// A queue that empties itself in the end, and a consumer that waits.
struct emptied {
  static constexpr unsigned threads = 2;
  static inline unsigned ends = 0;
  model::atomic<unsigned> head, tail;

  bool pop() {
    unsigned first = head.load(relaxed);
    while (first != tail.load(acquire)) {
      if (head.compare_exchange(first, first + 1, acq_rel, relaxed)) return true;
    }
    return false;
  }
  bool pop_or_stop() { return head.fetch_add(1, relaxed) < 100; }

  ~emptied() {
    ++ends;
    while (pop_or_stop()) {
    }
  }
  void thread(unsigned i) {
    if (i == 0) tail.store(1, release);
    if (i == 1) tail.await([](unsigned t) { return t != 0; }, acquire), pop();
  }
  void finish() {}
};
TEST(abandoned, programs_are_not_destroyed) {
  emptied::ends = 0;
  const verdict v = run_program<emptied>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_GE(v.executions, 1U);
}

/// A consumer that waits, and holds something.
struct holding {
  static constexpr unsigned threads = 2;
  static inline int ends = 0;
  struct guard {
    ~guard() { ++ends; }
  };
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, release);
    const guard g;
    flag.await([](int v) { return v != 0; }, acquire);
  }
  void finish() {}
};
TEST(abandoned, threads_are_dropped) {
  holding::ends = 0;
  const verdict v = run_program<holding>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.blocked, 1U);
  EXPECT_EQ(holding::ends, static_cast<int>(v.executions));
}

/// A wait within catch (...), which the program takes for a failure of its own and tries again.
struct catching {
  static constexpr unsigned threads = 2;
  static inline int caught = 0;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, release);
    for (;;) {
      try {
        flag.await([](int v) { return v != 0; }, acquire);
        return;
      } catch (...) {  // NOLINT(bugprone-empty-catch): there is nothing to be caught
        ++caught;
      }
    }
  }
  void finish() {}
};
TEST(abandoned, threads_catch_nothing) {
  const verdict v = run_program<catching>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(catching::caught, 0);
}

/// Many executions are abandoned, each with a piece of memory in the program, and one in a thread.
struct large {
  static constexpr unsigned threads = 4;
  static constexpr std::size_t size = 100'000;
  model::atomic<int> turn;
  std::vector<char> own = std::vector<char>(size);
  void thread(unsigned i) {
    const std::string held(size, 'x');
    if (i == 3) return turn.store(1, relaxed), turn.store(2, relaxed), turn.store(3, relaxed);
    int seen = turn.load(relaxed);
    while (seen != 3) seen = turn.await_change(seen, relaxed);
  }
  void finish() {}
};
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(abandoned, memory_is_given_back) {
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const verdict v = run_program<large>();
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_GT(v.blocked, 100U);
  EXPECT_LT(after, before + 40 * large::size) << v.blocked << " executions are abandoned";
}
#endif

/// A program that notes in a static variable what it has seen; in threads, too.
struct noting {
  static constexpr unsigned threads = 3;
  static inline std::set<std::string> seen;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 2) return flag.store(1, relaxed), flag.store(2, relaxed);
    const int at = flag.load(relaxed);
    seen.insert("a thread saw a value that is too long for its string's buffer: " + std::to_string(at));
    flag.await([](int v) { return v == 2; }, acquire);
  }
  void finish() {}
};
TEST(abandoned, memory_that_is_kept_stays) {
  EXPECT_EQ(run_program<noting>().outcome, outcome::ok);
  EXPECT_EQ(noting::seen.size(), 3U);
  for (const std::string& each : noting::seen) EXPECT_EQ(each.compare(0, 8, "a thread"), 0) << each;
  noting::seen.clear();
}

/// A program that keeps memory in every execution.
struct keeping {
  static constexpr unsigned threads = 3;
  static constexpr std::size_t most = 1000;
  static inline std::vector<int*> kept;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 2) return flag.store(1, relaxed), flag.store(2, relaxed);
    if (kept.size() < most) kept.push_back(new int(0));
    flag.await([](int v) { return v == 2; }, acquire);
  }
  void finish() {}
};
TEST(abandoned, memory_that_every_execution_keeps_stays) {
  keeping::kept.reserve(keeping::most);
  const verdict v = run_program<keeping>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_GT(v.executions, 0U);
  EXPECT_GT(v.blocked, 0U);
  EXPECT_LT(keeping::kept.size(), keeping::most);
  const std::set<int*> different(keeping::kept.begin(), keeping::kept.end());
  EXPECT_EQ(different.size(), keeping::kept.size());
  for (int* const each : different) delete each;
  keeping::kept = {};
}

}  // namespace
}  // namespace licit::checker_test
