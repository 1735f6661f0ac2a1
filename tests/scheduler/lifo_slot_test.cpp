// The LIFO slot: one thread, where every result is known; and many, with exact accounting.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include <licit/scheduler/lifo_slot.hpp>

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

}  // namespace
