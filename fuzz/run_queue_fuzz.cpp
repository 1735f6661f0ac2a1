// libFuzzer: every sequence of operations on two run queues agrees with two std::deques, also past the largest index.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <licit/deque/run_queue.hpp>
#include <licit/deque/run_queue_options.hpp>

#include "support/queue_lockstep.hpp"

namespace {

/// The first byte: capacity 2^(1 + low three bits). Each other: the queue in the lowest bit, an operation in the next
/// three, and how often, or how much at most, in the others. Throws licit_test::mismatch, which nothing catches.
/// `make` makes a queue from options.
template <class Queue>
void check_run_queue(std::span<const std::uint8_t> input, auto make) {
  if (input.empty()) return;
  const std::size_t capacity = std::size_t{2} << (input[0] & 7U);
  licit_test::queue_lockstep<Queue> pair(capacity,
                                         [&] { return make(licit::run_queue_options{.capacity = capacity}); });
  for (const std::uint8_t byte : input.subspan(1)) {
    const std::size_t q = byte & 1U;
    const std::size_t amount = byte >> 4U;
    switch (byte >> 1U & 7U) {
      case 5: pair.steal_half(q, amount); break;
      case 6: pair.steal_half(q, 32); break;
      case 7: pair.refuse(amount % 2 == 1); break;
      default:
        for (std::size_t i = 0; i <= amount; ++i) {
          switch (byte >> 1U & 7U) {
            case 0: pair.try_push(q); break;
            case 1: pair.pop(q); break;
            case 2: pair.steal(q); break;
            default: pair.push(q); break;
          }
        }
    }
  }
}

struct late : licit::native_checked {
  static constexpr auto replaced(licit::run_queue_rules<> r) {
    r.start = ~std::uint64_t{0} - 20;
    return r;
  }
};

template <class Policy>
void check(std::span<const std::uint8_t> input) {
  using queue = licit::run_queue<licit_test::number, Policy>;
  check_run_queue<queue>(input,
                         [](const licit::run_queue_options& options) { return std::make_unique<queue>(options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check<licit::native_checked>({data, size});
  check<late>({data, size});
  return 0;
}
