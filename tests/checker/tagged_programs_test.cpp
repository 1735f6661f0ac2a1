/// Every client program of the tagged deque, with symmetric and with asymmetric fences, and every must-fail mutant,
/// under the exhaustive checker.
#include <array>
#include <cstdio>
#include <string>
#include <type_traits>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/tagged/asymmetric.hpp"
#include "programs/tagged/mutants.hpp"
#include "programs/tagged/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::ending;
using checker::release_sequences;

struct symmetric {
  using programs = models::tagged_programs;
  using broken = models::tagged_broken_programs;
  using orders = models::live_orders<tagged_orders>;
  static constexpr auto& mutants = models::tagged_mutants;
};
struct asymmetric {
  using programs = models::tagged_asymmetric_programs;
  using broken = models::tagged_asymmetric_broken_programs;
  using orders = models::live_orders<tagged_asymmetric_orders>;
  static constexpr auto& mutants = models::tagged_asymmetric_mutants;
};

template <class Fences>
class tagged_programs : public testing::Test {
 protected:
  void SetUp() override { Fences::orders::reset(); }
  void TearDown() override { Fences::orders::reset(); }

  /// By how many of the programs.
  static unsigned caught(release_sequences rule) {
    unsigned by = 0;
    Fences::programs::each([&]<template <class> class Program>() {
      if (by == 0) by += checker::run<Program>({.sequences = rule}).end == ending::violation ? 1U : 0U;
    });
    return by;
  }
};

using both = testing::Types<symmetric, asymmetric>;
struct fence_names {
  template <class Fences>
  static std::string GetName(int /*index*/) {
    return std::is_same_v<Fences, symmetric> ? "symmetric" : "asymmetric";
  }
};
TYPED_TEST_SUITE(tagged_programs, both, fence_names);

TYPED_TEST(tagged_programs, are_right_in_every_execution) {
  expect_right_by_both_rules<typename TypeParam::programs>();
}

TYPED_TEST(tagged_programs, catch_every_mutant_of_a_row) {
  for (const models::mutant& m : TypeParam::mutants) {
    for (const release_sequences rule : rules) {
      TypeParam::orders::reset();
      TypeParam::orders::apply(m.what);
      // C++11's release sequences go on through a later store of the same thread.
      const bool old_rule_hides_it = m.name == "pop.reserve relaxed" && rule == release_sequences::cxx11;
      EXPECT_EQ(this->caught(rule) == 0, old_rule_hides_it) << m.name;
    }
  }
}

TYPED_TEST(tagged_programs, catch_every_broken_rule) {
  TypeParam::broken::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      EXPECT_EQ(checker::run<Program>({.sequences = rule}).end, ending::violation)
          << Program<checker::model>::about.name;
    }
  });
}

/// A thread is stopped for good before each of its steps in turn: the others do without it, and nothing is lost but
/// what it has in its hands.
TYPED_TEST(tagged_programs, do_without_any_thread) {
  TypeParam::programs::each([]<template <class> class Program>() {
    const auto about = Program<checker::model>::about;
    if (about.relacy == models::reach::sampled) return;  // too many executions for so many stops
    for (unsigned thread = 0; thread != about.threads; ++thread) {
      bool stopped = true;
      for (unsigned after = 0; stopped; ++after) {
        const checker::verdict v = checker::run<Program>({.stalled = {.thread = thread, .after = after}});
        ASSERT_EQ(v.end, ending::ok) << about.name << ", thread " << thread << " after " << after << ": " << v.message
                                     << "\n"
                                     << v.trace;
        EXPECT_EQ(v.blocked, 0U) << about.name;
        stopped = v.stalled;
      }
    }
  });
}

/// As `renewal`, and it says that a stopped owner has one item at most.
template <class Model>
struct renewal_that_withholds_nothing
    : models::on_tagged::client<models::on_tagged::short_tags<Model>, 8, 1, 2, false> {
  static constexpr unsigned threads = 2;

  renewal_that_withholds_nothing()
      : models::on_tagged::client<models::on_tagged::short_tags<Model>, 8, 1, 2, false>({.initial_capacity = 8}) {
    this->push(3), this->pop(), this->pop(), this->push(4), this->pop();
  }
  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else {
      this->steal();
    }
  }
  void finish() { this->settle(); }
};

/// What a thread that is stopped does keep from the others: the items that it is moving, and only those.
TEST(tagged_renewal, withholds_items_while_it_moves_them) {
  unsigned withheld = 0;
  bool stopped = true;
  for (unsigned after = 0; stopped; ++after) {
    const checker::verdict v = checker::run<renewal_that_withholds_nothing>({.stalled = {.thread = 0, .after = after}});
    stopped = v.end == ending::violation || v.stalled;
    if (v.end != ending::violation) continue;
    ++withheld;
    EXPECT_EQ(v.message, "nothing lost: an item was pushed and never taken");
  }
  EXPECT_GT(withheld, 0U);
}

}  // namespace
}  // namespace licit::checker_test
