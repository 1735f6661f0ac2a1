/// What goes with the tables of several structures: mutants for their rows, and what their sites stand for.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/audit/audit.hpp>

#include <gtest/gtest.h>

#include "suites/split.hpp"
#include "suites/structure.hpp"

namespace licit::suites {
namespace {

// Structures whose mutants weaken each row of their table by itself: no row that orders anything goes without.
class WeakenedRows : public testing::TestWithParam<std::string_view> {
 protected:
  /// How many mutants weaken the site to the order.
  [[nodiscard]] auto weakened(std::string_view site, order to) const {
    return std::ranges::count_if(s.mutants, [&](const mutant& m) {
      return m.what.site == site && m.what.how == change::weaken && m.what.success == to;
    });
  }

  const structure& s = *std::ranges::find(structures(), GetParam(), &structure::name);
};

TEST_P(WeakenedRows, AreAllThatAreNotRelaxed) {
  for (const row& r : s.audited.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    EXPECT_EQ(weakened(r.site, order::relaxed), ordered ? 1 : 0) << r.site;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WeakenedRows, testing::Values("task-state", "task-registry", "inject-queue"),
                         [](const auto& info) {
                           std::string name(info.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Every structure says which of its sites stand for ghosts, and a suite that forgets it is refused.
inline constexpr table forgotten_orders{"forgotten", {rows::store("store", order::relaxed, {}, "nothing hangs on it")}};

struct forgotten_suite {
  static constexpr const auto& orders = forgotten_orders;
  static constexpr std::array<mutant, 0> mutants{};
  template <class List>
  static void programs(List& /*to*/) {}
};

TEST(site_rules, are_stated_by_every_structure) { EXPECT_NO_THROW((void)structures()); }
TEST(site_rules, are_missed) { EXPECT_THROW((void)structure_of<forgotten_suite>(), std::logic_error); }

// The audit can say no: clients that do too little leave an order of their table unneeded.

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
