/// Clients of DPDK's ring, over its C11 model of memory. What makes a ring is in its library: the clients lay one out.
#define RTE_USE_C11_MEM_MODEL
#include <rte_ring.h>

#include "client.hpp"

namespace {

using field::taken;
using field::together;

/// What rte_ring_init writes, and room for `Most` items behind it.
template <rte_ring_sync_type Sync, unsigned Most>
class ring {
 public:
  ring() {
    made_.head.size = Most + 1;
    made_.head.mask = Most;
    made_.head.capacity = Most;
    made_.head.prod.sync_type = made_.head.cons.sync_type = Sync;
    if (Sync == RTE_RING_SYNC_MT_RTS) made_.head.rts_prod.htd_max = made_.head.rts_cons.htd_max = Most;
  }
  bool push(long item) { return rte_ring_enqueue(&made_.head, reinterpret_cast<void*>(item)) == 0; }
  bool pop(long& item) {
    void* got = nullptr;
    const bool has = rte_ring_dequeue(&made_.head, &got) == 0;
    item = reinterpret_cast<long>(got);
    return has;
  }

 private:
  static_assert((Most & (Most + 1)) == 0, "one less than a power of two");
  struct {
    rte_ring head;
    void* items[Most + 1];
  } made_{};
};

void one_each() {
  ring<RTE_RING_SYNC_ST, 1> q;
  long last = 0;
  together(
      [&] {
        for (int i = 0; i != 3; ++i) {
          long item = 0;
          if (!q.pop(item)) continue;
          assert(item > last);
          last = item;
        }
      },
      [&] {
        for (long item = 1; item <= 3; ++item) q.push(item);
      });
}

template <rte_ring_sync_type Sync>
void two_producers() {
  ring<Sync, 3> q;
  together([&] { q.push(1); }, [&] { q.push(2); });
  taken<2> all;
  for (long item = 0; q.pop(item);) all(static_cast<int>(item));
  field::check_taken({all}, 2);
}

/// Is an item taken twice?
void two_consumers() {
  ring<RTE_RING_SYNC_MT, 1> q;
  q.push(1);
  taken<2> first;
  taken<2> second;
  const auto take = [&](taken<2>& mine) {
    long item = 0;
    if (q.pop(item)) mine(static_cast<int>(item));
  };
  bool pushed = false;
  together([&] { take(first); }, [&] { take(second); }, [&] { pushed = q.push(2); });
  taken<2> left;
  for (long item = 0; q.pop(item);) left(static_cast<int>(item));
  field::check_taken({first, second, left}, pushed ? 2 : 1);
}

/// Is an item written over? A producer may know of the other's, and not yet of the room that it found.
void full() {
  ring<RTE_RING_SYNC_MT, 1> q;
  q.push(1);
  taken<3> all;
  int count = 1;
  bool pushed = false;
  bool pushed_too = false;
  together(
      [&] {
        long item = 0;
        if (q.pop(item)) all(static_cast<int>(item));
      },
      [&] { pushed = q.push(2); }, [&] { pushed_too = q.push(3); });
  for (long item = 0; q.pop(item);) all(static_cast<int>(item));
  count += static_cast<int>(pushed) + static_cast<int>(pushed_too);
  field::check_taken({all}, count);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {{"ring_one_each", &one_each},
                     {"ring_two_producers", &two_producers<RTE_RING_SYNC_MT>},
                     {"ring_two_consumers", &two_consumers},
                     {"ring_full", &full},
                     {"ring_rts", &two_producers<RTE_RING_SYNC_MT_RTS>},
                     {"ring_hts", &two_producers<RTE_RING_SYNC_MT_HTS>}});
}
