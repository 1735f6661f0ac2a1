// The ring of spsc_ring.cpp with its orders in a table, and the audit of that table: is each order needed? Each weaker
// order must break the client. Over the native policy a row is a compile-time constant.
#include <array>
#include <cstdio>
#include <optional>

#include <licit/audit/audit.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>

using licit::order;
namespace rows = licit::rows;

inline constexpr licit::table ring_orders{
    "ring",
    {rows::load("push.own", order::relaxed, {}, "the producer's own"),
     rows::load("push.room", order::acquire, {"pop.free"}, "the consumer has done with the cell"),
     rows::store("push.publish", order::release, {"pop.look"}, "the cell is written"),
     rows::load("pop.own", order::relaxed, {}, "the consumer's own"),
     rows::load("pop.look", order::acquire, {"push.publish"}, "the cell is written"),
     rows::store("pop.free", order::release, {"push.room"}, "the cell is read")}};
static_assert(ring_orders.consistent());

template <licit::fixed_string Name>
constexpr auto at = licit::site_of<ring_orders, Name>;

template <class Memory, unsigned Capacity>
class spsc_ring {
 public:
  bool push(int item) {
    const unsigned tail = tail_.load(at<"push.own">);
    if (tail - head_.load(at<"push.room">) == Capacity) return false;
    cells_[tail % Capacity].write(item);
    tail_.store(tail + 1, at<"push.publish">);
    return true;
  }
  std::optional<int> pop() {
    const unsigned head = head_.load(at<"pop.own">);
    if (head == tail_.load(at<"pop.look">)) return std::nullopt;
    const int item = cells_[head % Capacity].read();
    head_.store(head + 1, at<"pop.free">);
    return item;
  }

 private:
  typename Memory::template atomic<unsigned> head_, tail_;
  std::array<typename Memory::template plain<int>, Capacity> cells_;
};

template <class Memory>
struct client {
  static constexpr auto name = "client";
  static constexpr unsigned threads = 2;
  spsc_ring<Memory, 1> ring;

  void thread(unsigned i) {
    for (int attempt = 0; attempt != 2; ++attempt)
      i == 0 ? static_cast<void>(ring.push(attempt)) : static_cast<void>(ring.pop());
  }
  void finish() {}
};

int main() {
  const auto report = licit::audit::audit(licit::audit::subject_of<ring_orders, client>());
  bool needed = report.sufficient.outcome == licit::checker::outcome::ok;
  for (const auto& [row, verdict, weaker] : report.rows) {
    for (const auto& weakened : weaker) {
      std::printf("%-13s relaxed: %s\n", row.site.data(), weakened.result.message.c_str());
      needed = needed && verdict == licit::audit::need::needed;
    }
  }
  spsc_ring<licit::native, 4> machine;
  return needed && machine.push(7) && machine.pop() == 7 ? 0 : 1;
}
