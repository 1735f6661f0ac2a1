// Workers that push, pop, overflow and steal half of each other's run queues, with exact accounting.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <latch>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <licit/deque/run_queue.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/shift.hpp"

namespace {

using licit_test::number;
using licit_test::parcel;
using licit_test::scale;

struct late : licit::native_checked {
  static constexpr auto replaced(licit::run_queue_rules<> r) {
    r.start = ~std::uint64_t{0} - 1000;
    return r;
  }
};

/// What workers did, and what they found wrong.
struct report {
  std::vector<std::string> complaints;
  number opened = 0;
  number spilt = 0;  ///< of those opened, by way of a sink
  number moved = 0;  ///< items that came along with thefts

  void add(const report& other) {
    opened += other.opened;
    spilt += other.spilt;
    moved += other.moved;
    complaints.insert(complaints.end(), other.complaints.begin(), other.complaints.end());
  }
};

/// A queue's owner, which is also the sink of its overflow: it opens the items at once.
template <class Queue>
class worker {
 public:
  worker(std::size_t place, std::size_t capacity, number share)
      : queue_({.capacity = capacity}), made_(share), first_{place * share}, random_(place) {}

  /// What a shift must have, whatever the scheduler does: an overflow, which leaves half of the slots filled, …
  void overflow() {
    for (std::size_t i = 0; i != queue_.capacity() + 1; ++i) push();
  }
  /// … and a theft of half of them.
  void rob_half(worker& victim) { receive(victim.queue_.steal_half(queue_, 32)); }

  /// A burst of pushes, a burst of pops, a theft.
  void turn(worker& victim) {
    for (number burst = random_() % 32; burst != 0 && next_ != made_.size(); --burst) push();
    for (number pops = random_() % 32; pops != 0 && pop(); --pops) {
    }
    if (&victim != this) rob(victim);
  }

  void reserve(std::size_t items) { reserved_ = items; }
  void take(std::span<parcel* const> batch) noexcept {
    if (batch.size() != reserved_) report_.complaints.emplace_back("a batch of another size than was reserved");
    for (parcel* p : batch) open(*p);
    report_.spilt += batch.size();
  }

  /// After all threads have ended.
  const report& close() {
    if (!queue_.empty()) report_.complaints.emplace_back("items are left");
    return report_;
  }
  [[nodiscard]] number opened() const { return report_.opened; }
  [[nodiscard]] std::size_t choose(std::size_t of) { return random_() % of; }

 private:
  void push() {
    made_[next_].seal(first_ + next_);
    queue_.push(&made_[next_], *this);
    ++next_;
  }

  bool pop() {
    const auto got = queue_.pop();
    if (got) open(**got);
    return got.has_value();
  }

  void rob(worker& victim) {
    receive(random_() % 4 == 0 ? victim.queue_.steal() : victim.queue_.steal_half(queue_, random_() % 40));
  }

  void receive(const licit::stolen<parcel*>& got) {
    const bool idle = next_ == made_.size() && queue_.empty();
    if (!got && idle) std::this_thread::yield();
    if (!got) return;
    open(**got);
    report_.moved += got.moved();
  }

  void open(parcel& p) {
    if (!p.open()) report_.complaints.push_back("damaged, or taken twice: " + std::to_string(p.label()));
    ++report_.opened;
  }

  Queue queue_;
  std::vector<parcel> made_;
  const number first_;  ///< of the numbers of its own parcels
  std::mt19937_64 random_;
  number next_ = 0;
  std::size_t reserved_ = 0;
  report report_;
};

/// Every worker pushes its share and takes until all items of all workers were opened.
template <class Queue>
report work(std::size_t workers, std::size_t capacity, number share) {
  std::vector<std::unique_ptr<worker<Queue>>> all;
  for (std::size_t i = 0; i != workers; ++i) all.push_back(std::make_unique<worker<Queue>>(i, capacity, share));
  std::atomic<number> opened{0};
  std::latch overflown(static_cast<std::ptrdiff_t>(workers));
  std::latch start(static_cast<std::ptrdiff_t>(workers));
  const auto run = [&](worker<Queue>& mine) {
    if (&mine == all[0].get()) mine.overflow();
    overflown.arrive_and_wait();
    if (&mine == all[1].get()) mine.rob_half(*all[0]);
    opened.fetch_add(mine.opened(), std::memory_order_relaxed);
    start.arrive_and_wait();
    while (opened.load(std::memory_order_relaxed) < share * workers) {
      const number before = mine.opened();
      mine.turn(*all[mine.choose(workers)]);
      opened.fetch_add(mine.opened() - before, std::memory_order_relaxed);
    }
  };
  std::vector<std::thread> threads;
  for (const auto& w : all) threads.emplace_back(run, std::ref(*w));
  for (std::thread& t : threads) t.join();
  report sum;
  for (const auto& w : all) sum.add(w->close());
  return sum;
}

template <class Policy>
class RunQueueStress : public ::testing::Test {};
using policies = ::testing::Types<licit::native, licit::native_checked, late>;
TYPED_TEST_SUITE(RunQueueStress, policies);

TYPED_TEST(RunQueueStress, EveryItemIsOpenedOnce) {
  using queue = licit::run_queue<parcel*, TypeParam>;
  const number share = 500 * scale;
  for (const std::size_t capacity : {2, 4, 16, 256}) {
    for (const std::size_t workers : {2, 3}) {
      const report sum = work<queue>(workers, capacity, share);
      EXPECT_EQ(sum.complaints, std::vector<std::string>{}) << capacity << " slots, " << workers << " workers";
      EXPECT_EQ(sum.opened, workers * share);
      EXPECT_GE(sum.spilt, capacity / 2 + 1);
      EXPECT_GE(sum.moved, std::min<std::size_t>(capacity, 128) / 4 - (capacity < 4 ? 0 : 1))
          << "half of what was left";
    }
  }
}

/// Every 64th theft leaves the item that it returns in the thief's queue too: what the stress must find.
template <class T>
class repeating {
 public:
  explicit repeating(const licit::run_queue_options& options) : right_{options} {}
  void push(T item, auto& sink) { right_.push(item, sink); }
  std::optional<T> pop() { return right_.pop(); }
  licit::stolen<T> steal() { return right_.steal(); }
  licit::stolen<T> steal_half(repeating& own, std::size_t most) {
    auto got = right_.steal_half(own.right_, most);
    if (got && own.thefts_++ % 64 == 0) (void)own.right_.try_push(*got);
    return got;
  }
  [[nodiscard]] bool empty() const { return right_.empty(); }
  [[nodiscard]] std::size_t capacity() const { return right_.capacity(); }

 private:
  licit::run_queue<T> right_;
  unsigned thefts_ = 0;  // the owner's
};

#if !defined(__SANITIZE_THREAD__)
TEST(RunQueueStressPlanted, AnItemThatIsLeftInTheThiefsQueueIsFound) {
  EXPECT_FALSE(work<repeating<parcel*>>(2, 16, 200'000).complaints.empty());
}
#endif

}  // namespace
