/// Half of a deque for a thief, and nothing else changed: Lê et al.'s deque, repaired (le_2013.cpp), with a theft of
/// several items. On a ring that does not grow.
///
/// Ours: all of it. The owner takes every item but the last without a claim, so what a thief claims is its own only if
/// the owner has not come near since the thief looked at bottom.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook claims{.capacity = 4, .full = when_full::refuse, .push_fence = release, .push_publish = relaxed};

constexpr textbook with(auto change) {
  textbook form = claims;
  change(form);
  return form;
}
constexpr textbook at_once = with([](textbook& f) { f.claims_at_once = true; });
constexpr textbook at_once_seq_cst = with([](textbook& f) {
  f.claims_at_once = true;
  f.push_publish = f.pop_reserve = f.pop_top = f.pop_restore = f.steal_top = f.steal_bottom = seq_cst;
});
constexpr textbook acquiring = with([](textbook& f) { f.grab_again = acquire; });

using claims_deque = textbook_deque<checker::model, claims>;
using at_once_deque = textbook_deque<checker::model, at_once>;
using at_once_seq_cst_deque = textbook_deque<checker::model, at_once_seq_cst>;
using acquiring_deque = textbook_deque<checker::model, acquiring>;

constexpr expectation twice = wrong(checker::violation::assertion, "exactly once: an item was taken twice");

}  // namespace

std::vector<exhibit> half() {
  return {
      {.name = "half-at-once",
       .file = "half.cpp",
       .source = "Lê et al. 2013, repaired; half by one CAS of top (ours)",
       .claim = "what looks like steal-half",
       .lesson = "the owner takes the second item without a CAS, and the thief's covers it",
       .showings = {show<at_once_deque>("push push push pop pop | grab", "4 slots", twice)}},
      {.name = "half-at-once-seq-cst",
       .file = "half.cpp",
       .source = "the same, every load and store of the indices seq_cst (ours)",
       .claim = "the same",
       .lesson = "no ordering mends it: it is wrong when threads just take turns",
       .showings = {show<at_once_seq_cst_deque>("push push push pop pop | grab", "4 slots", twice)}},
      {.name = "half-claims-acquire",
       .file = "half.cpp",
       .source = "Lê et al. 2013, repaired; a CAS for each item, bottom read again by an acquire load (ours)",
       .claim = "each claim is checked",
       .lesson = "the load may be of before the claim: the owner's reservation and the second claim pass each other",
       .showings = {show<acquiring_deque>("push push push pop pop | grab", "4 slots", twice)}},
      {.name = "half-claims",
       .file = "half.cpp",
       .source = "the same, bottom read again by a seq_cst load (ours)",
       .claim = "a repair: what deque/steal_half.hpp does",
       .lesson = "a seq_cst CAS and a seq_cst load after it are store and load in that order, without a fence",
       .showings = {show<claims_deque>("push push push pop pop | grab", "4 slots", right(31)),
                    show<claims_deque>("push push push pop pop push | grab grab", "4 slots", right(274)),
                    show<claims_deque>("push push push pop pop | grab | grab", "4 slots", right(1293)),
                    show<claims_deque>("push push push pop pop | grab | steal", "4 slots", right(976))}}};
}

}  // namespace licit::models::gallery
