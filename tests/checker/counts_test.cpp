/// Execution counts that herd, GenMC and a prototype agree on.
#include <gtest/gtest.h>

#include "explored.hpp"

namespace licit::checker_test {
namespace {

using namespace shorthand;
constexpr order acq = order::acquire;
constexpr order rel = order::release;
constexpr order sc = order::seq_cst;

std::uint64_t count(const straight_line& program) {
  const checker::verdict v = run(program);
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  EXPECT_EQ(v.blocked, 0U);
  return v.executions;
}

TEST(counts, store_buffering) {
  EXPECT_EQ(count({{W(0, 1), R(1)}, {W(1, 1), R(0)}}), 4U);
  EXPECT_EQ(count({{W(0, 1), F(), R(1)}, {W(1, 1), F(), R(0)}}), 3U);
  EXPECT_EQ(count({{W(0, 1, sc), R(1, sc)}, {W(1, 1, sc), R(0, sc)}}), 3U);
}

TEST(counts, asymmetric_fences) {
  EXPECT_EQ(count({{W(0, 1), light(), R(1)}, {W(1, 1), heavy(), R(0)}}), 3U);
  EXPECT_EQ(count({{W(0, 1), heavy(), R(1)}, {W(1, 1), heavy(), R(0)}}), 3U);
  EXPECT_EQ(count({{W(0, 1), light(), R(1)}, {W(1, 1), light(), R(0)}}), 4U);
  EXPECT_EQ(count({{W(0, 1), light(), R(1)}, {W(1, 1), F(), R(0)}}), 4U);
  EXPECT_EQ(count({{W(0, 1), light(), W(1, 1)}, {R(1), heavy(), R(0)}}), 3U);
  EXPECT_EQ(count({{W(0, 1), heavy(), W(1, 1)}, {R(1), light(), R(0)}}), 3U);
  EXPECT_EQ(count({{W(0, 1), light(), W(1, 1)}, {R(1, acq), R(0)}}), 4U);  // a light fence is no release fence
  EXPECT_EQ(count({{W(0, 1), W(1, 1, rel)}, {R(1), light(), R(0)}}), 4U);  // and no acquire fence
}

TEST(counts, message_passing) {
  EXPECT_EQ(count({{W(0, 1), W(1, 1)}, {R(1), R(0)}}), 4U);
  EXPECT_EQ(count({{W(0, 1), W(1, 1, rel)}, {R(1, acq), R(0)}}), 3U);
}

TEST(counts, load_buffering) { EXPECT_EQ(count({{R(0), W(1, 1)}, {R(1), W(0, 1)}}), 3U); }

TEST(counts, write_to_read_causality) {
  EXPECT_EQ(count({{W(0, 1)}, {R(0), W(1, 1)}, {R(1), R(0)}}), 8U);
  EXPECT_EQ(count({{W(0, 1)}, {R(0, acq), W(1, 1, rel)}, {R(1, acq), R(0)}}), 7U);
}

TEST(counts, independent_reads_of_independent_writes) {
  EXPECT_EQ(count({{W(0, 1)}, {W(1, 1)}, {R(0), R(1)}, {R(1), R(0)}}), 16U);
  EXPECT_EQ(count({{W(0, 1, sc)}, {W(1, 1, sc)}, {R(0, sc), R(1, sc)}, {R(1, sc), R(0, sc)}}), 15U);
}

TEST(counts, fetch_add) {
  EXPECT_EQ(count({{A(0)}, {A(0)}}), 2U);
  EXPECT_EQ(count({{A(0)}, {A(0)}, {A(0)}}), 6U);
  EXPECT_EQ(count({{A(0)}, {A(0)}, {A(0)}, {A(0)}}), 24U);
}

}  // namespace
}  // namespace licit::checker_test
