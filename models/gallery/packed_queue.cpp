/// Tokio's run queue of 2020 to 2022 (tokio-rs/tokio, tokio/src/runtime/queue.rs): two 16-bit indices packed in one
/// 32-bit head. Its issue 5041, "ABA in local queue"; repaired by wider indices (pull request 5042).
///
/// Theirs: push_back, pop and steal_into2 with their orders and assertions, slots that are not atomic. Our reading: a
/// batch goes to the thief's own list instead of its queue, a full queue refuses instead of overflowing, and the
/// widths: indices of `Bits` bits and 2 slots instead of 16 bits and 256. What counts for the ABA is how often the
/// owner pops while a thief stands between its look and its claim: 2^Bits times, so 4 where Tokio had 65,536 (less than
/// a millisecond, says the issue) and has 2^32 now.
#include <cstdint>

#include "gallery/client.hpp"
#include "gallery/gallery.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

template <class Model, unsigned Bits>
class run_queue {
 public:
  static constexpr discipline kept = discipline::fifo;

  bool push(int item) {
    const half steal = unpack(head_.load(acquire, "push.head")).steal;
    const half tail = tail_.load(relaxed, "push.tail");
    if (wrap(tail - steal) >= capacity) return false;
    slot(tail).write(item);
    tail_.store(wrap(tail + 1), release, "push.publish");
    return true;
  }

  int pop() {
    half packed = head_.load(acquire, "pop.head");
    for (;;) {
      const heads h = unpack(packed);
      if (h.real == tail_.load(relaxed, "pop.tail")) return none;
      const half next = wrap(h.real + 1);
      if (h.steal != h.real) Model::check(h.steal != next, "the source's assertion: steal != next_real");
      const half claimed = h.steal == h.real ? pack(next, next) : pack(h.steal, next);
      if (head_.compare_exchange(packed, claimed, acq_rel, acquire, "pop.claim")) return slot(h.real).read();
    }
  }

  /// steal_into2: claims half by moving `real`, takes the items, then lets `steal` follow.
  void grab(auto&& taken) {
    half packed = head_.load(acquire, "steal.head");
    half count = 0;
    heads h{};
    for (;;) {
      h = unpack(packed);
      const half available = wrap(tail_.load(acquire, "steal.tail") - h.real);
      if (h.steal != h.real) return;
      count = available - available / 2;
      if (count == 0) return;
      const half claimed = pack(h.steal, wrap(h.real + count));
      if (!head_.compare_exchange(packed, claimed, acq_rel, acquire, "steal.claim")) continue;
      packed = claimed;
      break;
    }
    Model::check(count <= capacity / 2, "the source's assertion: n <= LOCAL_QUEUE_CAPACITY / 2");
    for (half i = 0; i != count; ++i) taken(slot(wrap(h.real + i)).read());
    finish(packed);
  }

 private:
  using half = std::uint32_t;
  struct heads {
    half steal;
    half real;
  };
  static constexpr half capacity = 2;
  static constexpr half mask = (half{1} << Bits) - 1;
  static_assert(capacity <= mask, "an index counts beyond the slots, so that full is not empty");

  static half wrap(half i) { return i & mask; }
  static half pack(half steal, half real) { return steal << Bits | real; }
  static heads unpack(half packed) { return {packed >> Bits, wrap(packed)}; }

  void finish(half packed) {
    for (;;) {
      const half real = unpack(packed).real;
      if (head_.compare_exchange(packed, pack(real, real), acq_rel, acquire, "steal.finish")) return;
      Model::check(unpack(packed).steal != unpack(packed).real, "the source's assertion: actual_steal != actual_real");
    }
  }

  typename Model::template plain<int>& slot(half i) { return slots_[i % capacity]; }

  std::array<typename Model::template plain<int>, capacity> slots_{};
  typename Model::template atomic<half> head_;
  typename Model::template atomic<half> tail_;
};

using narrow = run_queue<checker::model, 2>;
using wider = run_queue<checker::model, 3>;

using enum checker::violation;

}  // namespace

std::vector<exhibit> packed_queue() {
  return {{.name = "run-queue-narrow",
           .file = "packed_queue.cpp",
           .source = "Tokio's run queue with 16-bit halves (issue 5041), scaled to 2 bits",
           .claim = "right, by a mitigation that the issue calls weak",
           .lesson = "ABA: after 2^Bits pops the head has its old value, and the claim is for items that are long gone",
           .showings = {show<narrow>("push pop push pop push pop push pop | grab", "2 slots, 2 bits",
                                     wrong(assertion, "exactly once: an item was taken twice")),
                        show<narrow>("push pop push pop push | grab", "2 slots, 2 bits", right(49))}},
          {.name = "run-queue-wider",
           .file = "packed_queue.cpp",
           .source = "the same with one bit more",
           .claim = "resilient, not immune (pull request 5042)",
           .lesson = "each bit doubles the time for which a thief must be stopped: the same programs are right",
           .showings = {show<wider>("push pop push pop push pop push pop | grab", "2 slots, 3 bits", right(393)),
                        show<wider>("push push pop push pop pop | grab grab", "2 slots, 3 bits", right(1071)),
                        show<wider>("push push pop push pop | grab | grab", "2 slots, 3 bits", right(11317))}}};
}

}  // namespace licit::models::gallery
