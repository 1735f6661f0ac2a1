/// The two ways to write push: a release fence and a relaxed store of bottom (Lê et al. 2013), or a store-release of
/// bottom (most code since). On a ring that does not grow. pop is Lê's: relaxed stores and a seq_cst fence.
///
/// Ours: the comparison. C++11 lets a release sequence go on with later stores by the same thread; C++20 (P0982) ends
/// it there. A thief that reads bottom from pop's relaxed store then synchronises with no push, unless a release fence
/// came before that store, or the store itself is a release.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook fence{.full = when_full::refuse, .push_fence = release, .push_publish = relaxed};
constexpr textbook store{.full = when_full::refuse, .push_publish = release};
constexpr textbook store_reserve{.full = when_full::refuse, .push_publish = release, .pop_reserve = release};
constexpr textbook store_restore{.full = when_full::refuse, .push_publish = release, .pop_restore = release};

using fence_deque = textbook_deque<checker::model, fence>;
using store_deque = textbook_deque<checker::model, store>;
using reserve_deque = textbook_deque<checker::model, store_reserve>;
using restore_deque = textbook_deque<checker::model, store_restore>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> push_forms() {
  return {
      {.name = "push-fence",
       .file = "push_forms.cpp",
       .source = "push by release fence and relaxed store",
       .claim = "right",
       .lesson = "the fence is before every later store of bottom, so each of them publishes",
       .showings = {show<fence_deque>("push push pop pop | steal steal", "2 slots", right(90)),
                    show<fence_deque>("push push pop push push pop push | steal steal", "2 slots", right(294)),
                    show<fence_deque>("push push pop push | steal | steal", "2 slots", right(311)),
                    show<fence_deque>("push push pop push push | steal steal | steal steal", "2 slots", right(45505))}},
      {.name = "push-store",
       .file = "push_forms.cpp",
       .source = "push by store-release, pop's stores relaxed",
       .claim = "the same as the fence",
       .lesson = "it was, until C++20: a relaxed store by the owner now ends push's release sequence",
       .showings = {show<store_deque>("push push pop | steal", "2 slots", wrong(race, "thread 1 claims what it read"),
                                      right(8)),
                    show<store_deque>("push push pop pop | steal steal", "2 slots",
                                      wrong(race, "thread 1 claims what it read"), right(90))}},
      {.name = "push-store-restore",
       .file = "push_forms.cpp",
       .source = "push by store-release, pop's last store a release",
       .claim = "a repair",
       .lesson = "the wrong store is mended: a thief can read the first one",
       .showings = {show<restore_deque>("push push pop | steal", "2 slots", wrong(race, "thread 1 claims what it read"),
                                        right(8))}},
      {.name = "push-store-reserve",
       .file = "push_forms.cpp",
       .source = "push by store-release, pop's first store a release",
       .claim = "a repair",
       .lesson = "enough: pop's seq_cst fence covers its last store",
       .showings = {
           show<reserve_deque>("push push pop pop | steal steal", "2 slots", right(90)),
           show<reserve_deque>("push push pop push push pop push | steal steal", "2 slots", right(294)),
           show<reserve_deque>("push push pop push | steal | steal", "2 slots", right(311)),
           show<reserve_deque>("push push pop push push | steal steal | steal steal", "2 slots", right(45605))}}};
}

}  // namespace licit::models::gallery
