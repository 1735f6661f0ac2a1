/// The two families of run queues side by side: what a thief that is stopped for good pins in each, and the traps of
/// the one that claims first and copies then.
#include <cstdio>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/run_queue/standing_thief.hpp"

namespace licit::checker_test {
namespace {

using checker::ending;
using checker::verdict;
using models::claim_then_copy;
using models::on_run_queue::beside_a_claim;
using models::on_run_queue::beside_a_guess;
using models::on_run_queue::client;

/// What is found beside a thief that was stopped after 0, 1, 2, … steps, and at last beside one that was not.
template <template <class> class Program>
auto beside_a_standing_thief() {
  using program = Program<checker::model>;
  std::vector<typename program::found> all;
  for (bool came_to_it = true; came_to_it;) {
    const verdict v = checker::run<Program>({.stalled = {.thread = 1, .after = static_cast<unsigned>(all.size())}});
    EXPECT_EQ(v.end, ending::ok) << v.message << "\n" << v.trace;
    EXPECT_EQ(v.executions, 1U) << "the others come after it, and see all that it did";
    if (v.end != ending::ok) break;
    all.push_back(program::last);
    came_to_it = v.stalled;
  }
  return all;
}

TEST(run_queue_families, a_guess_pins_nothing) {
  using found = beside_a_guess<checker::model>::found;
  const auto all = beside_a_standing_thief<beside_a_guess>();
  std::size_t before_the_claim = 0;
  for (const found& f : all) {
    before_the_claim += f.there == 4 ? 1U : 0U;
    EXPECT_EQ(f.stolen, f.there) << "another thief gets all that is there";
    EXPECT_EQ(f.pushed, 4U) << "and then the owner has the whole ring";
  }
  EXPECT_EQ(before_the_claim, 10U) << "two loads of the client, three, two guesses, two copies' halves, and the claim";
  EXPECT_EQ(all.size(), 14U) << "the batch, and the payload of one; and at last it ends";
}

TEST(run_queue_families, a_claim_pins_the_queue_until_the_copies_are_made) {
  using found = beside_a_claim<checker::model>::found;
  const auto all = beside_a_standing_thief<beside_a_claim>();
  const found before{.there = 4, .stolen = 4, .pushed = 4};
  const found pinned{.there = 2, .stolen = 0, .pushed = 0};
  const found after{.there = 2, .stolen = 2, .pushed = 4};
  std::size_t step = 0;
  const auto steps_of = [&](const found& what) {
    const std::size_t begin = step;
    while (step != all.size() && all[step] == what) ++step;
    return step - begin;
  };
  EXPECT_EQ(steps_of(before), 7U) << "two loads of the client, four, and the claim";
  EXPECT_EQ(steps_of(pinned), 4U) << "two reads, one write, and the end of the theft";
  EXPECT_EQ(steps_of(after), 4U) << "the batch, and the payload of one; and at last it ends";
  EXPECT_EQ(step, all.size());
}

// Not only beside a thief that is stopped: the owner's push of one item is refused while there is room by the size.
template <class Model, template <class, class> class Queue>
struct refill : client<Model, 7, 2, Queue> {
  static constexpr unsigned threads = 2;
  refill() : client<Model, 7, 2, Queue>(4) { this->fill(0, 4); }
  void thread(unsigned i) { i == 0 ? static_cast<void>(this->try_push()) : static_cast<void>(this->steal_half(1, 0)); }
  void finish() { this->settle(); }
};
template <class Model>
using refill_beside_a_guess = refill<Model, run_queue>;
template <class Model>
using refill_beside_a_claim = refill<Model, claim_then_copy>;

TEST(run_queue_families, room_by_the_size_is_room_beside_a_guess_only) {
  EXPECT_EQ(checker::run<refill_beside_a_guess>().end, ending::ok);
  const verdict v = checker::run<refill_beside_a_claim>();
  EXPECT_EQ(v.kind, checker::violation::assertion);
  EXPECT_EQ(v.message, "a push found no room where the owner saw some");
}

// The traps of the other family, in programs that are right without them.
template <class Model>
struct claimed : client<Model, 6, 2, claim_then_copy> {
  static constexpr unsigned threads = 2;
  claimed() : client<Model, 6, 2, claim_then_copy>(4) { this->fill(0, 4); }
  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      const int item = this->items().open();
      if (!this->at(0).try_push(item)) this->items().take(item);
      this->pop();
    } else {
      this->steal_half(1, 0);
      this->pop(1);
    }
  }
  void finish() { this->settle(); }
};

struct with_room_from_real : checker::model {
  static constexpr bool room_from_real = true;
};
struct that_finishes_blindly : checker::model {
  static constexpr bool finishes_blindly = true;
};

TEST(run_queue_families, the_traps_of_claim_then_copy) {
  const verdict right = checker::run_program<claimed<checker::model>>();
  EXPECT_EQ(right.end, ending::ok) << right.message << "\n" << right.trace;
  const verdict room = checker::run_program<claimed<with_room_from_real>>();
  EXPECT_EQ(room.kind, checker::violation::race) << "room counts from steal: the thief still reads its slots";
  const verdict blind = checker::run_program<claimed<that_finishes_blindly>>();
  EXPECT_EQ(blind.end, ending::violation) << "the owner has popped meanwhile: real is read again at the end";
}

}  // namespace
}  // namespace licit::checker_test
