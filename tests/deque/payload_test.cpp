// What a deque can hold, and who destroys it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/deque.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/ring.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/lockstep.hpp"
#include "support/memory.hpp"

namespace {

using licit::owner;
using licit::stealer;
using licit_test::counted;
using licit_test::counting_memory;
using licit_test::no_default;
using licit_test::number;
using licit_test::twins;

enum class colour : std::uint8_t {};

template <class T>
class Payload : public ::testing::Test {};
using payloads = ::testing::Types<std::uint64_t, std::uint32_t, std::uint16_t, no_default, twins, double, colour,
                                  std::unique_ptr<counted>>;
TYPED_TEST_SUITE(Payload, payloads);

TYPED_TEST(Payload, ArrivesAsItWasPushed) {
  static_assert(!std::is_default_constructible_v<no_default>);
  counting_memory memory;
  const licit::deque_options options{.initial_capacity = 2, .maximum_capacity = 1024, .memory = &memory};
  using deque_owner = owner<TypeParam, licit::native_checked>;
  {
    licit_test::lockstep<TypeParam, deque_owner> pair(deque_owner(options), options, memory);
    std::mt19937_64 random(7);
    for (int i = 0; i != 3'000; ++i) {
      const auto choice = random() % 8;
      if (choice < 4) {
        ASSERT_NO_THROW(pair.push());
      }
      if (choice == 4 || choice == 5) {
        ASSERT_NO_THROW(pair.pop());
      }
      if (choice == 6) {
        ASSERT_NO_THROW(pair.steal());
      }
      if (choice == 7) memory.failing = !memory.failing;
    }
    memory.failing = false;
    for (int i = 0; i != 40; ++i) ASSERT_NO_THROW(pair.push());
    pair.destroy_owner();
    for (int i = 0; i != 20; ++i) ASSERT_NO_THROW(pair.steal());
    ASSERT_GT(pair.size(), 0U) << "some items were to be left for the last handle";
  }
  EXPECT_EQ(counted::live(), 0);
  EXPECT_EQ(memory.live_bytes(), 0U);
}

TEST(OwningPayload, ItemsLeftAreDestroyedWithTheDequeOnceEach) {
  {
    owner<std::unique_ptr<counted>> mine({.initial_capacity = 2});
    for (number n = 0; n != 100; ++n) mine.push(std::make_unique<counted>(n));
    EXPECT_EQ(counted::live(), 100);
    for (int i = 0; i != 10; ++i) EXPECT_TRUE(mine.pop().has_value());
    EXPECT_EQ(counted::live(), 90);
  }
  EXPECT_EQ(counted::live(), 0);
}

TEST(OwningPayload, TheLastStealerDestroysWhatIsLeft) {
  std::optional<owner<std::unique_ptr<counted>>> mine(std::in_place);
  std::optional<stealer<std::unique_ptr<counted>>> thief(mine->stealer());
  std::optional<stealer<std::unique_ptr<counted>>> last(*thief);
  for (number n = 0; n != 10; ++n) mine->push(std::make_unique<counted>(n));
  mine.reset();
  EXPECT_EQ(counted::live(), 10) << "the owner's end is not the deque's";
  EXPECT_EQ((*thief->steal())->value(), 0U);
  EXPECT_EQ(counted::live(), 9) << "the stolen item died with the statement";
  thief.reset();
  EXPECT_EQ(counted::live(), 9);
  last.reset();
  EXPECT_EQ(counted::live(), 0);
}

TEST(OwningPayload, AssigningToAnOwnerDestroysTheItemsOfItsOldDeque) {
  owner<std::unique_ptr<counted>> mine;
  mine.push(std::make_unique<counted>(1));
  mine = owner<std::unique_ptr<counted>>();
  EXPECT_EQ(counted::live(), 0);
  EXPECT_TRUE(mine.empty());
}

TEST(OwningPayload, ANullPointerIsAnItem) {
  owner<std::unique_ptr<counted>> mine;
  mine.push(nullptr);
  mine.push(nullptr);
  EXPECT_EQ(mine.size(), 2U);
  const auto popped = mine.pop();
  ASSERT_TRUE(popped.has_value()) << "a null item is not an empty deque";
  EXPECT_EQ(*popped, nullptr);
  const auto stolen = mine.stealer().steal();
  ASSERT_TRUE(stolen);
  EXPECT_EQ(*stolen, nullptr);
  EXPECT_FALSE(mine.pop().has_value());
}

struct tallying_deleter {
  static inline int calls = 0;
  void operator()(counted* p) const {
    ++calls;
    delete p;
  }
};

TEST(OwningPayload, AStatelessDeleterIsTheOneThatIsCalled) {
  tallying_deleter::calls = 0;
  {
    owner<std::unique_ptr<counted, tallying_deleter>> mine;
    for (number n = 0; n != 3; ++n) mine.push(std::unique_ptr<counted, tallying_deleter>(new counted(n)));
    EXPECT_TRUE(mine.pop().has_value());
    EXPECT_EQ(tallying_deleter::calls, 1);
  }
  EXPECT_EQ(tallying_deleter::calls, 3);
  EXPECT_EQ(counted::live(), 0);
}

TEST(OwningPayload, AnArrayIsDeletedAsAnArray) {
  owner<std::unique_ptr<std::string[]>> mine;
  mine.push(std::make_unique<std::string[]>(3));
  auto words = mine.pop();
  ASSERT_TRUE(words.has_value());
  (*words)[2] = "a string that is too long for the small buffer of std::string";
  mine.push(std::move(*words));  // destroyed with the deque; AddressSanitizer sees a mismatched or missing delete
  EXPECT_EQ(mine.size(), 1U);
}

using licit_test::counting_memory;
using ring = licit::detail::ring<std::uint64_t, licit::native>;

constexpr auto write_site = licit::site_of<licit::chase_lev_orders, "push.item">;
constexpr auto read_site = licit::site_of<licit::chase_lev_orders, "pop.item">;

struct alignas(8) bytes8 {
  unsigned char bytes[8];
};

TEST(Ring, EverySlotStartsAtZero) {
  counting_memory memory;
  ring* made = ring::create(memory, 64, nullptr);
  for (licit::detail::index i = 0; i != 64; ++i) EXPECT_EQ(made->slot(i).load(read_site), 0U);
  ring::destroy(memory, made);
}

TEST(Ring, AnIndexWrapsAtTheCapacity) {
  counting_memory memory;
  ring* made = ring::create(memory, 8, nullptr);
  for (licit::detail::index i = 100; i != 108; ++i) made->slot(i).store(static_cast<std::uint64_t>(i), write_site);
  for (licit::detail::index i = 100; i != 108; ++i) {
    EXPECT_EQ(made->slot(i).load(read_site), static_cast<std::uint64_t>(i));
    EXPECT_EQ(&made->slot(i), &made->slot(i + 8)) << "one lap later it is the same slot";
    EXPECT_EQ(&made->slot(i), made->slots() + i % 8);
  }
  ring::destroy(memory, made);
}

TEST(Ring, ARingOfOneSlotHasEveryIndexInIt) {
  counting_memory memory;
  ring* made = ring::create(memory, 1, nullptr);
  EXPECT_EQ(made->capacity(), 1U);
  EXPECT_EQ(&made->slot(0), &made->slot(licit::detail::index{1} << 62));
  ring::destroy(memory, made);
}

TEST(Ring, IsOneAllocationWhoseSlotsLieInsideItOnTheirOwnCacheLine) {
  counting_memory memory;
  ring* made = ring::create(memory, 16, nullptr);
  EXPECT_EQ(memory.live_blocks(), 1U);
  const auto start = reinterpret_cast<std::uintptr_t>(made);
  const auto slots = reinterpret_cast<std::uintptr_t>(made->slots());
  EXPECT_EQ(slots % 64, 0U);
  EXPECT_GE(slots, start + sizeof(ring)) << "the slots must not overlap the header";
  EXPECT_EQ(slots + 16 * sizeof(ring::slot_type), start + memory.live_bytes());
  ring::destroy(memory, made);
}

TEST(Ring, DestroyGivesBackTheWholeChainAsItWasTaken) {
  counting_memory memory;
  ring* newest = nullptr;
  for (std::size_t capacity = 1; capacity <= 1024; capacity *= 2) newest = ring::create(memory, capacity, newest);
  EXPECT_EQ(memory.live_blocks(), 11U);
  ring::destroy(memory, newest);
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(memory.live_bytes(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

TEST(Ring, AFailedCreateLeavesThePreviousRingAsItWas) {
  counting_memory memory;
  ring* first = ring::create(memory, 4, nullptr);
  first->slot(2).store(7, write_site);
  memory.failing = true;
  EXPECT_THROW((void)ring::create(memory, 8, first), std::bad_alloc);
  EXPECT_EQ(memory.live_blocks(), 1U);
  EXPECT_EQ(first->slot(2).load(read_site), 7U);
  ring::destroy(memory, first);
}

TEST(Ring, SlotsOfEverySizeAreOnTheirOwnAlignment) {
  counting_memory memory;
  auto* small = licit::detail::ring<std::uint8_t, licit::native>::create(memory, 4, nullptr);
  EXPECT_EQ(&small->slot(1) - &small->slot(0), 1);
  licit::detail::ring<std::uint8_t, licit::native>::destroy(memory, small);
  using wide_ring = licit::detail::ring<bytes8, licit::native>;
  wide_ring* wide = wide_ring::create(memory, 4, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&wide->slot(1)) % 8, 0U);
  wide_ring::destroy(memory, wide);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

}  // namespace
