// A queue for one producer and one consumer, written for `concurrent::`, which is std:: in the shipped code and the
// checker's mirror of it here. The checker explores every execution of a small program, and the audit finds out
// whether each order is needed.
#include <cstdio>

#include <licit/audit/source_sites.hpp>
#include <licit/checker/std.hpp>

// In the shipped code:
//   namespace concurrent = std;
//   template <class T> using plain = T;
namespace concurrent = licit::checker::standard;
using licit::checker::plain;

class queue {
 public:
  bool push(int item) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == 2) return false;
    items_[tail % 2] = item;
    tail_.store(tail + 1);  // seq_cst is more than it needs
    return true;
  }
  bool pop(int& item) {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = items_[head % 2];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  plain<int> items_[2];
  concurrent::atomic<unsigned> head_{0}, tail_{0};
};

void program() {
  queue q;
  concurrent::thread producer([&] {
    for (int i = 1; i <= 3; ++i) q.push(i);
  });
  int last = 0;
  for (int i = 0; i != 3; ++i) {
    int item = 0;
    if (!q.pop(item)) continue;
    licit::checker::model::check(item == last + 1, "items arrive in order");
    last = item;
  }
  producer.join();
}

int main() {
  const licit::checker::verdict v = licit::checker::check(program);
  std::printf("%s: %llu executions\n%s", name(v.outcome).data(), static_cast<unsigned long long>(v.executions),
              v.trace.c_str());
  std::fputs(text(licit::audit::audit_source(program)).c_str(), stdout);
  return v.outcome == licit::checker::outcome::ok ? 0 : 1;
}
