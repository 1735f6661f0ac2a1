// The parker with real threads.
// And the futex of the production policy, on which it sleeps.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <licit/deque/futex.hpp>
#include <licit/scheduler/idle/parker.hpp>

#include <gtest/gtest.h>

namespace {

using licit::parker;

TEST(Parker, ATokenThatIsThereIsTakenAtOnce) {
  parker<> p;
  p.unpark();
  p.park();
}

TEST(Parker, TwoUnparksLeaveOneToken) {
  parker<> p;
  p.unpark();
  p.unpark();
  p.park();
  std::atomic<bool> back{false};
  std::jthread sleeper([&] {
    p.park();
    back = true;
  });
  for (int i = 0; i != 100; ++i) {
    std::this_thread::yield();
    EXPECT_FALSE(back);  // never, however long it is watched
  }
  p.unpark();
}

// Plain letters: what one thread wrote before it unparked the other is read without a race.
TEST(Parker, TwoThreadsWakeEachOther) {
  constexpr int rounds = 20'000;
  parker<> left;
  parker<> right;
  int ball = 0;
  std::jthread other([&] {
    for (int i = 0; i != rounds; ++i) {
      right.park();
      EXPECT_EQ(ball, 2 * i + 1);
      ++ball;
      left.unpark();
    }
  });
  for (int i = 0; i != rounds; ++i) {
    EXPECT_EQ(ball, 2 * i);
    ++ball;
    right.unpark();
    left.park();
  }
  EXPECT_EQ(ball, 2 * rounds);
}

// Tokens fall together, messages do not: who parks until it has seen all of them ends.
TEST(Parker, NoUnparkOfManyThreadsIsLost) {
  constexpr int senders = 4;
  constexpr int messages = 20'000;
  parker<> p;
  std::atomic<int> sent{0};
  std::vector<std::jthread> threads;
  threads.reserve(senders);
  for (int t = 0; t != senders; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i != messages; ++i) {
        sent.fetch_add(1, std::memory_order_relaxed);
        p.unpark();
      }
    });
  }
  while (sent.load(std::memory_order_relaxed) != senders * messages) p.park();
}

// Who has its token ends the parker, while the other thread may still be about to wake.
TEST(Parker, MayEndWithItsToken) {
  constexpr int rounds = 5'000;
  std::atomic<parker<>*> shown{nullptr};
  std::jthread waker([&] {
    for (int i = 0; i != rounds; ++i) {
      parker<>* p = nullptr;
      while ((p = shown.exchange(nullptr)) == nullptr) std::this_thread::yield();
      p->unpark();
    }
  });
  for (int i = 0; i != rounds; ++i) {
    const auto p = std::make_unique<parker<>>();
    shown.store(p.get());
    p->park();
  }
}

}  // namespace

namespace {

using namespace std::chrono_literals;

TEST(Futex, ReturnsAtOnceWhenTheValueIsAnother) {
  const std::atomic<std::uint32_t> word{1};
  licit::futex_wait(word, 0);
  licit::futex_wait_for(word, 0, 1h);
}

TEST(Futex, ReturnsWhenTheTimeIsOver) {
  const std::atomic<std::uint32_t> word{1};
  const auto begun = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begun < 5ms) licit::futex_wait_for(word, 1, 5ms);
  licit::futex_wait_for(word, 1, 0ns);
  licit::futex_wait_for(word, 1, -1ns);
}

TEST(Futex, AWakeReachesEachSleeper) {
  std::atomic<std::uint32_t> word{0};
  std::atomic<int> awake{0};
  const auto sleep = [&] {
    while (word.load() == 0) licit::futex_wait(word, 0);
    ++awake;
  };
  std::jthread one(sleep);
  std::jthread other(sleep);
  word.store(1);
  licit::futex_wake_one(word);
  licit::futex_wake_all(word);
  one.join();
  other.join();
  EXPECT_EQ(awake, 2);
}

}  // namespace
