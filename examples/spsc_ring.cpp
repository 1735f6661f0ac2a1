// A ring for one producer and one consumer: one source, for production and for the exhaustive checker.
//   spsc_ring            checks it, then runs it on two threads
//   spsc_ring relaxed    checks it with a planted bug: the producer's publication is relaxed
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <thread>

#include <licit/checker/native.hpp>
#include <licit/checker/run.hpp>

using licit::order;

template <class Memory, unsigned Capacity, order Publish>
class spsc_ring {
 public:
  spsc_ring() { Memory::name(cells_, "cell"); }
  bool push(int item) {
    const unsigned tail = tail_.load(order::relaxed, "push.own");
    if (tail - head_.load(order::acquire, "push.room") == Capacity) return false;
    cells_[tail % Capacity].write(item);
    tail_.store(tail + 1, Publish, "push.publish");
    return true;
  }
  std::optional<int> pop() {
    const unsigned head = head_.load(order::relaxed, "pop.own");
    if (head == tail_.load(order::acquire, "pop.look")) return std::nullopt;
    const int item = cells_[head % Capacity].read();
    head_.store(head + 1, order::release, "pop.free");
    return item;
  }

 private:
  typename Memory::template atomic<unsigned> head_{0, "head"}, tail_{0, "tail"};
  std::array<typename Memory::template plain<int>, Capacity> cells_;
};

// What is checked: a producer that tries three times, a consumer that tries three times, one cell between them.
template <class Memory, order Publish>
struct client {
  static constexpr unsigned threads = 2;
  spsc_ring<Memory, 1, Publish> ring;
  int sent = 0, received = 0;  // each belongs to one thread, until finish

  void thread(unsigned i) {
    for (int attempt = 0; attempt != 3; ++attempt) i == 0 ? send() : receive();
  }
  void finish() {
    receive();
    Memory::check(received == sent, "every item arrives");
  }
  void send() { sent += ring.push(sent + 1) ? 1 : 0; }
  void receive() {
    if (const auto item = ring.pop()) Memory::check(*item == ++received, "items arrive in order");
  }
};

template <order Publish>
bool check() {
  const auto verdict = licit::checker::run_program<client<licit::checker::model, Publish>>();
  if (verdict.outcome == licit::checker::outcome::ok) {
    std::printf("ok: %llu executions\n", static_cast<unsigned long long>(verdict.executions));
    return true;
  }
  std::printf("%s: %s\n%s", name(verdict.kind).data(), verdict.message.c_str(), verdict.trace.c_str());
  return false;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "relaxed") return check<order::relaxed>() ? 0 : 1;
  if (!check<order::release>()) return 1;
  client<licit::checker::native, order::release> native;
  std::thread producer([&] { native.thread(0); });
  native.thread(1);
  producer.join();
  native.finish();
}
