// The idle set: one thread, where every result is known; and many, with a parker each.
#include <atomic>
#include <cstddef>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>

#include <gtest/gtest.h>

#include "support/idle_lockstep.hpp"

namespace {

using licit::idle_set;
using licit::parker;

/// Invariants are looked at; few workers are many.
struct checked_wide : licit::native_checked {
  static constexpr auto replaced(licit::idle_set_rules /*usual*/) {
    return licit::idle_set_rules{.few = 0, .in_word = 2};
  }
};

template <class Policy>
class IdleSet : public ::testing::Test {};
using policies = ::testing::Types<licit::native_checked, checked_wide>;
TYPED_TEST_SUITE(IdleSet, policies);

TYPED_TEST(IdleSet, BeginsWithAllWorkersAwake) {
  idle_set<TypeParam> set(5);
  EXPECT_EQ(set.parked(), 0U);
  EXPECT_EQ(set.searching(), 0U);
  EXPECT_EQ(set.claim(), std::nullopt);
  EXPECT_EQ(set.claim_any(), std::nullopt);
  for (std::size_t w = 0; w != 5; ++w) EXPECT_FALSE(set.is_parked(w));
}

TYPED_TEST(IdleSet, ClaimsTheLowestUnlessSomebodySearches) {
  idle_set<TypeParam> set(4);
  EXPECT_TRUE(set.park(3, false));
  EXPECT_TRUE(set.park(0, false));
  EXPECT_TRUE(set.park(2, false));
  EXPECT_EQ(set.parked(), 3U);
  EXPECT_EQ(set.claim(), 0U);
  EXPECT_FALSE(set.is_parked(0));
  EXPECT_TRUE(set.is_parked(2));
  EXPECT_EQ(set.searching(), 1U);
  EXPECT_EQ(set.claim(), std::nullopt);
  EXPECT_EQ(set.claim_any(), 2U);
  EXPECT_EQ(set.claim_any(), 3U);
  EXPECT_EQ(set.claim_any(), std::nullopt);
  EXPECT_EQ(set.searching(), 3U);
  EXPECT_EQ(set.parked(), 0U);
}

TYPED_TEST(IdleSet, ClaimsOneSearcherForSoManyBusyWorkers) {
  const auto claimed = [](std::size_t workers, std::size_t parked) {
    idle_set<TypeParam> set(workers);
    for (std::size_t w = 0; w != parked; ++w) set.park(w, false);
    std::size_t claims = 0;
    for (; set.wants_work(); ++claims) EXPECT_TRUE(set.claim().has_value());
    EXPECT_EQ(set.claim(), std::nullopt);
    return claims;
  };
  if constexpr (std::is_same_v<TypeParam, checked_wide>) {
    EXPECT_EQ(claimed(8, 7), 1U);
    EXPECT_EQ(claimed(8, 5), 3U) << "one for each busy one";
  } else {
    EXPECT_EQ(claimed(8, 7), 1U);
    EXPECT_EQ(claimed(8, 4), 1U);
    EXPECT_EQ(claimed(30, 26), 1U);
    EXPECT_EQ(claimed(30, 25), 2U) << "five busy ones";
    EXPECT_EQ(claimed(30, 10), 5U);
    EXPECT_EQ(claimed(30, 2), 2U) << "all that sleep";
    EXPECT_EQ(claimed(32, 16), 4U);
  }
  EXPECT_EQ(claimed(33, 30), 3U) << "more than 32: one for each busy one";
  EXPECT_EQ(claimed(4096, 3072), 1024U);
  EXPECT_EQ(claimed(4096, 1024), 1024U) << "all that sleep";
}

TYPED_TEST(IdleSet, TheLastSearcherIsTold) {
  idle_set<TypeParam> set(4);
  EXPECT_TRUE(set.begin_search());
  EXPECT_TRUE(set.begin_search());
  EXPECT_FALSE(set.begin_search()) << "more than half";
  EXPECT_FALSE(set.park(3, false)) << "two search";
  EXPECT_FALSE(set.end_search());
  EXPECT_TRUE(set.park(0, true));
  EXPECT_TRUE(set.begin_search());
  EXPECT_TRUE(set.end_search());
}

TYPED_TEST(IdleSet, OneOfOneAndTwoOfThreeMaySearch) {
  idle_set<TypeParam> one(1);
  EXPECT_TRUE(one.begin_search());
  EXPECT_FALSE(one.begin_search());
  idle_set<TypeParam> three(3);
  EXPECT_TRUE(three.begin_search());
  EXPECT_TRUE(three.begin_search());
  EXPECT_FALSE(three.begin_search());
}

TYPED_TEST(IdleSet, AWorkerRetractsUnlessItWasClaimed) {
  idle_set<TypeParam> set(3);
  EXPECT_FALSE(set.retract(2));
  set.park(2, false);
  set.park(0, false);
  EXPECT_TRUE(set.retract(2));
  EXPECT_EQ(set.searching(), 1U);
  EXPECT_EQ(set.parked(), 1U);
  EXPECT_FALSE(set.is_parked(2));
  EXPECT_EQ(set.claim_any(), 0U);
  EXPECT_FALSE(set.retract(0));
  EXPECT_EQ(set.searching(), 2U);
}

TYPED_TEST(IdleSet, SaysWhichNumberOfWorkersIsOutOfRange) {
  for (const std::size_t workers : {std::size_t{0}, std::size_t{4097}}) {
    try {
      idle_set<TypeParam> set(workers);
      ADD_FAILURE() << workers;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(std::string(e.what()),
                "licit: an idle set is for " + std::to_string(workers) + " workers, and must be for 1 to 4096");
    }
  }
}

/// Whatever the number of workers, each is found.
TEST(IdleSetOf, AnyNumberOfWorkersHasAPlaceForEach) {
  for (const std::size_t workers : {1U, 31U, 32U, 33U, 64U, 65U, 128U, 4096U}) {
    idle_set<licit::native_checked> set(workers);
    for (std::size_t w = workers; w-- != 0;) set.park(w, false);
    EXPECT_EQ(set.parked(), workers);
    for (std::size_t w = 0; w != workers; ++w) {
      EXPECT_TRUE(set.is_parked(w));
      EXPECT_EQ(set.claim_any(), w);
      EXPECT_FALSE(set.is_parked(w));
    }
    EXPECT_EQ(set.searching(), workers);
  }
}

/// So many steps by chance, of a set for so many workers.
template <class Set>
void step(std::size_t workers, int steps, std::mt19937& random) {
  licit_test::idle_lockstep<Set> pair(workers);
  for (; steps != 0; --steps) {
    const std::size_t worker = random() % workers;
    const bool odd = random() % 2 == 0;
    switch (random() % 5) {
      case 0: pair.park(worker, odd); break;
      case 1: pair.claim(odd); break;
      case 2: pair.retract(worker); break;
      case 3: pair.begin_search(); break;
      default: pair.end_search(); break;
    }
  }
}

TYPED_TEST(IdleSet, DoesWhatAPlainSetDoes) {
  std::mt19937 random(2026);
  for (int run = 0; run != 100; ++run) {
    for (const std::size_t workers : {1U, 7U, 70U}) step<idle_set<TypeParam>>(workers, 60, random);
  }
}

TYPED_TEST(IdleSet, ThatDoesNotCountIsFoundByALockstep) {
  std::mt19937 random(2026);
  EXPECT_THROW(step<licit_test::uncounted_idle_set<TypeParam>>(7, 1000, random), licit_test::mismatch);
}

/// Workers that sleep whenever there is no piece of work, and one who publishes: the rules of scheduler/idle/README.md,
/// with counts of pieces for queues. Who never wakes hangs the test.
template <class Policy>
class crew {
 public:
  crew(std::size_t workers, int pieces) : set_(workers), parkers_(workers) {
    std::vector<std::jthread> threads;
    threads.reserve(workers);
    for (std::size_t w = 0; w != workers; ++w) threads.emplace_back([this, w] { work(w); });
    for (int i = 0; i != pieces; ++i) {
      work_.fetch_add(1, std::memory_order_relaxed);
      fence();
      wake();
      if (i % 16 == 0) await_all(i + 1);
    }
    await_all(pieces);
    stopped_ = true;
    for (auto& p : parkers_) p.unpark();
  }
  [[nodiscard]] int done() const { return done_; }

 private:
  static void fence() { licit::native::full_fence(); }
  void wake() {
    if (const auto w = set_.claim()) parkers_[*w].unpark();
  }
  void await_all(int pieces) {
    while (done_ != pieces) std::this_thread::yield();
  }
  bool taken() {
    int seen = work_.load(std::memory_order_relaxed);
    while (seen != 0) {
      if (work_.compare_exchange_weak(seen, seen - 1)) return true;
    }
    return false;
  }
  void work(std::size_t self) {
    bool searching = false;
    while (!stopped_) {
      if (taken()) {
        if (searching && set_.end_search()) {
          fence();
          if (work_.load(std::memory_order_relaxed) != 0) wake();
        }
        searching = false;
        ++done_;
      } else if (!searching && set_.begin_search()) {
        searching = true;
      } else {
        searching = idles(self, searching);
      }
    }
  }
  /// True: it searches, counted.
  bool idles(std::size_t self, bool searching) {
    const bool last = set_.park(self, searching);
    fence();
    if (last && work_.load(std::memory_order_relaxed) != 0 && set_.retract(self)) return true;
    while (set_.is_parked(self) && !stopped_) parkers_[self].park();
    return true;
  }

  idle_set<Policy> set_;
  std::vector<parker<>> parkers_;
  std::atomic<int> work_{0};
  std::atomic<int> done_{0};
  std::atomic<bool> stopped_{false};
};

TYPED_TEST(IdleSet, NoWorkIsLeftWhileAllSleep) {
  for (const std::size_t workers : {1U, 2U, 5U}) {
    const crew<TypeParam> c(workers, 20'000);
    EXPECT_EQ(c.done(), 20'000);
  }
}

}  // namespace
