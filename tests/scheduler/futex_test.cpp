// The futex of the production policy, with real threads.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include <licit/deque/futex.hpp>

#include <gtest/gtest.h>

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
