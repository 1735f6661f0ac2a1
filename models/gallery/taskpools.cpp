/// nim-taskpools (status-im/nim-taskpools, taskpools/chase_lev_deques.nim), pull request 52, "Fix TSan detected data
/// races": ThreadSanitizer does not model fences, so push's release fence and relaxed store became a store-release.
///
/// Theirs: the deque (Lê et al.'s, signed indices) and the change, as the review thread shows it ("harmless for the use
/// case (they are equivalent here)"). A fork (nitely/nim-taskpools) has it under `taskpoolsTsan` only, and publishes a
/// grown ring by release; the file before the change publishes it relaxed. Our reading: Nim's orders are
/// C++'s of the same names; but for the last program of the first exhibit nothing grows, so that only push is at stake.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook before{.capacity = 2, .push_fence = release, .push_publish = relaxed, .grow_publish = relaxed};
constexpr textbook after{.capacity = 2, .push_publish = release, .grow_publish = relaxed};

using before_deque = textbook_deque<checker::model, before>;
using after_deque = textbook_deque<checker::model, after>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> taskpools() {
  return {{.name = "taskpools-before",
           .file = "taskpools.cpp",
           .source = "nim-taskpools before pull request 52",
           .claim = "ThreadSanitizer: a data race (its own false alarm, in push)",
           .lesson = "push is right; growth is not: the ring is published relaxed",
           .showings = {show<before_deque>("push push pop | steal", "2 slots", right(8)),
                        show<before_deque>("push push pop pop | steal steal", "2 slots", right(90)),
                        show<before_deque>("push push push | steal", "2 slots, grows",
                                           wrong(race, "whose construction by thread 0 does not happen before"))}},
          {.name = "taskpools-52",
           .file = "taskpools.cpp",
           .source = "nim-taskpools, pull request 52, push as first proposed",
           .claim = "equivalent to the fence (the pull request)",
           .lesson = "it satisfies the sanitizer, but adds a race in C++20",
           .showings = {show<after_deque>("push push pop | steal", "2 slots",
                                          wrong(race, "thread 1 claims what it read"), right(8)),
                        show<after_deque>("push push pop pop | steal steal", "2 slots",
                                          wrong(race, "thread 1 claims what it read"), right(90))}}};
}

}  // namespace licit::models::gallery
