/// Read-modify-writes at a table's sites: one program for the machine, the exhaustive checker and Relacy, and each of
/// its orders made too weak.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>

#include <gtest/gtest.h>

#include "relacy/suite.hpp"
#include "suites/program.hpp"

namespace licit::updates_test {
namespace {

inline constexpr table orders{
    "updates",
    {rows::update("raise", order::release, {"take", "lock"}, "gives the data to whoever takes the flag"),
     rows::update("take", order::acquire, {"raise"}, "takes the data"),
     rows::compare_exchange("lock", order::acquire, order::relaxed, {"raise"}, "takes the data too"),
     rows::update("count", order::relaxed, {}, "nothing hangs on it"),
     rows::load("look", order::relaxed, {}, "of a thread's own")}};
static_assert(orders.consistent());

template <fixed_string Name>
constexpr auto at = site_of<orders, Name>;

using live = checker::live_orders<orders>;

/// A flag is raised over data, and is taken: by an exchange, or by a compare-exchange, weak or strong.
enum class taking { exchange, strong, weak };

template <class Model, taking How>
struct hand_over {
  static constexpr suites::program_info about{"hand_over", "data goes with a flag", 2, suites::reach::full};

  typename Model::template plain<int> data{0};
  typename Model::template atomic<std::uint32_t> flags;

  void thread(unsigned i) {
    if (i == 0) {
      data.write(42);
      flags.fetch_or(4, at<"raise">);
    } else if (take()) {
      Model::check(data.read() == 42, "the data has arrived");
    }
  }
  void finish() {}

 private:
  bool take() {
    std::uint32_t expected = 4;
    switch (How) {
      case taking::exchange: return flags.exchange(0, at<"take">) == 4;
      case taking::strong: return flags.compare_exchange(expected, 0, at<"lock">);
      case taking::weak: return flags.compare_exchange_weak(expected, 0, at<"lock">);
    }
    return false;
  }
};
template <class Model>
using exchanged = hand_over<Model, taking::exchange>;
template <class Model>
using locked = hand_over<Model, taking::strong>;
template <class Model>
using weakly_locked = hand_over<Model, taking::weak>;

/// Alone, a strong compare-exchange with the right value cannot fail; a weak one may.
template <class Model, bool Weak>
struct lone {
  static constexpr suites::program_info about{"lone", "nobody is in the way", 2, suites::reach::full};
  typename Model::template atomic<std::uint32_t> flags;
  void thread(unsigned i) {
    if (i != 0) return;
    std::uint32_t expected = 0;
    const bool won =
        Weak ? flags.compare_exchange_weak(expected, 1, at<"lock">) : flags.compare_exchange(expected, 1, at<"lock">);
    Model::check(won, "the compare-exchange succeeds");
  }
  void finish() {}
};
template <class Model>
using lone_strong = lone<Model, false>;
template <class Model>
using lone_weak = lone<Model, true>;

/// Every update, its result and what it leaves.
template <class Model>
struct values {
  static constexpr suites::program_info about{"values", "the updates compute", 2, suites::reach::full};
  typename Model::template atomic<std::uint32_t> x{5};
  void thread(unsigned i) {
    if (i != 0) return;
    const auto leaves = [&](std::uint32_t before, std::uint32_t expected, std::uint32_t after) {
      Model::check(before == expected && x.load(at<"look">) == after, "an update");
    };
    leaves(x.fetch_add(3, at<"count">), 5, 8);
    leaves(x.fetch_sub(2, at<"count">), 8, 6);
    leaves(x.fetch_or(9, at<"count">), 6, 15);
    leaves(x.fetch_and(12, at<"count">), 15, 12);
    leaves(x.fetch_xor(5, at<"count">), 12, 9);
    leaves(x.exchange(1, at<"count">), 9, 1);
  }
  void finish() {}
};

struct machine : native {
  static void check(bool holds, std::string_view property) { EXPECT_TRUE(holds) << property; }
};
TEST(updates, compute_on_the_machine) { values<machine>().thread(0); }

/// What both checkers say of a program; they must agree.
template <template <class> class Program>
std::string verdict() {
  const auto exhaustive = checker::run<Program>();
  const auto relacy = models::relacy::run(models::relacy::client_of<Program<models::relacy::model>>(), {});
  const bool right = exhaustive.outcome == checker::outcome::ok;
  EXPECT_EQ(right, relacy.outcome == checker::outcome::ok) << exhaustive.message << relacy.message;
  return right ? "ok" : std::string(name(exhaustive.kind));
}

TEST(updates, compute) { EXPECT_EQ(verdict<values>(), "ok"); }

TEST(updates, have_the_orders_of_their_rows) {
  EXPECT_EQ(verdict<exchanged>(), "ok");
  EXPECT_EQ(verdict<locked>(), "ok");
  EXPECT_EQ(verdict<weakly_locked>(), "ok");
  for (const std::string_view site : {"raise", "take"}) {
    live::apply({site, checker::change::weaken});
    EXPECT_EQ(verdict<exchanged>(), "data race") << site;
    live::reset();
  }
  live::apply({"lock", checker::change::weaken});
  EXPECT_EQ(verdict<locked>(), "data race");
  EXPECT_EQ(verdict<weakly_locked>(), "data race");
  live::reset();
}

TEST(updates, that_are_weak_may_fail) {
  EXPECT_EQ(verdict<lone_strong>(), "ok");
  EXPECT_EQ(verdict<lone_weak>(), "assertion");
}

TEST(updates, are_not_broken_in_ways_that_do_not_fit) {
  EXPECT_THROW(live::apply({"take", checker::change::drop}), std::invalid_argument);
  EXPECT_THROW(live::apply({"take", checker::change::blind_store}), std::invalid_argument);
  EXPECT_THROW(live::apply({"look", checker::change::drop_first}), std::invalid_argument);
  EXPECT_THROW(live::apply({"nowhere", checker::change::weaken}), std::invalid_argument);
}

}  // namespace
}  // namespace licit::updates_test
