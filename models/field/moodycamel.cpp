/// Clients of moodycamel's queues.
#include <readerwriterqueue.h>

#include <concurrentqueue/concurrentqueue.h>

#include "client.hpp"

namespace {

using field::taken;
using field::together;

void one_reader() {
  moodycamel::ReaderWriterQueue<int> q(1);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 3; ++i) {
          int item = 0;
          if (!q.try_dequeue(item)) continue;
          assert(item > last);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 3; ++item) q.try_enqueue(item);
      });
}

void one_reader_grows() {
  moodycamel::ReaderWriterQueue<int> q(1);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 3; ++i) {
          int item = 0;
          if (!q.try_dequeue(item)) continue;
          assert(item == last + 1);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 3; ++item) q.enqueue(item);
      });
}

/// Small: what has a size of 32 by default has 2.
struct small : moodycamel::ConcurrentQueueDefaultTraits {
  static const size_t BLOCK_SIZE = 2;
  static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
};
using queue = moodycamel::ConcurrentQueue<int, small>;

void implicit() {
  queue q(2, 0, 2);
  int last = 0;
  together(
      [&] {
        int item = 0;
        if (q.try_dequeue(item)) last = item;
        assert(last == 0 || last == 1);
      },
      [&] { q.enqueue(1); });
}

void with_tokens() {
  queue q(2, 1, 0);
  moodycamel::ProducerToken token(q);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 2; ++i) {
          int item = 0;
          if (!q.try_dequeue_from_producer(token, item)) continue;
          assert(item == last + 1);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 3; ++item) q.enqueue(token, item);
      });
}

void with_tokens_two_consumers() {
  queue q(2, 1, 0);
  moodycamel::ProducerToken token(q);
  taken<2> first;
  taken<2> second;
  const auto dequeue = [&](taken<2>& mine) {
    int item = 0;
    if (q.try_dequeue_from_producer(token, item)) mine(item);
  };
  together([&] { dequeue(first); }, [&] { dequeue(second); },
           [&] {
             q.enqueue(token, 1);
             q.enqueue(token, 2);
           });
}

void implicit_two_consumers() {
  queue q(2, 0, 1);
  taken<2> first;
  taken<2> second;
  const auto dequeue = [&](taken<2>& mine) {
    int item = 0;
    if (q.try_dequeue(item)) mine(item);
  };
  together([&] { dequeue(first); }, [&] { dequeue(second); },
           [&] {
             q.enqueue(1);
             q.enqueue(2);
           });
}

/// Both empty a block; the second uses it again.
void implicit_block_again() {
  queue q(2);
  q.enqueue(1);
  q.enqueue(2);
  taken<3> first;
  taken<3> second;
  const auto dequeue = [&](taken<3>& mine) {
    int item = 0;
    if (q.try_dequeue(item)) mine(item);
  };
  together([&] { dequeue(first); },
           [&] {
             dequeue(second);
             q.enqueue(3);
           });
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {{"one_reader", &one_reader},
                     {"one_reader_grows", &one_reader_grows},
                     {"implicit", &implicit},
                     {"with_tokens", &with_tokens},
                     {"with_tokens_two_consumers", &with_tokens_two_consumers},
                     {"implicit_two_consumers", &implicit_two_consumers},
                     {"implicit_block_again", &implicit_block_again}});
}
