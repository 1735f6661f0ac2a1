/// What the interpreter makes of C.
#include "checker/litmus/interpreter.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "checker/litmus/ast.hpp"
#include "checker/litmus/explore.hpp"

namespace licit::litmus_test {
namespace {

using litmus::answer;
using litmus::operation;
using litmus::quantifier;
using litmus::value;

litmus::verdict outcome_of(const std::string& body, const std::string& condition, const litmus::options& o = {}) {
  return litmus::explore(litmus::parse("C t\n{}\nP0 (atomic_int* x, int* y) {" + body + "}\n" + condition), o);
}

/// The condition, of a program with one execution.
bool true_of(const std::string& body, const std::string& condition) {
  const litmus::verdict got = outcome_of(body, "forall (" + condition + ")");
  EXPECT_EQ(got.message, "");
  EXPECT_EQ(got.executions, 1U);
  return got.holds(litmus::quantifier::forall) == answer::yes;
}

TEST(interpreter, precedence) {
  EXPECT_TRUE(true_of("int r = 1 + 2 * 3 - 4 / 2 % 2;", "0:r=7"));
  EXPECT_TRUE(true_of("int r = 1 << 2 + 1;", "0:r=8"));
  EXPECT_TRUE(true_of("int r = 1 | 2 ^ 3 & 2;", "0:r=1"));
  EXPECT_TRUE(true_of("int r = 10 - 3 - 2;", "0:r=5"));
  EXPECT_TRUE(true_of("int r = 1 < 2 == 2 > 1 && 3 != 4;", "0:r=1"));
  EXPECT_TRUE(true_of("int r = -2 * -(3 + ~0);", "0:r=4"));
  EXPECT_TRUE(true_of("int r = (int) 0x1f + (unsigned long) 1u;", "0:r=32"));
}

TEST(interpreter, assignments) {
  EXPECT_TRUE(
      true_of("int r = 1; int s = r++ + 1; int t = ++r; r += 4; r <<= 1; r -= 2;", "0:r=12 /\\ 0:s=2 /\\ 0:t=3"));
  EXPECT_TRUE(true_of("int r, s; r = s = 4; r--; --s;", "0:r=3 /\\ 0:s=3"));
  EXPECT_TRUE(true_of("*y = 2; *y += 3; int r = (*y) * 2;", "0:r=10 /\\ y=5"));
}

TEST(interpreter, logic_evaluates_no_more_than_it_needs) {
  EXPECT_TRUE(
      true_of("int r = 0 && atomic_fetch_add(x, 1); int s = 1 || atomic_fetch_add(x, 1);", "x=0 /\\ 0:r=0 /\\ 0:s=1"));
  EXPECT_TRUE(true_of("int r = 1 && atomic_fetch_add(x, 1) == 0;", "x=1 /\\ 0:r=1"));
}

TEST(interpreter, branches_and_loops) {
  EXPECT_TRUE(true_of("int r = 0; for (int i = 0; i < 5; i++) { if (i == 2) r += 10; else if (i > 2) r += 1; else {} }",
                      "0:r=12"));
  EXPECT_TRUE(true_of("int r = 3; int s = 0; while (r) { s += r; r--; }", "0:s=6"));
  EXPECT_TRUE(true_of("int r = 3; int s = 0; do { s += r; r--; } while (r > 1);", "0:s=5"));
  EXPECT_TRUE(true_of("int r = 0; do r++; while (0);", "0:r=1"));
  EXPECT_TRUE(true_of("for (;0;) { *y = 1; }", "y=0"));
}

TEST(interpreter, a_loop_without_end_is_blocked_at_the_bound) {
  const litmus::verdict got = outcome_of("while (1) { atomic_fetch_add(x, 1); }", "exists (x=1)");
  EXPECT_EQ(got.executions, 0U);
  EXPECT_EQ(got.blocked, 1U);
  EXPECT_EQ(outcome_of("int i = 0; while (i < 20) i++;", "exists true").blocked, 1U);
  EXPECT_EQ(outcome_of("int i = 0; while (i < 20) i++;", "exists true", {.unroll = 20}).blocked, 0U);
}

TEST(interpreter, a_loop_that_was_cut_leaves_open_what_no_execution_shows) {
  const litmus::verdict got = outcome_of("int i = 0; while (i < 20) i++; atomic_store(x, i);", "exists (x=20)");
  EXPECT_EQ(got.cut, 1U);
  for (const quantifier q : {quantifier::exists, quantifier::not_exists, quantifier::forall}) {
    EXPECT_EQ(got.holds(q), answer::unknown) << name(q);
  }
  const std::string loops = "C t {} P0 (atomic_int* x) { int i = 0; while (i < atomic_load(x)) i++; } ";
  const auto beside = [&](const std::string& condition) {
    return litmus::explore(litmus::parse(loops + "P1 (atomic_int* x) { atomic_store(x, 20); } " + condition));
  };
  EXPECT_EQ(beside("forall 0:i=0").holds(quantifier::forall), answer::unknown);
  EXPECT_EQ(beside("forall 0:i=1").holds(quantifier::forall), answer::no);
  EXPECT_EQ(beside("exists 0:i=0").holds(quantifier::exists), answer::yes);
  EXPECT_EQ(beside("exists 0:i=0").holds(quantifier::not_exists), answer::no);
}

TEST(interpreter, rounds_that_change_nothing_hide_nothing) {
  const auto cut = [](const std::string& loop, unsigned unroll = 4) {
    const litmus::verdict got =
        litmus::explore(litmus::parse("C t {} P0 (atomic_int* x, int* y) {" + loop +
                                      "} P1 (atomic_int* x, int* y) { atomic_store(x, 1); } ~exists (x=2)"),
                        {.unroll = unroll});
    EXPECT_GT(got.blocked, 0U) << loop;
    EXPECT_LE(got.cut, got.blocked);
    EXPECT_EQ(got.complete(), got.cut == 0);
    return got.cut != 0;
  };
  EXPECT_FALSE(cut("while (atomic_load(x) == 0) {}"));
  EXPECT_FALSE(cut("int r = 0; while (r == 0) { r = atomic_load(x); atomic_thread_fence(memory_order_acquire); }"));
  EXPECT_FALSE(cut("int r; do r = atomic_load(x); while (r == 0);"));
  EXPECT_FALSE(cut("int e = 1; while (!atomic_compare_exchange_weak(x, &e, 3)) e = 1;"));
  EXPECT_TRUE(cut("while (atomic_load(x) == 0) {}", 1)) << "a race may need one round more";
  EXPECT_TRUE(cut("int n = 0; while (atomic_load(x) == 0) n++;"));
  EXPECT_TRUE(cut("while (atomic_load(x) == 0) *y = 1;"));
  EXPECT_TRUE(cut("while (atomic_load(x) == 0) atomic_store(x, 0);"));
  EXPECT_TRUE(cut("while (atomic_exchange(x, 1) != 2) {}"));
  EXPECT_TRUE(cut("int n = 0; do { n++; } while (n < 9);"));
  EXPECT_TRUE(cut("int e; while (1) { e = 0; atomic_compare_exchange_strong(x, &e, 0); e = 0; }"));
}

TEST(interpreter, a_declaration_makes_a_new_variable) {
  EXPECT_TRUE(true_of("int s = 0; { int r = 1; } { int r; s = r; }", "0:s=0"));
  EXPECT_TRUE(true_of("int s = 0; for (int i = 0; i < 3; i++) { int r; s += r; r = 5; }", "0:s=0"));
  EXPECT_EQ(litmus::explore(litmus::parse("C t { 0:r=7; } P0 () { int r; } forall 0:r=7")).holds(quantifier::forall),
            answer::yes);
}

/// A thread beside one that never ends, so that every execution is blocked.
litmus::verdict beside_a_loop(const std::string& loop, const std::string& other) {
  return litmus::explore(litmus::parse("C t\n{}\nP0 (atomic_int* x, int* y) {" + loop +
                                       "}\nP1 (atomic_int* x, int* y) {" + other + "}\nexists true"));
}

TEST(interpreter, a_race_is_found_though_its_execution_is_blocked) {
  const litmus::verdict got = beside_a_loop("while (1) { *y = 1; }", "*y = 2;");
  EXPECT_EQ(got.executions, 0U);
  EXPECT_GT(got.blocked, 0U);
  EXPECT_EQ(got.race, "P0 and P1 on y");
  EXPECT_EQ(beside_a_loop("while (atomic_load(x) == 0) { *y = 1; }", "int r = *y;").race, "P0 and P1 on y");
}

TEST(interpreter, a_blocked_execution_without_a_race_has_none) {
  const litmus::verdict got = beside_a_loop("while (1) { int r = *y; }", "int r = *y;");
  EXPECT_EQ(got.executions, 0U);
  EXPECT_EQ(got.blocked, 1U);
  EXPECT_EQ(got.race, "");
}

TEST(interpreter, every_update) {
  EXPECT_TRUE(
      true_of("atomic_store(x, 6); int a = atomic_fetch_sub(x, 1); int b = atomic_fetch_or(x, 8);"
              "int c = atomic_fetch_and(x, 9); int d = atomic_fetch_xor(x, 3); int e = atomic_exchange(x, -1);",
              "0:a=6 /\\ 0:b=5 /\\ 0:c=13 /\\ 0:d=9 /\\ 0:e=10 /\\ x=-1"));
}

TEST(interpreter, flags) {
  EXPECT_TRUE(
      true_of("int a = atomic_flag_test_and_set(x); int b = atomic_flag_test_and_set_explicit(x, "
              "memory_order_acquire); atomic_flag_clear_explicit(x, memory_order_release);",
              "0:a=0 /\\ 0:b=1 /\\ x=0"));
  EXPECT_TRUE(
      litmus::parse("C t { atomic_flag f; } P0 (atomic_flag* f) { int flag = 1; } exists 0:flag=1").locations.size() ==
      1);
}

TEST(interpreter, a_failed_compare_exchange_tells_what_it_found) {
  EXPECT_TRUE(true_of("int e = 1; int r = atomic_compare_exchange_strong(x, &e, 5);", "0:r=0 /\\ 0:e=0 /\\ x=0"));
  EXPECT_TRUE(true_of("*y = 1; int r = atomic_compare_exchange_strong(x, y, 5);", "0:r=0 /\\ y=0 /\\ x=0"));
  EXPECT_TRUE(true_of("int r = atomic_compare_exchange_strong(x, y, 5);", "0:r=1 /\\ y=0 /\\ x=5"));
}

TEST(interpreter, what_c_leaves_undefined_is_an_error) {
  EXPECT_NE(outcome_of("int r = 1 / *y;", "exists true").message.find("division by zero"), std::string::npos);
  EXPECT_NE(outcome_of("int r = 1 << 64;", "exists true").message.find("shift by 64"), std::string::npos);
  const auto message = [](const std::string& line) {
    return litmus::explore(litmus::parse("C t\n{}\nP0 (int* y) {\nint r = 2;\n" + line + "\n}\nexists true")).message;
  };
  EXPECT_EQ(message("r = 2 + r / *y;"), "line 5: division by zero");
  EXPECT_EQ(message("r %= *y;"), "line 5: division by zero");
  EXPECT_EQ(message("int s = 1 + 1\n << (r * 40);"), "line 6: shift by 80");
  EXPECT_THROW(litmus::combine(operation::divide, std::numeric_limits<value>::min(), -1), std::domain_error);
  EXPECT_THROW(litmus::combine(operation::remainder, 1, 0), std::domain_error);
  EXPECT_EQ(litmus::combine(operation::add, std::numeric_limits<value>::max(), 1), std::numeric_limits<value>::min());
}

TEST(interpreter, computed_addresses) {
  const auto of = [](const std::string& body, const std::string& condition) {
    return litmus::explore(litmus::parse("C t\n{ int a[4] = {5, 6, 7, 8}; }\nP0 (int* a, atomic_int* x) {\n" + body +
                                         "}\nforall (" + condition + ")"));
  };
  for (const auto& [body, condition] : std::vector<std::pair<std::string, std::string>>{
           {"int r = 1; int s = a[r + 1] - *(a + r);", "0:s=1"},
           {"int r = 3; int s = *(a + r - 1) * 2 + *a;", "0:s=19"},
           {"int r = 2; a[r] = a[a[0] - 5] + a[3]; a[r] += 1;", "a[2]=14"},
           {"int r = 1; int s = atomic_fetch_add(a + r, 4) + atomic_exchange(&a[r + 1], 9);",
            "0:s=13 /\\ a[1]=10 /\\ a[2]=9"},
           {"int r = 3; int e = 8; int s = atomic_compare_exchange_strong(a + r, &e, 1);", "0:s=1 /\\ a[3]=1"},
           {"int r = 0; atomic_store((x + r), 2);", "x=2"}}) {
    const litmus::verdict got = of(body, condition);
    EXPECT_EQ(got.message, "") << body;
    EXPECT_EQ(got.holds(litmus::quantifier::forall), answer::yes) << body;
  }
  EXPECT_NE(of("int r = 4;\nint s = a[r];", "true").message.find("line 5: a has 4 elements: there is no a[4]"),
            std::string::npos)
      << of("int r = 4;\nint s = a[r];", "true").message;
  EXPECT_NE(
      of("int r = 1;\natomic_store(x - r, 1);", "true").message.find("line 5: x has 1 element: there is no x[-1]"),
      std::string::npos);
}

TEST(interpreter, a_limit_is_reported) {
  const auto t = litmus::parse(
      "C t {} P0 (atomic_int* x) { atomic_fetch_add(x, 1); } P1 (atomic_int* x) { atomic_fetch_add(x, 1); } forall "
      "x=2");
  EXPECT_EQ(litmus::explore(t).outcome, checker::outcome::ok);
  const litmus::verdict stopped = litmus::explore(t, {.max_executions = 1});
  EXPECT_EQ(stopped.outcome, checker::outcome::limit);
  EXPECT_EQ(stopped.holds(quantifier::forall), answer::unknown);
  EXPECT_EQ(stopped.holds(quantifier::exists), answer::yes);
  EXPECT_EQ(stopped.holds(quantifier::not_exists), answer::no);
}

TEST(interpreter, a_filter_leaves_executions_out) {
  const std::string program =
      "C t {} P0 (atomic_int* x) { atomic_store(x, 1); } P1 (atomic_int* x) { int r = atomic_load(x); } ";
  EXPECT_EQ(litmus::explore(litmus::parse(program + "forall true")).executions, 2U);
  const litmus::verdict got = litmus::explore(litmus::parse(program + "filter (1:r=1) forall 1:r=1"));
  EXPECT_EQ(got.executions, 1U);
  EXPECT_EQ(got.holds(litmus::quantifier::forall), answer::yes);
}

TEST(interpreter, a_fence_does_not_synchronise_through_a_plain_flag) {
  const litmus::verdict got = litmus::explore(
      litmus::parse("C t {} P0 (int* x, int* y) { *x = 1; atomic_thread_fence(memory_order_release); *y = 1; }"
                    "P1 (int* x, int* y) { int r = *y; atomic_thread_fence(memory_order_acquire); int s = *x; }"
                    "exists (1:r=1 /\\ 1:s=0)"));
  EXPECT_TRUE(got.reachable());
  EXPECT_EQ(got.executions, 4U);
  EXPECT_FALSE(got.race.empty());
}

}  // namespace
}  // namespace licit::litmus_test
