/// Every structure says which of its sites stand for ghosts, and a suite that forgets it is refused.
#include <array>
#include <stdexcept>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

namespace licit::suites_test {
namespace {

inline constexpr table forgotten_orders{"forgotten", {rows::store("store", order::relaxed, {}, "nothing hangs on it")}};

struct forgotten_suite {
  static constexpr const auto& orders = forgotten_orders;
  static constexpr std::array<suites::mutant, 0> mutants{};
  template <class List>
  static void programs(List& /*to*/) {}
};

TEST(site_rules, are_stated_by_every_structure) { EXPECT_NO_THROW((void)suites::structures()); }
TEST(site_rules, are_missed) { EXPECT_THROW((void)suites::structure_of<forgotten_suite>(), std::logic_error); }

}  // namespace
}  // namespace licit::suites_test
