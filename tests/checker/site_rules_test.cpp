/// What the sites of a table mean to the checker: names in traces, and ghosts.
#include <array>
#include <stdexcept>
#include <string>

#include <licit/checker/run.hpp>
#include <licit/checker/site_rules.hpp>
#include <licit/deque/order.hpp>

#include <gtest/gtest.h>

namespace licit::site_rules_test {
namespace {

using checker::ghost_role;
using checker::site_rules;

/// A slot is read before it is known that it may be, then claimed; after the claim it is filled again.
inline constexpr table orders{"slots",
                              {rows::load("take.item", order::relaxed, {}, "a guess"),
                               rows::compare_exchange("take.claim", order::relaxed, order::relaxed, {}, "decides"),
                               rows::load("fill.claim", order::relaxed, {}, "too weak: the overwrite is not ordered"),
                               rows::store("fill.item", order::relaxed, {}, "overwrites")}};
inline constexpr table unknown{"unknown", {rows::store("store", order::relaxed, {}, "without a rule")}};

template <fixed_string Name>
constexpr auto at = site_of<orders, Name>;

const checker::site_rules_for<orders> rules{{"take.item", "slot", ghost_role::guess},
                                            {"take.claim", "turn", ghost_role::claim},
                                            {"fill.item", "slot", ghost_role::overwrite}};

template <class Model>
struct refilled {
  static constexpr unsigned threads = 2;
  typename Model::template atomic<int> slot;
  typename Model::template atomic<int> turn;
  void thread(unsigned i) {
    if (i == 0) {
      int expected = 0;
      (void)slot.load(at<"take.item">);
      (void)turn.compare_exchange(expected, 1, at<"take.claim">);
    } else if (turn.load(at<"fill.claim">) == 1) {
      slot.store(2, at<"fill.item">);
    }
  }
  void finish() {}
};

TEST(site_rules, make_ghosts_and_names) {
  const checker::verdict v = checker::run<refilled>();
  EXPECT_EQ(v.kind, checker::violation::race) << "the guess was right, and the overwrite is not ordered after it";
  EXPECT_NE(v.message.find("overwrites slot"), std::string::npos) << v.message;
  EXPECT_NE(v.trace.find("turn"), std::string::npos) << v.trace;
  EXPECT_EQ(checker::run<refilled>({.ghosts = false}).outcome, checker::outcome::ok) << "RC11 alone sees nothing";
}

TEST(site_rules, are_known_of_tables_that_have_some) {
  EXPECT_TRUE(site_rules<orders>::known());
  EXPECT_FALSE(site_rules<unknown>::known());
  EXPECT_EQ(site_rules<unknown>::at(0).place, nullptr);
}

TEST(site_rules, are_of_sites_that_exist) {
  const std::array wrong{checker::site_rule{"take.itme", "slot"}};
  EXPECT_THROW(site_rules<orders>::add(wrong), std::invalid_argument);
}

}  // namespace
}  // namespace licit::site_rules_test
