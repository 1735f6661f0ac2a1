#include <atomic>
#include <cassert>
#include <thread>

class queue {
 public:
  void push(int item) {
    items_[tail_.load(std::memory_order_relaxed) % 2] = item;
    tail_.fetch_add(1, std::memory_order_relaxed);  // a release is missing
  }
  bool pop(int& item) {
    if (head_ == tail_.load(std::memory_order_acquire)) return false;
    item = items_[head_++ % 2];
    return true;
  }

 private:
  int items_[2] = {};
  std::atomic<unsigned> tail_{0};
  unsigned head_ = 0;
};

int main() {
  queue q;
  std::thread producer([&] { q.push(1); });
  int got = 0;
  if (q.pop(got)) assert(got == 1);
  producer.join();
}
