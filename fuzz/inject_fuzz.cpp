// libFuzzer: every sequence of operations on an inject queue agrees with a std::deque, with segments long and short.
// With LICIT_FUZZ_PLANTED the queue turns batches round: the fuzzer must find it.
#include <cstddef>
#include <cstdint>
#include <span>

#include "support/inject_lockstep.hpp"

namespace {

/// Each byte: an operation in the low two bits, how much in the others; 255 closes the queue.
template <class Queue>
void check_inject(std::span<const std::uint8_t> input) {
  licit_test::inject_lockstep<Queue> pair;
  for (const std::uint8_t byte : input) {
    const std::size_t amount = byte >> 2U & 31U;
    if (byte == 255) {
      pair.close();
      continue;
    }
    switch (byte & 3U) {
      case 0: pair.push(); break;
      case 1: pair.push_batch(amount); break;
      default: pair.pop(amount); break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef LICIT_FUZZ_PLANTED
  check_inject<licit_test::swapping_inject_queue>({data, size});
#else
  check_inject<licit::inject_queue<licit_test::number, licit_test::short_segments>>({data, size});
  check_inject<licit::inject_queue<licit_test::number>>({data, size});
#endif
  return 0;
}
