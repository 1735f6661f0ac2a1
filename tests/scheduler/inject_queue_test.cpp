// The inject queue on one thread, where every result is known.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <span>
#include <vector>

#include <licit/deque/run_queue.hpp>
#include <licit/scheduler/inject/inject_queue.hpp>

#include <gtest/gtest.h>

#include "support/inject_lockstep.hpp"
#include "support/items.hpp"
#include "support/memory.hpp"

namespace {

using licit::inject_queue;
using licit_test::counting_memory;
using licit_test::inject_lockstep;
using licit_test::number;
using licit_test::short_segments;

struct linked {
  linked* next = nullptr;
};

}  // namespace

template <>
struct licit::inject_link<linked*> {
  static linked* get(linked* i) noexcept { return i->next; }
  static void set(linked* i, linked* next) noexcept { i->next = next; }
};

namespace {

static_assert(licit::inject_linked<linked*> && !licit::inject_linked<number>);
static_assert(licit::overflow_sink<inject_queue<number>::sink, number>);

template <class Queue>
void operate(std::uint64_t seed, int operations) {
  inject_lockstep<Queue> pair;
  std::mt19937_64 random(seed);
  unsigned leaning = 50;
  for (int i = 0; i != operations; ++i) {
    if (random() % 64 == 0) leaning = static_cast<unsigned>(random() % 101);
    if (random() % 100 >= leaning) {
      pair.pop(random() % 40);
    } else if (random() % 4 == 0) {
      pair.push_batch(random() % 200);
    } else {
      pair.push();
    }
  }
  pair.close();
  pair.push();
  pair.push_batch(3);
  pair.pop(1);
}

TEST(InjectQueue, AgreesWithADequeOnRandomOperations) {
  for (std::uint64_t seed = 1; seed != 6; ++seed) {
    operate<inject_queue<number>>(seed, 6'000);
    operate<inject_queue<number, short_segments>>(seed, 500);
  }
}

TEST(InjectQueue, TheComparisonFindsAQueueThatSwapsItems) {
  EXPECT_THROW(operate<licit_test::swapping_inject_queue>(1, 500), std::runtime_error);
}

TEST(InjectQueue, APushWithoutMemoryHasPushedNothing) {
  counting_memory memory;
  {
    inject_queue<number, short_segments> queue({.memory = &memory});
    memory.failing = true;
    for (number n = 1; n != 4; ++n) queue.push(n);
    EXPECT_THROW(queue.push(4), std::bad_alloc);
    EXPECT_THROW(queue.push(std::vector<number>(2, 9)), std::bad_alloc);
    EXPECT_EQ(queue.size(), 3U);
    memory.failing = false;
    queue.push(5);
    std::array<number, 8> into{};
    EXPECT_EQ(queue.pop(into), 3U);
    EXPECT_EQ(into[2], 3U);
    EXPECT_EQ(queue.pop(into), 1U);
    EXPECT_EQ(into[0], 5U);
  }
  EXPECT_EQ(memory.live_bytes(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

TEST(InjectQueue, WhatIsPushedForCertainNeedsNoMemory) {
  counting_memory memory;
  inject_queue<linked*, short_segments> queue({.memory = &memory});
  memory.failing = true;
  std::array<linked, 9> all;
  for (linked& one : all) queue.push_certain(&one);
  EXPECT_FALSE(queue.empty());
  std::array<linked*, 2> into{};
  std::vector<linked*> order;
  while (const std::size_t got = queue.pop(into)) order.insert(order.end(), into.begin(), into.begin() + got);
  ASSERT_EQ(order.size(), 9U);
  for (std::size_t i = 0; i != 6; ++i) EXPECT_EQ(order[i], all.data() + i + 3) << "those without memory, oldest first";
  for (std::size_t i = 6; i != 9; ++i) EXPECT_EQ(order[i], all.data() + i - 6);
  EXPECT_TRUE(queue.empty());
}

TEST(InjectQueue, SegmentsThatAreTakenOutComeBack) {
  counting_memory memory;
  inject_queue<number, short_segments> queue({.memory = &memory});
  std::array<number, 4> into{};
  for (number n = 1; n != 100; ++n) {
    queue.push(n);
    ASSERT_EQ(queue.pop(into), 1U);
    if (n == 9) memory.failing = true;
  }
  EXPECT_EQ(memory.refused(), 0U);
  EXPECT_LE(memory.live_blocks(), 3U);
}

TEST(InjectQueue, ARunQueueOverflowsIntoIt) {
  inject_queue<number> queue;
  licit::run_queue<number> own({.capacity = 8});
  inject_queue<number>::sink spill(queue);
  for (number n = 1; n != 10; ++n) own.push(n, spill);
  std::array<number, 8> into{};
  EXPECT_EQ(queue.size(), 5U);
  ASSERT_EQ(queue.pop(into), 5U);
  EXPECT_EQ(into[0], 1U);
  EXPECT_EQ(into[4], 9U);
}

TEST(InjectQueue, AClosedQueueRefusesButForWhatWasInOneBefore) {
  inject_queue<linked*> queue;
  std::array<linked, 4> all;
  EXPECT_TRUE(queue.push(&all[0]));
  EXPECT_TRUE(queue.close());
  EXPECT_FALSE(queue.close());
  EXPECT_FALSE(queue.push(&all[1]));
  queue.push_certain(&all[2]);
  inject_queue<linked*>::sink spill(queue);
  spill.reserve(1);
  const std::array<linked*, 1> last{&all[3]};
  spill.take(last);
  EXPECT_EQ(queue.size(), 3U);
}

TEST(InjectQueue, ASharerTakesItsShareAndOneMoreAndWhatFits) {
  for (const std::size_t sharers : {1, 2, 3, 7}) {
    for (const std::size_t room : {1, 5, 32}) {
      for (std::size_t there = 1; there != 200; ++there) {
        inject_queue<number> queue;
        for (number n = 1; n <= there; ++n) queue.push(n);
        std::array<number, 32> into{};
        const std::size_t share = std::min({there, there / sharers + 1, room});
        ASSERT_EQ(queue.pop(std::span(into).first(room), sharers), share)
            << there << " items, " << sharers << " sharers, room for " << room;
        EXPECT_EQ(queue.size(), there - share);
      }
    }
  }
}

TEST(InjectQueue, PopsIntoNothingAreNothing) {
  inject_queue<number> queue;
  queue.push(1);
  EXPECT_EQ(queue.pop({}), 0U);
  EXPECT_FALSE(queue.empty());
}

}  // namespace
