#include <cstddef>
#include <stdexcept>
#include <string>

#include <licit/deque.hpp>

#include <gtest/gtest.h>

#include "support/memory.hpp"

namespace {

using licit::deque_options;

std::string refusal(const deque_options& options) {
  try {
    const licit::owner<int> made(options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

deque_options capacities(std::size_t initial, std::size_t maximum) {
  return {.initial_capacity = initial, .maximum_capacity = maximum, .memory = nullptr};
}

constexpr std::size_t largest = std::size_t{1} << 40;

TEST(Options, DefaultsAreAccepted) {
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(deque_options{}.initial_capacity, 256U);
  EXPECT_EQ(deque_options{}.maximum_capacity, largest);
  EXPECT_EQ(licit::owner<int>().capacity(), 256U);
}

TEST(Options, TheEndsOfTheRangesAreAccepted) {
  EXPECT_EQ(refusal(capacities(1, 1)), "accepted");
  EXPECT_EQ(refusal(capacities(1, largest)), "accepted");
  EXPECT_EQ(refusal(capacities(64, 64)), "accepted");
  EXPECT_NO_THROW(capacities(largest, largest).validate());
}

TEST(Options, ARefusalNamesTheOptionItsValueAndItsRange) {
  EXPECT_EQ(refusal(capacities(0, 8)),
            "licit: initial_capacity is 0, and must be a power of two from 1 to 1099511627776");
  EXPECT_EQ(refusal(capacities(6, 8)),
            "licit: initial_capacity is 6, and must be a power of two from 1 to 1099511627776");
  EXPECT_EQ(refusal(capacities(largest * 2, largest * 2)),
            "licit: initial_capacity is 2199023255552, and must be a power of two from 1 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, 0)),
            "licit: maximum_capacity is 0, and must be a power of two from 8 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, 4)),
            "licit: maximum_capacity is 4, and must be a power of two from 8 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, 12)),
            "licit: maximum_capacity is 12, and must be a power of two from 8 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, largest * 2)),
            "licit: maximum_capacity is 2199023255552, and must be a power of two from 8 to 1099511627776");
}

TEST(Options, ARefusedDequeTookNoMemory) {
  licit_test::counting_memory memory;
  EXPECT_THROW(licit::owner<int>({.initial_capacity = 3, .maximum_capacity = 8, .memory = &memory}),
               std::invalid_argument);
  EXPECT_EQ(memory.largest(), 0U);
}

TEST(Options, RingsComeFromTheGivenMemory) {
  licit_test::counting_memory memory;
  {
    const licit::owner<int> made({.initial_capacity = 8, .maximum_capacity = 8, .memory = &memory});
    EXPECT_EQ(memory.live_blocks(), 1U);
    EXPECT_GE(memory.live_bytes(), 8 * sizeof(int));
  }
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

TEST(Options, ADequeWhoseFirstRingCannotBeMadeIsNotMade) {
  licit_test::counting_memory memory;
  memory.failing = true;
  EXPECT_THROW(licit::owner<int>({.initial_capacity = 8, .maximum_capacity = 8, .memory = &memory}), std::bad_alloc);
  EXPECT_EQ(memory.refused(), 1U);
}

TEST(Options, ACapacityErrorSaysHowManyItemsThereAre) {
  const licit::capacity_error error(64);
  EXPECT_STREQ(error.what(), "licit: push on a full deque: it holds 64 items, which is its maximum_capacity");
  EXPECT_EQ(error.maximum_capacity(), 64U);
}

}  // namespace
