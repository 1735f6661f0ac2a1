/// Structures whose mutants weaken each row of their table by itself: no row that orders anything goes without.
#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

namespace licit::suites {
namespace {

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

}  // namespace
}  // namespace licit::suites
