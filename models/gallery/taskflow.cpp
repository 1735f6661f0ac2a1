/// Taskflow's queues (taskflow/taskflow, taskflow/core/wsq.hpp) and pull request 796, "remove UnboundedWSQ::pop() and
/// relax steal() ordering" (open).
///
/// Theirs: Lê et al.'s deque with a store-release behind the release fence in push ("original paper uses relaxed here
/// but tsa complains") and a ring published by release; and the change: the overflow queue loses pop, its steal loses
/// its fence, reads top relaxed and claims by acq_rel; the bounded queue's steal reads top relaxed and its pop claims
/// by acq_rel. We read the change in the pull request's description, not its diff. Our reading: a bounded queue's steal
/// keeps its seq_cst fence and claim, and consume is acquire; one pusher at a time.
#include "gallery/client.hpp"
#include "gallery/gallery.hpp"
#include "gallery/textbook.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

constexpr textbook as_it_is{.capacity = 1, .push_fence = release, .push_publish = release};
constexpr textbook bounded{.full = when_full::refuse,
                           .push_fence = release,
                           .push_publish = release,
                           .pop_claim = acq_rel,
                           .steal_top = relaxed};
constexpr textbook unbounded{.capacity = 1,
                             .push_fence = release,
                             .push_publish = release,
                             .steal_top = relaxed,
                             .steal_fence = relaxed,
                             .steal_claim = acq_rel};

using deque = textbook_deque<checker::model, as_it_is>;
using bounded_deque = textbook_deque<checker::model, bounded>;
using unbounded_deque = textbook_deque<checker::model, unbounded>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> taskflow() {
  return {{.name = "taskflow",
           .file = "taskflow.cpp",
           .source = "Taskflow, wsq.hpp, UnboundedWSQ",
           .claim = "right",
           .lesson = "a store-release for the sanitizer is harmless if the fence stays",
           .showings = {show<deque>("push push pop pop | steal steal", "1 slot, grows", right(113)),
                        show<deque>("push push push pop | steal steal", "1 slot, grows", right(103)),
                        show<deque>("push push pop | steal | steal", "1 slot, grows", right(229))}},
          {.name = "taskflow-796-bounded",
           .file = "taskflow.cpp",
           .source = "Taskflow, pull request 796, BoundedWSQ",
           .claim = "as right as before, and cheaper (the pull request)",
           .lesson = "the weaker orders are right: the fences order what they no longer do",
           .showings = {show<bounded_deque>("push push pop pop | steal steal", "2 slots", right(90)),
                        show<bounded_deque>("push push pop push push pop push | steal steal", "2 slots", right(294)),
                        show<bounded_deque>("push push pop push | steal | steal", "2 slots", right(311)),
                        show<bounded_deque>("push push pop push push | steal steal | steal", "2 slots", right(4559))}},
          {.name = "taskflow-796-unbounded",
           .file = "taskflow.cpp",
           .source = "Taskflow, pull request 796, UnboundedWSQ, which has no pop",
           .claim = "as right as before, and cheaper (the pull request)",
           .lesson = "without pop, the fence has nothing to order",
           .showings = {show<unbounded_deque>("push push push | steal steal", "1 slot, grows", right(43)),
                        show<unbounded_deque>("push push push | steal steal | steal", "1 slot, grows", right(1362)),
                        show<unbounded_deque>("push push push push push | steal | steal", "1 slot, grows", right(1479)),
                        show<unbounded_deque>("push push push push | steal steal | steal steal", "1 slot, grows",
                                              right(56165))}},
          {.name = "taskflow-796-pop",
           .file = "taskflow.cpp",
           .source = "Taskflow, pull request 796's steal with the pop that it removes",
           .claim = "none: the pull request removes pop for this reason",
           .lesson = "the fence was there for pop: a queue may drop the fence only together with pop",
           .showings = {show<unbounded_deque>("push push pop pop | steal steal", "1 slot, grows",
                                              wrong(assertion, "exactly once: an item was taken twice"))}}};
}

}  // namespace licit::models::gallery
