// Owner and thieves at once, with exact accounting. accounting_test shows that the accounting can fail.
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/deque.hpp>
#include <licit/deque/asymmetric.hpp>

#include <gtest/gtest.h>

#include "support/half_lockstep.hpp"
#include "support/half_shift.hpp"
#include "support/items.hpp"
#include "support/scripts.hpp"
#include "support/shift.hpp"

namespace {

using licit_test::counted;
using licit_test::number;
using licit_test::parcel;
using licit_test::scale;
using licit_test::shift;
namespace scripts = licit_test::scripts;
using no_complaints = std::vector<std::string>;

template <class Payload, class Memory>
struct variant {
  using payload = Payload;
  using memory = Memory;
  using owner = licit::owner<Payload, Memory>;
};

template <class Variant>
class Stress : public ::testing::Test {
 protected:
  template <class Script>
  static std::vector<std::string> run(const licit::deque_options& options, number most, std::size_t thieves,
                                      Script script) {
    return shift<typename Variant::payload>(typename Variant::owner(options), most, thieves, script);
  }
};

struct variant_names {
  template <class Variant>
  static std::string GetName(int /*index*/) {
    const bool owning = !std::is_pointer_v<typename Variant::payload>;
    return std::string(owning ? "unique_ptr" : "pointer") +
           (std::is_base_of_v<licit::native_checked, typename Variant::memory> ? "_checked" : "") +
           (Variant::memory::asymmetric ? "_asymmetric" : "");
  }
};

using variants = ::testing::Types<variant<parcel*, licit::native>, variant<parcel*, licit::native_checked>,
                                  variant<std::unique_ptr<parcel>, licit::native>,
                                  variant<parcel*, licit::asymmetric<licit::native_checked>>,
                                  variant<std::unique_ptr<parcel>, licit::asymmetric<licit::native>>>;
TYPED_TEST_SUITE(Stress, variants, variant_names);

TYPED_TEST(Stress, PushAllThenPop) {
  for (const std::size_t thieves : {1, 2, 3}) {
    EXPECT_EQ(this->run({}, 25'000 * scale, thieves, scripts::push_all_then_pop), no_complaints{});
  }
}

TYPED_TEST(Stress, MixedWithGrowthFromOneSlot) {
  for (const std::size_t thieves : {1, 2, 3}) {
    EXPECT_EQ(this->run({.initial_capacity = 1}, 25'000 * scale, thieves, scripts::mixed), no_complaints{});
  }
}

TYPED_TEST(Stress, TinyRingThatWrapsAround) {
  for (const std::size_t capacity : {1, 2, 4}) {
    const licit::deque_options full{.initial_capacity = capacity, .maximum_capacity = capacity};
    EXPECT_EQ(this->run(full, 12'000 * scale, 2, scripts::fill_to_the_brim), no_complaints{});
  }
}

TYPED_TEST(Stress, MostlyEmpty) {
  EXPECT_EQ(this->run({.initial_capacity = 2}, 40'000 * scale, 2, scripts::one_by_one), no_complaints{});
}

TYPED_TEST(Stress, TheOwnersHandleGoesFromThreadToThread) {
  EXPECT_EQ(this->run({.initial_capacity = 1}, 20'000 * scale, 2, scripts::relay), no_complaints{});
}

// Many short lives: what is rare in a long one (the first ring, the first growth, the end) happens each time.
TYPED_TEST(Stress, ShortLives) {
  for (number life = 0; life != 100 * scale; ++life) {
    ASSERT_EQ(this->run({.initial_capacity = 1}, 40, 2, scripts::mixed), no_complaints{}) << "life " << life;
  }
}

// The owner goes while thieves are at work; the last of them to go destroys what is left.
TEST(StressEnd, TheLastHandleDestroysWhatIsLeft) {
  for (number life = 0; life != 100 * scale; ++life) {
    std::atomic<number> taken{0};
    auto mine = std::make_unique<licit::owner<std::unique_ptr<counted>>>(licit::deque_options{.initial_capacity = 1});
    std::vector<std::thread> thieves;
    for (int i = 0; i != 2; ++i) {
      thieves.emplace_back([&taken, thief = mine->stealer()] {
        for (int left = 30; left != 0;) {
          if (thief.steal()) {
            --left;
            taken.fetch_add(1);
          } else {
            std::this_thread::yield();
          }
        }
      });
    }
    for (number n = 0; n != 100; ++n) mine->push(std::make_unique<counted>(n));
    mine.reset();
    for (std::thread& t : thieves) t.join();
    ASSERT_EQ(taken.load(), 60U);
    // The handles of the threads are gone, and with the last of them the other 40 items.
    ASSERT_EQ(counted::live(), 0) << "life " << life;
  }
}

// Owners and thieves that take half of what the others have, at once: every item once, and whole.

using licit_test::half_options;
using licit_test::half_shift;
using licit_test::number;
using licit_test::real_half;
using licit_test::scale;
using no_complaints = std::vector<std::string>;

TEST(StealHalfStress, ThievesTakeFromTheOwnerAndFromEachOther) {
  number moved = 0;
  for (const std::size_t thieves : {1, 2, 3}) {
    number here = 0;
    EXPECT_EQ(half_shift({.pushes = 15'000 * scale}, thieves, real_half, &here), no_complaints{});
    moved += here;
  }
  EXPECT_GT(moved, 0U) << "nothing ever came along";
}

TEST(StealHalfStress, GrowthFromOneSlotOnBothSides) {
  const half_options how{
      .first = {.initial_capacity = 1}, .own = {.initial_capacity = 1}, .pushes = 10'000 * scale, .burst = 200};
  for (const std::size_t thieves : {1, 2, 3}) EXPECT_EQ(half_shift(how, thieves, real_half), no_complaints{});
}

TEST(StealHalfStress, TinyRingsThatMayNotGrow) {
  for (const std::size_t capacity : {1, 2, 4}) {
    const licit::deque_options full{.initial_capacity = capacity, .maximum_capacity = capacity};
    const half_options how{.first = full, .own = full, .pushes = 500 * scale, .burst = capacity};
    EXPECT_EQ(half_shift(how, 2, real_half), no_complaints{});
  }
}

TEST(StealHalfStress, RoomForFewerThanHalf) {
  const half_options how{.own = {.initial_capacity = 2, .maximum_capacity = 2}, .pushes = 10'000 * scale, .burst = 500};
  EXPECT_EQ(half_shift(how, 2, real_half), no_complaints{});
}

TEST(StealHalfStress, ShortLives) {
  for (number life = 0; life != 60 * scale; ++life) {
    const half_options how{.first = {.initial_capacity = 1}, .own = {.initial_capacity = 1}, .pushes = 60, .burst = 20};
    ASSERT_EQ(half_shift(how, 2, real_half), no_complaints{}) << "life " << life;
  }
}

TEST(StealHalfStress, UnderAsymmetricFences) {
  using owner = licit::owner<licit_test::parcel*, licit::asymmetric<licit::native_checked>>;
  const half_options how{.own = {.initial_capacity = 1}, .pushes = 2'000 * scale};
  EXPECT_EQ(half_shift<owner>(how, 2, real_half), no_complaints{});
}

// The books can show a fault: one is planted.

/// Drops what came along last.
constexpr auto drops = [](const auto& victim, auto& own, std::size_t most) {
  auto got = victim.steal_half(own, most);
  if (got && got.moved() != 0) (void)own.pop();
  return got;
};

/// Leaves the item that it hands back in its own deque as well.
constexpr auto repeats = [](const auto& victim, auto& own, std::size_t most) {
  auto got = victim.steal_half(own, most);
  if (got) own.push(*got);
  return got;
};

template <class Half>
bool any_says(Half half, const std::string& words) {
  for (int attempt = 0; attempt != 20; ++attempt) {  // a thief must get to it before the owner has popped all
    for (const std::string& complaint : half_shift({.pushes = 4'000, .burst = 1000}, 1, half)) {
      if (complaint.find(words) != complaint.npos) return true;
    }
  }
  return false;
}

TEST(StealHalfStressPlanted, DroppedItemsAreReported) { EXPECT_TRUE(any_says(drops, "were taken by nobody")); }

TEST(StealHalfStressPlanted, RepeatedItemsAreReportedAndTheirContentsWereSpent) {
  EXPECT_TRUE(any_says(repeats, "were taken more than once"));
  EXPECT_TRUE(any_says(repeats, "were damaged"));
}

}  // namespace
