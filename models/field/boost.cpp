/// Clients of Boost.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <boost/signals2/signal.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "client.hpp"

namespace {

using field::taken;
using field::together;

void spsc_queue() {
  boost::lockfree::spsc_queue<int> q(2);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 3; ++i) {
          int item = 0;
          if (!q.pop(item)) continue;
          assert(item > last);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 4; ++item) q.push(item);
      });
}

void spsc_queue_many() {
  boost::lockfree::spsc_queue<int> q(2);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 2; ++i) {
          int items[2] = {};
          const std::size_t n = q.pop(items, 2);
          for (std::size_t k = 0; k != n; ++k) {
            assert(items[k] > last);
            last = items[k];
          }
        }
      },
      [&] {
        const int items[] = {1, 2, 3};
        const std::size_t n = q.push(items, 2);
        q.push(items + n, 3 - n);
      });
}

void queue() {
  boost::lockfree::queue<int> q(2);
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
        q.push(1);
        q.push(2);
      });
}

void queue_two_producers() {
  boost::lockfree::queue<int, boost::lockfree::fixed_sized<true>> q(4);
  together([&] { q.push(1); }, [&] { q.push(2); });
  taken<2> all;
  int item = 0;
  while (q.pop(item)) all(item);
  field::check_taken({all}, 2);
}

/// The second uses a node again that the first may still read.
void queue_node_again() {
  boost::lockfree::queue<int> q(2);
  q.push(1);
  q.push(2);
  taken<3> first;
  taken<3> second;
  together(
      [&] {
        int item = 0;
        if (q.pop(item)) first(item);
      },
      [&] {
        int item = 0;
        if (q.pop(item)) second(item);
        if (q.pop(item)) second(item);
        q.push(3);
      });
  int item = 0;
  while (q.pop(item)) first(item);
  field::check_taken({first, second}, 3);
}

void stack() {
  boost::lockfree::stack<int> s(2);
  taken<2> mine;
  together(
      [&] {
        int item = 0;
        for (int i = 0; i != 2; ++i) {
          if (s.pop(item)) mine(item);
        }
      },
      [&] {
        s.push(1);
        s.push(2);
      });
  int item = 0;
  while (s.pop(item)) mine(item);
  field::check_taken({mine}, 2);
}

void stack_two_pop() {
  boost::lockfree::stack<int> s(2);
  s.push(1);
  s.push(2);
  taken<2> first;
  taken<2> second;
  const auto pop = [&](taken<2>& mine) {
    int item = 0;
    if (s.pop(item)) mine(item);
  };
  together([&] { pop(first); }, [&] { pop(second); });
  field::check_taken({first, second}, 2);
}

struct counted : boost::intrusive_ref_counter<counted, boost::thread_safe_counter> {
  int data = 1;
};

void intrusive_ptr() {
  boost::intrusive_ptr<counted> a(new counted);
  boost::intrusive_ptr<counted> b = a;
  const auto use = [](boost::intrusive_ptr<counted>& mine) {
    assert(mine->data == 1);
    mine.reset();
  };
  together([&] { use(a); }, [&] { use(b); });
}

/// One thread calls the slots while the other takes the only one away.
void signal_disconnected() {
  boost::signals2::signal<void(int)> s;
  int got = 0;
  const boost::signals2::connection only = s.connect([&](int n) { got += n; });
  together([&] { s(1); }, [&] { only.disconnect(); });
  s(1);
  assert(got <= 1 && s.num_slots() == 0);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {{"spsc_queue", &spsc_queue},
                     {"spsc_queue_many", &spsc_queue_many},
                     {"queue", &queue},
                     {"queue_two_producers", &queue_two_producers},
                     {"queue_node_again", &queue_node_again},
                     {"stack", &stack},
                     {"stack_two_pop", &stack_two_pop},
                     {"intrusive_ptr", &intrusive_ptr},
                     {"signal_disconnected", &signal_disconnected}});
}
