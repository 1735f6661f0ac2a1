/// Every client program of the split deque, and every must-fail mutant, under the exhaustive checker.
#include "programs/split/programs.hpp"

#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/split/mutants.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<split_orders>;

constexpr std::array rules{release_sequences::cxx20, release_sequences::cxx11};

class split_programs : public testing::Test {
 protected:
  void SetUp() override { orders::reset(); }
  void TearDown() override { orders::reset(); }
};

TEST_F(split_programs, are_right_in_every_execution) {
  models::split_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      const std::string name(Program<checker::model>::about.name);
      EXPECT_EQ(v.end, checker::ending::ok) << name << ": " << v.message << "\n" << v.trace;
      EXPECT_EQ(v.blocked, 0U) << name;
      std::printf("  %-28s %8llu executions %7.3f s %8.0f/s\n", name.c_str(),
                  static_cast<unsigned long long>(v.executions), v.seconds,
                  static_cast<double>(v.executions) / v.seconds);
    }
  });
}

}  // namespace
}  // namespace licit::checker_test
