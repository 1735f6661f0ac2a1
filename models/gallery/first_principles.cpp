/// "Work-Stealing from First Principles" (work-stealing-first-principles), "The Rust implementation".
///
/// Theirs: push, steal and pop with their orders; the item is *taken* out of its slot (`Option::take`) before the
/// compare-exchange that decides whose it is, by thieves and by the owner; a deque is empty when `bottom == 0`; push
/// does not look for room. Our reading, an exhibit each:
///  - `principles-slots`: as printed, slots ordinary data;
///  - `principles-take`: taking is an atomic exchange, so that the rest can be seen;
///  - `principles-orders`: the item is read before the compare-exchange and left where it is; orders as printed;
///  - `principles-repaired`: and the loads of top and bottom seq_cst (ours); `bottom == 0` stays.
/// Two slots; the programs never have more items than that.
#include <licit/deque/ring.hpp>

#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

using licit::detail::index;

namespace {

using enum order;

enum class taking { ordinary, exchange, guess };

template <class Model, taking How, order Loads>
class principles_deque {
 public:
  static constexpr discipline kept = discipline::lifo;

  bool push(int item) {
    const index bottom = bottom_.load(relaxed, "push.bottom");
    put(bottom, item);
    bottom_.store(bottom + 1, release, "push.publish");
    return true;
  }

  int steal() {
    index top = top_.load(Loads, "steal.top");
    const index bottom = bottom_.load(Loads, "steal.bottom");
    if (top >= bottom) return none;
    const int item = take(top);
    const bool won = top_.compare_exchange(top, top + 1, seq_cst, seq_cst, "steal.claim");
    Model::ghost::claim(won);
    return won ? item : none;
  }

  int pop() {
    const index bottom = bottom_.load(relaxed, "pop.bottom");
    if (bottom == 0) return none;
    bottom_.store(bottom - 1, seq_cst, "pop.reserve");
    index top = top_.load(Loads, "pop.top");
    if (bottom - 1 > top) return own(bottom - 1);
    if (bottom - 1 < top) {
      bottom_.store(top, relaxed, "pop.restore");
      return none;
    }
    const int item = own(top);
    const index last = top;
    const bool won = top_.compare_exchange(top, top + 1, seq_cst, seq_cst, "pop.claim");
    bottom_.store(last + 1, relaxed, "pop.restore");
    return won ? item : none;
  }

 private:
  static constexpr std::size_t capacity = 2;

  struct slot {
    typename Model::template plain<int> ordinary;
    typename guarded_slots<Model>::template atomic<int> atomic;
  };
  slot& at(index i) { return slots_[static_cast<std::size_t>(i) % capacity]; }

  void put(index i, int item) {
    How == taking::ordinary ? at(i).ordinary.write(item) : at(i).atomic.store(item, relaxed, "push.item");
  }
  int take(index i) {
    if constexpr (How == taking::guess) return at(i).atomic.guess(relaxed, "steal.item");
    return remove(i);
  }
  int own(index i) {
    if constexpr (How == taking::guess) return at(i).atomic.load(relaxed, "pop.item");
    return remove(i);
  }
  int remove(index i) {
    if constexpr (How == taking::exchange) return at(i).atomic.value.exchange(none, relaxed, "take.item");
    const int item = at(i).ordinary.read();
    at(i).ordinary.write(none);
    return item;
  }

  std::array<slot, capacity> slots_{};
  typename Model::template atomic<index> bottom_{index{0}};
  typename Model::template atomic<index> top_{index{0}};
};

using printed = principles_deque<checker::model, taking::ordinary, acquire>;
using exchanged = principles_deque<checker::model, taking::exchange, acquire>;
using guessed = principles_deque<checker::model, taking::guess, acquire>;
using repaired = principles_deque<checker::model, taking::guess, seq_cst>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> first_principles() {
  return {
      {.name = "principles-slots",
       .file = "first_principles.cpp",
       .source = "work-stealing-first-principles, as printed",
       .claim = "no duplicates, no lost items (the article)",
       .lesson = "two thieves write the same slot before either has claimed it",
       .showings = {show<printed>("push | steal | steal", "2 slots", wrong(race, "thread 2 reads plain cell"))}},
      {.name = "principles-take",
       .file = "first_principles.cpp",
       .source = "work-stealing-first-principles, taking as an atomic exchange",
       .claim = "no duplicates, no lost items (the article)",
       .lesson = "one thief takes the item out and loses the claim; the winner of the claim finds nothing",
       .showings = {show<exchanged>("push | steal | steal", "2 slots",
                                    wrong(assertion, "nothing lost: an item was pushed and never taken"))}},
      {.name = "principles-orders",
       .file = "first_principles.cpp",
       .source = "work-stealing-first-principles, the item read and left",
       .claim = "right once the claim comes first (ours)",
       .lesson = "store-load again: an acquire load of top does not wait for the seq_cst store before it",
       .showings = {show<guessed>("push push pop pop | steal steal", "2 slots",
                                  wrong(assertion, "exactly once: an item was taken twice"))}},
      {.name = "principles-repaired",
       .file = "first_principles.cpp",
       .source = "work-stealing-first-principles, item and orders mended (ours)",
       .claim = "a repair",
       .lesson = "`bottom == 0` does not test for emptiness; that is harmless, since the branches after it do",
       .showings = {show<repaired>("push push pop pop | steal steal", "2 slots", right(81), right(77)),
                    show<repaired>("pop push pop pop push | steal", "2 slots", right(16), right(14)),
                    show<repaired>("push push pop | steal | steal", "2 slots", right(137), right(123)),
                    show<repaired>("push push pop pop | steal steal | steal", "2 slots", right(1972), right(1570))}}};
}

}  // namespace licit::models::gallery
