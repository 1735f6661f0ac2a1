/// The account sees what it is for: each of its properties is broken by a deque that is wrong in one way.
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "gallery/client.hpp"

namespace licit::models::gallery {
namespace {

using checker::model;
using checker::verdict;
using checker::violation;

enum class fault { nothing, loses, doubles, invents, pops_oldest, steals_youngest };

/// For one thread.
template <fault Fault, discipline Order = discipline::lifo>
class list {
 public:
  static constexpr discipline kept = Order;

  bool push(int item) {
    if (Fault != fault::loses || item != 2) items_[size_++] = item;
    return true;
  }
  int pop() { return remove((Order == discipline::fifo) != (Fault == fault::pops_oldest)); }
  int steal() { return remove(Fault != fault::steals_youngest); }

 private:
  int remove(bool oldest) {
    if (size_ == 0) return none;
    const int item = oldest ? items_[0] : items_[size_ - 1];
    if (oldest) std::move(items_.begin() + 1, items_.end(), items_.begin());
    if (Fault != fault::doubles || std::exchange(again_, true)) --size_;
    return Fault == fault::invents && item == 2 ? 7 : item;
  }

  std::array<int, 8> items_{};
  std::size_t size_ = 0;
  bool again_ = false;
};

template <class Deque>
verdict of(std::string_view line) {
  return on<Deque>(line)({});
}
template <fault Fault>
std::string failure(std::string_view line = "push push push steal pop") {
  const verdict v = of<list<Fault>>(line);
  EXPECT_EQ(v.kind, Fault == fault::nothing ? violation::none : violation::assertion);
  return v.message;
}

TEST(account, accepts_what_is_right) {
  EXPECT_EQ(failure<fault::nothing>(), "");
  EXPECT_EQ(failure<fault::nothing>("pop push pop pop steal push"), "");
  EXPECT_EQ((of<list<fault::nothing, discipline::fifo>>("push push pop steal push").message), "");
}
TEST(account, sees_a_lost_item) {
  EXPECT_EQ(failure<fault::loses>(), "nothing lost: an item was pushed and never taken");
}
TEST(account, sees_an_item_taken_twice) {
  EXPECT_EQ(failure<fault::doubles>("push pop"), "exactly once: an item was taken twice");
}
TEST(account, sees_an_item_from_nowhere) {
  EXPECT_EQ(failure<fault::invents>(), "nothing invented: an item that was never pushed");
}
TEST(account, sees_a_pop_out_of_order) {
  EXPECT_EQ(failure<fault::pops_oldest>("push push pop"), "LIFO: pop did not return the owner's youngest item");
}
TEST(account, sees_a_steal_out_of_order) {
  EXPECT_EQ(failure<fault::steals_youngest>("push push steal steal"),
            "FIFO: a thread got an older item after a younger one");
}
TEST(account, sees_a_queue_out_of_order) {
  EXPECT_EQ((of<list<fault::pops_oldest, discipline::fifo>>("push push pop pop").message),
            "FIFO: a thread got an older item after a younger one");
}
TEST(account, lets_thieves_of_blocks_overtake_and_no_pop) {
  EXPECT_EQ((of<list<fault::steals_youngest, discipline::blocks>>("push push push steal steal pop").message), "");
  EXPECT_EQ((of<list<fault::pops_oldest, discipline::blocks>>("push push push pop pop").message),
            "LIFO: pop did not return the owner's youngest item");
}

/// One place, refused when it is full.
template <order Publish, bool Refuses>
struct place {
  static constexpr discipline kept = discipline::lifo;

  bool push(int item) {
    if (Refuses && item_.load(order::relaxed) != none) return false;
    item_.store(item, Publish, "push");
    return true;
  }
  int pop() { return item_.exchange(none, order::acquire, "pop"); }
  int steal() { return item_.exchange(none, order::acquire, "steal"); }

  model::atomic<int> item_{none};
};

TEST(account, sees_a_payload_that_was_not_published) {
  EXPECT_EQ((of<place<order::release, true>>("push | steal").message), "");
  const verdict v = of<place<order::relaxed, true>>("push | steal");
  EXPECT_EQ(v.kind, violation::race) << v.message;
}
TEST(account, takes_no_refused_item_for_lost) {
  EXPECT_EQ((of<place<order::release, true>>("push push | steal").message), "");
  EXPECT_EQ((of<place<order::release, false>>("push push | steal").message),
            "nothing lost: an item was pushed and never taken");
}

TEST(line, calls_what_its_deque_has) {
  EXPECT_THROW(on<list<fault::nothing>>("push | grab"), std::invalid_argument);
  EXPECT_THROW(on<list<fault::nothing>>("push | peek"), suites::line_error);
}

}  // namespace
}  // namespace licit::models::gallery
