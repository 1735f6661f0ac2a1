/// Clients of atomic_queue.
#include <atomic_queue/atomic_queue.h>
#include <atomic_queue/spinlock.h>

#include "client.hpp"

namespace {

using atomic_queue::AtomicQueue;
using atomic_queue::AtomicQueue2;
using atomic_queue::TicketSpinlock;
using field::together;

struct task {
  int number;
};

template <class Queue>
void atomic_queue_line() {
  Queue q;
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 2; ++i) {
          int item = 0;
          if (!q.try_pop(item)) continue;
          assert(item > last);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 3; ++item) q.try_push(item);
      });
}

/// Its elements are atomics, so that what they point to is what needs the orders.
template <class Queue>
void atomic_queue_points() {
  Queue q;
  task tasks[] = {{0}, {0}};
  together(
      [&] {
        task* t = nullptr;
        if (q.try_pop(t)) assert(t->number == 1);
      },
      [&] {
        tasks[0].number = 1;
        q.try_push(&tasks[0]);
      });
}

template <class Lock>
void locked() {
  Lock m;
  int data = 0;
  const auto add = [&] {
    m.lock();
    ++data;
    m.unlock();
  };
  together(add, add);
  assert(data == 2);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(
      argc, argv,
      {{"AtomicQueue2", &atomic_queue_line<AtomicQueue2<int, 2, true, false, false, false>>},
       {"AtomicQueue2_one_each", &atomic_queue_line<AtomicQueue2<int, 2, true, false, false, true>>},
       {"AtomicQueue", &atomic_queue_points<AtomicQueue<task*, 2, nullptr, true, false, false, false>>},
       {"AtomicQueue_one_each", &atomic_queue_points<AtomicQueue<task*, 2, nullptr, true, false, false, true>>},
       {"TicketSpinlock", &locked<TicketSpinlock>}});
}
