// Channel and oneshot: exact accounting between coroutines and threads, order, close, cancellation, misuse.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::channel_receiver;
using licit::channel_sender;
using licit::join_handle;
using licit::make_channel;
using licit::make_oneshot;
using licit::scheduler;
using licit::scheduler_options;
using licit::sent;
using licit::task;
using licit_test::each_kind;

task<> let_others_come_far() {
  for (int i = 0; i != 20; ++i) co_await licit::yield_now();
}

/// An item of a numbered sender.
struct item {
  std::size_t sender;
  int number;
};

/// What a receiver has got: how many items, and whether those of each sender came in order.
class tally {
 public:
  explicit tally(std::size_t senders) : last_(senders, -1) {}
  void take(const item& one) {
    in_order = in_order && one.number > last_[one.sender];
    last_[one.sender] = one.number;
    sum += one.number;
    ++items;
  }
  std::uint64_t items = 0;
  std::int64_t sum = 0;
  bool in_order = true;

 private:
  std::vector<int> last_;
};

task<> sends(channel_sender<item> to, std::size_t me, int number) {
  for (int n = 0; n != number; ++n) {
    if (!co_await to.send({me, n})) co_return;
  }
}
task<tally> receives(channel_receiver<item> from, std::size_t senders) {
  tally got(senders);
  while (const auto one = co_await from.receive()) got.take(*one);
  co_return got;
}

void check_all_to_all(const scheduler_options& options, std::size_t capacity, std::size_t senders,
                      std::size_t receivers) {
  constexpr int number = 3'000;
  scheduler all(options);
  std::vector<join_handle<tally>> taking;
  tally by_thread(senders);
  {
    auto [to, from] = make_channel<item>(capacity);
    std::jthread receiver([&by_thread, from = from] {
      while (const auto one = from.blocking_receive()) by_thread.take(*one);
    });
    for (std::size_t i = 0; i != receivers; ++i) taking.push_back(all.spawn(receives(from, senders)));
    for (std::size_t i = 1; i != senders; ++i) all.spawn(sends(to, i, number)).detach();
    for (int n = 0; n != number; ++n) EXPECT_TRUE(to.blocking_send({0, n}));
    const auto gone = std::move(to);
    (void)gone;
  }
  std::uint64_t items = by_thread.items;
  std::int64_t sum = by_thread.sum;
  EXPECT_TRUE(by_thread.in_order);
  for (auto& each : taking) {
    const tally got = each.get();
    EXPECT_TRUE(got.in_order);
    items += got.items;
    sum += got.sum;
  }
  EXPECT_EQ(items, senders * number);
  EXPECT_EQ(sum, static_cast<std::int64_t>(senders) * number * (number - 1) / 2);
}

TEST(Channel, EveryItemArrivesOnceAndInOrder) {
  each_kind({2, 4}, [](const scheduler_options& options) {
    for (const std::size_t capacity : {1U, 3U, 64U}) {
      SCOPED_TRACE("capacity " + std::to_string(capacity));
      check_all_to_all(options, capacity, 1, 1);
      check_all_to_all(options, capacity, 4, 1);
      check_all_to_all(options, capacity, 3, 3);
    }
  });
}

TEST(Channel, NeedsRoomForAnItem) { EXPECT_THROW((void)make_channel<int>(0), std::invalid_argument); }

/// A question brings the end of a channel of its own kind, for the answer.
struct letter {
  int number;
  std::optional<licit::channel_sender<letter>> reply;
};
TEST(Channel, CarriesEndsOfItsOwnKind) {
  scheduler all{{.workers = 2}};
  auto [questions, asked] = make_channel<letter>(1);
  auto answers = all.spawn([](licit::channel_receiver<letter> from) -> task<> {
    while (auto got = co_await from.receive()) {
      letter answer{got->number + 1, std::nullopt};  // g++ 12 destroys it twice where it is part of the await
      co_await got->reply->send(std::move(answer));
    }
  }(std::move(asked)));
  all.block_on([](licit::channel_sender<letter> to) -> task<> {
    auto [back, own] = make_channel<letter>(1);
    letter question{1, std::move(back)};
    co_await to.send(std::move(question));
    const auto answer = co_await own.receive();
    EXPECT_EQ(answer ? answer->number : 0, 2);
    EXPECT_FALSE((co_await own.receive()).has_value());
  }(std::move(questions)));
  answers.get();
}

TEST(Channel, TriesLeaveTheItemWhereItIs) {
  auto [to, from] = make_channel<std::unique_ptr<int>>(1);
  EXPECT_FALSE(from.try_receive());
  auto one = std::make_unique<int>(1);
  EXPECT_EQ(to.try_send(std::move(one)), sent::yes);
  one = std::make_unique<int>(2);
  EXPECT_EQ(to.try_send(std::move(one)), sent::full);
  ASSERT_NE(one, nullptr);  // NOLINT(bugprone-use-after-move): it says so
  EXPECT_EQ(to.size(), 1U);
  EXPECT_TRUE(from.close());
  EXPECT_FALSE(to.close());
  EXPECT_EQ(to.try_send(std::move(one)), sent::closed);
  ASSERT_NE(one, nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(from.is_ended());
  EXPECT_EQ(**from.try_receive(), 1);
  EXPECT_TRUE(from.is_ended());
  EXPECT_FALSE(from.blocking_receive());
  EXPECT_FALSE(to.blocking_send(std::move(one)));
}

TEST(Channel, EndsBehindTheLastItemWhenTheSendersAreGone) {
  scheduler all{{.workers = 2}};
  auto [to, from] = make_channel<int>(8);
  std::vector<join_handle<int>> waiting;
  for (int i = 0; i != 20; ++i) {
    waiting.push_back(all.spawn([from = from]() -> task<int> { co_return (co_await from.receive()).value_or(-1); }));
  }
  {
    channel_sender<int> first = std::move(to);
    const channel_sender<int> second = first;
    for (int i = 0; i != 5; ++i) EXPECT_TRUE(first.blocking_send(i));
  }
  int items = 0;
  int ends = 0;
  for (auto& each : waiting) ++(each.get() < 0 ? ends : items);
  EXPECT_EQ(items, 5);
  EXPECT_EQ(ends, 15);
  EXPECT_TRUE(from.is_closed());
}

TEST(Channel, TheLastReceiverDestroysWhatIsInsideAndTellsTheSenders) {
  scheduler all{{.workers = 2}};
  std::atomic<int> alive = 0;
  using counted = licit_test::counts_itself;
  auto [to, from] = make_channel<counted>(3);
  for (int i = 0; i != 3; ++i) EXPECT_TRUE(to.blocking_send(counted(alive)));
  std::vector<join_handle<bool>> waiting;
  for (int i = 0; i != 12; ++i) {
    waiting.push_back(all.spawn([to = to, &alive]() -> task<bool> { co_return co_await to.send(counted(alive)); }));
  }
  {
    const auto other = from;
    const auto last = std::move(from);
    EXPECT_TRUE(other.try_receive());  // so one of those who wait has sent
  }
  int more = 0;
  for (auto& each : waiting) more += each.get() ? 1 : 0;
  EXPECT_EQ(alive, 0);
  EXPECT_TRUE(to.is_closed());
  EXPECT_EQ(to.dropped(), static_cast<std::size_t>(2 + more)) << "what was sent and not received is counted";
  EXPECT_FALSE(to.blocking_send(counted(alive)));
}

/// Where each test knows who runs: in a task of one worker.
template <class Body>
void on_one_worker(Body body, std::uint32_t budget = licit::budget_of_a_run) {
  scheduler_options options{.workers = 1};
  options.budget = budget;
  scheduler all(options);
  all.spawn(body).get();
}

task<int> receives_one(const channel_receiver<int>& from) { co_return (co_await from.receive()).value_or(-1); }

TEST(Channel, AReceiverThatIsCancelledLeavesItsItemToTheNext) {
  on_one_worker([]() -> task<> {
    auto [to, from] = make_channel<int>(2);
    auto first = licit::spawn(receives_one(from));
    co_await let_others_come_far();
    auto second = licit::spawn(receives_one(from));
    co_await let_others_come_far();
    EXPECT_TRUE(co_await to.send(7));  // the first is told, and has not run
    EXPECT_FALSE(from.try_receive()) << "the item is reserved";
    first.request_stop();
    EXPECT_EQ(co_await second, 7);
    EXPECT_THROW((void)co_await first, licit::task_cancelled);
    auto third = licit::spawn(receives_one(from));
    co_await let_others_come_far();
    third.request_stop();  // it was told of nothing
    EXPECT_THROW((void)co_await third, licit::task_cancelled);
    EXPECT_TRUE(co_await to.send(8));
    EXPECT_EQ(from.try_receive(), 8);
  });
}

TEST(Channel, AReceiverThatIsCancelledForWantOfBudgetTakesNothing) {
  on_one_worker(
      []() -> task<> {
        auto [to, receiver] = make_channel<int>(64);
        for (int i = 0; i != 30; ++i) EXPECT_EQ(to.try_send(int{i}), sent::yes);
        int got = 0;
        const auto body = [&from = receiver, &got]() -> task<> {
          while (const auto one = co_await from.receive()) EXPECT_EQ(*one, got++);
        };
        for (int round = 0; round != 12; ++round) {
          auto taking = licit::spawn(body);
          for (int i = 0; i != round % 4 + 1; ++i) co_await licit::yield_now();
          taking.request_stop();
          EXPECT_THROW(co_await taking, licit::task_cancelled);
          EXPECT_EQ(static_cast<std::size_t>(got) + receiver.size(), 30U);
        }
        while (const auto one = receiver.try_receive()) EXPECT_EQ(*one, got++);
        EXPECT_EQ(got, 30);
      },
      1);
}

TEST(Channel, ASenderThatIsCancelledHasSentOrNot) {
  on_one_worker([]() -> task<> {
    std::atomic<int> alive = 0;
    using counted = licit_test::counts_itself;
    auto [to, from] = make_channel<counted>(1);
    const auto body = [&to = to, &alive]() -> task<> { (void)co_await to.send(counted(alive)); };
    EXPECT_EQ(to.try_send(counted(alive)), sent::yes);
    auto waiting = licit::spawn(body);
    co_await let_others_come_far();
    EXPECT_EQ(alive, 2);
    waiting.request_stop();  // while it waits
    EXPECT_THROW(co_await waiting, licit::task_cancelled);
    EXPECT_EQ(alive, 1);
    auto late = licit::spawn(body);
    co_await let_others_come_far();
    EXPECT_TRUE(from.try_receive());  // its item is inside now
    late.request_stop();
    EXPECT_THROW(co_await late, licit::task_cancelled);
    EXPECT_EQ(from.size(), 1U);
    EXPECT_TRUE(from.try_receive());
    EXPECT_EQ(alive, 0);
  });
}

TEST(Channel, CancellationsLoseNothing) {
  each_kind({2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<int> begun = 0;
    std::atomic<int> got = 0;
    std::atomic<int> confirmed = 0;
    for (int round = 0; round != 100; ++round) {
      auto [to, from] = make_channel<int>(2);
      std::vector<join_handle<void>> tasks;
      for (int i = 0; i != 3; ++i) {
        tasks.push_back(all.spawn([&, to = to]() -> task<> {
          for (;;) {
            ++begun;
            if (!co_await to.send(1)) co_return;
            ++confirmed;
          }
        }));
        tasks.push_back(all.spawn([&, from = from]() -> task<> {
          while (co_await from.receive()) ++got;
        }));
      }
      const int before = got;
      licit_test::await([&] { return got > before + 50; });
      for (auto& each : tasks) each.request_stop();
      for (auto& each : tasks) EXPECT_THROW(each.get(), licit::task_cancelled);
      while (from.try_receive()) ++got;
      EXPECT_EQ(from.size(), 0U) << "an item is reserved for nobody";
    }
    EXPECT_GE(got, confirmed) << "an item is lost";
    EXPECT_LE(got, begun) << "an item is there twice";
    EXPECT_LE(begun - got, 300) << "each of three tasks a round may have been cancelled before it sent";
  });
}

TEST(Channel, ASelectionTakesFromOneAndLeavesTheOther) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    auto [to_a, from_a] = make_channel<int>(4);
    auto [to_b, from_b] = make_channel<int>(4);
    std::atomic<int> got = 0;
    const auto from = [&got](const channel_receiver<int>& c) -> task<bool> {
      const bool some = (co_await c.receive()).has_value();
      got += some ? 1 : 0;
      co_return some;
    };
    // clang 14 captures no structured binding.
    auto selecting = all.spawn([&from, &a = from_a, &b = from_b]() -> task<> {
      for (bool some = true; some;) {
        const auto first = co_await licit::when_any(from(a), from(b));
        some = std::visit([](bool one) { return one; }, first);
      }
    });
    for (int i = 0; i != 2'000; ++i) EXPECT_TRUE((i % 2 == 0 ? to_a : to_b).blocking_send(i));
    to_a.close();
    to_b.close();
    selecting.get();
    while (from_a.try_receive()) ++got;
    while (from_b.try_receive()) ++got;
    EXPECT_EQ(got, 2'000);
  });
}

TEST(Channel, BlocksNoTask) {
  scheduler all{{.workers = 1}};
  auto [to, from] = make_channel<int>(1);
  all.spawn([&from = from] { EXPECT_THROW((void)from.blocking_receive(), std::system_error); }).get();
  all.spawn([&to = to] { EXPECT_THROW((void)to.blocking_send(1), std::system_error); }).get();
  EXPECT_EQ(to.size(), 0U);
}

TEST(Channel, IsLeftByAShutdown) {
  auto [to, from] = make_channel<int>(1);
  {
    scheduler all{{.workers = 2}};
    for (int i = 0; i != 5; ++i) {
      all.spawn([to = to]() -> task<> {
           while (co_await to.send(1)) {
           }
         })
          .detach();
    }
    EXPECT_EQ(from.blocking_receive(), 1);
    EXPECT_EQ(all.shutdown(licit::shutdown_kind::cancel).cancelled, 5U);
  }
  EXPECT_LE(from.size(), 1U);
  while (from.try_receive()) {
  }
  EXPECT_EQ(to.try_send(2), sent::yes);
  EXPECT_EQ(from.try_receive(), 2);
}

TEST(Oneshot, BringsOneValue) {
  scheduler all{{.workers = 2}};
  auto [to, from] = make_oneshot<std::unique_ptr<int>>();
  auto got = all.spawn([from = std::move(from)]() -> task<int> {
    const auto first = co_await from.receive();
    EXPECT_FALSE(co_await from.receive());
    co_return **first;
  });
  EXPECT_TRUE(to.send(std::make_unique<int>(7)));
  EXPECT_FALSE(to.send(nullptr));
  EXPECT_EQ(got.get(), 7);
}

TEST(Oneshot, EitherEndLearnsThatTheOtherIsGone) {
  auto first = make_oneshot<int>();
  {
    const auto gone = std::move(first.to);
  }
  EXPECT_FALSE(first.from.blocking_receive());
  auto second = make_oneshot<int>();
  {
    const auto gone = std::move(second.from);
  }
  EXPECT_TRUE(second.to.is_closed());
  EXPECT_FALSE(second.to.send(1));
  auto third = make_oneshot<int>();
  third.from.close();
  EXPECT_FALSE(third.to.send(1));
  EXPECT_FALSE(third.from.try_receive());
}

}  // namespace
