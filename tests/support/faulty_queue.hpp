/// Run queues with a fault: what shows that the lockstep, and the fuzzer with it, can fail.
#ifndef LICIT_TESTS_SUPPORT_FAULTY_QUEUE_HPP
#define LICIT_TESTS_SUPPORT_FAULTY_QUEUE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/deque/run_queue.hpp>

namespace licit_test {

enum class queue_fault : std::uint8_t {
  none,         ///< the control
  takes_more,   ///< a theft of half takes one more than half, where there is room
  swaps,        ///< an overflow's batch is out of order
  forgets,      ///< every 16th push, like one whose slot was overwritten
  false_empty,  ///< every 16th pop finds nothing
};

/// Of numbers; on one thread.
template <class Number, class Policy = licit::native>
class faulty_queue {
 public:
  faulty_queue(queue_fault f, const licit::run_queue_options& options) : fault_{f}, right_{options} {}

  bool try_push(Number item) {
    if (strikes(queue_fault::forgets) && right_.size() != right_.capacity()) return true;
    return right_.try_push(item);
  }
  template <class Sink>
  void push(Number item, Sink& sink) {
    if (fault_ == queue_fault::swaps && right_.size() == right_.capacity()) {
      sink.reserve(right_.capacity() / 2 + 1);
      for (std::size_t i = 0; i != right_.capacity() / 2; ++i) {
        const Number oldest = *right_.pop();
        sink.take(std::span<const Number>(&item, 1));
        item = oldest;
      }
      return sink.take(std::span<const Number>(&item, 1));
    }
    right_.push(item, sink);
  }
  std::optional<Number> pop() {
    if (strikes(queue_fault::false_empty)) return std::nullopt;
    return right_.pop();
  }
  licit::stolen<Number> steal() { return right_.steal(); }
  licit::stolen<Number> steal_half(faulty_queue& own, std::size_t most = 32) {
    auto got = right_.steal_half(own.right_, most);
    if (fault_ != queue_fault::takes_more || !got) return got;
    const auto more = right_.steal();
    if (!more || !own.right_.try_push(*more)) return got;
    return licit::stolen<Number>::taken(*got, got.moved() + 1);
  }
  [[nodiscard]] std::size_t size() const { return right_.size(); }
  [[nodiscard]] bool empty() const { return right_.empty(); }
  [[nodiscard]] std::size_t capacity() const { return right_.capacity(); }

 private:
  bool strikes(queue_fault f) { return fault_ == f && ++turns_ % 16 == 0; }

  const queue_fault fault_;
  licit::run_queue<Number, Policy> right_;
  unsigned turns_ = 0;
};

}  // namespace licit_test

#endif
