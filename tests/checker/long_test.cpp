/// A search of more than a million executions: exact in number, and in memory that does not grow with it.
#include <cstdint>
#include <cstdio>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "deque_client.hpp"

namespace licit::checker_test {
namespace {

long peak_kilobytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

TEST(search_long, of_more_than_a_million_executions_needs_no_more_memory_than_a_short_one) {
  using client = scripted<2, "PPPpPp", "sss", "ss">;
  constexpr std::uint64_t few = 10'000;
  EXPECT_EQ(checker::run_program<client>({.max_executions = few}).executions, few);
  const long before = peak_kilobytes();
  const checker::verdict v = checker::run_program<client>();
  const long after = peak_kilobytes();
  std::printf("  %llu executions, %.0f a second, on one core; at most %ld kB, %ld kB after the first %llu executions\n",
              static_cast<unsigned long long>(v.executions), static_cast<double>(v.executions) / v.seconds, after,
              before, static_cast<unsigned long long>(few));
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 1'501'325U);
  EXPECT_LT(after - before, 1024);
}

}  // namespace
}  // namespace licit::checker_test
