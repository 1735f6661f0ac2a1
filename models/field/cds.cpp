/// Clients of libcds: the structures that are headers alone. Those that need a garbage collector are in its library.
#include <cds/container/rwqueue.h>
#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <cds/container/weak_ringbuffer.h>
#include <cds/sync/spinlock.h>

#include "client.hpp"

namespace {

using field::taken;
using field::together;

void vyukov_two_consumers() {
  cds::container::VyukovMPMCCycleQueue<int> q(2);
  q.push(1);
  taken<2> first;
  taken<2> second;
  const auto take = [&](taken<2>& mine) {
    int item = 0;
    if (q.pop(item)) mine(item);
  };
  together([&] { take(first); }, [&] { take(second); }, [&] { q.push(2); });
  taken<2> left;
  for (int item = 0; q.pop(item);) left(item);
  field::check_taken({first, second, left}, 2);
}

/// Two locks, one at each end.
void two_locks() {
  cds::container::RWQueue<int> q;
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 2; ++i) {
          int item = 0;
          if (!q.pop(item)) continue;
          assert(item == last + 1);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 2; ++item) q.push(item);
      });
}

/// Its batches are what it is for: one announces many.
void weak_ring() {
  cds::container::WeakRingBuffer<int> q(2);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 3; ++i) {
          const int* const item = q.front();
          if (item == nullptr) continue;
          assert(*item > last);
          last = *item;
          q.pop_front();
        }
      },
      [&] {
        for (int item = 1; item <= 3; ++item) q.push(item);
      });
}

void spin() {
  cds::sync::spin m;
  int n = 0;
  const auto add = [&] {
    m.lock();
    ++n;
    m.unlock();
  };
  together(add, add);
  assert(n == 2);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {
                        {"vyukov_two_consumers", &vyukov_two_consumers},
                        {"two_locks", &two_locks},
                        {"weak_ring", &weak_ring},
                        {"spin", &spin},
                    });
}
