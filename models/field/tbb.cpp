/// Clients of oneTBB. What is not in its headers is not instrumented: the check has to refuse it.
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_vector.h>
#include <tbb/queuing_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>

#include "client.hpp"

namespace {

using field::together;

template <class Mutex>
void locked() {
  Mutex m;
  int data = 0;
  const auto add = [&] {
    const typename Mutex::scoped_lock lock(m);
    ++data;
  };
  together(add, add);
  assert(data == 2);
}

void spin_rw_mutex() {
  tbb::spin_rw_mutex m;
  int data = 0;
  together(
      [&] {
        const tbb::spin_rw_mutex::scoped_lock lock(m, false);
        assert(data == 0 || data == 1);
      },
      [&] {
        const tbb::spin_rw_mutex::scoped_lock lock(m, true);
        ++data;
      });
}

void concurrent_queue() {
  tbb::concurrent_queue<int> q;
  together(
      [&] {
        int item = 0;
        if (q.try_pop(item)) assert(item == 1);
      },
      [&] { q.push(1); });
}

void concurrent_vector() {
  tbb::concurrent_vector<int> v;
  together([&] { v.push_back(1); }, [&] { v.push_back(2); });
  assert(v.size() == 2);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {{"spin_mutex", &locked<tbb::spin_mutex>},
                     {"queuing_mutex", &locked<tbb::queuing_mutex>},
                     {"spin_rw_mutex", &spin_rw_mutex},
                     {"concurrent_queue", &concurrent_queue},
                     {"concurrent_vector", &concurrent_vector}});
}
