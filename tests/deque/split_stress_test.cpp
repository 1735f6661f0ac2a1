// The split deque's owner and thieves at once, with exact accounting. accounting_test shows that the accounting can
// fail.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <licit/deque/split.hpp>

#include <gtest/gtest.h>

#include "support/shift.hpp"

namespace {

using licit_test::number;
using licit_test::parcel;
using licit_test::scale;
using no_complaints = std::vector<std::string>;

/// A split deque as a shift uses one.
template <class Policy>
class split_owner {
 public:
  using deque = licit::split_deque<parcel*, Policy>;

  struct thief {
    std::shared_ptr<deque> victim;
    [[nodiscard]] licit::stolen<parcel*> steal() const { return victim->steal(); }
  };

  explicit split_owner(const licit::deque_options& options) : deque_{std::make_shared<deque>(options)} {}
  void push(parcel* item) { deque_->push(item); }
  std::optional<parcel*> pop() { return deque_->pop(); }
  [[nodiscard]] std::size_t size() const { return deque_->size(); }
  [[nodiscard]] std::size_t capacity() const { return deque_->capacity(); }
  [[nodiscard]] thief stealer() const { return {deque_}; }

 private:
  std::shared_ptr<deque> deque_;
};

/// A tag that is used up at every second reclaim, and a word with room for three items.
struct narrow : licit::native_checked {
  static constexpr auto replaced(licit::split_rules r) {
    r.tag_bits = 1;
    r.count_bits = 2;
    return r;
  }
};

template <class Policy>
class SplitStress : public ::testing::Test {
 protected:
  template <class Script>
  static std::vector<std::string> run(const licit::deque_options& options, number most, std::size_t thieves,
                                      Script script) {
    return licit_test::shift<parcel*>(split_owner<Policy>(options), most, thieves, script);
  }
};

using policies = ::testing::Types<licit::native, licit::native_checked, narrow>;
TYPED_TEST_SUITE(SplitStress, policies);

/// Works until a thief got something, as it cannot while the owner does nothing. A shift without a theft would say
/// nothing about thieves. It sleeps meanwhile: thieves whose threads have yet to begin need the processor, and time. On
/// a busy machine they need more of it than there are items, so it sleeps for longer and longer.
constexpr auto await_theft = [](auto& mine) {
  const number before = mine.stolen();
  std::chrono::microseconds pause{50};
  while (mine.has_more() && mine.has_room() && mine.stolen() == before) {
    mine.push();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(20'000));
    if (mine.stolen() == before) mine.pop();
  }
};

/// Bursts of random length.
constexpr auto bursts = [](auto& mine) {
  std::mt19937_64 random(11);
  await_theft(mine);
  while (mine.has_more()) {
    const number burst = random() % 64 + 1;
    mine.push(burst < mine.left() ? burst : mine.left());
    if (random() % 256 == 0) await_theft(mine);
    for (number pops = random() % 64; pops != 0 && mine.pop(); --pops) {
    }
  }
  EXPECT_NE(mine.stolen(), 0U) << "no thief came in between";
};

/// Never more items than fit: slots are overwritten right after thieves have left them.
constexpr auto to_the_brim = [](auto& mine) {
  std::mt19937_64 random(12);
  await_theft(mine);
  while (mine.has_more()) {
    if (random() % 1024 == 0) await_theft(mine);
    while (mine.has_more() && mine.has_room()) mine.push();
    if (random() % 1024 == 0) std::this_thread::yield();
    if (random() % 2 == 0) mine.pop();
  }
  EXPECT_NE(mine.stolen(), 0U) << "no thief came in between";
};

/// One item at a time: published at once, if a thief waits, and taken back, if it was not faster.
constexpr auto one_by_one = [](auto& mine) {
  while (mine.has_more()) {
    mine.push();
    mine.pop();
    if (mine.pushed() % 1024 == 0) await_theft(mine);
    if (mine.pushed() % 4 == 0) mine.pop();
  }
  EXPECT_NE(mine.stolen(), 0U) << "no thief came in between";
};

TYPED_TEST(SplitStress, BurstsWithGrowthFromOneSlot) {
  for (const std::size_t thieves : {1, 2, 3}) {
    EXPECT_EQ(this->run({.initial_capacity = 1}, 1'000 * scale, thieves, bursts), no_complaints{});
  }
}

TYPED_TEST(SplitStress, TinyRingThatWrapsAround) {
  for (const std::size_t capacity : {1, 2, 4}) {
    const licit::deque_options full{.initial_capacity = capacity, .maximum_capacity = capacity};
    EXPECT_EQ(this->run(full, 300 * scale, 2, to_the_brim), no_complaints{});
  }
}

TYPED_TEST(SplitStress, MostlyEmpty) {
  EXPECT_EQ(this->run({.initial_capacity = 2}, 1'000 * scale, 2, one_by_one), no_complaints{});
}

/// Workers that steal half from each other: each item is a tree's height, and whoever takes it pushes two of the next.
template <class Policy>
number workers_visit(std::size_t workers, number height, std::size_t capacity) {
  using deque = licit::split_deque<parcel*, Policy>;
  std::deque<deque> deques;
  for (std::size_t w = 0; w != workers; ++w) deques.emplace_back(licit::deque_options{.initial_capacity = capacity});
  std::atomic<number> visited{0};
  const number all = (number{2} << height) - 1;
  std::vector<std::vector<std::unique_ptr<parcel>>> made(workers);
  const auto spawn = [&](std::size_t w, number n) {
    made[w].push_back(std::make_unique<parcel>());
    made[w].back()->seal(n);
    deques[w].push(made[w].back().get());
  };
  const auto visit = [&](std::size_t w, parcel* item) {
    const number left = item->label();
    if (!item->open()) return;  // taken twice: the number visited shows it
    if (left != 0) spawn(w, left - 1), spawn(w, left - 1);
    visited.fetch_add(1, std::memory_order_relaxed);
  };
  spawn(0, height);
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w != workers; ++w) {
    threads.emplace_back([&, w] {
      std::mt19937_64 random(w);
      while (visited.load(std::memory_order_relaxed) < all) {
        if (const auto own = deques[w].pop()) {
          visit(w, *own);
        } else if (const std::size_t victim = random() % workers; victim != w) {
          if (const auto got = deques[victim].steal_half(deques[w], random() % 8 + 1)) {
            visit(w, *got);
          } else {
            std::this_thread::yield();
          }
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (deque& d : deques) {
    if (d.pop()) return 0;
  }
  return visited.load();
}

TYPED_TEST(SplitStress, WorkersThatStealHalfVisitEveryNodeOnce) {
  for (const std::size_t capacity : {1, 4, 256}) {
    for (number round = 0; round != 4; ++round) {
      EXPECT_EQ(workers_visit<TypeParam>(3, 12, capacity), (number{2} << 12) - 1) << "capacity " << capacity;
    }
  }
}

}  // namespace
