/// moodycamel::ConcurrentQueue, first in, first out. With the one producer's token on both sides: its fastest way.
#ifndef LICIT_BENCH_PEERS_MOODYCAMEL_QUEUE_HPP
#define LICIT_BENCH_PEERS_MOODYCAMEL_QUEUE_HPP

#include <cstddef>

#include <concurrentqueue/concurrentqueue.h>

namespace licit_bench {

class moodycamel_queue {
 public:
  static constexpr bool thieves = true;

  explicit moodycamel_queue(std::size_t capacity) : items_(capacity), owner_(items_) {}

  void push(void* item) { items_.enqueue(owner_, item); }
  void* pop() { return steal(); }

  void* steal() {
    void* item = nullptr;
    return items_.try_dequeue_from_producer(owner_, item) ? item : nullptr;
  }

 private:
  moodycamel::ConcurrentQueue<void*> items_;
  moodycamel::ProducerToken owner_;
};

}  // namespace licit_bench

#endif
