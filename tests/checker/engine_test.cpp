/// What the engine reports beside the memory model: memory, waiting, loops, exceptions, programs that are no function
/// of what they read; and that it comes back in order.
#include <array>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "core/fiber.hpp"

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using checker::run_program;
using checker::verdict;
using checker::violation;
using enum order;

/// A thread hands an object to another, which frees it.
template <order Publish, bool FreeTwice, bool UseAfter>
struct hand_over {
  static constexpr unsigned threads = 2;
  struct object {
    model::plain<int> value{7};
  };
  model::atomic<object*> shared;

  void thread(unsigned i) {
    if (i == 0) {
      shared.store(::new (model::memory()->allocate(sizeof(object), alignof(object))) object, Publish);
      return;
    }
    object* mine = shared.load(acquire);
    if (mine == nullptr) return;
    model::check(mine->value.read() == 7, "the value");
    drop(mine);
    if constexpr (FreeTwice) model::memory()->deallocate(mine, sizeof(object), alignof(object));
    if constexpr (UseAfter) (void)mine->value.read();
    shared.store(nullptr, relaxed);
  }
  void finish() {
    if (object* left = shared.load(relaxed)) drop(left);
  }
  static void drop(object* o) {
    o->~object();
    model::memory()->deallocate(o, sizeof(object), alignof(object));
  }
};

TEST(memory, is_handed_over) {
  const auto v = run_program<hand_over<release, false, false>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_EQ(v.executions, 2U);  // the publication is seen or not
}
TEST(memory, that_is_published_relaxed_races) {
  EXPECT_EQ((run_program<hand_over<relaxed, false, false>>().kind), violation::race);
}
TEST(memory, freed_twice) { EXPECT_EQ((run_program<hand_over<release, true, false>>().kind), violation::bad_free); }
TEST(memory, used_after_it_was_freed) {
  EXPECT_EQ((run_program<hand_over<release, false, true>>().kind), violation::use_after_free);
}

struct leaky {
  static constexpr unsigned threads = 1;
  void thread(unsigned) { (void)model::memory()->allocate(24, 8); }
  void finish() {}
};
TEST(memory, that_nobody_frees) {
  const auto v = run_program<leaky>();
  EXPECT_EQ(v.kind, violation::leak);
  EXPECT_NE(v.message.find("24 bytes"), std::string::npos) << v.message;
  EXPECT_EQ(run_program<leaky>({.leaks = false}).outcome, outcome::ok);
}

/// One frees what the other may still be reading.
struct freed_in_use {
  static constexpr unsigned threads = 2;
  model::atomic<model::atomic<int>*> shared{::new (model::memory()->allocate(sizeof(model::atomic<int>), 8))
                                                model::atomic<int>{1}};
  void thread(unsigned i) {
    if (i == 0) {
      if (auto* p = shared.load(acquire)) (void)p->load(relaxed);
    } else {
      model::memory()->deallocate(shared.exchange(nullptr, acq_rel), sizeof(model::atomic<int>), 8);
    }
  }
  void finish() {}
};
TEST(memory, freed_while_in_use) { EXPECT_EQ(run_program<freed_in_use>().kind, violation::race); }

/// A thread awaits a flag that another may or may not raise.
template <bool Raised>
struct awaiting {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  model::plain<int> data;
  void thread(unsigned i) {
    if (i == 0) {
      flag.await([](int v) { return v != 0; }, acquire);
      model::check(data.read() == 5, "the data");
    } else {
      data.write(5);
      flag.store(Raised ? 1 : 0, release);
    }
  }
  void finish() {}
};
TEST(waiting, ends_when_the_value_comes) {
  const auto v = run_program<awaiting<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 1U);
  EXPECT_EQ(v.blocked, 1U);
}
TEST(waiting, for_ever_is_a_deadlock) { EXPECT_EQ(run_program<awaiting<false>>().kind, violation::deadlock); }

struct throwing {
  static constexpr unsigned threads = 1;
  void thread(unsigned) { throw std::runtime_error("out of coffee"); }
  void finish() {}
};
TEST(exceptions, that_leave_a_thread) {
  const auto v = run_program<throwing>();
  EXPECT_EQ(v.kind, violation::exception);
  EXPECT_NE(v.message.find("out of coffee"), std::string::npos);
}

struct fickle {
  static constexpr unsigned threads = 2;
  static inline int runs = 0;
  model::atomic<int> x;
  fickle() { ++runs; }
  void thread(unsigned i) {
    if (i == 0) x.store(runs, relaxed);
    if (i == 1) x.load(relaxed);
  }
  void finish() {}
};
TEST(programs, that_are_not_deterministic_are_named) {
  EXPECT_EQ(run_program<fickle>().kind, violation::nondeterministic);
}

struct crowd {
  static constexpr unsigned threads = 9;
  void thread(unsigned) {}
  void finish() {}
};
TEST(programs, with_too_many_threads_are_refused) { EXPECT_THROW(run_program<crowd>(), std::invalid_argument); }
TEST(programs, without_the_thread_that_is_to_stop_are_refused) {
  EXPECT_THROW(run_program<fickle>({.stalled = {.thread = 99}}), std::invalid_argument);
}

/// One thread stores many times; the other, which catches everything, reads once.
template <int Wrong, bool Fences>
struct many_stores {
  static constexpr unsigned threads = 2;
  static constexpr int stores = 260;
  model::atomic<int> x;
  model::atomic<int> y;
  void thread(unsigned i) {
    try {
      if (i == 0) {
        for (int k = 1; k <= stores; ++k) {
          x.store(k);
          if (Fences && k % 100 == 0) model::fence(seq_cst);
        }
        model::check(y.load() == 1 || x.load() == stores, "");
      } else {
        y.store(1);
        model::check(x.load() != Wrong, "that value");
      }
    } catch (...) {
    }
  }
  void finish() {}
};
TEST(programs, may_have_any_number_of_seq_cst_events) {
  using right = many_stores<-1, false>;
  const verdict ok = run_program<right>();
  EXPECT_EQ(ok.outcome, outcome::ok) << ok.message;
  EXPECT_TRUE(ok.exhaustive);
  // The load reads the last store, and y is 0 or 1; or an earlier one, and then y is 1.
  EXPECT_EQ(ok.executions, right::stores + 2U);
  for (const verdict& v : {run_program<many_stores<5, false>>(), run_program<many_stores<260, true>>()}) {
    EXPECT_EQ(v.message, "that value");
  }
}

struct atomics {
  static constexpr unsigned threads = 1;
  std::vector<model::atomic<int>> all = std::vector<model::atomic<int>>(70'000);
  void thread(unsigned) {}
  void finish() {}
};
TEST(programs, with_too_many_atomics_are_refused) {
  const verdict v = run_program<atomics>();
  EXPECT_EQ(v.kind, violation::unsupported) << v.message;
  EXPECT_EQ(v.message, "the program has more than 65535 atomics and plain cells");
}

enum class reading { guess, plainly };

/// A slot is reused once its item was claimed; two threads guess what is in it, and one of them claims it.
template <reading How, order Claim, unsigned Owner = 0>
struct reused_slot {
  static constexpr unsigned threads = 3;
  model::atomic<int> claimed;
  model::ghost slot;
  void thread(unsigned i) {
    if (i == Owner) {
      if (claimed.load(acquire) == 1) slot.write();
      return;
    }
    if (How == reading::guess) {
      slot.guess();
    } else {
      slot.read();
    }
    int expected = 0;
    model::ghost::claim(claimed.compare_exchange(expected, 1, Claim, relaxed));
  }
  void finish() {}
};
TEST(ghosts, of_a_claim_that_releases_are_right) {
  const auto v = run_program<reused_slot<reading::guess, release>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
}
TEST(ghosts, of_a_claim_that_does_not_release_race) {
  EXPECT_EQ((run_program<reused_slot<reading::guess, acquire, 0>>().kind), violation::race);
  EXPECT_EQ((run_program<reused_slot<reading::guess, acquire, 2>>().kind),
            violation::race);  // the claim is there first
}
TEST(ghosts, that_are_no_guesses_race_where_the_loser_reads) {
  EXPECT_EQ((run_program<reused_slot<reading::plainly, release>>().kind), violation::race);
}

/// A message by release and acquire, as a template over the model.
template <class Model>
struct message {
  static constexpr unsigned threads = 2;
  typename Model::template plain<int> data;
  typename Model::template atomic<int> flag;
  void thread(unsigned i) {
    if (i == 0) {
      data.write(42);
      flag.store(1, licit::order::release);
    } else if (flag.load(licit::order::acquire) == 1) {
      Model::check(data.read() == 42, "the message has arrived");
    }
  }
  void finish() {}
};
TEST(programs, are_templates_over_the_model) {
  const auto v = checker::run<message>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 2U);
}

/// Values survive: sizes, signs, pointers, and all the updates.
struct values {
  static constexpr unsigned threads = 1;
  model::atomic<signed char> small{-1};
  model::atomic<std::int64_t> large{-5};
  model::atomic<bool> flag{true};
  void thread(unsigned) {
    model::check(small.fetch_add(1, relaxed) == -1 && small.load(relaxed) == 0, "char");
    model::check(small.fetch_sub(1, relaxed) == 0 && small.load(relaxed) == -1, "wraps");
    model::check(large.exchange(3, relaxed) == -5 && large.fetch_or(4, relaxed) == 3, "exchange and or");
    model::check(large.fetch_and(6, relaxed) == 7 && large.fetch_xor(1, relaxed) == 6, "and and xor");
    std::int64_t expected = 8;
    model::check(!large.compare_exchange(expected, 9, relaxed, relaxed) && expected == 7, "fails and tells");
    model::check(large.compare_exchange(expected, -9, relaxed, relaxed) && large.load(seq_cst) == -9, "succeeds");
    model::check(flag.load(relaxed), "bool");
  }
  void finish() { model::check(large.load(relaxed) == -9 && small.load(relaxed) == -1, "at the end"); }
};
TEST(values, survive) {
  const auto v = run_program<values>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 1U);
}

/// Many writers and a reader: for the limits.
struct busy {
  static constexpr unsigned threads = 4;
  model::atomic<int> x;
  void thread(unsigned) {
    x.fetch_add(1, relaxed);
    x.fetch_add(1, relaxed);
  }
  void finish() { model::check(x.load(relaxed) == 8, "an update was lost"); }
};
TEST(limits, are_told) {
  const auto v = run_program<busy>({.max_executions = 100});
  EXPECT_EQ(v.outcome, outcome::limit);
  EXPECT_EQ(v.executions, 100U);
  EXPECT_EQ(run_program<busy>().executions, 2520U);  // 8! / 2!^4
}

/// How each execution of a program ended, in the order in which they were explored.
using endings = std::vector<std::string>;

/// Threads that allocate, compute on their stacks, guess, sleep and call by name.
template <bool SelfContained>
struct eventful {
  static constexpr unsigned threads = 3;
  static constexpr bool self_contained = SelfContained;
  static inline endings* seen = nullptr;

  void thread(unsigned i) {
    std::array<int, 4> read{};
    int* const mine = std::pmr::polymorphic_allocator<int>(model::memory()).allocate(1);
    *mine = 0;
    for (int& r : read) {
      if (!model::leaves_out("update")) r = i == 2 ? x_.load(acquire) : x_.fetch_add(1, acq_rel);
      if (i != 2 && &r == read.data()) break;
      *mine = *mine * 10 + r;
    }
    if (i == 0) {
      const std::unique_ptr<model::plain<int>> cell = std::make_unique<model::plain<int>>(5);  // from operator new
      slot_.write();
      flag_.wait(0);
      x_.store(7, release);
      sum_[0] = cell->read();
    } else if (i == 1) {
      flag_.store(1);
      flag_.notify_one();
      slot_.guess();
      model::ghost::claim(false);
    } else {
      sum_[2] = *mine;
    }
    sum_[i] += read.front();
    std::pmr::polymorphic_allocator<int>(model::memory()).deallocate(mine, 1);
  }
  void finish() {
    std::string text;
    for (const int s : sum_) text += std::to_string(s) + " ";
    seen->push_back(text + std::to_string(x_.load()));
  }

 private:
  model::atomic<int> x_{0};
  model::atomic<int> flag_{0};
  model::ghost slot_;
  std::array<int, threads> sum_{};
};

/// A thread that sleeps is woken by what a revisit keeps, and the read that is revisited came while it slept.
template <bool SelfContained>
struct woken_by_a_revisit {
  static constexpr unsigned threads = 3;
  static constexpr bool self_contained = SelfContained;
  static inline endings* seen = nullptr;

  void thread(unsigned i) {
    if (i == 0) {
      x_.store(1);
      flag_.wait(0);
      x_.store(2);
    } else if (i == 1) {
      read_ = x_.load();
    } else {
      flag_.store(1);
      flag_.notify_one();
    }
  }
  void finish() { seen->push_back(std::to_string(read_)); }

 private:
  model::atomic<int> x_{0};
  model::atomic<int> flag_{0};
  int read_ = 0;
};

/// A write wakes thread 1, whose access an image was made before, and revisits thread 2's read. Thread 2 goes on.
template <bool SelfContained>
struct revisited_beside_a_sleeper {
  static constexpr unsigned threads = 4;
  static constexpr bool self_contained = SelfContained;
  static inline endings* seen = nullptr;

  void thread(unsigned i) {
    if (i == 0) {
      choice_.store(1);
    } else if (i == 1) {
      read_[0] = choice_.load(relaxed);
      flag_.wait(0);
      last_.store(1, relaxed);
    } else if (i == 2) {
      read_[1] = x_.load(relaxed);
      read_[2] = last_.load(relaxed);
    } else {
      flag_.store(1);
      flag_.notify_one();
      x_.store(1, relaxed);
    }
  }
  void finish() { seen->push_back(std::to_string(read_[0]) + std::to_string(read_[1]) + std::to_string(read_[2])); }

 private:
  model::atomic<int> choice_{0}, flag_{0}, x_{0}, last_{0};
  std::array<int, 3> read_{};
};

/// Thread 1 notifies, which lets thread 0 go on, whose read is then revisited. In a replay from the beginning thread 1
/// is the last to come to where it was, and goes on.
template <bool SelfContained>
struct revisited_beside_one_who_notifies {
  static constexpr unsigned threads = 4;
  static constexpr bool self_contained = SelfContained;
  static inline endings* seen = nullptr;

  void thread(unsigned i) {
    if (i == 0) {
      begun_.wait(0, relaxed);
      late_.store(1, relaxed);
      read_[0] = x_.load(relaxed);
      last_.store(1, relaxed);
    } else if (i == 1) {
      read_[1] = told_.load(relaxed);
      nobody_.notify_all();
      read_[2] = last_.load(relaxed);
    } else if (i == 2) {
      x_.store(1, relaxed);
      begun_.store(1, relaxed);
      begun_.notify_all();
      x_.store(2, relaxed);
    } else if (late_.load(relaxed) == 1) {
      told_.store(1, relaxed);
    }
  }
  void finish() { seen->push_back(std::to_string(read_[0]) + std::to_string(read_[1]) + std::to_string(read_[2])); }

 private:
  model::atomic<int> begun_{0}, late_{0}, x_{0}, last_{0}, told_{0}, nobody_{0};
  std::array<int, 3> read_{};
};

/// Threads that count on the heap, which is not put back, while others' accesses are in either order.
template <bool SelfContained>
struct counts_on_the_heap {
  static constexpr unsigned threads = 3;
  static constexpr bool self_contained = SelfContained;
  static inline endings* seen = nullptr;

  void thread(unsigned i) {
    const auto rounds = std::make_unique<int>(0);
    for (int round = 0; round != 2; ++round) {
      sum_[i] = 10 * sum_[i] + x_.fetch_add(1);
      ++*rounds;
    }
    model::check(*rounds == 2, "each round is counted once");
  }
  void finish() {
    std::string text;
    for (const int s : sum_) text += std::to_string(s) + " ";
    seen->push_back(std::move(text));
  }

 private:
  model::atomic<int> x_{0};
  std::array<int, threads> sum_{};
};

template <template <bool> class Program, bool SelfContained>
std::pair<verdict, endings> explored_all() {
  endings seen;
  Program<SelfContained>::seen = &seen;
  verdict v = run_program<Program<SelfContained>>();
  return {std::move(v), std::move(seen)};
}

template <template <bool> class Program>
void expect_the_same() {
  const auto [v, seen] = explored_all<Program, true>();
  const auto [from_beginning, others] = explored_all<Program, false>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.trace;
  EXPECT_GT(v.executions, 2U);
  EXPECT_EQ(v.executions, from_beginning.executions);
  EXPECT_EQ(v.blocked, from_beginning.blocked);
  EXPECT_EQ(v.rejected, from_beginning.rejected);
  EXPECT_EQ(seen, others);
}

TEST(going_back, has_the_executions_that_running_from_the_beginning_has) { expect_the_same<eventful>(); }
TEST(going_back, is_not_into_the_life_of_what_is_on_the_heap) { expect_the_same<counts_on_the_heap>(); }
TEST(going_back, lets_go_on_whose_read_was_revisited) { expect_the_same<revisited_beside_a_sleeper>(); }
TEST(going_back, lets_go_on_who_notified) { expect_the_same<revisited_beside_one_who_notifies>(); }
TEST(going_back, wakes_who_slept) { expect_the_same<woken_by_a_revisit>(); }

/// The object is put back where executions part, so it is constructed less often than there are executions.
template <bool SelfContained>
struct counting_its_lives {
  static constexpr unsigned threads = 4;
  static constexpr bool self_contained = SelfContained;
  static inline unsigned lives = 0;
  counting_its_lives() { ++lives; }
  void thread(unsigned /*i*/) { x_.fetch_add(1); }
  void finish() { model::check(x_.load() == threads, "all of them"); }

 private:
  model::atomic<int> x_{0};
};

TEST(going_back, is_for_programs_that_say_that_they_can) {
  EXPECT_EQ(run_program<counting_its_lives<true>>().executions, 24U);
  EXPECT_EQ(counting_its_lives<true>::lives, checker::detail::under_asan ? 24U : 1U);
  EXPECT_EQ(run_program<counting_its_lives<false>>().executions, 24U);
  EXPECT_EQ(counting_its_lives<false>::lives, 24U);
}

}  // namespace
}  // namespace licit::checker_test
