/// "Work Stealing" (work-stealing-overview), "Pseudo-code: the Chase-Lev deque skeleton".
///
/// Theirs: the algorithm in pseudo-code, with one ordering in it: push stores bottom by release. There is no look for
/// room. Our reading: every other access is relaxed, or acquire and release, or seq_cst; slots are relaxed, a
/// compare-exchange that fails is relaxed or seq_cst. The programs never fill the ring.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook reading(order load, order store, order update, order lost) {
  return {.capacity = 4,
          .full = when_full::overwrite,
          .push_publish = store == relaxed ? release : store,
          .pop_reserve = store,
          .pop_fence = relaxed,
          .pop_top = load,
          .pop_claim = update,
          .pop_restore = store,
          .steal_top = load,
          .steal_fence = relaxed,
          .steal_bottom = load,
          .steal_claim = update,
          .lost_claim = lost};
}

using relaxed_deque = textbook_deque<checker::model, reading(relaxed, relaxed, relaxed, relaxed)>;
using acquire_release_deque = textbook_deque<checker::model, reading(acquire, release, acq_rel, relaxed)>;
using seq_cst_deque = textbook_deque<checker::model, reading(seq_cst, seq_cst, seq_cst, seq_cst)>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> overview() {
  return {{.name = "overview-relaxed",
           .file = "overview.cpp",
           .source = "work-stealing-overview, pseudo-code read as relaxed",
           .claim = "lock-free (the article); its orderings are not said",
           .lesson = "push's release alone publishes nothing: the thief must acquire",
           .showings = {show<relaxed_deque>("push | steal", "4 slots", wrong(race, "thread 1 claims what it read"))}},
          {.name = "overview-acquire-release",
           .file = "overview.cpp",
           .source = "work-stealing-overview, pseudo-code read as acquire and release",
           .claim = "lock-free (the article); its orderings are not said",
           .lesson = "store-load: pop's reservation and the thief's claim miss each other",
           .showings = {show<acquire_release_deque>("push push pop pop | steal steal", "4 slots",
                                                    wrong(assertion, "exactly once: an item was taken twice"))}},
          {.name = "overview-seq-cst",
           .file = "overview.cpp",
           .source = "work-stealing-overview, pseudo-code read as seq_cst",
           .claim = "lock-free (the article); its orderings are not said",
           .lesson = "right as long as the ring is never full: the text does not check for room",
           .showings = {show<seq_cst_deque>("push push pop pop | steal steal", "4 slots", right(77)),
                        show<seq_cst_deque>("push push push pop | steal steal", "4 slots", right(32)),
                        show<seq_cst_deque>("push push pop | steal | steal", "4 slots", right(117)),
                        show<seq_cst_deque>("push push push push push | steal", "4 slots",
                                            wrong(assertion, "exactly once: an item was taken twice"))}}};
}

}  // namespace licit::models::gallery
