// The run queue on one thread, where every result is known.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/deque/run_queue.hpp>

#include <gtest/gtest.h>

#include "support/faulty.hpp"
#include "support/items.hpp"
#include "support/memory.hpp"
#include "support/queue_lockstep.hpp"

namespace {

using licit::run_queue;
using licit_test::counting_memory;
using licit_test::faulty_queue;
using licit_test::keeping_sink;
using licit_test::number;
using licit_test::queue_fault;
using licit_test::queue_lockstep;

/// Its indices pass their largest value after the third item.
struct late : licit::native_checked {
  static constexpr auto replaced(licit::run_queue_rules<> r) {
    r.start = ~std::uint64_t{0} - 2;
    return r;
  }
};

template <class Policy>
class RunQueue : public ::testing::Test {};

struct policy_names {
  template <class Policy>
  static std::string GetName(int /*index*/) {
    if (std::is_same_v<Policy, late>) return "late";
    return std::is_same_v<Policy, licit::native> ? "native" : "native_checked";
  }
};

using policies = ::testing::Types<licit::native, licit::native_checked, late>;
TYPED_TEST_SUITE(RunQueue, policies, policy_names);

/// Phases lean towards pushes and then away from them, so that the queues are full, and empty, again and again.
template <class Queue>
void operate(queue_lockstep<Queue>& pair, std::uint64_t seed, int operations) {
  std::mt19937_64 random(seed);
  unsigned leaning = 50;
  for (int i = 0; i != operations; ++i) {
    const std::size_t q = random() % 2;
    if (random() % 64 == 0) leaning = static_cast<unsigned>(random() % 101);
    if (random() % 32 == 0) pair.refuse(random() % 2 == 0);
    if (random() % 100 < leaning) {
      random() % 2 == 0 ? pair.push(q) : pair.try_push(q);
      continue;
    }
    switch (random() % 3) {
      case 0: pair.pop(q); break;
      case 1: pair.steal(q); break;
      default: pair.steal_half(q, random() % 4 == 0 ? random() % 8 : 32); break;
    }
  }
}

TYPED_TEST(RunQueue, AgreesWithTwoDequesOnRandomOperations) {
  for (const std::size_t capacity : {2, 4, 8, 256}) {
    for (std::uint64_t seed = 1; seed != 6; ++seed) {
      SCOPED_TRACE(testing::Message() << capacity << ", seed " << seed);
      using queue = run_queue<number, TypeParam>;
      queue_lockstep<queue> pair(
          capacity, [&] { return std::make_unique<queue>(licit::run_queue_options{.capacity = capacity}); });
      ASSERT_NO_THROW(operate(pair, seed, 6'000));
      if (capacity < 256) {
        EXPECT_GT(pair.overflows(), 0U) << "this sequence was to overflow";
      }
    }
  }
}

// The comparison above can fail: it finds each fault in a queue that has it, and none in the same queue without.
TEST(QueueLockstep, FindsAFaultInAQueueThatHasIt) {
  using queue = faulty_queue<number>;
  const auto run = [](queue_fault f) {
    const auto make = [f] { return std::make_unique<queue>(f, licit::run_queue_options{.capacity = 8}); };
    queue_lockstep<queue> pair(8, make);
    operate(pair, 1, 6'000);
  };
  for (const queue_fault f :
       {queue_fault::takes_more, queue_fault::swaps, queue_fault::forgets, queue_fault::false_empty}) {
    EXPECT_THROW(run(f), licit_test::mismatch) << "fault " << static_cast<int>(f);
  }
  EXPECT_NO_THROW(run(queue_fault::none));
}

TYPED_TEST(RunQueue, IsFirstInFirstOutForItsOwnerToo) {
  run_queue<int, TypeParam> queue({.capacity = 4});
  for (int lap = 0; lap != 100; ++lap) {
    for (int i = 0; i != 4; ++i) ASSERT_TRUE(queue.try_push(i));
    ASSERT_FALSE(queue.try_push(9));
    for (int i = 0; i != 4; ++i) ASSERT_EQ(i % 2 == 0 ? *queue.pop() : *queue.steal(), i);
    ASSERT_EQ(queue.pop(), std::nullopt);
    ASSERT_TRUE(queue.steal().is_empty());
  }
}

TYPED_TEST(RunQueue, HalfIsRoundedUpAndKeepsItsOrder) {
  for (int there = 0; there != 9; ++there) {
    run_queue<int, TypeParam> victim({.capacity = 8});
    run_queue<int, TypeParam> own({.capacity = 8});
    for (int i = 0; i != there; ++i) ASSERT_TRUE(victim.try_push(i));
    const auto got = victim.steal_half(own);
    ASSERT_EQ(got.is_empty(), there == 0);
    if (there == 0) continue;
    const int half = (there + 1) / 2;
    EXPECT_EQ(*got, 0);
    EXPECT_EQ(got.moved(), static_cast<std::size_t>(half - 1));
    for (int i = 1; i != half; ++i) EXPECT_EQ(own.pop(), i);
    EXPECT_EQ(own.pop(), std::nullopt);
    for (int i = half; i != there; ++i) EXPECT_EQ(victim.pop(), i);
    EXPECT_EQ(victim.pop(), std::nullopt);
  }
}

TYPED_TEST(RunQueue, AThiefMovesNoMoreThanItAskedForAndHasRoomFor) {
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{3}, ~std::size_t{0}}) {
    for (std::size_t room = 0; room != 5; ++room) {
      run_queue<int, TypeParam> victim({.capacity = 16});
      run_queue<int, TypeParam> own({.capacity = 4});
      for (int i = 0; i != 16; ++i) ASSERT_TRUE(victim.try_push(i));
      for (std::size_t i = room; i != 4; ++i) ASSERT_TRUE(own.try_push(-1));
      const auto got = victim.steal_half(own, most);
      ASSERT_EQ(static_cast<bool>(got), most != 0);
      EXPECT_NE(got.is_empty(), most != 0) << "none were asked for";
      const std::size_t asked = most == 0 ? 0 : most - 1;
      EXPECT_EQ(got.moved(), std::min({std::size_t{7}, asked, room})) << "most " << most << ", room " << room;
      EXPECT_EQ(own.size(), 4 - room + got.moved());
      EXPECT_EQ(victim.size(), most == 0 ? 16 : 15 - got.moved());
    }
  }
}

TYPED_TEST(RunQueue, AFullQueueGivesItsOlderHalfAndTheItemInOneBatch) {
  run_queue<int, TypeParam> queue({.capacity = 8});
  keeping_sink<int> sink;
  for (int i = 0; i != 8; ++i) queue.push(i, sink);
  EXPECT_TRUE(sink.batches().empty());
  queue.push(8, sink);
  EXPECT_EQ(sink.kept(), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(sink.batches(), std::vector<std::size_t>{5});
  EXPECT_EQ(queue.size(), 4U);
  for (int i = 4; i != 8; ++i) EXPECT_EQ(queue.pop(), i);
}

TYPED_TEST(RunQueue, ASinkThatRefusesLeavesQueueAndItemAsTheyWere) {
  run_queue<int, TypeParam> queue({.capacity = 2});
  keeping_sink<int> sink;
  queue.push(1, sink);
  queue.push(2, sink);
  sink.refusing = true;
  EXPECT_THROW(queue.push(3, sink), std::bad_alloc);
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_TRUE(sink.kept().empty());
  sink.refusing = false;
  queue.push(3, sink);
  EXPECT_EQ(sink.kept(), (std::vector<int>{1, 3}));
  EXPECT_EQ(queue.pop(), 2);
}

TYPED_TEST(RunQueue, AllocatesWhenItIsMadeAndNeverAgain) {
  counting_memory memory;
  {
    run_queue<int, TypeParam> queue({.capacity = 4, .memory = &memory});
    const std::size_t bytes = memory.live_bytes();
    EXPECT_EQ(memory.live_blocks(), 2U);
    memory.failing = true;
    keeping_sink<int> sink;
    for (int i = 0; i != 100; ++i) queue.push(i, sink);
    EXPECT_GT(sink.batches().size(), 10U);
    EXPECT_EQ(memory.refused(), 0U);
    EXPECT_EQ(memory.live_bytes(), bytes);
  }
  EXPECT_EQ(memory.live_bytes(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

/// Refuses the n-th block.
class stingy final : public std::pmr::memory_resource {
 public:
  stingy(counting_memory& memory, int blocks) : memory_{memory}, blocks_{blocks} {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (blocks_-- == 0) throw std::bad_alloc();
    return memory_.allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    memory_.deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  counting_memory& memory_;
  int blocks_;
};

TYPED_TEST(RunQueue, MakingItWithoutMemoryGivesBackWhatWasThere) {
  for (int blocks = 0; blocks != 2; ++blocks) {
    counting_memory memory;
    stingy little(memory, blocks);
    EXPECT_THROW((run_queue<int, TypeParam>({.capacity = 4, .memory = &little})), std::bad_alloc);
    EXPECT_EQ(memory.live_bytes(), 0U);
    EXPECT_EQ(memory.wrong_returns(), 0U);
  }
}

TEST(RunQueueOptions, CapacitiesArePowersOfTwoInARange) {
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{1} << 41}) {
    try {
      run_queue<int> queue({.capacity = wrong});
      FAIL() << wrong;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(std::string(e.what()), "licit: the run queue's capacity is " + std::to_string(wrong) +
                                           ", and must be a power of two from 2 to 1099511627776");
    }
  }
  EXPECT_EQ(run_queue<int>().capacity(), 256U);
}

TEST(RunQueueItems, AreAnyTriviallyCopyableType) {
  using licit_test::no_default;
  using licit_test::twins;
  run_queue<no_default> plain({.capacity = 2});
  keeping_sink<no_default> sink;
  for (number n = 0; n != 3; ++n) plain.push(no_default(n), sink);
  EXPECT_EQ(plain.pop()->value, 1U);
  EXPECT_EQ(sink.kept().size(), 2U);
  run_queue<twins> pairs({.capacity = 2});
  ASSERT_TRUE(pairs.try_push({1, 2}));
  EXPECT_EQ(pairs.steal()->other, 2U);
}

struct throwing_sink {
  void reserve(std::size_t items);
  void take(std::span<const int> items);  // may throw
};
struct one_by_one {
  void reserve(std::size_t items);
  void take(int item) noexcept;
};
static_assert(licit::overflow_sink<keeping_sink<int>, int>);
static_assert(!licit::overflow_sink<throwing_sink, int>);
static_assert(!licit::overflow_sink<one_by_one, int>);

TEST(RunQueueDeathTest, AThiefDoesNotStealFromItself) {
  run_queue<int, licit::native_checked> queue;
  ASSERT_TRUE(queue.try_push(1));
  EXPECT_DEATH((void)queue.steal_half(queue), "invariant I9 of deque/README.md does not hold");
}

}  // namespace
