/// N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP
/// 2013, Figure 1 (the C11 code).
///
/// We had no copy of the paper: the code is from its transcriptions (computersforpeace/model-checker-benchmarks,
/// chase-lev-deque-bugfix/deque.c; status-im/nim-taskpools, taskpools/chase_lev_deques.nim), which agree in what is
/// theirs: the orders of push, take and steal. By these the figure calls `resize` and does not print it, and its
/// indices are of type size_t. Our reading, each an exhibit of its own:
///  - `le-2013-ring`: push goes on with the ring that it had before the resize. That the line is missing in print is
///    said in the first transcription ("Bug in paper"), which comes with CDSChecker (B. Norris, B. Demsky, OOPSLA
///    2013), by which an error in the published code was found; other printings may have it.
///  - `le-2013-growth`: the new ring is published by a relaxed store, as the second transcription fills the gap in. The
///    array's size is an ordinary field.
///  - `le-2013-unsigned`: take of a fresh deque computes 0 - 1 in size_t. The indices start at 0, as transcribed.
///  - `le-2013-repaired`: signed indices, the ring read again, published by release and read by acquire (`consume` in
///    the paper).
///
/// Further down, exhibits of ours on the same deque: `push-…`, the ways to write push, and `half-…`, thefts of several
/// items.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook repaired{.capacity = 1, .push_fence = release, .push_publish = relaxed};

constexpr textbook with(textbook form, auto change) {
  change(form);
  return form;
}
constexpr textbook old_ring = with(repaired, [](textbook& f) { f.uses_new_ring = false; });
constexpr textbook growth = with(repaired, [](textbook& f) { f.grow_publish = relaxed; });
constexpr textbook unsigned_indices = with(repaired, [](textbook& f) { f.signed_indices = false; });
constexpr textbook wide = with(repaired, [](textbook& f) { f.capacity = 2; });

using old_ring_deque = textbook_deque<checker::model, old_ring>;
using growth_deque = textbook_deque<checker::model, growth>;
using unsigned_deque = textbook_deque<checker::model, unsigned_indices>;
using repaired_deque = textbook_deque<checker::model, repaired>;
using wide_deque = textbook_deque<checker::model, wide>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> le_2013() {
  return {{.name = "le-2013-ring",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, Figure 1, push after resize",
           .claim = "a portable form of a deque that is proved right on POWER and Arm (the abstract)",
           .lesson = "after growing, push must use the ring that it has published",
           .showings = {show<old_ring_deque>("push push pop pop | steal", "1 slot, grows",
                                             wrong(assertion, "nothing invented: an item that was never pushed"))}},
          {.name = "le-2013-growth",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, Figure 1, resize (not printed)",
           .claim = "a portable form of a deque that is proved right on POWER and Arm (the abstract)",
           .lesson = "a ring is published by release: its fields and slots are read through the pointer",
           .showings = {show<growth_deque>("push push | steal", "1 slot, grows",
                                           wrong(race, "whose construction by thread 0 does not happen before"))}},
          {.name = "le-2013-unsigned",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, Figure 1, take",
           .claim = "a portable form of a deque that is proved right on POWER and Arm (the abstract)",
           .lesson = "a take from a new deque computes 0 - 1, which in size_t is not below 0",
           .showings = {show<unsigned_deque>("pop | steal", "1 slot, grows",
                                             wrong(assertion, "nothing invented: an item that was never pushed"))}},
          {.name = "le-2013-repaired",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, Figure 1, with the three repairs",
           .claim = "right",
           .lesson = "a release fence in push also covers pop's relaxed stores, in C++20 as in C++11",
           .showings = {
               show<repaired_deque>("push push push pop | steal steal", "1 slot, grows", right(103)),
               show<repaired_deque>("push push pop | steal | steal", "1 slot, grows", right(229)),
               show<repaired_deque>("pop push pop pop | steal", "1 slot, grows", right(14)),
               show<repaired_deque>("push push push pop push | steal steal | steal", "1 slot, grows", right(8719)),
               show<wide_deque>("push push pop pop | steal steal", "2 slots, grows", right(90)),
               show<wide_deque>("push push push pop | steal steal | steal steal", "2 slots, grows", right(30083))}}};
}

// The two ways to write push: a release fence and a relaxed store of bottom (Lê et al. 2013), or a store-release of
// bottom (most code since). On a ring that does not grow. pop is Lê's: relaxed stores and a seq_cst fence.
//
// Ours: the comparison. C++11 lets a release sequence go on with later stores by the same thread; C++20 (P0982) ends
// it there. A thief that reads bottom from pop's relaxed store then synchronises with no push, unless a release fence
// came before that store, or the store itself is a release.

namespace {

constexpr textbook fence{.full = when_full::refuse, .push_fence = release, .push_publish = relaxed};
constexpr textbook store{.full = when_full::refuse, .push_publish = release};
constexpr textbook store_reserve{.full = when_full::refuse, .push_publish = release, .pop_reserve = release};
constexpr textbook store_restore{.full = when_full::refuse, .push_publish = release, .pop_restore = release};

using fence_deque = textbook_deque<checker::model, fence>;
using store_deque = textbook_deque<checker::model, store>;
using reserve_deque = textbook_deque<checker::model, store_reserve>;
using restore_deque = textbook_deque<checker::model, store_restore>;

}  // namespace

std::vector<exhibit> push_forms() {
  return {
      {.name = "push-fence",
       .file = "le_2013.cpp",
       .source = "push by release fence and relaxed store",
       .claim = "right",
       .lesson = "the fence is before every later store of bottom, so each of them publishes",
       .showings = {show<fence_deque>("push push pop pop | steal steal", "2 slots", right(90)),
                    show<fence_deque>("push push pop push push pop push | steal steal", "2 slots", right(294)),
                    show<fence_deque>("push push pop push | steal | steal", "2 slots", right(311)),
                    show<fence_deque>("push push pop push push | steal steal | steal steal", "2 slots", right(45505))}},
      {.name = "push-store",
       .file = "le_2013.cpp",
       .source = "push by store-release, pop's stores relaxed",
       .claim = "the same as the fence",
       .lesson = "this was right until C++20; now a relaxed store by the owner ends push's release sequence",
       .showings = {show<store_deque>("push push pop | steal", "2 slots", wrong(race, "thread 1 claims what it read"),
                                      right(8)),
                    show<store_deque>("push push pop pop | steal steal", "2 slots",
                                      wrong(race, "thread 1 claims what it read"), right(90))}},
      {.name = "push-store-restore",
       .file = "le_2013.cpp",
       .source = "push by store-release, pop's last store a release",
       .claim = "a repair",
       .lesson = "this repairs the wrong store: a thief can read pop's first one",
       .showings = {show<restore_deque>("push push pop | steal", "2 slots", wrong(race, "thread 1 claims what it read"),
                                        right(8))}},
      {.name = "push-store-reserve",
       .file = "le_2013.cpp",
       .source = "push by store-release, pop's first store a release",
       .claim = "a repair",
       .lesson = "one release is enough: pop's seq_cst fence covers its last store",
       .showings = {
           show<reserve_deque>("push push pop pop | steal steal", "2 slots", right(90)),
           show<reserve_deque>("push push pop push push pop push | steal steal", "2 slots", right(294)),
           show<reserve_deque>("push push pop push | steal | steal", "2 slots", right(311)),
           show<reserve_deque>("push push pop push push | steal steal | steal steal", "2 slots", right(45605))}}};
}

// Half of a deque for a thief, and nothing else changed: Lê et al.'s deque, repaired, with a theft of several items. On
// a ring that does not grow.
//
// Ours: all of it. The owner takes every item but the last without a claim, so what a thief claims is its own only if
// the owner has not come near since the thief looked at bottom.

namespace {

constexpr textbook claims{.capacity = 4, .full = when_full::refuse, .push_fence = release, .push_publish = relaxed};

constexpr textbook at_once = with(claims, [](textbook& f) { f.claims_at_once = true; });
constexpr textbook at_once_seq_cst = with(claims, [](textbook& f) {
  f.claims_at_once = true;
  f.push_publish = f.pop_reserve = f.pop_top = f.pop_restore = f.steal_top = f.steal_bottom = seq_cst;
});
constexpr textbook acquiring = with(claims, [](textbook& f) { f.grab_again = acquire; });

using claims_deque = textbook_deque<checker::model, claims>;
using at_once_deque = textbook_deque<checker::model, at_once>;
using at_once_seq_cst_deque = textbook_deque<checker::model, at_once_seq_cst>;
using acquiring_deque = textbook_deque<checker::model, acquiring>;

constexpr expectation twice = wrong(checker::violation::assertion, "exactly once: an item was taken twice");

}  // namespace

std::vector<exhibit> half() {
  return {{.name = "half-at-once",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, repaired; half by one CAS of top (ours)",
           .claim = "what looks like steal-half",
           .lesson = "the owner takes the second item without a CAS, although the thief's CAS covers it",
           .showings = {show<at_once_deque>("push push push pop pop | grab", "4 slots", twice)}},
          {.name = "half-at-once-seq-cst",
           .file = "le_2013.cpp",
           .source = "the same, every load and store of the indices seq_cst (ours)",
           .claim = "the same",
           .lesson = "no ordering repairs it: it fails even if threads just take turns",
           .showings = {show<at_once_seq_cst_deque>("push push push pop pop | grab", "4 slots", twice)}},
          {.name = "half-claims-acquire",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, repaired; a CAS for each item, bottom read again by an acquire load (ours)",
           .claim = "each claim is checked",
           .lesson = "the load may read a value from before the claim: reservation and second claim miss each other",
           .showings = {show<acquiring_deque>("push push push pop pop | grab", "4 slots", twice)}},
          {.name = "half-claims",
           .file = "le_2013.cpp",
           .source = "the same, bottom read again by a seq_cst load (ours)",
           .claim = "a repair: what deque/steal_half.hpp does",
           .lesson = "a seq_cst CAS and a later seq_cst load stay in that order, without a fence",
           .showings = {show<claims_deque>("push push push pop pop | grab", "4 slots", right(31)),
                        show<claims_deque>("push push push pop pop push | grab grab", "4 slots", right(274)),
                        show<claims_deque>("push push push pop pop | grab | grab", "4 slots", right(1293)),
                        show<claims_deque>("push push push pop pop | grab | steal", "4 slots", right(976))}}};
}

}  // namespace licit::models::gallery
