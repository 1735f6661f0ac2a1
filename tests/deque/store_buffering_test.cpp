// What the library's seq_cst rows rest on, on the machine that the tests run on: each of two threads writes, and reads
// what the other writes; both may not miss it. And what QEMU gets wrong, by name.
#include "support/store_buffering.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "support/scale.hpp"

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto seq_cst = std::memory_order_seq_cst;

constexpr long rounds = 20L * static_cast<long>(licit_test::scale);
constexpr long most = 250 * rounds;  // where a failure is expected, and riscv64's `amoswap` shows none

/// Both sides alike.
template <class Side>
long both_missed(Side side, long in_rounds = rounds, bool stop_at_first = false) {
  return licit_test::store_buffering<64, Side, Side>(side, side).both_missed(in_rounds, stop_at_first);
}

// pop.fence and steal.fence, announce.fence and look.fence.
TEST(StoreBuffering, FencesLetOneOfTwoStoresBeSeen) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer does not model fences";
#else
  EXPECT_EQ(both_missed([](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
              mine.store(round, relaxed);
              std::atomic_thread_fence(seq_cst);
              return other.load(relaxed);
            }),
            0);
#endif
}

// half.claim and half.again.
TEST(StoreBuffering, SoDoAnUpdateAndALoad) {
  EXPECT_EQ(both_missed([](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
              long before = round - 1;
              EXPECT_TRUE(mine.compare_exchange_strong(before, round, seq_cst, relaxed));
              return other.load(seq_cst);
            }),
            0);
}

constexpr auto by_accesses = [](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
  mine.store(round, seq_cst);
  return other.load(seq_cst);
};

// No row of the library's tables needs this.
#if defined(LICIT_EMULATED) && defined(__aarch64__)
// QEMU 7.2 puts its barriers before `stlr` and after `ldar`, and none between the two.
TEST(StoreBuffering, SoDoAStoreAndALoadButForQemusFault) {
  if (both_missed(by_accesses, most, true) == 0) return;
  GTEST_SKIP() << "QEMU's fault: of a seq_cst store and a seq_cst load after it, both sides missed the other's store";
}
#else
TEST(StoreBuffering, SoDoAStoreAndALoad) { EXPECT_EQ(both_missed(by_accesses), 0); }
#endif

// Otherwise the others could not fail.
TEST(StoreBuffering, RelaxedOnesDoNot) {
  const auto side = [](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
    mine.store(round, relaxed);
    return other.load(relaxed);
  };
  if (both_missed(side, most, true) != 0) return;
  GTEST_SKIP() << "a relaxed store and a relaxed load: not seen to fail in " << most << " rounds on this machine";
}

}  // namespace
