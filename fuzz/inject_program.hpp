/// A fuzzer's bytes as the operations of an inject queue, run in lockstep with a std::deque.
#ifndef LICIT_FUZZ_INJECT_PROGRAM_HPP
#define LICIT_FUZZ_INJECT_PROGRAM_HPP

#include <cstdint>
#include <span>

#include "support/inject_lockstep.hpp"

namespace licit_fuzz {

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

}  // namespace licit_fuzz

#endif
