/// What goes with the tables of several structures: mutants for their rows, and what their sites stand for.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

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

}  // namespace
}  // namespace licit::suites
