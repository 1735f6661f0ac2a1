// A worker's own places. The LIFO slot: one thread, where every result is known; and many, with exact accounting. The
// queue of either kind, beside a list of what is in it.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include <licit/scheduler/lifo_slot.hpp>
#include <licit/scheduler/local_queue.hpp>

#include <gtest/gtest.h>

namespace {

using licit::lifo_slot;

TEST(LifoSlot, BeginsEmpty) {
  lifo_slot<int*> slot;
  EXPECT_TRUE(slot.empty());
  EXPECT_EQ(slot.take(), nullptr);
  EXPECT_EQ(slot.steal(), nullptr);
}

TEST(LifoSlot, GivesBackWhatAPutDisplaces) {
  lifo_slot<int> slot;
  EXPECT_EQ(slot.put(1), 0);
  EXPECT_EQ(slot.put(2), 1);
  EXPECT_FALSE(slot.empty());
  EXPECT_EQ(slot.take(), 2);
  EXPECT_TRUE(slot.empty());
  EXPECT_EQ(slot.put(3), 0);
  EXPECT_EQ(slot.take(), 3);
  EXPECT_EQ(slot.take(), 0);
}

TEST(LifoSlot, AnItemThatWasStolenIsNotDisplaced) {
  lifo_slot<int> slot;
  EXPECT_EQ(slot.put(1), 0);
  EXPECT_EQ(slot.steal(), 1);
  EXPECT_EQ(slot.steal(), 0);
  EXPECT_EQ(slot.put(2), 0);
  EXPECT_EQ(slot.steal(), 2);
  EXPECT_EQ(slot.take(), 0);
}

TEST(LifoSlot, ItsWordsAreOnLinesOfTheirOwn) { EXPECT_EQ(alignof(lifo_slot<int*>), 128U); }

/// How often each item of a shift was taken, by its owner, or thieves.
struct item {
  int written = 0;
  int taken = 0;  // plain: whoever takes it is the only one, and after its put
};

template <class Slot>
class shift {
 public:
  shift(std::size_t items, std::size_t thieves) : items_(items), thieves_{thieves} {
    {
      std::vector<std::jthread> threads;
      threads.reserve(thieves);
      for (std::size_t t = 0; t != thieves; ++t) threads.emplace_back([this] { steal(); });
      own();
      over_ = true;
    }
    note(slot_.steal());
  }

  [[nodiscard]] bool each_once() const {
    return std::ranges::all_of(items_, [](const item& i) { return i.taken == 1; });
  }
  [[nodiscard]] std::size_t stolen() const { return stolen_; }

 private:
  void own() {
    for (std::size_t i = 0; i != items_.size(); ++i) {
      items_[i].written = 1;
      note(slot_.put(&items_[i]));
      if (i % 3 == 0) note(slot_.take());
      if (i % 1000 == 0 && thieves_ != 0) await_theft();
    }
  }
  /// What a shift must have, whatever the system's scheduler does.
  void await_theft() const {
    while (!slot_.empty()) std::this_thread::yield();
  }
  void steal() {
    while (!over_) {
      item* const got = slot_.steal();
      if (got != nullptr) {
        ++stolen_;
      } else {
        std::this_thread::yield();
      }
      note(got);
    }
  }
  static void note(item* got) {
    if (got != nullptr) got->taken += got->written;
  }

  std::vector<item> items_;
  std::size_t thieves_;
  Slot slot_;
  std::atomic<bool> over_{false};
  std::atomic<std::size_t> stolen_{0};
};

TEST(LifoSlot, EveryItemIsTakenOnce) {
  for (const std::size_t thieves : {1U, 3U}) {
    const shift<lifo_slot<item*>> s(200'000, thieves);
    EXPECT_TRUE(s.each_once());
    EXPECT_GE(s.stolen(), 100U);
  }
}

/// Its owner forgets what a put displaced.
class forgetful_slot : public lifo_slot<item*> {
 public:
  item* put(item* i) {
    lifo_slot<item*>::put(i);
    return nullptr;
  }
};

TEST(LifoSlot, AnItemThatIsForgottenIsMissed) {
  const shift<forgetful_slot> s(1'000, 0);
  EXPECT_FALSE(s.each_once());
}

// --- the queue

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
