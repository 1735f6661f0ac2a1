/// D. Chase, Y. Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005.
///
/// We had no copy of the paper: this is its algorithm as it is commonly given.
///
/// Theirs: the algorithm, in Java with volatile fields, and that one slot stays free. Our reading: a volatile field of
/// Java is an atomic with seq_cst in every operation; the array's elements too, though they are ordinary in the paper
/// (a Java program may race on them, a C++ program may not); replaced rings are kept; no shrinking.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook form{.capacity = 2,
                        .spare = 1,
                        .push_room = seq_cst,
                        .push_item = seq_cst,
                        .push_publish = seq_cst,
                        .grow_publish = seq_cst,
                        .pop_reserve = seq_cst,
                        .pop_fence = relaxed,
                        .pop_top = seq_cst,
                        .pop_claim = seq_cst,
                        .pop_restore = seq_cst,
                        .steal_top = seq_cst,
                        .steal_fence = relaxed,
                        .steal_bottom = seq_cst,
                        .steal_ring = seq_cst,
                        .steal_item = seq_cst,
                        .steal_claim = seq_cst,
                        .lost_claim = seq_cst};

using deque = textbook_deque<checker::model, form>;

}  // namespace

std::vector<exhibit> chase_lev_2005() {
  return {{.name = "chase-lev-2005",
           .file = "chase_lev_2005.cpp",
           .source = "Chase & Lev 2005",
           .claim = "the algorithm, sequentially consistent: right",
           .lesson = "if every access is seq_cst, the algorithm needs no fence",
           .showings = {show<deque>("push push pop pop | steal steal", "2 slots, grows", right(113)),
                        show<deque>("push push push pop | steal steal", "2 slots, grows", right(77)),
                        show<deque>("push push pop push pop push | steal steal", "2 slots, grows", right(273)),
                        show<deque>("push push pop | steal | steal", "2 slots, grows", right(215)),
                        show<deque>("push push push pop | steal steal | steal", "2 slots, grows", right(2692))}}};
}

}  // namespace licit::models::gallery
