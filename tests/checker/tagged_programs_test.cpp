/// Every client program of the tagged deque, and every must-fail mutant, under the exhaustive checker.
#include "programs/tagged/programs.hpp"

#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::release_sequences;

template <class Programs>
void all_right() {
  Programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : {release_sequences::cxx20, release_sequences::cxx11}) {
      const checker::verdict v = checker::run<Program>({.sequences = rule, .max_seconds = 60});
      const std::string name(Program<checker::model>::about.name);
      EXPECT_EQ(v.end, checker::ending::ok) << name << ": " << v.message << "\n" << v.trace;
      EXPECT_EQ(v.blocked, 0U) << name;
      std::printf("  %-24s %8llu executions %7.3f s %8.0f/s\n", name.c_str(),
                  static_cast<unsigned long long>(v.executions), v.seconds,
                  static_cast<double>(v.executions) / v.seconds);
    }
  });
}

TEST(tagged_programs, are_right_in_every_execution) { all_right<models::tagged_programs>(); }
TEST(tagged_programs, are_right_with_asymmetric_fences) { all_right<models::tagged_asymmetric_programs>(); }

}  // namespace
}  // namespace licit::checker_test
