#include <cstddef>
#include <cstdint>

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/ring.hpp>

#include <gtest/gtest.h>

#include "support/memory.hpp"

namespace {

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
