/// What the tests of the structures' programs share: both rules of release sequences, orders as they are written, and
/// that a program is right.
#ifndef LICIT_TESTS_CHECKER_RIGHT_PROGRAMS_HPP
#define LICIT_TESTS_CHECKER_RIGHT_PROGRAMS_HPP

#include <array>
#include <cstdio>
#include <string>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {

inline constexpr std::array rules{checker::release_sequences::cxx20, checker::release_sequences::cxx11};

/// Each test begins with the tables as they are written, and leaves them so.
template <const auto&... Tables>
class with_orders : public testing::Test {
 protected:
  void SetUp() override { (checker::live_orders<Tables>::reset(), ...); }
  void TearDown() override { SetUp(); }
};

/// In every execution. A program that sleeps has blocked ones too: its sleep goes on in another.
template <template <class> class Program>
checker::verdict expect_right_though_it_waits(const checker::options& o) {
  checker::verdict v = checker::run<Program>(o);
  const std::string name(Program<checker::model>::about.name);
  EXPECT_EQ(v.outcome, checker::outcome::ok) << name << ": " << v.message << "\n" << v.trace;
  std::printf("  %-28s %8llu executions %7.3f s %8.0f/s\n", name.c_str(), static_cast<unsigned long long>(v.executions),
              v.seconds, static_cast<double>(v.executions) / v.seconds);
  return v;
}

/// In every execution, and none of them blocked.
template <template <class> class Program>
void expect_right(const checker::options& o) {
  EXPECT_EQ(expect_right_though_it_waits<Program>(o).blocked, 0U) << Program<checker::model>::about.name;
}

template <class Programs>
void expect_right_by_both_rules() {
  Programs::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) expect_right<Program>({.sequences = rule});
  });
}

}  // namespace licit::checker_test

#endif
