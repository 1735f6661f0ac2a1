/// stdexec's block-based work-stealing queue after its repair (NVIDIA/stdexec, include/exec/__detail/
/// __bwos_lifo_queue.hpp; pull request 1967, "Fix BWOS queue bugs", of March 2026).
///
/// Theirs: rounds in the upper half of each counter, so that a block that is used again is told from what it was;
/// start_block_ moved by the owner only; every operation with its order. We read a later version of the file than the
/// pull request's; issues 2130 and 2172 still report races in it. Our reading, an exhibit each:
///  - `stdexec-rounds`: as it is;
///  - `stdexec-rounds-slots`: slots as relaxed atomics, to see whether the race is theirs alone (ours);
///  - `stdexec-rounds-acquire`: steal's load of steal_tail_ and its compare-exchange acquire (ours);
///  - `stdexec-rounds-seq-cst`: every operation seq_cst (ours), to see whether the protocol is right apart from orders.
/// Two blocks of one slot and four of one slot or two, instead of 32 of 8; rounds of 32 bits as there.
#include <array>
#include <cstdint>

#include "gallery/client.hpp"
#include "gallery/gallery.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

enum class strength { published, acquire, seq_cst };

enum class fetched { item, done, empty, conflict };

using word = std::uint64_t;

/// A round and an index in one word.
constexpr word pack(word round, word index) { return round << 32 | index; }
constexpr word round_of(word w) { return w >> 32; }
constexpr word index_of(word w) { return w & 0xFFFF'FFFF; }
constexpr word round_before(word round) { return (round - 1) & 0xFFFF'FFFF; }

template <strength Strength>
constexpr order as(order published) {
  return Strength == strength::seq_cst ? order::seq_cst : published;
}
/// Of a thief's entry to a block.
template <strength Strength>
constexpr order entry() {
  return Strength == strength::published ? relaxed : as<Strength>(acquire);
}

/// A slot that can be written and read at once, to see what comes of it.
template <class Model>
struct relaxed_slot {
  typename Model::template atomic<int> item;

  void write(int i) { item.store(i, relaxed, "put.item"); }
  [[nodiscard]] int read() const { return item.load(relaxed, "item"); }
};

template <class Model, strength Strength, word Size, class Slot>
class block {
 public:
  bool put(int item) {
    const word back = tail_.load(as<Strength>(relaxed), "put.tail");
    if (back == Size) return false;
    slots_[back].write(item);
    tail_.store(back + 1, as<Strength>(release), "put.publish");
    return true;
  }

  bool get(int& item) {
    const word back = tail_.load(as<Strength>(relaxed), "get.tail");
    if (back == 0 || index_of(head_.load(as<Strength>(relaxed), "get.head")) == back) return false;
    item = slots_[back - 1].read();
    tail_.store(back - 1, as<Strength>(release), "get.remove");
    return true;
  }

  fetched steal(word round, int& item) {
    word at = steal_tail_.load(entry<Strength>(), "steal.tail");
    if (index_of(at) == Size) return round_of(at) == round ? fetched::done : fetched::empty;
    if (index_of(at) == tail_.load(as<Strength>(acquire), "steal.back")) return fetched::empty;
    const word claimed = at + 1;
    if (!steal_tail_.compare_exchange(at, claimed, entry<Strength>(), as<Strength>(relaxed), "steal.claim")) {
      return fetched::conflict;
    }
    item = slots_[index_of(at)].read();
    stolen_.fetch_add(1, as<Strength>(release), "steal.finish");
    return fetched::item;
  }

  /// The owner leaves the block backwards.
  void reduce_round() {
    const word at = steal_tail_.load(as<Strength>(relaxed), "reduce.tail");
    const word reduced = pack(round_before(round_of(at)), index_of(at));
    steal_tail_.store(reduced, as<Strength>(relaxed), "reduce.set");
  }
  /// The owner takes the block back from the thieves.
  void take_over() {
    const word head = head_.load(as<Strength>(relaxed), "takeover.head");
    head_.store(steal_tail_.exchange(head, as<Strength>(relaxed), "takeover.claim"), as<Strength>(relaxed),
                "takeover.set");
  }
  [[nodiscard]] bool writable(word round) const {
    return steal_tail_.load(as<Strength>(relaxed), "advance.writable") == pack(round_before(round), Size);
  }
  void grant() {
    const word end = steal_tail_.load(as<Strength>(relaxed), "grant.tail");
    const word old = head_.exchange(end, as<Strength>(relaxed), "grant.head");
    steal_tail_.store(old, as<Strength>(release), "grant.publish");
  }
  void reclaim(word round) {
    const word expected = index_of(head_.load(as<Strength>(relaxed), "reclaim.head"));
    stolen_.await_value(expected, as<Strength>(acquire), "reclaim.wait");  // theirs is a loop
    head_.store(pack(round, 0), as<Strength>(relaxed), "reclaim.set");
    tail_.store(0, as<Strength>(relaxed), "reclaim.reset");
    steal_tail_.store(pack(round, Size), as<Strength>(relaxed), "reclaim.close");
    stolen_.store(0, as<Strength>(relaxed), "reclaim.count");
  }

 private:
  static constexpr word before_the_first = pack(round_before(0), Size);

  typename Model::template atomic<word> head_{before_the_first};
  typename Model::template atomic<word> tail_{Size};
  typename Model::template atomic<word> stolen_{Size};
  typename Model::template atomic<word> steal_tail_{before_the_first};
  std::array<Slot, Size> slots_{};
};

template <class Model, strength Strength, word Blocks, word Size, class Slot = typename Model::template plain<int>>
class round_queue {
 public:
  static constexpr discipline kept = discipline::blocks;

  round_queue() { blocks_[0].reclaim(0); }

  bool push(int item) {
    word owner = last_.load(as<Strength>(relaxed), "push.last");
    do {
      if (at(owner).put(item)) return true;
    } while (advance_put(owner));
    return false;
  }

  int pop() {
    word owner = last_.load(as<Strength>(relaxed), "pop.last");
    int item = none;
    do {
      if (at(owner).get(item)) return item;
    } while (advance_get(owner));
    return none;
  }

  int steal() {
    word thief = start_.load(as<Strength>(relaxed), "steal.start");
    do {
      int item = none;
      fetched got = fetched::conflict;
      while (got == fetched::conflict) got = at(thief).steal(round_of(thief), item);
      if (got != fetched::done) return item;
      thief = next(thief);
    } while (thief < last_.load(as<Strength>(relaxed), "steal.last"));
    return none;
  }

 private:
  auto& at(word counter) { return blocks_[index_of(counter)]; }
  static word next(word counter) {
    const bool wraps = index_of(counter) + 1 == Blocks;
    return wraps ? pack(round_of(counter) + 1, 0) : counter + 1;
  }
  static word previous(word counter) {
    return index_of(counter) == 0 ? pack(round_before(round_of(counter)), Blocks - 1) : counter - 1;
  }

  bool advance_get(word& owner) {
    if (start_.load(as<Strength>(relaxed), "pop.start") == owner) return false;
    const word before = previous(owner);
    at(owner).reduce_round();
    at(before).take_over();
    last_.store(before, as<Strength>(relaxed), "pop.set_last");
    owner = before;
    return true;
  }

  bool advance_put(word& owner) {
    const word after = next(owner);
    if (index_of(after) == index_of(owner) || !at(after).writable(round_of(after))) return false;
    const word first = start_.load(as<Strength>(relaxed), "push.start");
    if (index_of(first) == index_of(after)) start_.store(next(first), as<Strength>(relaxed), "push.set_start");
    at(owner).grant();
    owner = after;
    at(after).reclaim(round_of(after));
    last_.store(after, as<Strength>(relaxed), "push.set_last");
    return true;
  }

  std::array<block<Model, Strength, Size, Slot>, Blocks> blocks_{};
  typename Model::template atomic<word> last_{word{0}};
  typename Model::template atomic<word> start_{word{0}};
};

using published = round_queue<checker::model, strength::published, 4, 1>;
using published_two = round_queue<checker::model, strength::published, 2, 2>;
using atomic_slots = round_queue<checker::model, strength::published, 2, 2, relaxed_slot<checker::model>>;
using acquiring = round_queue<checker::model, strength::acquire, 4, 1>;
using acquiring_two = round_queue<checker::model, strength::acquire, 2, 2>;
using acquiring_pair = round_queue<checker::model, strength::acquire, 2, 1>;
using strong = round_queue<checker::model, strength::seq_cst, 4, 1>;
using strong_pair = round_queue<checker::model, strength::seq_cst, 2, 1>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> blocks_with_rounds() {
  return {
      {.name = "stdexec-rounds",
       .file = "blocks_with_rounds.cpp",
       .source = "stdexec's block-based queue after pull request 1967",
       .claim = "no item is lost any more (the pull request)",
       .lesson = "no item is lost any more, but the race remains: a thief enters a block through relaxed loads",
       .showings = {show<published>("push push push | steal", "4 blocks of 1",
                                    wrong(race, "thread 1 reads plain cell")),
                    show<published_two>("push push push | steal | steal", "2 blocks of 2",
                                        wrong(race, "thread 2 reads plain cell"))}},
      {.name = "stdexec-rounds-slots",
       .file = "blocks_with_rounds.cpp",
       .source = "the same, slots relaxed atomics (ours)",
       .claim = "none: is it a race on the slots only?",
       .lesson = "atomic slots do not help: a task runs before what its spawner wrote is visible",
       .showings = {show<atomic_slots>("push push push | steal | steal", "2 blocks of 2",
                                       wrong(race, "thread 2 reads payload"))}},
      {.name = "stdexec-rounds-acquire",
       .file = "blocks_with_rounds.cpp",
       .source = "the same, a thief's load and claim of steal_tail_ acquire (ours)",
       .claim = "a repair",
       .lesson = "two acquires, free on x86, make these programs right",
       .showings = {show<acquiring>("push push pop pop push push push | steal", "4 blocks of 1", right_with_loops(37)),
                    show<acquiring>("push push push | steal | steal", "4 blocks of 1", right_with_loops(58)),
                    show<acquiring_pair>("push push push pop | steal steal", "2 blocks of 1", right(20)),
                    show<acquiring_two>("push push push pop pop push push | steal steal", "2 blocks of 2",
                                        right_with_loops(120)),
                    show<acquiring_two>("push push push | steal steal | steal", "2 blocks of 2", right(65)),
                    show<acquiring_two>("push push push pop pop push push | steal steal | steal", "2 blocks of 2",
                                        right_with_loops(5458)),
                    show<acquiring_pair>("push push push pop push push | steal steal | steal steal", "2 blocks of 1",
                                         right_with_loops(38661), right_with_loops(38217)),
                    show<acquiring>("push push push push push pop pop push push | steal steal", "4 blocks of 1",
                                    right_with_loops(1592)),
                    show<acquiring>("push push push pop pop push | steal steal | steal", "4 blocks of 1",
                                    right_with_loops(5729), right_with_loops(5726))}},
      {.name = "stdexec-rounds-seq-cst",
       .file = "blocks_with_rounds.cpp",
       .source = "the same, every operation seq_cst (ours)",
       .claim = "the protocol apart from its orders",
       .lesson = "the rounds serve their purpose: the programs that lost items lose none now",
       .showings = {
           show<strong>("push push pop pop push push push | steal", "4 blocks of 1", right_with_loops(21)),
           show<strong_pair>("push push push pop push | steal steal", "2 blocks of 1", right(14)),
           show<strong>("push push push push push pop pop push push | steal steal", "4 blocks of 1", right(32)),
           show<strong>("push push push pop pop push | steal steal | steal", "4 blocks of 1",
                        right_with_loops(1401))}}};
}

}  // namespace licit::models::gallery
