// Fences on the machine that the tests run on. Asymmetric ones: what is chosen and why, sandboxes, fork. Store
// buffering: that these, and what the library's seq_cst rows rest on, order what they say; and what QEMU gets wrong, by
// name.
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/deque.hpp>
#include <licit/deque/asymmetric.hpp>

#include <gtest/gtest.h>

#include "support/sandbox.hpp"
#include "support/scale.hpp"
#include "support/scripts.hpp"
#include "support/shift.hpp"

namespace {

using licit_test::parcel;
namespace scripts = licit_test::scripts;
using policy = licit::asymmetric<licit::native_checked>;
using owner = licit::owner<parcel*, policy>;

class Asymmetric : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!licit_test::kernel_has_membarrier()) GTEST_SKIP() << "this kernel has no private expedited membarrier";
  }
};

/// Each runs in a process of its own, started anew: nothing has been chosen there yet. Not under an emulator: it lets
/// no program start itself anew or confine its system calls, and registers for membarrier itself.
class AsymmetricDeathTest : public Asymmetric {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Asymmetric::SetUp();
    if (!licit_test::kernel_has_filters()) GTEST_SKIP() << "no filters of system calls here: is this an emulator?";
  }
};

/// Ends the process: 0 if it holds.
[[noreturn]] void end(bool holds, const std::string& otherwise) {
  if (!holds) std::fprintf(stderr, "%s\n", otherwise.c_str());
  std::_Exit(holds ? 0 : 1);
}

TEST_F(Asymmetric, FencesAreChosenOnceAndSayWhy) {
  const licit::fence_choice& chosen = licit::asymmetric_fences();
  EXPECT_TRUE(chosen.asymmetric);
  EXPECT_EQ(chosen.error, 0);
  EXPECT_EQ(chosen.text(), "asymmetric fences: the kernel has membarrier and has registered this process");
  EXPECT_EQ(&chosen, &licit::asymmetric_fences());
}

TEST_F(Asymmetric, OneThread) {
  licit::owner<int, policy> mine({.initial_capacity = 1});
  const auto thief = mine.stealer();
  EXPECT_TRUE(thief.steal().is_empty());
  EXPECT_EQ(mine.pop(), std::nullopt);
  for (int i = 0; i != 5; ++i) mine.push(i);
  EXPECT_EQ(*thief.steal(), 0);
  EXPECT_EQ(mine.pop(), 4);
  EXPECT_EQ(*thief.steal(), 1);
  EXPECT_EQ(mine.pop(), 3);
  EXPECT_EQ(mine.pop(), 2);
  EXPECT_EQ(mine.pop(), std::nullopt);
  EXPECT_TRUE(thief.steal().is_empty());
  mine.push(5);
  EXPECT_EQ(*thief.steal(), 5);
}

TEST_F(Asymmetric, TheOtherPolicyIsAsItWas) {
  static_assert(!licit::native::asymmetric && policy::asymmetric);
  static_assert(sizeof(licit::chase_lev<int>) == sizeof(licit::chase_lev<int, policy>));
}

// Sandboxes.

/// Thieves and an owner at once; what the books say.
template <class Owner = owner>
std::string work() {
  std::string all;
  for (const auto& complaint : licit_test::shift<parcel*>(Owner({.initial_capacity = 1}), 20'000, 2, scripts::mixed)) {
    all += complaint + "\n";
  }
  const licit::deque_options full{.initial_capacity = 2, .maximum_capacity = 2};
  for (const auto& complaint : licit_test::shift<parcel*>(Owner(full), 10'000, 2, scripts::fill_to_the_brim)) {
    all += complaint + "\n";
  }
  return all;
}

/// In a sandbox: the fences are full ones, for that reason, and nothing else is different.
[[noreturn]] void work_in_sandbox(int error, int command, const std::string& text) {
  licit_test::refuse_membarrier(error, command);
  const licit::fence_choice& chosen = licit::asymmetric_fences();
  const std::string said = chosen.text();
  if (chosen.asymmetric || chosen.error != error || said.find(text) == std::string::npos) end(false, said);
  const std::string complaints = work();
  end(complaints.empty(), complaints);
}

TEST_F(AsymmetricDeathTest, WithoutMembarrierFencesAreFullOnes) {
  EXPECT_EXIT(work_in_sandbox(ENOSYS, licit_test::every_command, "symmetric fences: membarrier is not there"),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(work_in_sandbox(EPERM, licit_test::every_command, "a sandbox refuses it (errno 1, "),
              testing::ExitedWithCode(0), "");
}

TEST_F(AsymmetricDeathTest, WithHalfOfMembarrierFencesAreFullOnes) {
  EXPECT_EXIT(work_in_sandbox(EPERM, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, "refuses to register"),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(work_in_sandbox(EINVAL, MEMBARRIER_CMD_PRIVATE_EXPEDITED, "a first one is refused"),
              testing::ExitedWithCode(0), "");
}

/// Nothing that this file looks at in a sandbox is so without one.
TEST_F(AsymmetricDeathTest, WithoutASandboxTheSameWorkHasAsymmetricFences) {
  EXPECT_EXIT(
      {
        const std::string complaints = work();
        end(licit::asymmetric_fences().asymmetric && complaints.empty(), complaints);
      },
      testing::ExitedWithCode(0), "");
}

/// A deque with one item, made before membarrier is refused.
struct surprised {
  licit::owner<int, policy> mine;
  licit::stealer<int, policy> thief = mine.stealer();
  surprised() {
    if (!licit::asymmetric_fences().asymmetric) end(false, licit::asymmetric_fences().text());
    mine.push(1);
  }
};

TEST_F(AsymmetricDeathTest, AMembarrierThatFailsLaterIsTriedAgainAndThenTheEnd) {
  EXPECT_EXIT(
      {
        const surprised late;
        licit_test::refuse_membarrier(EPERM);
        (void)late.thief.steal();
      },
      testing::KilledBySignal(SIGABRT),
      "licit: a heavy fence cannot be had: membarrier fails with errno 1 .*, 10 tries later still");
}

[[noreturn]] void steal_from_empty_deques_without_membarrier() {
  surprised late;
  const licit::owner<int, policy> other;
  (void)late.mine.pop();
  licit_test::refuse_membarrier(EPERM);
  end(late.thief.steal().is_empty() && other.stealer().steal().is_empty(), "not empty");
}

TEST_F(AsymmetricDeathTest, WhatLooksEmptyIsNotFencedFor) {
  EXPECT_EXIT(steal_from_empty_deques_without_membarrier(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void own_without_membarrier() {
  surprised late;
  licit_test::refuse_membarrier(EPERM);
  for (int i = 0; i != 1000; ++i) late.mine.push(i);
  int popped = 0;
  while (late.mine.pop()) ++popped;
  end(popped == 1001, "popped " + std::to_string(popped));
}

TEST_F(AsymmetricDeathTest, TheOwnerNeedsNoMembarrier) {
  EXPECT_EXIT(own_without_membarrier(), testing::ExitedWithCode(0), "");
}

#if defined(__x86_64__) || defined(__aarch64__)
std::atomic<int> failures_left{0};
std::atomic<int> failure{0};

/// Stands for the kernel: fails as often as it is told, then does what was asked.
void instead_of_membarrier(int /*signal*/, siginfo_t* /*info*/, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  auto& result = registers.gregs[REG_RAX];
#else
  auto& result = registers.regs[0];
#endif
  const int saved = errno;
  if (failures_left.fetch_sub(1) > 0) {
    result = -failure.load();
  } else {
    result = licit_test::raw_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0 ? 0 : -errno;
  }
  errno = saved;
}

/// Whether a steal gets over so many failures.
[[noreturn]] void steal_in_spite_of(int error, int failures) {
  const surprised late;
  struct sigaction action{};
  action.sa_sigaction = instead_of_membarrier;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  failure = error;
  failures_left = failures;
  licit_test::confine_membarrier(SECCOMP_RET_TRAP, MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  const auto got = late.thief.steal();
  end(got && *got == 1 && failures_left == -1, "failures left: " + std::to_string(failures_left));
}

TEST_F(AsymmetricDeathTest, AMembarrierThatFailsForAWhileIsGotOver) {
  EXPECT_EXIT(steal_in_spite_of(ENOMEM, 0), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(steal_in_spite_of(ENOMEM, 3), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(steal_in_spite_of(EPERM, 10), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(steal_in_spite_of(ENOMEM, 11), testing::KilledBySignal(SIGABRT), "fails with errno 12 ");
}
#endif

// Fork.

TEST_F(AsymmetricDeathTest, AProcessThatDidNotRegisterIsRefused) {
  EXPECT_EXIT(end(licit_test::raw_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == -1 && errno == EPERM, "not EPERM"),
              testing::ExitedWithCode(0), "");
}

TEST_F(Asymmetric, AChildHasItsParentsRegistration) {
  ASSERT_TRUE(licit::asymmetric_fences().asymmetric);
  licit::owner<int, policy> mine;
  mine.push(7);
  const auto thief = mine.stealer();
  const pid_t child = fork();
  if (child == 0) {
    const bool registered = licit_test::raw_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
    const auto got = thief.steal();
    std::_Exit(registered && got && *got == 7 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(mine.pop(), 7);
}

// Store buffering: each of two threads writes, and reads what the other writes. Both may miss it, or may not.

/// Two threads, cell by cell of a row, again and again. A side is called as (mine, other's, round), writes the round to
/// its own and returns what it reads of the other's.
template <std::size_t Cells, class Left, class Right>
class store_buffering {
 public:
  store_buffering(Left left, Right right) : left_{std::move(left)}, right_{std::move(right)} {}

  /// Cells that both sides missed, in so many rounds; no rounds after one with such cells if `stop_at_first`.
  long both_missed(long rounds, bool stop_at_first) {
    std::thread right([&] {
      for (long i = 1; i <= rounds && !over_; ++i) {
        meet(right_at_, left_at_, i);
        for (cell& c : cells_) c.right_saw = right_(c.y, c.x, i);
        meet(right_done_, left_done_, i);
      }
    });
    long missed = 0;
    for (long i = 1; i <= rounds && !over_; ++i) {
      meet(left_at_, right_at_, i);
      for (cell& c : cells_) c.left_saw = left_(c.x, c.y, i);
      wait_for(right_done_, i);
      for (const cell& c : cells_) missed += c.left_saw < i && c.right_saw < i ? 1 : 0;
      over_ = missed != 0 && stop_at_first;
      left_done_.store(i, std::memory_order_release);
    }
    right.join();
    return missed;
  }

 private:
  struct cell {
    alignas(128) std::atomic<long> x{0};
    alignas(128) std::atomic<long> y{0};
    alignas(128) long left_saw = 0;
    alignas(128) long right_saw = 0;
  };

  static void wait_for(const std::atomic<long>& other, long round) {
    for (unsigned spins = 1; other.load(std::memory_order_acquire) < round; ++spins) {
      if (spins % 4096 == 0) std::this_thread::yield();  // the other may have no processor
    }
  }
  /// The right side says that it is done before it waits, so the left one's books are not written while it reads.
  static void meet(std::atomic<long>& mine, const std::atomic<long>& others, long round) {
    mine.store(round, std::memory_order_release);
    wait_for(others, round);
  }

  Left left_;
  Right right_;
  std::array<cell, Cells> cells_;
  alignas(128) std::atomic<long> left_at_{0};
  alignas(128) std::atomic<long> right_at_{0};
  alignas(128) std::atomic<long> left_done_{0};
  alignas(128) std::atomic<long> right_done_{0};
  bool over_ = false;  // the left thread's; the right one reads it after left_done_
};

constexpr long rounds = 20L * static_cast<long>(licit_test::scale);
constexpr long most = 250 * rounds;  // where a failure is expected, and riscv64's `amoswap` shows none

// With asymmetric fences between a thread's write and its read.

constexpr licit::table buffering_orders{
    "buffering",
    {
        licit::rows::light_fence("left.light", {"right.heavy", "right.light"}, "the fast side"),
        licit::rows::light_fence("right.light", {"left.light"}, "too little"),
        licit::rows::heavy_fence("right.heavy", {"left.light"}, "the slow side"),
    }};
template <licit::fixed_string Name>
constexpr auto at = licit::site_of<buffering_orders, Name>;

/// Writes to lines that no cache has. Stores become visible one after another, so one that stands behind such writes
/// takes its time, in which the load after it goes first.
class slow_writes {
 public:
  void some() {
    for (int i = 0; i != 4; ++i) {
      place_ = (place_ + 4096 + 64) % lines_.size();
      lines_[place_] = 1;
    }
    licit::native::compiler_barrier();
  }

 private:
  std::vector<char> lines_ = std::vector<char>(std::size_t{1} << 25U);
  std::size_t place_ = 0;
};

/// The left side has the light fence. In how many trials both missed.
template <class Right>
long both_missed(long rounds, bool stop_at_first, Right right_fence) {
  const auto side = [fences = policy::fences{}](auto fence) {
    return [=, slow = slow_writes()](std::atomic<long>& mine, const std::atomic<long>& other, long round) mutable {
      slow.some();
      mine.store(round, std::memory_order_relaxed);
      fence(fences);
      return other.load(std::memory_order_relaxed);
    };
  };
  auto left = side([](const policy::fences& f) { f(at<"left.light">); });
  auto right = side(right_fence);
  store_buffering<32, decltype(left), decltype(right)> test(std::move(left), std::move(right));
  return test.both_missed(rounds, stop_at_first);
}

constexpr auto heavy = [](const policy::fences& f) { f(at<"right.heavy">); };
constexpr auto light = [](const policy::fences& f) { f(at<"right.light">); };

TEST_F(Asymmetric, LateFencesAreFullOnesUntilTheOwnerHasAsked) {
  const licit::late_fences late;
  EXPECT_TRUE(late.all_full() && late.may_be_asymmetric());
  late(at<"right.heavy">);
  EXPECT_TRUE(late.all_full()) << "a thief does not ask for the owner";
  late(at<"left.light">);
  EXPECT_FALSE(late.all_full());
  const licit::late_fences full = licit::late_fences::full();
  full(at<"left.light">);
  EXPECT_TRUE(full.all_full() && !full.may_be_asymmetric());
}

TEST_F(Asymmetric, ADequeWithLateFences) {
  EXPECT_EQ((work<licit::owner<parcel*, licit::late_asymmetric_policy<licit::native_checked>>>()), "");
}

TEST_F(Asymmetric, ALightAndAHeavyFenceLetOneOfTwoStoresBeSeen) { EXPECT_EQ(both_missed(rounds, false, heavy), 0); }

TEST_F(Asymmetric, TwoLightFencesDoNot) {
  const long missed = both_missed(most, true, light);
  if (missed == 0) GTEST_SKIP() << "two light fences: not seen to fail in " << most << " rounds on this machine";
  std::printf("  both missed: %ld\n", missed);
}

TEST_F(AsymmetricDeathTest, TwoLightFencesDoWhereTheyAreFullOnes) {
  EXPECT_EXIT(
      {
        licit_test::refuse_membarrier(ENOSYS);
        const long missed = both_missed(rounds, false, light);
        end(missed == 0, "both missed " + std::to_string(missed) + " times");
      },
      testing::ExitedWithCode(0), "");
}

// With what the seq_cst rows rest on.

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto seq_cst = std::memory_order_seq_cst;

/// Both sides do the same.
template <class Side>
long both_alike_missed(Side side, long in_rounds = rounds, bool stop_at_first = false) {
  return store_buffering<64, Side, Side>(side, side).both_missed(in_rounds, stop_at_first);
}

// pop.fence and steal.fence, announce.fence and look.fence.
TEST(StoreBuffering, FencesLetOneOfTwoStoresBeSeen) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer does not model fences";
#else
  EXPECT_EQ(both_alike_missed([](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
              mine.store(round, relaxed);
              std::atomic_thread_fence(seq_cst);
              return other.load(relaxed);
            }),
            0);
#endif
}

// half.claim and half.again.
TEST(StoreBuffering, SoDoAnUpdateAndALoad) {
  EXPECT_EQ(both_alike_missed([](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
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
  if (both_alike_missed(by_accesses, most, true) == 0) return;
  GTEST_SKIP() << "QEMU's fault: of a seq_cst store and a seq_cst load after it, both sides missed the other's store";
}
#else
TEST(StoreBuffering, SoDoAStoreAndALoad) { EXPECT_EQ(both_alike_missed(by_accesses), 0); }
#endif

// Otherwise the others could not fail.
TEST(StoreBuffering, RelaxedOnesDoNot) {
  const auto side = [](std::atomic<long>& mine, const std::atomic<long>& other, long round) {
    mine.store(round, relaxed);
    return other.load(relaxed);
  };
  if (both_alike_missed(side, most, true) != 0) return;
  GTEST_SKIP() << "a relaxed store and a relaxed load: not seen to fail in " << most << " rounds on this machine";
}

}  // namespace
