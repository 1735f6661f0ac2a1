// Mutants that any machine shows, compiled in as the executables have them; and the same programs without.
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "machine/stress/instances.hpp"
#include "machine/stress/watch.hpp"
#include "suites/chase_lev.hpp"

namespace {

using licit::stress::altered;
using licit::stress::change;
using licit::stress::model;
using licit::stress::result;
using licit::stress::row;
using licit::suites::chase_lev_client;
using licit::suites::client_line;

struct rows_of_the_deque {
  static constexpr const auto& table = licit::chase_lev_orders;
  static constexpr std::array rows{row{"growth forgets an item", true, {{"grow.copy", change::drop_first}}, {}},
                                   row{"pop.restore left out", true, {{"pop.restore", change::drop}}, {}}};
};

template <class Model>
result run(const char* text, std::uint64_t executions) {
  const licit::stress::subject s =
      licit::stress::subject_of<chase_lev_client, Model>(client_line{.name = "own", .text = text, .property = ""});
  return licit::stress::watch({.what = &s, .seed = 1, .executions = executions, .seconds = 60}, false, {});
}

TEST(Mutants, AnItemForgottenInGrowth) {
  constexpr const char* growth = "capacity=1: push push push pop | steal steal";
  EXPECT_FALSE(run<model<>>(growth, 3000).caught);
  EXPECT_TRUE((run<model<altered<rows_of_the_deque, 0>>>(growth, 3000).caught));
}

TEST(Mutants, APopThatRestoresNothing) {
  constexpr const char* refill = "capacity=2: push pop push | steal steal";
  EXPECT_FALSE(run<model<>>(refill, 3000).caught);
  EXPECT_TRUE((run<model<altered<rows_of_the_deque, 1>>>(refill, 3000).caught));
}

/// A suite gives its list just the programs that the row names.
TEST(Mutants, RunTheProgramsOfTheirRow) {
  static constexpr row of{"pop.restore left out", true, {{"pop.restore", change::drop}}, {"refill", "last_item"}};
  licit::stress::row_programs<model<altered<rows_of_the_deque, 1>>> list("chase-lev", of);
  const std::size_t before = licit::stress::subjects().size();
  licit::suites::chase_lev_suite::programs(list);
  ASSERT_EQ(licit::stress::subjects().size(), before + 2);
  EXPECT_EQ(licit::stress::subjects().back().structure, "chase-lev");
  EXPECT_EQ(licit::stress::subjects().back().row, "pop.restore left out");
}

}  // namespace
