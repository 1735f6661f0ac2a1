/// Growable deques that publish a new ring by a relaxed store: C. Williams, riften::Deque (ConorWilliams/
/// ConcurrentDeque, include/riften/deque.hpp, `emplace`) and lf::deque (ConorWilliams/libfork,
/// include/libfork/core/ext/deque.hpp, `push`).
///
/// Theirs: push by release fence and relaxed store, the ring pointer stored relaxed and read by consume, and that pop
/// reads its slot after its claim, which no other thread can tell from before. Our reading: consume is acquire;
/// capacity and mask are ordinary fields of the ring, as there.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook published{.capacity = 1, .push_fence = release, .push_publish = relaxed, .grow_publish = relaxed};
constexpr textbook released{.capacity = 1, .push_fence = release, .push_publish = relaxed};

using published_deque = textbook_deque<checker::model, published>;
using released_deque = textbook_deque<checker::model, released>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> relaxed_ring() {
  return {{.name = "ring-relaxed",
           .file = "relaxed_ring.cpp",
           .source = "riften::Deque and libfork's lf::deque",
           .claim = "ordering is maintained by the surrounding atomics (a comment in libfork)",
           .lesson = "a thief can read the new pointer together with the old bottom: nothing orders the ring's fields",
           .showings = {show<published_deque>("push push | steal", "1 slot, grows",
                                              wrong(race, "whose construction by thread 0 does not happen before")),
                        show<published_deque>("push push push pop | steal steal", "1 slot, grows",
                                              wrong(race, "whose construction by thread 0 does not happen before"))}},
          {.name = "ring-released",
           .file = "relaxed_ring.cpp",
           .source = "the same, the ring stored by release (ours)",
           .claim = "a repair",
           .lesson = "the repair costs only one release store at each growth",
           .showings = {show<released_deque>("push push | steal", "1 slot, grows", right(5)),
                        show<released_deque>("push push push pop | steal steal", "1 slot, grows", right(103))}}};
}

}  // namespace licit::models::gallery
