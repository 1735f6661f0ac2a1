/// "tokio-scheduler-and-work-stealing", "The Work-Stealing Deque" and "Batch Stealing".
///
/// Theirs: push, pop, steal and steal_batch with their orders, and slots that are not atomic (UnsafeCell), which a
/// thief clones before its claim. pop's branches are printed in another order than their comments: `front <= back`
/// takes without a claim, the last item too, and the claim stands in a branch that is never reached. Our reading, an
/// exhibit each:
///  - `article-slots`: as printed, slots ordinary data;
///  - `article-pop`: slots atomic, so that the rest can be seen;
///  - `article-batch`: and pop's branches as their comments mean them; steal_batch claims several items by one CAS;
///  - `article-orders`: without steal_batch;
///  - `article-repaired`: and the loads of steal, and pop's last store, seq_cst (ours).
/// Four slots instead of 1024; a full deque refuses instead of panicking; a batch goes to the thief's own list.
#include <algorithm>

#include <licit/deque/ring.hpp>

#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

using licit::detail::index;

namespace {

using enum order;

struct reading {
  bool atomic_slots = true;
  bool claims_last = true;  ///< pop's branches as commented
  order thief = acquire;    ///< the loads of steal
  order restore = relaxed;  ///< pop's last store
};

/// A slot as printed.
template <class Model>
struct ordinary_slot {
  typename Model::template plain<int> value;

  void put(int item) { value.write(item); }
  int take() {
    const int item = value.read();
    value.write(none);
    return item;
  }
  [[nodiscard]] int clone() const { return value.read(); }
};

/// A slot that may be read before it is known whose it is.
template <class Model>
struct atomic_slot {
  typename guarded_slots<Model>::template atomic<int> value;

  void put(int item) { value.store(item, relaxed, "push.item"); }
  int take() { return value.load(relaxed, "pop.item"); }
  [[nodiscard]] int clone() const { return value.guess(relaxed, "steal.item"); }
};

template <class Model, reading Form>
class article_deque {
 public:
  static constexpr discipline kept = discipline::lifo;

  bool push(int item) {
    const index back = back_.load(relaxed, "push.back");
    const index front = front_.load(acquire, "push.front");
    if (back - front >= static_cast<index>(capacity)) return false;
    slot(back).put(item);
    back_.store(back + 1, release, "push.publish");
    return true;
  }

  int pop() {
    const index back = back_.load(relaxed, "pop.back") - 1;
    back_.store(back, seq_cst, "pop.reserve");
    const index front = front_.load(seq_cst, "pop.front");
    if (Form.claims_last ? front < back : front <= back) return slot(back).take();
    if (Form.claims_last ? front > back : front == back + 1) {
      back_.store(Form.claims_last ? back + 1 : front, Form.restore, "pop.restore");
      return none;
    }
    return claim_last(front, back);
  }

  int steal() {
    index front = front_.load(Form.thief, "steal.front");
    const index back = back_.load(Form.thief, "steal.back");
    if (front >= back) return none;
    const int item = slot(front).clone();
    const bool won = front_.compare_exchange(front, front + 1, seq_cst, relaxed, "steal.claim");
    Model::ghost::claim(won);
    return won ? item : none;
  }

  /// steal_batch: half of what there is, at least one, by one compare-exchange; then the items are moved.
  void grab(auto&& taken) {
    const index front = front_.load(acquire, "batch.front");
    const index back = back_.load(acquire, "batch.back");
    const index available = back - front;
    if (available <= 0) return;
    const index count = std::max<index>(available / 2, 1);
    index expected = front;
    if (!front_.compare_exchange(expected, front + count, seq_cst, relaxed, "batch.claim")) return;
    for (index i = front; i != front + count; ++i) taken(slot(i).take());
  }

 private:
  using slot_type = std::conditional_t<Form.atomic_slots, atomic_slot<Model>, ordinary_slot<Model>>;
  static constexpr std::size_t capacity = 4;

  int claim_last(index front, index back) {
    const bool won = front_.compare_exchange(front, front + 1, seq_cst, relaxed, "pop.claim");
    const int item = won ? slot(back).take() : none;
    back_.store(back + 1, Form.restore, "pop.restore");
    return item;
  }

  slot_type& slot(index i) { return slots_[static_cast<std::size_t>(i) % capacity]; }

  std::array<slot_type, capacity> slots_{};
  typename Model::template atomic<index> back_{index{0}};
  typename Model::template atomic<index> front_{index{0}};
};

using printed = article_deque<checker::model, reading{.atomic_slots = false, .claims_last = false}>;
using takes_last = article_deque<checker::model, reading{.claims_last = false}>;
using mended = article_deque<checker::model, reading{}>;
using repaired = article_deque<checker::model, reading{.thief = seq_cst, .restore = seq_cst}>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> scheduler_article() {
  return {{.name = "article-slots",
           .file = "scheduler_article.cpp",
           .source = "tokio-scheduler-and-work-stealing, as printed",
           .claim = "the core of crossbeam-deque and Tokio (the article)",
           .lesson = "a slot that is read before the claim must be atomic",
           .showings = {show<printed>("push pop | steal", "4 slots", wrong(race, "thread 1 reads plain cell"))}},
          {.name = "article-pop",
           .file = "scheduler_article.cpp",
           .source = "tokio-scheduler-and-work-stealing, pop's branches as printed",
           .claim = "owner and thieves contend for the last item only (the article)",
           .lesson = "the owner and the thief do not contend at all: the last item is taken without a claim",
           .showings = {show<takes_last>("push pop | steal", "4 slots",
                                         wrong(assertion, "exactly once: an item was taken twice"))}},
          {.name = "article-batch",
           .file = "scheduler_article.cpp",
           .source = "tokio-scheduler-and-work-stealing, steal_batch, pop mended",
           .claim = "steals half the tasks in a single operation (the article)",
           .lesson = "one CAS of top cannot claim several items from an owner that pops without one",
           .showings = {show<mended>("push push push push pop pop pop | grab", "4 slots",
                                     wrong(assertion, "exactly once: an item was taken twice"))}},
          {.name = "article-orders",
           .file = "scheduler_article.cpp",
           .source = "tokio-scheduler-and-work-stealing, pop mended, orders as printed",
           .claim = "right once pop claims its last item (ours)",
           .lesson = "acquire loads in steal may miss the reservation: seq_cst on one side only has no effect",
           .showings = {show<mended>("push push pop pop | steal steal", "4 slots",
                                     wrong(assertion, "exactly once: an item was taken twice"))}},
          {.name = "article-repaired",
           .file = "scheduler_article.cpp",
           .source = "tokio-scheduler-and-work-stealing, pop and orders mended (ours)",
           .claim = "a repair",
           .lesson =
               "with both loads of a thief and the owner's stores seq_cst it needs no fence; each claim takes one item",
           .showings = {show<repaired>("push push pop pop | steal steal", "4 slots", right(90)),
                        show<repaired>("push push push pop | steal steal", "4 slots", right(58)),
                        show<repaired>("push push pop push | steal | steal", "4 slots", right(239)),
                        show<repaired>("push push push pop | steal steal | steal", "4 slots", right(1761))}}};
}

}  // namespace licit::models::gallery
