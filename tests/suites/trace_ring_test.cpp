/// The audit can say no: in a ring whose slots are used once, the order of an event's words is not needed.
#include <algorithm>

#include <licit/audit/audit.hpp>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

namespace licit::suites {
namespace {

audit::report audited(std::string_view program) {
  const structure& ring = *std::ranges::find(structures(), "trace-ring", &structure::name);
  ring.reset();
  audit::subject one = ring.audited;
  std::erase_if(one.programs, [&](const audit::program& p) { return p.name != program; });
  EXPECT_EQ(one.programs.size(), 1U);
  return audit::audit(one);
}

audit::need need_of(const audit::report& in, std::string_view site) {
  return std::ranges::find(in.rows, site, [](const audit::audited_row& r) { return r.entry.site; })->verdict;
}

TEST(TraceRing, NeedsTheOrderOfItsWordsBecauseSlotsAreReused) {
  const audit::report once = audited("read_again");  // two events, in a ring of two
  EXPECT_EQ(once.sufficient.outcome, checker::outcome::ok);
  EXPECT_EQ(need_of(once, "record.time"), audit::need::not_needed);
  EXPECT_EQ(need_of(once, "read.what"), audit::need::not_needed);

  const audit::report reused = audited("comes_round");
  EXPECT_EQ(need_of(reused, "record.time"), audit::need::needed);
  EXPECT_EQ(need_of(reused, "read.what"), audit::need::needed);
}

}  // namespace
}  // namespace licit::suites
