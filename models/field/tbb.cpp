/// Clients of oneTBB's headers. What these call in its library is defined here, so that libtbb.so is not linked.
#include <cstdlib>
#include <new>

#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_vector.h>
#include <tbb/queuing_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>

#include "client.hpp"

namespace tbb::detail::r1 {

void* cache_aligned_allocate(std::size_t size) { return ::operator new(size, std::align_val_t{64}); }
void cache_aligned_deallocate(void* block) { ::operator delete(block, std::align_val_t{64}); }
void throw_exception(exception_id /*id*/) { std::abort(); }

}  // namespace tbb::detail::r1

namespace {

using field::taken;
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

void concurrent_queue_two_consumers() {
  tbb::concurrent_queue<int> q;
  taken<2> first;
  taken<2> second;
  const auto take = [&](taken<2>& mine) {
    int item = 0;
    if (q.try_pop(item)) mine(item);
  };
  together([&] { take(first); }, [&] { take(second); },
           [&] {
             q.push(1);
             q.push(2);
           });
  taken<2> left;
  for (int item = 0; q.try_pop(item);) left(item);
  field::check_taken({first, second, left}, 2);
}

void concurrent_vector() {
  tbb::concurrent_vector<int> v;
  together([&] { v.push_back(1); }, [&] { v.push_back(2); });
  assert(v.size() == 2 && v[0] + v[1] == 3);
}

/// One makes a segment and a larger table of segments, while the other reads an element and needs them too.
void concurrent_vector_grows() {
  tbb::concurrent_vector<int> v;
  for (int i = 0; i != 8; ++i) v.push_back(i);
  together([&] { assert(v[1] == 1 && *v.push_back(8) == 8); }, [&] { assert(v[2] == 2 && *v.push_back(9) == 9); });
  assert(v.size() == 10 && v[8] + v[9] == 17);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {{"spin_mutex", &locked<tbb::spin_mutex>},
                     {"queuing_mutex", &locked<tbb::queuing_mutex>},
                     {"spin_rw_mutex", &spin_rw_mutex},
                     {"concurrent_queue", &concurrent_queue},
                     {"concurrent_queue_two_consumers", &concurrent_queue_two_consumers},
                     {"concurrent_vector", &concurrent_vector},
                     {"concurrent_vector_grows", &concurrent_vector_grows}});
}
