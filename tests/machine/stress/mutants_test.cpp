// Mutants that any machine shows, compiled in as the executables have them; and the same programs without.
#include <gtest/gtest.h>

#include "machine/stress/instances.hpp"
#include "machine/stress/structures/chase_lev.hpp"
#include "machine/stress/structures/parker.hpp"
#include "machine/stress/watch.hpp"

namespace {

using licit::stress::altered;
using licit::stress::chase_lev;
using licit::stress::model;
using licit::stress::parker;
using licit::stress::result;

template <class Structure>
constexpr std::size_t row_called(std::string_view name) {
  for (std::size_t i = 0; i != Structure::rows.size(); ++i) {
    if (Structure::rows[i].name == name) return i;
  }
  throw "no such row";
}

template <class Program>
result run(std::uint64_t executions) {
  const licit::stress::subject s = licit::stress::subject_of<Program>("row");
  return licit::stress::watch({.what = &s, .seed = 1, .executions = executions, .seconds = 60}, false, {});
}

TEST(Mutants, AnItemForgottenInGrowth) {
  EXPECT_FALSE(run<licit::models::growth<model<>>>(3000).caught);
  constexpr std::size_t row = row_called<chase_lev>("growth forgets an item");
  EXPECT_TRUE((run<licit::models::growth<model<altered<chase_lev, row>>>>(3000).caught));
}

TEST(Mutants, APopThatRestoresNothing) {
  EXPECT_FALSE(run<licit::models::refill<model<>>>(3000).caught);
  constexpr std::size_t row = row_called<chase_lev>("pop.restore left out");
  EXPECT_TRUE((run<licit::models::refill<model<altered<chase_lev, row>>>>(3000).caught));
}

TEST(Mutants, AnUnparkThatWakesNobody) {
  EXPECT_FALSE(run<licit::models::on_parker::token<model<>>>(3000).caught);
  const result r = run<licit::models::on_parker::unpark_wakes_nobody<model<>>>(100'000);
  EXPECT_EQ(r.kind, "hang") << r.what;
}

}  // namespace
