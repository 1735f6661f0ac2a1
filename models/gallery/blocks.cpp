/// stdexec's block-based work-stealing queue before its repair (NVIDIA/stdexec, include/exec/__detail/
/// __bwos_lifo_queue.hpp before pull request 1967), after J. Wang et al., "BWoS: Formally Verified Block-based Work
/// Stealing for Parallel Processing", OSDI 2023. Its issue 1755, "Bwos Queue bug", says that tasks are lost.
///
/// Theirs: the queue of blocks, every operation with its order, slots that are not atomic. The author reports a
/// race on an Arm machine and lost tasks on x86, and that acquire and release on thief_block_, tail_ and steal_tail_
/// cure the race but not the loss. Our reading, an exhibit each: as it was; and with every operation seq_cst, in place
/// of those stronger orders, so that the loss can be seen.
/// Four blocks of one slot or two instead of the pool's 32 of 8.
#include <array>
#include <cstdint>

#include "gallery/client.hpp"
#include "gallery/gallery.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

enum class strength { published, seq_cst };

template <strength Strength>
constexpr order as(order published) {
  return Strength == strength::seq_cst ? order::seq_cst : published;
}

enum class fetched { item, done, empty, conflict };

template <class Model, strength Strength, std::uint64_t Size>
class block {
 public:
  bool put(int item) {
    const count back = tail_.load(as<Strength>(relaxed), "put.tail");
    if (back == Size) return false;
    slots_[back].write(item);
    tail_.store(back + 1, as<Strength>(release), "put.publish");
    return true;
  }

  fetched get(int& item) {
    const count front = head_.load(as<Strength>(relaxed), "get.head");
    if (front == Size) return fetched::done;
    const count back = tail_.load(as<Strength>(relaxed), "get.tail");
    if (front == back) return fetched::empty;
    item = slots_[back - 1].read();
    tail_.store(back - 1, as<Strength>(release), "get.remove");
    return fetched::item;
  }

  fetched steal(int& item) {
    count at = steal_tail_.load(as<Strength>(relaxed), "steal.tail");
    if (at == Size) return fetched::done;
    if (at == tail_.load(as<Strength>(acquire), "steal.back")) return fetched::empty;
    if (!steal_tail_.compare_exchange(at, at + 1, as<Strength>(relaxed), as<Strength>(relaxed), "steal.claim")) {
      return fetched::conflict;
    }
    item = slots_[at].read();
    steal_head_.fetch_add(1, as<Strength>(release), "steal.finish");
    return fetched::item;
  }

  /// The owner takes the block back from the thieves; whether it still holds items.
  bool take_over() {
    const count at = steal_tail_.exchange(Size, as<Strength>(relaxed), "takeover.claim");
    if (at == Size) {
      return head_.load(as<Strength>(relaxed), "takeover.head") != tail_.load(as<Strength>(relaxed), "takeover.tail");
    }
    head_.store(at, as<Strength>(relaxed), "takeover.set");
    return at != tail_.load(as<Strength>(relaxed), "takeover.tail");
  }

  [[nodiscard]] bool writable() const { return steal_tail_.load(as<Strength>(relaxed), "advance.writable") == Size; }
  [[nodiscard]] bool stealable() const { return steal_tail_.load(as<Strength>(acquire), "steal.stealable") != Size; }

  void grant() {
    const count old = head_.exchange(Size, as<Strength>(relaxed), "grant.head");
    steal_tail_.store(old, as<Strength>(release), "grant.publish");
  }

  void reclaim() {
    const count stolen = tail_.load(as<Strength>(relaxed), "reclaim.tail");
    steal_head_.await_value(stolen, as<Strength>(acquire), "reclaim.wait");  // theirs is a loop
    head_.store(0, as<Strength>(relaxed), "reclaim.head");
    tail_.store(0, as<Strength>(relaxed), "reclaim.reset");
    steal_tail_.store(Size, as<Strength>(relaxed), "reclaim.close");
    steal_head_.store(0, as<Strength>(relaxed), "reclaim.count");
  }

 private:
  using count = std::uint64_t;

  typename Model::template atomic<count> head_{0};
  typename Model::template atomic<count> tail_{0};
  typename Model::template atomic<count> steal_head_{0};
  typename Model::template atomic<count> steal_tail_{Size};
  std::array<typename Model::template plain<int>, Size> slots_{};
};

template <class Model, strength Strength, std::size_t Blocks, std::uint64_t Size>
class block_queue {
 public:
  static constexpr discipline kept = discipline::blocks;

  block_queue() { owned(1).reclaim(); }

  bool push(int item) {
    do {
      if (owned(owner_.load(as<Strength>(relaxed), "push.owner")).put(item)) return true;
    } while (advance_put());
    return false;
  }

  int pop() {
    int item = none;
    do {
      const fetched got = owned(owner_.load(as<Strength>(relaxed), "pop.owner")).get(item);
      if (got == fetched::item) return item;
      if (got == fetched::done) return none;
    } while (advance_get());
    return none;
  }

  int steal() {
    std::size_t thief = 0;
    do {
      thief = thief_.load(as<Strength>(relaxed), "steal.block");
      int item = none;
      fetched got = fetched::conflict;
      while (got == fetched::conflict) got = owned(thief).steal(item);
      if (got != fetched::done) return item;
    } while (advance_steal(thief));
    return none;
  }

 private:
  auto& owned(std::size_t counter) { return blocks_[counter % Blocks]; }

  bool advance_get() {
    std::size_t before = owner_.load(as<Strength>(relaxed), "pop.owner") - 1;
    if (!owned(before).take_over()) return false;
    std::size_t thief = thief_.load(as<Strength>(relaxed), "pop.thief");
    if (thief == before) {
      before += Blocks;
      thief += Blocks - 1;
      thief_.store(thief, as<Strength>(relaxed), "pop.set_thief");
    }
    owner_.store(before, as<Strength>(relaxed), "pop.set_owner");
    return true;
  }

  bool advance_put() {
    const std::size_t owner = owner_.load(as<Strength>(relaxed), "push.owner");
    const std::size_t next = owner + 1;
    if (next - thief_.load(as<Strength>(relaxed), "push.thief") >= Blocks) return false;
    if (!owned(next).writable()) return false;
    owned(owner).grant();
    owner_.store(next, as<Strength>(relaxed), "push.set_owner");
    owned(next).reclaim();
    return true;
  }

  bool advance_steal(std::size_t thief) {
    if (owned(thief + 1).stealable()) {
      std::size_t expected = thief;
      thief_.compare_exchange(expected, thief + 1, as<Strength>(relaxed), as<Strength>(relaxed), "steal.advance");
      return true;
    }
    return thief_.load(as<Strength>(relaxed), "steal.block") != thief;
  }

  std::array<block<Model, Strength, Size>, Blocks> blocks_{};
  typename Model::template atomic<std::size_t> owner_{std::size_t{1}};
  typename Model::template atomic<std::size_t> thief_{std::size_t{0}};
};

using published = block_queue<checker::model, strength::published, 4, 2>;
using strong = block_queue<checker::model, strength::seq_cst, 4, 1>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> blocks() {
  return {{.name = "stdexec-blocks",
           .file = "blocks.cpp",
           .source = "stdexec's block-based queue before pull request 1967",
           .claim = "after a formally verified design (its header)",
           .lesson = "a thief that enters a block through a relaxed load does not see the block's items",
           .showings = {show<published>("push push push | steal | steal", "4 blocks of 2",
                                        wrong(race, "thread 2 reads plain cell"))}},
          {.name = "stdexec-blocks-seq-cst",
           .file = "blocks.cpp",
           .source = "the same, every operation seq_cst (issue 1755)",
           .claim = "acquire and release cure the race, tasks are lost all the same (the issue)",
           .lesson = "a thief enters a block that the owner has taken back, and no thread returns to it",
           .showings = {show<strong>("push push pop pop push push push | steal", "4 blocks of 1",
                                     wrong(assertion, "nothing lost: an item was pushed and never taken"))}}};
}

}  // namespace licit::models::gallery
