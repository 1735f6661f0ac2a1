// libFuzzer: every sequence of operations on two split deques agrees with the reference, with the word as it is and
// with few tags and few public items.
#include <cstddef>
#include <cstdint>
#include <span>

#include "program.hpp"
#include "support/split_lockstep.hpp"

namespace {

/// Each byte: an operation in the low two bits, on which deque in the next, and how often in the others (1 to 32); of
/// steal_half, how many at most (0 to 15).
template <class Deque>
void run_split(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  licit_test::counting_memory memory;
  {
    licit_test::split_lockstep<Deque> pair(licit_fuzz::options_of(input[0], memory), memory);
    for (const std::uint8_t byte : input.subspan(1)) {
      const std::size_t which = byte >> 2U & 1U;
      const std::size_t times = (byte >> 3U) + 1U;
      if ((byte & 3U) == 3 && times > 16) {
        pair.steal_half(which, times - 17);
        continue;
      }
      for (std::size_t i = 0; i != times; ++i) {
        switch (byte & 3U) {
          case 0: pair.push(which); break;
          case 1: pair.pop(which); break;
          case 2: pair.steal(which); break;
          default: i % 2 == 0 ? pair.push(which) : pair.steal(which); break;
        }
      }
    }
  }
  licit_test::must_agree("the bytes of rings that were not freed", memory.live_bytes(), 0);
  licit_test::must_agree("the number of rings freed as what they were not", memory.wrong_returns(), 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_split<licit_test::tagged_split<licit::native_checked>>({data, size});
  run_split<licit_test::tagged_split<licit_test::narrow_word<1, 2>>>({data, size});
  return 0;
}
