// Pushers and takers of an inject queue, with exact accounting; memory that fails now and then; segments short and
// long.
#include <array>
#include <atomic>
#include <cstddef>
#include <latch>
#include <memory_resource>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <licit/scheduler/inject/inject_queue.hpp>

#include <gtest/gtest.h>

#include "support/inject_lockstep.hpp"
#include "support/shift.hpp"

namespace {

using licit_test::number;
using licit_test::scale;

struct letter : licit_test::parcel {
  letter* next = nullptr;
};

}  // namespace

template <>
struct licit::inject_link<letter*> {
  static letter* get(letter* i) noexcept { return i->next; }
  static void set(letter* i, letter* next) noexcept { i->next = next; }
};

namespace {

/// Every seventh allocation fails.
class moody final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (asked_.fetch_add(1, std::memory_order_relaxed) % 7 == 6) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::atomic<unsigned> asked_{0};
};

/// A pusher's: items one at a time, for certain, and in batches.
template <class Queue>
void push_all(Queue& queue, std::span<letter> mine, number first) {
  for (std::size_t i = 0; i != mine.size(); ++i) mine[i].seal(first + i);
  for (std::size_t i = 0; i < mine.size();) {
    const std::size_t left = mine.size() - i;
    if (i % 3 != 0 || left < 5) {
      queue.push_certain(&mine[i++]);
      continue;
    }
    const std::array<letter*, 5> batch{&mine[i], &mine[i + 1], &mine[i + 2], &mine[i + 3], &mine[i + 4]};
    try {
      queue.push(std::span<letter* const>(batch));
      i += batch.size();
    } catch (const std::bad_alloc&) {
      queue.push_certain(&mine[i++]);
    }
  }
}

/// What takers found wrong.
template <class Queue>
std::vector<std::string> work(std::size_t pushers, std::size_t takers, number share) {
  moody memory;
  Queue queue({.memory = &memory});
  std::vector<letter> letters(pushers * share);
  std::vector<std::vector<std::string>> complaints(takers);
  std::atomic<number> left{letters.size()};
  std::latch start(static_cast<std::ptrdiff_t>(pushers + takers));
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p != pushers; ++p) {
    threads.emplace_back([&, p] {
      start.arrive_and_wait();
      push_all(queue, std::span(letters).subspan(p * share, share), p * share);
    });
  }
  for (std::size_t t = 0; t != takers; ++t) {
    threads.emplace_back([&, t] {
      std::vector<letter*> into(t % 2 == 0 ? 32 : 2);
      start.arrive_and_wait();
      while (left.load(std::memory_order_relaxed) != 0) {
        const std::size_t got = queue.pop(into);
        for (letter* l : std::span(into).first(got)) {
          if (!l->open()) complaints[t].push_back("damaged, or taken twice: " + std::to_string(l->label()));
        }
        if (got == 0) std::this_thread::yield();
        left.fetch_sub(got, std::memory_order_relaxed);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  std::vector<std::string> all;
  for (const auto& each : complaints) all.insert(all.end(), each.begin(), each.end());
  if (queue.size() != 0) all.emplace_back("items are left");
  return all;
}

TEST(InjectQueueStress, EveryItemIsTakenOnce) {
  for (const std::size_t pushers : {1, 2, 4}) {
    for (const std::size_t takers : {1, 2}) {
      using complaints = std::vector<std::string>;
      EXPECT_EQ((work<licit::inject_queue<letter*, licit_test::short_segments>>(pushers, takers, 2000 * scale)),
                complaints{});
      EXPECT_EQ((work<licit::inject_queue<letter*>>(pushers, takers, 4000 * scale)), complaints{});
    }
  }
}

/// Every 64th pop that gets a batch gives its first item a second time: what the stress must find.
class repeating {
 public:
  explicit repeating(const licit::inject_queue_options& options) : right_{options} {}
  bool push(std::span<letter* const> batch) { return right_.push(batch); }
  void push_certain(letter* l) noexcept { right_.push_certain(l); }
  std::size_t pop(std::span<letter*> into) {
    const std::size_t got = right_.pop(into);
    if (got > 1 && pops_.fetch_add(1, std::memory_order_relaxed) % 64 == 63) into[1] = into[0];
    return got;
  }
  [[nodiscard]] std::size_t size() const { return right_.size(); }

 private:
  licit::inject_queue<letter*> right_;
  std::atomic<unsigned> pops_{0};
};

#if !defined(__SANITIZE_THREAD__)
TEST(InjectQueueStressPlanted, AnItemThatIsGivenTwiceIsFound) { EXPECT_FALSE(work<repeating>(1, 1, 20'000).empty()); }
#endif

}  // namespace
