/// The same program on the checker's model and on the machine: every operation with its order said where it is used.
#include <cstdint>
#include <thread>

#include <licit/checker/native.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::machine_test {
namespace {

using enum order;

/// What each operation gives and leaves.
template <class Memory>
struct values {
  static constexpr unsigned threads = 1;
  typename Memory::template atomic<std::uint32_t> x{5};
  typename Memory::template atomic<std::uint32_t> zero;
  typename Memory::template plain<int> data{7};
  typename Memory::ghost guessed;

  void thread(unsigned) {
    Memory::check(zero.load(acquire) == 0, "starts at zero");
    leaves(x.exchange(6, acq_rel), 5, 6);
    leaves(x.fetch_add(3, relaxed), 6, 9);
    leaves(x.fetch_sub(10, release, "wraps"), 9, 0xffffffff);
    leaves(x.fetch_and(14, acquire), 0xffffffff, 14);
    leaves(x.fetch_or(1, seq_cst), 14, 15);
    leaves(x.fetch_xor(5, relaxed, "labelled"), 15, 10);
    x.store(1, release, "labelled");
    std::uint32_t expected = 2;
    Memory::check(!x.compare_exchange(expected, 9, acq_rel, acquire) && expected == 1, "fails and tells");
    Memory::check(x.compare_exchange(expected, 2, acq_rel, relaxed, "labelled"), "succeeds");
    expected = 1;
    Memory::check(!x.compare_exchange_weak(expected, 9, release, relaxed) && expected == 2, "weakly fails");
    Memory::fence(seq_cst, "labelled");
    Memory::fence(relaxed);
    data.write(data.read() + 1);
    guessed.write();
    guessed.guess();
    Memory::ghost::claim(true);
    guessed.read();
  }
  void finish() { Memory::check(data.read() == 8 && x.load(relaxed) == 2, "what is left"); }

 private:
  void leaves(std::uint32_t before, std::uint32_t expected, std::uint32_t after) {
    Memory::check(before == expected && x.load(relaxed) == after, "an update");
  }
};

TEST(machine, computes_as_the_model_does) {
  const auto v = checker::run<values>();
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  values<checker::native> native;
  native.thread(0);
  native.finish();
}

/// One waits for what the other hands over.
template <class Memory>
struct handed_over {
  static constexpr unsigned threads = 2;
  typename Memory::template atomic<int> flag;
  typename Memory::template plain<int> data;
  void thread(unsigned i) {
    if (i == 0) {
      data.write(42);
      flag.store(1, release);
    } else {
      Memory::check(flag.await([](int v) { return v != 0; }, acquire, "wait") == 1, "the flag");
      Memory::check(data.read() == 42, "the data");
    }
  }
  void finish() {}
};

TEST(machine, waits_as_the_model_does) {
  EXPECT_EQ(checker::run<handed_over>().outcome, checker::outcome::ok);
  handed_over<checker::native> native;
  std::thread other([&] { native.thread(1); });
  native.thread(0);
  other.join();
}

TEST(machine_death_test, a_check_that_does_not_hold_aborts) {
  checker::native::check(true, "this holds");
  EXPECT_DEATH(checker::native::check(false, "two and two are five"), "does not hold: two and two are five");
}

}  // namespace
}  // namespace licit::machine_test
