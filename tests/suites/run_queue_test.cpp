/// The run queue: its table is minimal, its broken algorithms are found without ghosts, and a bit more is wide enough.
/// The other family of run queues stands beside it, with what a stopped thief pins in each.

#include "suites/run_queue.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "suites/run_queue.hpp"
#include "suites/run_queue/claim_then_copy.hpp"
#include "suites/structure.hpp"

namespace licit::suites {

// What a thief that stops in the middle of a theft leaves to the others, in either family of run queues.

/// A client that looks, after its threads have ended, what can be done with queue 0 of four slots: another thief takes
/// what it can get one by one, then the owner pushes while there is room.
template <class Model, template <class, class> class Queue>
class observed_client : public queue_client<Model, Queue> {
 public:
  using queue_client<Model, Queue>::queue_client;

  struct found {
    std::size_t there = 0;   ///< items in the queue, by its size
    std::size_t stolen = 0;  ///< those of them that the other thief got
    std::size_t pushed = 0;  ///< by the owner, until there was no room
    friend bool operator==(const found&, const found&) = default;
  };
  static inline found last{};  ///< of the last execution

  void settle() {
    last = {.there = this->at(0).size()};
    while (this->half(2, 0, 1)) ++last.stolen;
    while (last.pushed != 4 && this->at(0).try_push(0)) ++last.pushed;
  }
};

template <class Model>
using observed_guess = observed_client<Model, run_queue>;
template <class Model>
using observed_claim = observed_client<Model, claim_then_copy>;
template <class Model>
using claim_then_copy_client = queue_client<Model, claim_then_copy>;

/// The thief that is stopped (`options::stalled`) takes half of a full queue.
inline constexpr client_line standing_thief{"standing_thief", "capacity=4 fill(0,4): | half |",
                                            "what a thief that stops in the middle of a theft leaves to the others"};

/// Not only beside a thief that is stopped: the owner's push of one item is refused while there is room by the size.
inline constexpr client_line refill_line{"refill", "capacity=4 fill(0,4): try | half",
                                         "the owner pushes where the size says that there is room"};

/// The client of the other family's traps, right without them.
inline constexpr client_line claimed_line{"claimed", "capacity=4 fill(0,4): pop offer pop | half pop",
                                          "the owner pops and pushes beside a theft"};

/// A thief's slots count as free as soon as they are claimed.
template <class Model>
using room_from_real_client = claim_then_copy_client<with_rules<Model, claim_then_copy_rules{.copies_occupy = false}>>;
/// The theft ends with the `real` that it began with.
template <class Model>
using finishing_blindly_client = claim_then_copy_client<with_rules<Model, claim_then_copy_rules{.reads_again = false}>>;

namespace {

using checker::model;
using checker::outcome;
using checker::release_sequences;
using checker::verdict;

constexpr std::array rules{release_sequences::cxx20, release_sequences::cxx11};

// Below acquire or release there is relaxed only. Each mutant is caught, so no row is stronger than it need be.
TEST(RunQueue, HasAMutantForEveryRowThatIsNotRelaxed) {
  for (const row& r : run_queue_orders.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    const bool weakened = std::ranges::any_of(run_queue_mutants, [&](const mutant& m) {
      return m.what.site == r.site && m.what.how == change::weaken && m.what.success == order::relaxed;
    });
    EXPECT_EQ(ordered, weakened) << r.site;
    EXPECT_TRUE(r.success != order::acq_rel && r.success != order::seq_cst) << r.site;
  }
}

// Ghosts stand for what the model does not show; these bugs it shows.
TEST(RunQueue, BrokenAlgorithmsAreCaughtWithoutGhosts) {
  std::vector<program> broken;
  detail::program_list list{broken};
  run_queue_suite::broken(list);
  for (const program& p : broken) {
    for (const release_sequences rule : rules) {
      EXPECT_EQ(p.explore({.sequences = rule, .ghosts = false}).outcome, outcome::violation) << p.about.name;
    }
  }
}

// The index of three bits is wrong by its width alone.
TEST(RunQueue, IndexWithOneBitMoreDoesNotComeRound) {
  const verdict v = detail::program_list::made<four_bits_client>(four_bits_lines[0]).explore({});
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
  EXPECT_EQ(v.blocked, 0U);
}

// The two families of run queues side by side: what a thief that is stopped for good pins in each, and the traps of the
// family that claims first and then copies.
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
  EXPECT_EQ(all.size(), 17U) << "the batch, three for its lap, and the payload of one; and at last it ends";
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
