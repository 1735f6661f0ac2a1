/// The two families of run queues side by side: what a thief that is stopped for good pins in each, and the traps of
/// the family that claims first and then copies.
#include <vector>

#include <gtest/gtest.h>

#include "suites/run_queue/standing_thief.hpp"
#include "suites/structure.hpp"

namespace licit::suites {
namespace {

using checker::model;
using checker::outcome;
using checker::verdict;

template <template <class> class Client>
verdict explored(const client_line& l, const checker::options& o = {}) {
  return detail::program_list::made<Client>(l).explore(o);
}

/// What is found beside a thief that was stopped after 0, 1, 2, … steps, and at last beside one that was not.
template <template <class> class Client>
auto beside_a_standing_thief() {
  std::vector<typename Client<model>::found> all;
  for (bool came_to_it = true; came_to_it;) {
    const verdict v =
        explored<Client>(standing_thief, {.stalled = {.thread = 1, .after = static_cast<unsigned>(all.size())}});
    EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
    EXPECT_EQ(v.executions, 1U) << "the others come after it, and see all that it did";
    if (v.outcome != outcome::ok) break;
    all.push_back(Client<model>::last);
    came_to_it = v.stalled;
  }
  return all;
}

TEST(RunQueueFamilies, GuessPinsNothing) {
  using found = observed_guess<model>::found;
  const auto all = beside_a_standing_thief<observed_guess>();
  std::size_t before_the_claim = 0;
  for (const found& f : all) {
    before_the_claim += f.there == 4 ? 1U : 0U;
    EXPECT_EQ(f.stolen, f.there) << "another thief gets all that is there";
    EXPECT_EQ(f.pushed, 4U) << "and then the owner has the whole ring";
  }
  EXPECT_EQ(before_the_claim, 10U) << "two loads of the client, three, two guesses, two copies' halves, and the claim";
  EXPECT_EQ(all.size(), 14U) << "the batch, and the payload of one; and at last it ends";
}

TEST(RunQueueFamilies, ClaimPinsTheQueueUntilTheCopiesAreMade) {
  using found = observed_claim<model>::found;
  const auto all = beside_a_standing_thief<observed_claim>();
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

TEST(RunQueueFamilies, RoomByTheSizeIsRoomBesideAGuessOnly) {
  EXPECT_EQ(explored<run_queue_client>(refill_line).outcome, outcome::ok);
  const verdict v = explored<claim_then_copy_client>(refill_line);
  EXPECT_EQ(v.kind, checker::violation::assertion);
  EXPECT_EQ(v.message, "a push found no room where the owner saw some");
}

TEST(RunQueueFamilies, TrapsOfClaimThenCopy) {
  const verdict right = explored<claim_then_copy_client>(claimed_line);
  EXPECT_EQ(right.outcome, outcome::ok) << right.message << "\n" << right.trace;
  const verdict room = explored<room_from_real_client>(claimed_line);
  EXPECT_EQ(room.kind, checker::violation::race) << "the thief still reads its slots";
  const verdict blind = explored<finishing_blindly_client>(claimed_line);
  EXPECT_EQ(blind.outcome, outcome::violation) << "the owner has popped meanwhile";
}

}  // namespace
}  // namespace licit::suites
