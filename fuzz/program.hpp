/// A fuzzer's bytes as a deque's operations, run in lockstep with a std::deque.
#ifndef LICIT_FUZZ_PROGRAM_HPP
#define LICIT_FUZZ_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <licit/deque.hpp>

#include "support/items.hpp"
#include "support/lockstep.hpp"
#include "support/memory.hpp"

namespace licit_fuzz {

/// The first byte: initial capacity 2^(low three bits), and how many doublings there may be (the next two bits; three
/// is any number).
inline licit::deque_options options_of(std::uint8_t first, licit_test::counting_memory& memory) {
  licit::deque_options options;
  options.initial_capacity = std::size_t{1} << (first & 7U);
  const unsigned doublings = first >> 3U & 3U;
  if (doublings < 3) options.maximum_capacity = options.initial_capacity << doublings;
  options.memory = &memory;
  return options;
}

/// Each byte: an operation in the low three bits, and how often in the others (1 to 32).
template <class Lockstep>
void run(Lockstep& pair, licit_test::counting_memory& memory, std::span<const std::uint8_t> program) {
  for (const std::uint8_t byte : program) {
    const unsigned times = (byte >> 3U) + 1U;
    switch (byte & 7U) {
      case 6: memory.failing = !memory.failing; break;
      case 7:
        if (times == 32) pair.destroy_owner();  // rarely: nothing is pushed after it
        break;
      default:
        for (unsigned i = 0; i != times; ++i) {
          switch (byte & 7U) {
            case 2: pair.pop(); break;
            case 3: pair.steal(); break;
            case 4: i % 2 == 0 ? pair.pop() : pair.push(); break;
            case 5: i % 2 == 0 ? pair.steal() : pair.push(); break;
            default: pair.push(); break;
          }
        }
    }
  }
}

/// Throws licit_test::mismatch, which nothing catches, when the deque and its reference, or the memory's books or the
/// items' disagree. `make` makes an owner from options.
template <class T, class Make>
void check(std::span<const std::uint8_t> input, Make make) {
  if (input.empty()) return;
  licit_test::counting_memory memory;
  const licit::deque_options options = options_of(input[0], memory);
  {
    licit_test::lockstep<T, decltype(make(options))> pair(make(options), options, memory);
    run(pair, memory, input.subspan(1));
  }
  licit_test::must_agree("the bytes of rings that were not freed", memory.live_bytes(), 0);
  licit_test::must_agree("the number of rings freed as what they were not", memory.wrong_returns(), 0);
  licit_test::must_agree("the number of items that outlive the deque",
                         static_cast<std::size_t>(licit_test::counted::live()), 0);
}

}  // namespace licit_fuzz

#endif
