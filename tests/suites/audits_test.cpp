/// The audit can say no: clients that do too little leave an order of their table unneeded.
#include <algorithm>

#include <licit/audit/audit.hpp>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"
#include "suites/split.hpp"
#include "suites/structure.hpp"

namespace licit::suites {
namespace {

TEST(SplitAudit, ClientsThatDoTooLittleLeaveAnOrderUnneeded) {
  const structure s = structure_of<split_suite>();
  audit::subject little = s.audited;
  std::erase_if(little.programs, [](const auto& p) { return p.name != "overwrite"; });
  ASSERT_EQ(little.programs.size(), 1U);
  const audit::report r = audit::audit(little);
  unsigned found = 0;
  for (const audit::audited_row& row : r.rows) {
    if (row.entry.site != "renumber.word" && row.entry.site != "size.word") continue;
    EXPECT_EQ(row.verdict, audit::need::not_needed) << row.entry.site;
    ++found;
  }
  EXPECT_EQ(found, 2U);
}

}  // namespace
}  // namespace licit::suites

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
