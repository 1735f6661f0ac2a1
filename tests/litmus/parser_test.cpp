/// What the reader accepts, and what it says of what it does not.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "checker/litmus/ast.hpp"

namespace licit::litmus_test {
namespace {

using litmus::condition;
using litmus::parse;
using litmus::parse_all;
using litmus::quantifier;
using litmus::syntax_error;
using litmus::test;

/// "line:column: message", or nothing for a file in order.
std::string error_of(const std::string& source) {
  try {
    parse(source);
  } catch (const litmus::syntax_error& e) {
    return std::to_string(e.where().line) + ":" + std::to_string(e.where().column) + ": " + e.what();
  }
  return "";
}

/// Of a file whose P0 has this body, on line 3.
std::string error_in(const std::string& body) {
  return error_of("C t\n{}\nP0 (atomic_int* x) {" + body + "}\nexists (x=1)");
}

TEST(parser, header) {
  const test t = parse(
      "C MP+na.rel-acq[x]\n\"a description\"\nCycle=Rfe PodRR Fre\n(* and a comment *)\n{}\n"
      "P0 (int* x) {}\nexists (x=1)\n");
  EXPECT_EQ(t.name, "MP+na.rel-acq[x]");
  EXPECT_EQ(t.description, "a description");
  EXPECT_EQ(t.threads.size(), 1U);
  EXPECT_FALSE(t.expected);
  EXPECT_EQ(parse("(* first *)\r\nC t {\r\n}\r\nP0 (int* x) {}\r\nexists (x=1)\r\n").name, "t");
}

TEST(parser, init_block) {
  const test t = parse(
      "C t\n{ x=1; [y] = -2; atomic_int z = 0x10; int* w; volatile int v = 3;; 0:r = 7; }\n"
      "P0 (atomic_int* x, int* u) { int r; }\nexists (u=1)");
  ASSERT_EQ(t.locations.size(), 6U);
  const std::vector<std::pair<std::string, litmus::value>> expected{{"x", 1}, {"y", -2}, {"z", 16},
                                                                    {"w", 0}, {"v", 3},  {"u", 0}};
  for (std::size_t i = 0; i != expected.size(); ++i) {
    EXPECT_EQ(t.locations[i].name, expected[i].first);
    EXPECT_EQ(t.locations[i].initial, expected[i].second);
  }
  EXPECT_EQ(t.threads[0].initial, std::vector<litmus::value>{7});
}

TEST(parser, types_of_parameters_and_variables) {
  EXPECT_EQ(error_of("C t {} P0 (volatile int* x, _Atomic(int)* y, _Atomic int *z, atomic_uint_least32_t* q, "
                     "const atomic_long* l, int** p) { unsigned int r0 = 1, r1; uint64_t s = 2; _Bool b = true; } "
                     "P1 (void) {} P2 () {} exists (0:b=1)"),
            "");
}

TEST(parser, orders) {
  EXPECT_EQ(error_in("atomic_load_explicit(x, memory_order_consume);"), "");
  const test t = parse(
      "C t {} P0 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_release); "
      "int r = 0; atomic_compare_exchange_weak_explicit(x, &r, 2, memory_order_acq_rel, "
      "memory_order_acquire); atomic_store(x, 1); atomic_thread_fence(memory_order_relaxed); } forall x=1");
  const auto& body = t.threads[0].body.body;
  EXPECT_EQ(body[0].expressions[0].success, order::release);
  EXPECT_EQ(body[2].expressions[0].success, order::acq_rel);
  EXPECT_EQ(body[2].expressions[0].failure, order::acquire);
  EXPECT_TRUE(body[2].expressions[0].weak);
  EXPECT_EQ(body[3].expressions[0].success, order::seq_cst);
}

TEST(parser, quantifiers_and_conditions) {
  const std::string program = "C t {} P0 (int* x, int* y) { int r0; } ";
  EXPECT_EQ(parse(program + "exists x=1").quantified, quantifier::exists);
  EXPECT_EQ(parse(program + "~exists (x=1)").quantified, quantifier::not_exists);
  EXPECT_EQ(parse(program + "~ exists (x=1)").quantified, quantifier::not_exists);
  EXPECT_EQ(parse(program + "forall true").quantified, quantifier::forall);
  const test t = parse(program + R"(exists (0:r0=1 /\ [x]=-1 /\ not (y=2 \/ ~(x=3)) \/ false \/ x!=4))");
  ASSERT_EQ(t.final.what, condition::kind::disjunction);
  ASSERT_EQ(t.final.operands.size(), 3U);
  EXPECT_EQ(t.final.operands[0].what, condition::kind::conjunction);
  EXPECT_EQ(t.final.operands[0].operands.size(), 3U);
  ASSERT_EQ(t.observed.size(), 3U);
  EXPECT_EQ(name(t, t.observed[0]), "0:r0");
  EXPECT_EQ(name(t, t.observed[1]), "x");
  const auto all_ones = [](const litmus::variable&) { return 1; };
  EXPECT_TRUE(holds(t.final, all_ones));
  EXPECT_FALSE(holds(parse(program + "exists (x=1 /\\ ~(y=1))").final, all_ones));
}

TEST(parser, locations_and_filter) {
  const std::string program = "C t {} P0 (int* x, int* y) { int r0; } ";
  EXPECT_EQ(parse(program + "locations [x; 0:r0; y;] exists (x=1)").observed.size(), 3U);
  EXPECT_TRUE(parse(program + "filter (x=1) locations [x] exists (x=1)").filter);
  const test t = parse(program + "locations [x]");
  EXPECT_EQ(t.quantified, quantifier::forall);
  EXPECT_EQ(t.final.what, condition::kind::always);
}

TEST(parser, comments_and_parentheses_before_stars) {
  EXPECT_EQ(error_in("(* OCaml (* nested *) *) /* C */ // a line\n"), "");
  EXPECT_EQ(error_in("int r = (*x) + (*x * 2); if ((*x == 1)) {} (*no comment spaces*)"), "");
  EXPECT_EQ(error_in("/* not closed"), "3:21: expected '*/' to close this comment");
  EXPECT_EQ(error_in("\n (* (* *)"), "4:2: expected '*)' to close this comment");
}

TEST(parser, expectations) {
  const std::string rest = " C t {} P0 (int* x) {} exists (x=1)";
  const test t = parse("(* expect: allowed 12 blocked 3 race *)" + rest);
  ASSERT_TRUE(t.expected);
  EXPECT_TRUE(t.expected->allowed);
  EXPECT_EQ(t.expected->executions, 12U);
  EXPECT_EQ(t.expected->blocked, 3U);
  EXPECT_TRUE(t.expected->race);
  EXPECT_FALSE(parse(rest + "\n// expect: forbidden 4").expected->allowed);
  EXPECT_EQ(error_of("(* expect: allowed 1 *)\n(* expect: allowed 2 *)" + rest),
            "2:1: a second 'expect:' in the test t");
  EXPECT_EQ(error_of("\n(* expect: maybe *)" + rest),
            "2:1: in this comment: expected 'allowed' or 'forbidden' but found 'maybe'");
}

TEST(parser, malformed_headers_and_init_blocks) {
  EXPECT_EQ(error_of(""), "1:1: expected 'C' and the name of the test but found the end of the file");
  EXPECT_EQ(error_of("X86 SB\n{}"), "1:1: expected 'C' and the name of the test but found 'X86'");
  EXPECT_EQ(error_of("C\n{}"), "1:2: expected the name of the test");
  EXPECT_EQ(error_of("C t\nP0 () {}"), "2:1: expected '{' and the init block");
  EXPECT_EQ(error_of("C t\n\"open\n{}"), "2:1: expected '\"' to close this string");
  EXPECT_EQ(error_of("C t\n{ x=1 y=2; }"), "2:7: expected ';' or '}' but found 'y'");
  EXPECT_EQ(error_of("C t\n{ x; }"), "2:4: expected '=' but found ';'");
  EXPECT_EQ(error_of("C t\n{ x=y; }"), "2:5: expected a number but found 'y'");
  EXPECT_EQ(error_of("C t\n{ x=1; [x]=2; }"), "2:9: 'x' has an initial value already");
  EXPECT_EQ(error_of("C t\n{ x=99999999999999999999; }"),
            "2:5: expected a number of at most 63 bits but found '99999999999999999999'");
  EXPECT_EQ(error_of("C t\n{ 0:r=1; }\nP0 () {}\nexists true"), "2:5: P0 has no local variable 'r'");
  EXPECT_EQ(error_of("C t\n{ 0:r=1; 0:r=2; }\nP0 () { int r; }"), "2:12: 'r' has an initial value already");
  EXPECT_EQ(error_of("C t\n{ x=1;"),
            "2:7: expected a variable, as in x=1 or atomic_int x=1, but found the end of the file");
}

TEST(parser, malformed_threads) {
  EXPECT_EQ(error_of("C t\n{}\nexists (x=1)"), "3:1: expected 'P0' but found 'exists'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* x) {}\nP2 (int* x) {}"), "4:1: expected 'P1' but found 'P2'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int x) {}"),
            "3:9: expected '*', as a parameter points to a shared variable, but found 'x'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (foo* x) {}"), "3:5: expected a type but found 'foo'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* x, int* x) {}"), "3:18: a second parameter has the name 'x'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* x) {"), "3:14: expected a statement or '}' but found the end of the file");
  std::string nine = "C t\n{}\n";
  for (int i = 0; i != 9; ++i) nine += "P" + std::to_string(i) + " () {}\n";
  EXPECT_EQ(error_of(nine + "exists true"), "11:1: expected at most 8 threads");
}

TEST(parser, malformed_statements) {
  EXPECT_EQ(error_in("int r = 1"), "3:30: expected ';' but found '}'");
  EXPECT_EQ(error_in("r = 1;"), "3:21: 'r' is not declared here");
  EXPECT_EQ(error_in("x = 1;"), "3:21: expected a value but 'x' is a pointer: write *x or an atomic function");
  EXPECT_EQ(error_in("*r = 1;"), "3:22: expected a parameter of the thread but found 'r'");
  EXPECT_EQ(error_in("int x = 1;"), "3:25: 'x' is a parameter already");
  EXPECT_EQ(error_in("int* p;"), "3:26: expected no '*', as a local variable is no pointer here, but found 'p'");
  EXPECT_EQ(error_in("1 = 2;"), "3:21: expected a local variable or '*' and a parameter on the left of '='");
  EXPECT_EQ(error_in("if 1 {}"), "3:24: expected '(' but found '1'");
  EXPECT_EQ(error_in("for (;;) x"), "3:30: expected a value but 'x' is a pointer: write *x or an atomic function");
  EXPECT_EQ(error_in("int r = 1 + ;"), "3:33: expected an expression but found ';'");
  EXPECT_EQ(error_in("int r = 8x;"), "3:29: expected a number but found '8x'");
  EXPECT_EQ(error_in("int r = 1 $ 2;"), "3:31: '$' means nothing here");
  EXPECT_EQ(error_in("\n\t\x01"), "4:2: the byte 0x01 means nothing here");
}

TEST(parser, names_and_blocks) {
  const std::string already = "'r' is declared already, and one name is one register: take another name";
  EXPECT_EQ(error_in("int r = 1; { int r = 2; }"), "3:38: " + already);
  EXPECT_EQ(error_in("int r = 1;\nint r = 2;"), "4:5: " + already);
  EXPECT_EQ(error_in("int r; for (int r = 0; r < 2; r++) {}"), "3:37: " + already);
  EXPECT_EQ(error_in("{ int r = 1; }\nr = 2;"), "4:1: 'r' is not declared here");
  EXPECT_EQ(error_in("for (int r = 0; r < 2; r++) {}\nint s = r;"), "4:9: 'r' is not declared here");
  EXPECT_EQ(error_in("if (1) { int r = 1; } else { int r = 2; } int r = 3;"), "");
  EXPECT_EQ(error_in("if (1) int r = 1;"),
            "3:28: expected a statement, as a declaration stands in braces here, but found 'int'");
}

TEST(parser, words_of_c_that_are_not_supported) {
  EXPECT_EQ(error_in("while (1) break;"), "3:31: 'break' is not supported here");
  EXPECT_EQ(error_in("return;"), "3:21: 'return' is not supported here");
  EXPECT_EQ(error_in("int r = sizeof(int);"), "3:29: 'sizeof' is not supported here");
}

TEST(parser, words_of_c_are_no_names) {
  EXPECT_EQ(error_in("int if = 1;"), "3:25: expected a name but 'if' is a word of C's");
  EXPECT_EQ(error_in("int true = 0;"), "3:25: expected a name but 'true' is a word of C's");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* for) {}"), "3:10: expected a name but 'for' is a word of C's");
}

TEST(parser, a_store_and_a_fence_have_no_value) {
  const std::string no_value = ": expected a value, which a store and a fence do not have";
  for (const char* wrong : {"int r = atomic_store(x, 1);", "int r = 1 + 2 * atomic_store(x, 1);"}) {
    EXPECT_EQ(error_in(wrong), "3:29" + no_value) << wrong;
  }
  for (const char* wrong : {"if (atomic_store(x, 1)) {}", "for (;atomic_thread_fence(memory_order_acquire);) {}",
                            "atomic_store(x, atomic_store(x, 1));", "*x = atomic_store(x, 1);",
                            "atomic_load(x + atomic_store(x, 1));", "int r; r += (atomic_flag_clear(x));"}) {
    EXPECT_TRUE(error_in(wrong).ends_with(no_value)) << wrong << error_in(wrong);
  }
  EXPECT_EQ(error_in("for (atomic_store(x, 1); atomic_load(x); atomic_store(x, 0)) (atomic_store(x, 2));"), "");
}

TEST(parser, numbers) {
  EXPECT_EQ(error_in("int r = 0 + 0x10 + 1u + 2L + 3ull + 4LLU + 0x1fuL;"), "");
  const std::string octal = ", which C reads as octal and herd does not: leave out the leading zeros";
  EXPECT_EQ(error_in("int r = 010;"), "3:29: expected a number but found '010'" + octal);
  EXPECT_EQ(error_in("int r = 00;"), "3:29: expected a number but found '00'" + octal);
  EXPECT_EQ(error_of("C t\n{ x=010; }"), "2:5: expected a number but found '010'" + octal);
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* x) {}\nexists (x=-010)"), "4:12: expected a number but found '010'" + octal);
  for (const char* wrong : {"1uu", "1lul", "0x", "0b1", "1lL", "1ulul"}) {
    EXPECT_EQ(error_in(std::string("int r = ") + wrong + ";"),
              std::string("3:29: expected a number but found '") + wrong + "'");
  }
}

TEST(parser, arrays) {
  const test t = parse(
      "C t\n{ x=1; atomic_int y[2] = {0, -5}; int a[3] = {7}; z[1]; }\nP0 (int* x, int y[], int a[3]) {}\n"
      "exists (y[1]=-5 /\\ [a[2]]=0)");
  const std::vector<std::pair<std::string, litmus::value>> expected{{"x", 1},    {"y[0]", 0}, {"y[1]", -5}, {"a[0]", 7},
                                                                    {"a[1]", 0}, {"a[2]", 0}, {"z[0]", 0}};
  ASSERT_EQ(t.locations.size(), expected.size());
  for (std::size_t i = 0; i != expected.size(); ++i) {
    EXPECT_EQ(t.locations[i].name, expected[i].first);
    EXPECT_EQ(t.locations[i].initial, expected[i].second);
  }
  EXPECT_EQ(name(t, t.observed[0]), "y[1]");
  EXPECT_EQ(name(t, t.observed[1]), "a[2]");
}

TEST(parser, malformed_arrays) {
  EXPECT_EQ(error_of("C t\n{ int y[0]; }"), "2:9: an array has 1 to 64 elements");
  EXPECT_EQ(error_of("C t\n{ int y[65]; }"), "2:9: an array has 1 to 64 elements");
  EXPECT_EQ(error_of("C t\n{ int y[r]; }"), "2:9: expected the number of elements but found 'r'");
  EXPECT_EQ(error_of("C t\n{ int y[2] = {1, 2, 3}; }"),
            "2:21: expected '}', as y has 2 elements: there is no y[2], but found '3'");
  EXPECT_EQ(error_of("C t\n{ int y[2] = 1; }"), "2:14: expected '{' but found '1'");
  EXPECT_EQ(error_of("C t\n{ int y[2]; y=1; }"), "2:13: 'y' has an initial value already");
  const auto error_with_array = [](const std::string& body, const std::string& condition = "y[0]=1") {
    return error_of("C t\n{ int y[2]; }\nP0 (int* y, int* x) {" + body + "}\nexists (" + condition + ")");
  };
  EXPECT_EQ(error_with_array("", "y=1"), "4:9: 'y' is an array: write y[0] or the like");
  EXPECT_EQ(error_with_array("", "y[2]=1"), "4:9: y has 2 elements: there is no y[2]");
  EXPECT_EQ(error_with_array("y[2] = 1;"), "3:22: y has 2 elements: there is no y[2]");
  EXPECT_EQ(error_with_array("atomic_store(y + 3, 1);"), "3:35: y has 2 elements: there is no y[3]");
  EXPECT_EQ(error_with_array("atomic_store(y - 1, 1);"), "3:35: y has 2 elements: there is no y[-1]");
  EXPECT_EQ(error_with_array("*(x + 1) = 1;"), "3:24: x has 1 element: there is no x[1]");
  EXPECT_EQ(error_with_array("int r; y[r++] += 1;"),
            "3:29: an index on the left of '+=' and the like reads and writes no memory and no register");
  EXPECT_EQ(error_with_array("atomic_compare_exchange_strong(y, y + 1, 2);"), "3:58: expected ',' but found '+'");
  EXPECT_EQ(error_with_array("atomic_store(&x, 1);"), "3:37: expected '[' but found ','");
}

TEST(parser, malformed_calls) {
  EXPECT_EQ(
      error_in("atomic_frob(x);"),
      "3:21: 'atomic_frob' is none of the functions of <stdatomic.h> known here: atomic_thread_fence, atomic_load, "
      "atomic_store, atomic_exchange, atomic_fetch_add, atomic_fetch_sub, atomic_fetch_or, atomic_fetch_and, "
      "atomic_fetch_xor, atomic_compare_exchange_strong, atomic_compare_exchange_weak, atomic_flag_test_and_set, "
      "atomic_flag_clear and their _explicit forms");
  EXPECT_EQ(error_in("atomic_load_explicit(x);"), "3:43: expected ',' but found ')'");
  EXPECT_EQ(error_in("atomic_load_explicit(x, relaxed);"), "3:45: expected a memory order but found 'relaxed'");
  EXPECT_EQ(error_in("atomic_load_explicit(x, memory_order_release);"),
            "3:45: a load cannot have memory_order_release");
  EXPECT_EQ(error_in("atomic_store_explicit(x, 1, memory_order_acquire);"),
            "3:49: a store cannot have memory_order_acquire");
  EXPECT_EQ(error_in("atomic_compare_exchange_strong(x, &r, 1);"), "3:56: expected a local variable but found 'r'");
  EXPECT_EQ(error_in("int r; atomic_compare_exchange_strong_explicit(x, &r, 1, memory_order_relaxed, "
                     "memory_order_acq_rel);"),
            "3:100: a failed compare-exchange cannot have memory_order_acq_rel");
}

TEST(parser, malformed_conditions) {
  const std::string program = "C t\n{}\nP0 (int* x) { int r; }\n";
  EXPECT_EQ(error_of(program), "4:1: expected 'exists', '~exists' or 'forall' but found the end of the file");
  EXPECT_EQ(error_of(program + "exists (x=1"), "4:12: expected ')' but found the end of the file");
  EXPECT_EQ(error_of(program + "exists (x=1 && x=1)"),
            "4:13: expected '/\\' or '\\/', which join propositions, but found '&&'");
  EXPECT_EQ(error_of(program + "exists (x=1) y"), "4:14: expected the end of the file but found 'y'");
  EXPECT_EQ(error_of(program + "exists (0:q=1)"), "4:11: P0 has no local variable 'q'");
  EXPECT_EQ(error_of(program + "exists (1:r=1)"), "4:9: there is no thread P1");
  EXPECT_EQ(error_of(program + "exists (z=1)"), "4:9: there is no shared variable 'z'");
  EXPECT_EQ(error_of(program + "exists (x=1 /\\)"), "4:15: expected a variable, as in 0:r0=1 or x=1, but found ')'");
  EXPECT_EQ(error_of(program + "locations [x y] exists true"), "4:14: expected ';' or ']' but found 'y'");
}

TEST(parser, depth_is_bounded) {
  EXPECT_NE(error_in(std::string(1000, '{')).find("nested more than 64 deep"), std::string::npos);
  EXPECT_NE(error_in("int r = " + std::string(1000, '(')).find("nested more than 64 deep"), std::string::npos);
  EXPECT_NE(error_in("int r = " + std::string(1000, '-')).find("nested more than 64 deep"), std::string::npos);
  EXPECT_NE(error_in("atomic_load(" + std::string(1000, '(')).find("nested more than 64 deep"), std::string::npos);
  std::string sum = "int r = 1";
  for (int i = 0; i != 101; ++i) sum += "+1";
  EXPECT_NE(error_in(sum + ";").find("more than 100 operators in a row"), std::string::npos);
}

TEST(parser, a_file_may_hold_several_tests) {
  const std::string one = "C first\n{}\nP0 (int* x) { *x = 1; }\nexists (x=1)\n";
  const std::string two = "\nC second+b\n{}\nP0 (int* x) { *x = 2; }\n~exists (x=1)\n";
  const std::vector<test> both = parse_all("(* a comment *)\n" + one + two);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].name, "first");
  EXPECT_EQ(both[1].name, "second+b");
  EXPECT_EQ(parse_all(one).size(), 1U);
  try {
    (void)parse_all(one + two + "C third\n{}\nP0 (int* x) { *x = ; }\nexists (x=1)\n");
    ADD_FAILURE() << "the third test is malformed";
  } catch (const syntax_error& e) {
    EXPECT_EQ(e.in("file").substr(0, 8), "file:12:") << e.in("file");
  }
}

}  // namespace
}  // namespace licit::litmus_test
