// libFuzzer: every sequence of operations on an idle set agrees with a std::set and a number, in both of its forms.
#include <cstddef>
#include <cstdint>
#include <span>

#include <licit/scheduler/idle/idle_set.hpp>

#include "support/idle_lockstep.hpp"

namespace {

/// The first byte: one worker, and as many more as it says. Each other: an operation in the lowest three bits, and a
/// worker, of those that there are, in the others. Throws licit_test::mismatch, which nothing catches.
template <class Set>
void check_idle_set(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  const std::size_t workers = std::size_t{1} + input[0];
  licit_test::idle_lockstep<Set> pair(workers);
  for (const std::uint8_t byte : input.subspan(1)) {
    const std::size_t worker = (byte >> 3U) * 8U % workers;
    switch (byte & 7U) {
      case 0: pair.claim(false); break;
      case 1: pair.claim(true); break;
      case 2: pair.retract(worker); break;
      case 3: pair.begin_search(); break;
      case 4: pair.end_search(); break;
      default: pair.park(worker, (byte & 1U) == 0); break;
    }
  }
}

/// Few workers are many, and share words by threes.
struct wide : licit::native_checked {
  static constexpr auto replaced(licit::idle_set_rules /*usual*/) {
    return licit::idle_set_rules{.few = 0, .in_word = 3};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_idle_set<licit::idle_set<licit::native_checked>>({data, size});
  check_idle_set<licit::idle_set<wide>>({data, size});
  return 0;
}
