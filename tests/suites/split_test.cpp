/// The split deque: clients that do too little leave an order of its table unneeded, and the audit says so.
#include "suites/split.hpp"

#include <algorithm>

#include <licit/audit/audit.hpp>

#include <gtest/gtest.h>

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
