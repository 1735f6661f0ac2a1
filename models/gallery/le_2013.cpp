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
           .lesson = "take of a fresh deque: 0 - 1 is not below 0 in size_t",
           .showings = {show<unsigned_deque>("pop | steal", "1 slot, grows",
                                             wrong(assertion, "nothing invented: an item that was never pushed"))}},
          {.name = "le-2013-repaired",
           .file = "le_2013.cpp",
           .source = "Lê et al. 2013, Figure 1, with the three repairs",
           .claim = "right",
           .lesson = "a release fence in push covers pop's relaxed stores too, in C++20 as in C++11",
           .showings = {
               show<repaired_deque>("push push push pop | steal steal", "1 slot, grows", right(103)),
               show<repaired_deque>("push push pop | steal | steal", "1 slot, grows", right(229)),
               show<repaired_deque>("pop push pop pop | steal", "1 slot, grows", right(14)),
               show<repaired_deque>("push push push pop push | steal steal | steal", "1 slot, grows", right(8719)),
               show<wide_deque>("push push pop pop | steal steal", "2 slots, grows", right(90)),
               show<wide_deque>("push push push pop | steal steal | steal steal", "2 slots, grows", right(30083))}}};
}

}  // namespace licit::models::gallery
