// Turns of threads, by host threads in place of the guest's.
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "machine/qemu/turns.hpp"

namespace licit::qemu {
namespace {

constexpr std::uint64_t somewhere = 64;

class team {
 public:
  explicit team(unsigned count) {
    for (unsigned i = 0; i != count; ++i) {
      threads_.emplace_back([this, i] {
        while (all_.wait_for_work(i)) {
          body_(i);
          all_.finish(i);
        }
      });
    }
  }
  ~team() { all_.dismiss(); }

  /// Each thread's step is one character of the result: only one runs at a time, or they would race for it.
  ending run(unsigned count, const decisions::list& script, std::function<void(unsigned)> body) {
    body_ = std::move(body);
    did_.clear();
    by_.begin(script);
    return all_.run(count, by_);
  }
  void step(unsigned thread) { did_ += static_cast<char>('a' + thread); }

  turns all_;
  std::string did_;

 private:
  decisions by_;
  std::function<void(unsigned)> body_;
  std::vector<std::jthread> threads_;
};

TEST(turns, the_plain_schedule_is_one_after_the_other) {
  team t(3);
  for (int round = 0; round != 100; ++round) {
    ASSERT_EQ(t.run(3, {},
                    [&](unsigned i) {
                      t.step(i);
                      t.all_.yield(i, true);
                      t.step(i);
                    }),
              ending::finished);
    ASSERT_EQ(t.did_, "aabbcc");
  }
}

TEST(turns, a_script_says_who_runs) {
  team t(2);
  // b first; at its yield a, at a's yield b again, and then a.
  ASSERT_EQ(t.run(2, {1, 1, 1},
                  [&](unsigned i) {
                    t.step(i);
                    t.all_.yield(i, true);
                    t.step(i);
                  }),
            ending::finished);
  EXPECT_EQ(t.did_, "baba");
}

TEST(turns, who_does_not_stay_lets_another_run) {
  team t(2);
  t.run(2, {}, [&](unsigned i) {
    t.step(i);
    t.all_.yield(i, false);
    t.step(i);
  });
  EXPECT_EQ(t.did_, "abab");
}

TEST(turns, fewer_than_there_are_take_part) {
  team t(3);
  t.run(1, {}, [&](unsigned i) { t.step(i); });
  EXPECT_EQ(t.did_, "a");
}

TEST(turns, a_sleeper_runs_after_its_wake_up) {
  team t(2);
  t.run(2, {}, [&](unsigned i) {
    t.step(i);
    if (i == 0) t.all_.sleep(0, somewhere, false);
    if (i == 1) {
      EXPECT_EQ(t.all_.wake(somewhere, 8), std::vector<unsigned>{0});
    }
    t.step(i);
  });
  EXPECT_EQ(t.did_, "abba");
}

TEST(turns, a_wake_up_elsewhere_wakes_nobody) {
  team t(2);
  t.run(2, {}, [&](unsigned i) {
    if (i == 0) t.all_.sleep(0, somewhere, true);
    if (i == 1) {
      EXPECT_TRUE(t.all_.wake(somewhere + 4, 8).empty());
    }
    t.step(i);
  });
  EXPECT_EQ(t.did_, "ba") << "the sleeper's time ends when nobody else can run";
}

TEST(turns, no_more_are_woken_than_were_asked_for) {
  team t(3);
  t.run(3, {}, [&](unsigned i) {
    if (i != 2) t.all_.sleep(i, somewhere, false);
    if (i == 2) {
      EXPECT_EQ(t.all_.wake(somewhere, 1), std::vector<unsigned>{0});
      EXPECT_EQ(t.all_.wake(somewhere, 1), std::vector<unsigned>{1});
    }
    t.step(i);
  });
  EXPECT_EQ(t.did_, "cab");
}

TEST(turns, sleepers_that_nobody_wakes_are_blocked) {
  // The sleeper never returns, so its thread and all that it uses stay for ever.
  auto* all = new turns;
  auto* by = new decisions;
  std::thread([all] {
    (void)all->wait_for_work(0);
    all->sleep(0, somewhere, false);
  }).detach();
  by->begin(decisions::list{});
  EXPECT_EQ(all->run(1, *by), ending::blocked);
}

TEST(turns, an_execution_can_be_given_up) {
  auto* all = new turns;
  auto* by = new decisions;
  std::thread([all] {
    (void)all->wait_for_work(0);
    all->abandon(ending::endless);
  }).detach();
  by->begin(decisions::list{});
  EXPECT_EQ(all->run(1, *by), ending::endless);
}

}  // namespace
}  // namespace licit::qemu
