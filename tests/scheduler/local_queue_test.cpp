// A worker's own queue of either kind, beside a list of what is in it.
#include <cstddef>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include <licit/scheduler/local_queue.hpp>

#include <gtest/gtest.h>

namespace {

using fifo = licit::detail::in_order<int>;
using lifo = licit::detail::youngest_first<int>;

struct overflowed {
  std::vector<int> items;
  static void reserve(std::size_t /*items*/) {}
  void take(std::span<const int> more) noexcept { items.insert(items.end(), more.begin(), more.end()); }
};

template <class Queue>
std::vector<int> all_of(Queue& queue) {
  std::vector<int> all;
  while (const int item = queue.pop_or(0)) all.push_back(item);
  return all;
}

std::vector<int> from_to(int first, int last) {
  std::vector<int> all;
  for (int i = first; i <= last; ++i) all.push_back(i);
  return all;
}

// Whatever is pushed, taken back, popped and stolen: first in, first out, nothing is lost, and nobody overlooks an
// item.
TEST(LocalQueue, InOrderAgreesWithADeque) {
  for (const std::size_t capacity : {2U, 8U, 64U}) {
    overflowed sink;
    fifo queue(capacity, nullptr);
    fifo thief(capacity, nullptr);
    std::deque<int> expected;
    std::minstd_rand random(static_cast<unsigned>(capacity));
    int last = 0;
    int taken_back = 0;
    for (int step = 0; step != 20'000; ++step) {
      const auto kind = random() % 16;
      if (kind < 8 && expected.size() < capacity) {
        expected.push_back(++last);
        kind < 6 ? queue.push(last, sink) : queue.push_behind(last, sink);
      } else if (kind < 12) {
        EXPECT_EQ(queue.pop_or(0), expected.empty() ? 0 : expected.front());
        if (!expected.empty()) expected.pop_front();
      } else if (kind < 15) {
        if (!expected.empty() && queue.take_back(expected.back())) {
          ++taken_back;
          expected.pop_back();
        }
        EXPECT_FALSE(queue.take_back(-1));
      } else {
        const auto got = queue.steal_half(thief, 32);
        ASSERT_EQ(got.is_empty(), expected.empty());
        std::vector<int> stolen = all_of(thief);
        if (got) stolen.insert(stolen.begin(), *got);
        ASSERT_LE(stolen.size(), (expected.size() + 1) / 2);
        for (const int one : stolen) {
          EXPECT_EQ(one, expected.front());
          expected.pop_front();
        }
      }
      ASSERT_EQ(queue.size(), expected.size());
      ASSERT_EQ(queue.room(), capacity - expected.size());
    }
    EXPECT_GT(taken_back, 500);
    EXPECT_TRUE(sink.items.empty());
  }
}

// As a fork does, in a recursion that is not deep: what was spawned last is awaited first.
TEST(LocalQueue, TheYoungestAreTakenBack) {
  overflowed sink;
  fifo in_order(64, nullptr);
  lifo youngest_first(64, nullptr);
  for (int round = 0; round != 100; ++round) {
    for (int i = 1; i <= 16; ++i) {
      in_order.push(i, sink);
      youngest_first.push(i, sink);
    }
    for (int i = 16; i != 0; --i) {
      EXPECT_TRUE(in_order.take_back(i)) << i;
      EXPECT_TRUE(youngest_first.take_back(i)) << i;
      EXPECT_FALSE(in_order.take_back(i)) << i;
    }
  }
  EXPECT_TRUE(in_order.empty());
}

// Many that nobody takes back go to the run queue at once, and from there over its end.
TEST(LocalQueue, TooManyYoungItemsKeepTheirOrder) {
  overflowed sink;
  fifo queue(64, nullptr);
  for (int i = 1; i <= 64; ++i) queue.push(i, sink);
  EXPECT_TRUE(sink.items.empty());
  EXPECT_FALSE(queue.take_back(64));  // it was pushed behind them
  for (int i = 65; i <= 80; ++i) queue.push(i, sink);
  EXPECT_EQ(queue.size(), 80U);
  EXPECT_EQ(queue.room(), 0U);
  queue.push_behind(81, sink);
  std::vector<int> all = sink.items;
  EXPECT_EQ(all.size(), 33U);
  all.clear();
  for (const int one : all_of(queue)) all.push_back(one);
  std::vector<int> expected = from_to(33, 81);
  std::erase(expected, 65);  // the one that was pushed over the end is behind the older half
  EXPECT_EQ(all, expected);
}

}  // namespace
