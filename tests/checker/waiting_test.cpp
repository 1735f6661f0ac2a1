/// Waiting: by await, in loops, on wait and notify, on futexes, on mutexes; who waits for ever, and who is pruned.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "core/graph.hpp"
#include "waiting_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::model;
using checker::options;
using checker::outcome;
using checker::run_program;
using checker::verdict;
using checker::violation;
using enum order;

TEST(loops, that_end_by_another_threads_doing) {
  const verdict v = run_program<spinning<true, acquire>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_GE(v.executions, 1U);
  EXPECT_LE(v.executions, 2U);  // one more where a variable of the loop has no value before the first round
}
TEST(loops, that_read_relaxed_race_afterwards) {
  EXPECT_EQ((run_program<spinning<true, relaxed>>().kind), violation::race);
}
TEST(loops, that_nobody_ends_are_reported) {
  const verdict v = run_program<spinning<false, acquire>>();
  EXPECT_EQ(v.kind, violation::endless) << v.message;
  EXPECT_NE(v.message.find("thread 0 goes round"), std::string::npos) << v.message;
}

/// A thread counts the rounds of its loop in the program's object, which is then another in each round, unless it is
/// said to be a note.
template <bool Notes>
struct counts_rounds {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  struct {
    int rounds = 0;
  } seen;
  counts_rounds() {
    if (Notes) model::notes(seen);
  }
  void thread(unsigned i) {
    if (i == 0) return flag.store(1, release);
    while (flag.load(acquire) == 0) ++seen.rounds;
  }
  void finish() {}
};

/// Who wakes others and is not waited for orders nothing, and is in no axiom.
template <void (*Wake)(model::atomic<unsigned>&)>
struct wakes_beside_data {
  static constexpr unsigned threads = 2;
  model::plain<int> data;
  model::atomic<unsigned> word;
  model::atomic<int> told;
  void thread(unsigned i) {
    if (i == 0) {
      data.write(1);
      Wake(word);
      told.store(1, relaxed);
    } else if (told.load(relaxed) == 1) {
      Wake(word);
      model::fence(acquire);
      (void)data.read();
    }
  }
  void finish() {}
};
template <void (*Wake)(model::atomic<unsigned>&)>
struct wakes_beside_fences {
  static constexpr unsigned threads = 3;
  model::atomic<int> x;
  model::atomic<int> y;
  model::atomic<int> z;
  model::atomic<unsigned> word;
  std::array<int, 3> seen{};
  void thread(unsigned i) {
    if (i == 0) {
      x.store(1, relaxed);
      model::fence(seq_cst);
      Wake(word);
      y.store(1, relaxed);
    } else if (i == 1) {
      seen[1] = z.load(relaxed);
      Wake(word);
      model::fence(seq_cst);
      seen[2] = x.load(relaxed);
    } else {
      seen[0] = y.load(relaxed);
      z.store(1, relaxed);
    }
  }
  void finish() { model::check(seen[0] == 0 || seen[1] == 0 || seen[2] == 1, "reached"); }
};
void nobody(model::atomic<unsigned>& /*word*/) {}
void by_notify_one(model::atomic<unsigned>& word) { word.notify_one(); }
void by_notify_all(model::atomic<unsigned>& word) { word.notify_all(); }
void by_futex(model::atomic<unsigned>& word) { word.futex_wake_one(); }

TEST(wait, wake_ups_order_no_memory) {
  EXPECT_EQ((run_program<wakes_beside_data<nobody>>().kind), violation::race);
  EXPECT_EQ((run_program<wakes_beside_data<by_notify_one>>().kind), violation::race);
  EXPECT_EQ((run_program<wakes_beside_data<by_notify_all>>().kind), violation::race);
  EXPECT_EQ((run_program<wakes_beside_data<by_futex>>().kind), violation::race);
  EXPECT_EQ((run_program<wakes_beside_fences<nobody>>().kind), violation::assertion);
  EXPECT_EQ((run_program<wakes_beside_fences<by_notify_one>>().kind), violation::assertion);
  EXPECT_EQ((run_program<wakes_beside_fences<by_notify_all>>().kind), violation::assertion);
  EXPECT_EQ((run_program<wakes_beside_fences<by_futex>>().kind), violation::assertion);
}

/// Between two stores something that RC11 does not speak of.
template <int What>
struct notes_between_stores {
  static constexpr unsigned threads = 3;
  model::atomic<int> y;
  model::atomic<int> x;
  model::ghost g;
  std::array<int, 3> seen{};
  void thread(unsigned i) {
    if (i == 0) {
      x.store(1, seq_cst);
      if (What == 1) g.write();
      if (What == 2) g.guess();
      if (What == 3) model::light_fence();
      if (What == 4) model::memory()->deallocate(model::memory()->allocate(8), 8);
      if (What == 5) const model::ghost own;
      x.store(2, release);
    } else if (i == 1) {
      seen[0] = x.load(acquire);
      seen[1] = y.load(seq_cst);
    } else {
      y.store(1, seq_cst);
      seen[2] = x.load(seq_cst);
    }
  }
  void finish() { model::check(seen[0] != 2 || seen[1] != 0 || seen[2] != 0, "reached"); }
};

TEST(notes, are_in_no_axiom) {
  EXPECT_EQ(run_program<notes_between_stores<0>>().kind, violation::assertion);
  EXPECT_EQ(run_program<notes_between_stores<1>>().kind, violation::assertion);
  EXPECT_EQ(run_program<notes_between_stores<2>>().kind, violation::assertion);
  EXPECT_EQ(run_program<notes_between_stores<3>>().kind, violation::assertion);
  EXPECT_EQ(run_program<notes_between_stores<4>>().kind, violation::assertion);
  EXPECT_EQ(run_program<notes_between_stores<5>>().kind, violation::assertion);
}

thread_local int rounds_of_thread = 0;

/// What tells the rounds of a loop apart is not on the stack.
template <int Where>
struct counts_elsewhere {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, relaxed);
    const auto own = std::make_unique<int>(0);
    std::vector<char> many(8);
    rounds_of_thread = 0;
    while (flag.load(relaxed) == 0) {
      const int round = Where == 0 ? ++*own : Where == 1 ? ++many[0] : ++rounds_of_thread;
      model::check(round != 3, "three rounds");
    }
  }
  void finish() {}
};

TEST(loops, that_count_on_the_heap_or_in_the_thread_are_explored) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "operator new is the sanitizer's";
#endif
  EXPECT_EQ(run_program<counts_elsewhere<0>>().kind, violation::assertion);
  EXPECT_EQ(run_program<counts_elsewhere<1>>().kind, violation::assertion);
  EXPECT_EQ(run_program<counts_elsewhere<2>>().kind, violation::assertion);
}

TEST(loops, that_only_note_something_change_nothing) {
  const verdict v = run_program<counts_rounds<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_LE(v.executions, 2U);
  EXPECT_EQ(run_program<counts_rounds<false>>({.max_events = 60}).kind, violation::endless);
}

/// A ring with one cell, whose producer and consumer wait for each other, round by round.
template <bool Awaits>
struct handing_over {
  static constexpr unsigned threads = 2;
  static constexpr int items = 4;
  model::atomic<int> full;
  model::plain<int> cell;
  void wait(int value) {
    if (Awaits) {
      value == 0 ? full.await([](int f) { return f == 0; }, acquire)
                 : full.await([](int f) { return f == 1; }, acquire);
      return;
    }
    while (full.load(acquire) != value) {
    }
  }
  void thread(unsigned i) {
    for (int n = 1; n <= items; ++n) {
      wait(i == 0 ? 0 : 1);
      i == 0 ? cell.write(n) : model::check(cell.read() == n, "the item");
      full.store(i == 0 ? 1 : 0, release);
    }
  }
  void finish() {}
};
/// How many rounds of a loop are looked at before it is known that a round changes nothing depends on the compiled
/// code: what is in registers and on the stack before the first round is its business. So do the counts. An `await` is
/// one read in any compiled code. This file is compiled at three levels of optimisation, and all that it counts is the
/// same.
TEST(loops, that_await_count_the_same_at_every_level_of_optimisation) {
  const verdict awaits = run_program<handing_over<true>>();
  const verdict spins = run_program<handing_over<false>>();
  EXPECT_EQ(awaits.outcome, outcome::ok) << awaits.message;
  EXPECT_EQ(spins.outcome, outcome::ok) << spins.message;
  EXPECT_EQ(awaits.executions, 1U);
  RecordProperty("spinning", std::to_string(spins.executions));
}

/// Values that are not awaited are not read, but for the newest.
struct countdown {
  static constexpr unsigned threads = 2;
  model::atomic<int> n{3};
  void thread(unsigned i) {
    if (i == 1) return (void)n.await([](int left) { return left == 0; }, relaxed);
    for (int left = 2; left >= 0; --left) n.store(left, relaxed);
  }
  void finish() {}
};
TEST(loops, that_await_read_what_they_await) {
  const verdict v = run_program<countdown>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 1U);
  EXPECT_EQ(v.blocked, 0U);  // when the thread begins the newest value is there
}

/// A thread that waits inside a noexcept function cannot be unwound; it is left there.
template <bool Noexcept>
struct waits_in_a_call {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  void wait() noexcept(Noexcept) {
    flag.await([](int f) { return f == 2; }, acquire);
  }
  void thread(unsigned i) {
    if (i == 0) return wait();
    flag.store(1, relaxed);
    flag.store(2, release);
  }
  void finish() {}
};
TEST(loops, that_await_may_stand_in_a_function_that_is_noexcept) {
  const verdict plain = run_program<waits_in_a_call<false>>();
  const verdict v = run_program<waits_in_a_call<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_GT(plain.blocked, 0U);
  EXPECT_EQ(v.blocked, plain.blocked);
  EXPECT_EQ(v.executions, plain.executions);
}

/// A loop with a count of its own is no loop that changes nothing.
struct counting {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  int seen = 0;
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, relaxed);
    for (int n = 0; n != 4; ++n) seen += flag.load(relaxed);
  }
  void finish() { model::check(seen <= 4, "four reads"); }
};
TEST(loops, that_count_are_explored_to_the_end) {
  const verdict v = run_program<counting>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 5U);  // the flag is seen from the n-th read on, or never
  EXPECT_EQ(v.blocked, 0U);
}

/// The count may also be in the program's own memory.
struct counting_in_a_member {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  int left = 3;
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, relaxed);
    while (left != 0) {
      (void)flag.load(relaxed);
      --left;
    }
  }
  void finish() {}
};
TEST(loops, that_count_in_a_member_are_explored_to_the_end) {
  EXPECT_EQ(run_program<counting_in_a_member>().executions, 4U);
}

/// Nobody makes progress, though each writes for ever.
struct livelock {
  static constexpr unsigned threads = 1;
  model::atomic<int> turn;
  void thread(unsigned) {
    while (turn.fetch_add(1, relaxed) >= 0) {
    }
  }
  void finish() {}
};
TEST(loops, that_go_on_and_on_are_reported) {
  EXPECT_EQ(run_program<livelock>({.max_events = 50}).kind, violation::endless);
}
TEST(loops, that_go_on_and_on_are_shown_by_their_first_round_and_their_last) {
  const verdict v = run_program<livelock>();
  EXPECT_EQ(v.kind, violation::endless);
  EXPECT_LT(std::ranges::count(v.trace, '\n'), 20) << v.trace;
  EXPECT_NE(v.trace.find(" more rounds of "), std::string::npos) << v.trace;
}

/// As std::atomic::wait of libstdc++ does before it sleeps.
struct reads_again_and_again {
  static constexpr unsigned threads = 1;
  model::atomic<int> flag;
  void thread(unsigned) {
    for (int i = 0; i != 12; ++i) model::check(flag.load(relaxed) == (i == 11 ? 1 : 0), "it is set in the end");
  }
  void finish() {}
};
TEST(loops, of_a_dozen_reads_are_shown_by_their_first_round_and_their_last) {
  const verdict v = run_program<reads_again_and_again>();
  EXPECT_EQ(v.kind, violation::assertion);
  EXPECT_NE(v.trace.find(" … 9 more rounds of 1 step like this …\n"), std::string::npos) << v.trace;
}

/// Test-and-set, and a weak compare-exchange in a loop.
template <bool Exchange>
struct spin_lock {
  static constexpr unsigned threads = 2;
  model::atomic<int> held;
  model::plain<int> inside;
  void thread(unsigned) {
    if constexpr (Exchange) {
      while (held.exchange(1, acquire) == 1) {
      }
    } else {
      for (int expected = 0; !held.compare_exchange_weak(expected, 1, acquire, relaxed); expected = 0) {
      }
    }
    inside.write(inside.read() + 1);
    held.store(0, release);
  }
  void finish() { model::check(inside.read() == 2, "both were inside"); }
};
TEST(loops, of_spin_locks) {
  const verdict exchange = run_program<spin_lock<true>>();
  EXPECT_EQ(exchange.outcome, outcome::ok) << exchange.message << exchange.trace;
  const verdict weak = run_program<spin_lock<false>>();
  EXPECT_EQ(weak.outcome, outcome::ok) << weak.message << weak.trace;
}

template <bool Unlock>
struct locked {
  static constexpr unsigned threads = 3;
  model::mutex m;
  model::plain<int> inside;
  void thread(unsigned) {
    m.lock();
    inside.write(inside.read() + 1);
    if (Unlock) m.unlock();
  }
  void finish() { model::check(inside.read() == 3, "all were inside"); }
};
TEST(mutexes, exclude) {
  const verdict v = run_program<locked<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_EQ(v.executions, 6U);  // 3!
}
TEST(mutexes, that_stay_locked_are_a_deadlock) {
  const verdict v = run_program<locked<false>>();
  EXPECT_EQ(v.kind, violation::deadlock) << v.message;
}

TEST(mutexes, in_two_orders_are_a_deadlock) {
  EXPECT_EQ(run_program<two_locks<true>>().executions, 2U);
  EXPECT_EQ(run_program<two_locks<false>>().kind, violation::deadlock);
}

struct tried {
  static constexpr unsigned threads = 2;
  model::mutex m;
  model::plain<int> inside;
  void thread(unsigned) {
    if (!m.try_lock()) return;
    inside.write(inside.read() + 1);
    m.unlock();
  }
  void finish() {}
};
TEST(mutexes, that_are_tried) { EXPECT_EQ(run_program<tried>().outcome, outcome::ok); }

enum class notifying { after_store, before_store, never, one_of_two, all };

/// One thread waits for a flag by std::atomic's wait, another raises it and notifies.
template <notifying How, order Read = acquire>
struct waiter {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  model::plain<int> data;
  void thread(unsigned i) {
    if (i == 0) {
      flag.wait(0, Read, "wait");
      model::check(data.read() == 5, "the data");
      return;
    }
    data.write(5);
    if (How == notifying::before_store) flag.notify_one("notify");
    flag.store(1, release, "raise");
    if (How == notifying::after_store) flag.notify_one("notify");
    if (How == notifying::all) flag.notify_all("notify");
  }
  void finish() {}
};
TEST(wait, is_woken) {
  for (const verdict& v : {run_program<waiter<notifying::after_store>>(), run_program<waiter<notifying::all>>()}) {
    EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
    EXPECT_EQ(v.executions, 2U);  // it saw the flag, or slept until it was woken
    EXPECT_EQ(v.blocked, 0U);
  }
}
TEST(wait, that_reads_relaxed_races) {
  EXPECT_EQ((run_program<waiter<notifying::after_store, relaxed>>().kind), violation::race);
}
TEST(wait, that_nobody_wakes_is_a_lost_wakeup) {
  for (const verdict& v : {run_program<waiter<notifying::never>>(), run_program<waiter<notifying::before_store>>()}) {
    EXPECT_EQ(v.kind, violation::lost_wakeup) << v.message;
    EXPECT_NE(v.message.find("thread 0 sleeps on"), std::string::npos) << v.message;
  }
}

/// A notify by a thread that has not seen the write makes nobody eligible; a futex's wakes all the same.
template <bool Futex>
struct third_party {
  static constexpr unsigned threads = 3;
  model::atomic<int> flag;
  model::atomic<int> hint;
  void thread(unsigned i) {
    if (i == 0) {
      if (Futex) {
        while (flag.load(acquire) == 0) flag.futex_wait(0, relaxed);
      } else {
        flag.wait(0, acquire);
      }
    } else if (i == 1) {
      flag.store(1, release);
      hint.store(1, relaxed);
    } else {
      hint.await_change(0, relaxed);
      Futex ? flag.futex_wake_one() : flag.notify_one();
    }
  }
  void finish() {}
};
TEST(wait, is_not_woken_by_who_has_not_seen_the_write) {
  EXPECT_EQ(run_program<third_party<false>>().kind, violation::lost_wakeup);
}

/// Two wait, and one notify is not enough for both, unless it is for all.
template <bool All>
struct two_waiters {
  static constexpr unsigned threads = 3;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i != 0) return flag.wait(0, acquire);
    flag.store(1, release);
    All ? flag.notify_all() : flag.notify_one();
  }
  void finish() {}
};
TEST(wait, of_two_needs_two_wakeups) {
  EXPECT_EQ(run_program<two_waiters<false>>().kind, violation::lost_wakeup);
  const verdict v = run_program<two_waiters<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_EQ(v.executions, 5U);  // nobody slept; one of them did; both did, in two orders
}

/// notify_one wakes either of two: a program that relies on which is wrong.
struct which {
  static constexpr unsigned threads = 3;
  model::atomic<int> flag;
  model::atomic<int> woken;
  void thread(unsigned i) {
    if (i != 2) {
      flag.wait(0, relaxed);
      woken.fetch_or(1 << i, relaxed);
    } else {
      flag.store(1, relaxed);
      flag.notify_one();
      woken.await([](int w) { return w != 0; }, relaxed);
      flag.notify_one();
    }
  }
  void finish() {}
};
TEST(wait, of_two_is_ended_for_either) {
  std::array<bool, 4> first{};
  options o;
  o.observe = [&](const checker::detail::graph& g) {
    for (const auto id : g.thread(2)) {
      if (g[id].op.until != nullptr) first[g[id].value] = true;
    }
  };
  const verdict v = run_program<which>(o);
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_TRUE(first[1] && first[2] && first[3]);
}

/// A raw futex may wake spuriously: who does not look again is wrong. And a compare may find the value changed.
template <bool LooksAgain>
struct futex {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  model::plain<int> data;
  void thread(unsigned i) {
    if (i == 0) {
      if (LooksAgain) {
        while (flag.load(acquire) == 0) flag.futex_wait(0, relaxed);
      } else {
        flag.futex_wait(0, acquire);
      }
      model::check(data.read() == 5, "the data");
    } else {
      data.write(5);
      flag.store(1, release);
      flag.futex_wake_one();
    }
  }
  void finish() {}
};
TEST(futexes, wake_spuriously) {
  const verdict v = run_program<futex<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_EQ(run_program<futex<false>>().kind, violation::race);
}

/// Two tell each other something, compare what the other told, and wake the other. The kernel's compare is relaxed, and
/// the fence comes after it: so both may go to sleep, unless a fence stands before.
template <bool Fenced, bool Timed>
struct compares_after_telling {
  static constexpr unsigned threads = 2;
  std::array<model::atomic<int>, 2> told;
  void thread(unsigned i) {
    told[i].store(1, seq_cst);
    if (Fenced) model::fence(seq_cst);
    if (Timed) {
      told[1 - i].futex_wait_for(0, std::chrono::nanoseconds(1), seq_cst);
    } else {
      told[1 - i].futex_wait(0, seq_cst);
    }
    told[i].futex_wake_all();
  }
  void finish() {}
};
TEST(futexes, compare_relaxed_whatever_the_order) {
  const options untimed{.timeouts = false};
  EXPECT_EQ((run_program<compares_after_telling<false, false>>().outcome), outcome::violation);
  EXPECT_EQ((run_program<compares_after_telling<false, true>>(untimed).outcome), outcome::violation);
  EXPECT_EQ((run_program<compares_after_telling<true, false>>().outcome), outcome::ok);
  EXPECT_EQ((run_program<compares_after_telling<true, true>>(untimed).outcome), outcome::ok);
}

/// And a fence follows, though nobody slept.
template <order Order>
struct compares_before_reading {
  static constexpr unsigned threads = 2;
  model::plain<int> data;
  model::atomic<int> flag;
  model::atomic<int> unrelated{1};
  void thread(unsigned i) {
    if (i == 0) {
      data.write(5);
      flag.store(1, release);
    } else if (flag.load(relaxed) == 1) {
      unrelated.futex_wait(0, Order);
      (void)data.read();
    }
  }
  void finish() {}
};
TEST(futexes, end_with_a_fence) {
  EXPECT_EQ(run_program<compares_before_reading<acquire>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<compares_before_reading<relaxed>>().kind, violation::race);
}

/// Time limits: what only they save is a lost wake-up without them.
struct limited {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, release);  // and does not notify
    while (!flag.wait_for(0, std::chrono::nanoseconds(1), acquire)) {
    }
  }
  void finish() {}
};
TEST(futexes, with_a_time_limit) {
  EXPECT_EQ(run_program<limited>().outcome, outcome::ok) << run_program<limited>().message;
  EXPECT_EQ(run_program<limited>({.timeouts = false}).kind, violation::lost_wakeup);
}

/// The word that was waited on is gone when it is notified ([atomics.wait] has no answer; a futex needs only its
/// address).
template <bool Futex>
struct gone {
  static constexpr unsigned threads = 2;
  struct event {
    model::atomic<int> flag;
  };
  event* shared = ::new (model::memory()->allocate(sizeof(event), alignof(event))) event;
  void thread(unsigned i) {
    event* e = shared;
    if (i == 1) {
      e->flag.store(1, release);
      Futex ? e->flag.futex_wake_one() : e->flag.notify_one();
      return;
    }
    if (Futex) {
      while (e->flag.load(acquire) == 0) e->flag.futex_wait(0, relaxed);
    } else {
      e->flag.wait(0, acquire);
    }
    e->~event();
    model::memory()->deallocate(e, sizeof(event), alignof(event));
  }
  void finish() {}
};
TEST(notify, of_what_is_destroyed) {
  const violation v = run_program<gone<false>>().kind;
  EXPECT_TRUE(v == violation::race || v == violation::use_after_free);
  EXPECT_EQ(run_program<gone<true>>().outcome, outcome::ok)
      << run_program<gone<true>>().message << run_program<gone<true>>().trace;
}

/// Dekker with sleeping: the waiter announces itself, the waker looks for it, and only a fence on each side will do.
template <bool Fenced>
struct parking {
  static constexpr unsigned threads = 2;
  model::atomic<int> work;
  model::atomic<int> parked;
  model::atomic<int> word;
  void thread(unsigned i) {
    if (i == 0) {
      parked.store(1, relaxed);
      if (Fenced) model::fence(seq_cst);
      if (work.load(relaxed) != 0) return;
      word.wait(0, relaxed);
    } else {
      work.store(1, relaxed);
      if (Fenced) model::fence(seq_cst);
      if (parked.load(relaxed) == 0) return;
      word.store(1, relaxed);
      word.notify_one();
    }
  }
  void finish() {}
};
TEST(parking, needs_its_fences) {
  EXPECT_EQ(run_program<parking<true>>().outcome, outcome::ok) << run_program<parking<true>>().message;
  EXPECT_EQ(run_program<parking<false>>().kind, violation::deadlock);  // the word never changes: nobody was seen
}

/// A thread is stopped for good: with a lock in its hand, others wait; without one, they do not.
template <bool Lock>
struct counter {
  static constexpr unsigned threads = 2;
  model::mutex m;
  model::atomic<int> n;
  void thread(unsigned) {
    if (Lock) {
      m.lock();
      n.store(n.load(relaxed) + 1, relaxed);
      m.unlock();
    } else {
      int seen = n.load(relaxed);
      while (!n.compare_exchange(seen, seen + 1, relaxed, relaxed)) {
      }
    }
  }
  void finish() {}
};
template <class Program>
verdict stalled(unsigned thread, unsigned& last) {
  for (last = 0;; ++last) {
    const verdict v = run_program<Program>({.stalled = {thread, last}});
    if (v.outcome != outcome::ok || !v.stalled) return v;
  }
}
TEST(stalls, are_tolerated_by_what_is_lock_free) {
  unsigned steps = 0;
  EXPECT_EQ(stalled<counter<false>>(0, steps).outcome, outcome::ok);
  EXPECT_EQ(steps, 3U);  // a load, a compare-exchange that may fail once
}
TEST(stalls, are_not_by_what_locks) {
  unsigned steps = 0;
  const verdict v = stalled<counter<true>>(0, steps);
  EXPECT_EQ(v.kind, violation::deadlock);
  EXPECT_EQ(steps, 1U);  // it has locked
  EXPECT_NE(v.message.find("thread 0 was stopped after 1 steps"), std::string::npos) << v.message;
}

/// Fails again though nothing has happened since.
struct stubborn {
  static constexpr unsigned threads = 2;
  model::atomic<int> n;
  void thread(unsigned i) {
    if (i == 0) return n.store(7, relaxed);
    for (int tries = 0; tries != 2; ++tries) {
      int expected = 0;
      n.compare_exchange(expected, 1, relaxed, relaxed);
    }
  }
  void finish() {}
};
TEST(stalls, and_retries_that_nobody_else_has_paid_for) {
  unsigned steps = 0;
  EXPECT_EQ(stalled<stubborn>(0, steps).kind, violation::retries);
}

template <unsigned Stated>
struct stated {
  static constexpr unsigned threads = 2;
  model::atomic<int> n;
  void thread(unsigned) {
    model::within(Stated, [&] {
      n.fetch_add(1, relaxed);
      n.load(relaxed);
    });
  }
  void finish() {}
};
TEST(steps, are_counted) {
  EXPECT_EQ(run_program<stated<2>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<stated<1>>().kind, violation::steps);
}

}  // namespace
}  // namespace licit::checker_test
