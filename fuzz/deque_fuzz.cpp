// libFuzzer: every sequence of operations agrees with a reference, for numbers and for owned items: on one deque, a
// std::deque; with LICIT_FUZZ_HALVES on two, half of the one taken to the other. With LICIT_FUZZ_PLANTED the deque
// forgets every 16th push, and a theft of half does not see that there is no room: the fuzzer must find it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <licit/deque.hpp>

#include "program.hpp"
#include "support/faulty.hpp"
#include "support/half_lockstep.hpp"

namespace {

using input = std::span<const std::uint8_t>;
using licit_test::number;
using owned = std::unique_ptr<licit_test::counted>;

template <class T>
[[maybe_unused]] void check(input bytes) {
  using owner = licit::owner<T, licit::native_checked>;
  licit_fuzz::check<T>(bytes, [](const licit::deque_options& options) { return owner(options); });
}

[[maybe_unused]] void check_faulty(input bytes) {
  using owner = licit_test::faulty_owner<number>;
  licit_fuzz::check<number>(
      bytes, [](const licit::deque_options& options) { return owner(licit_test::fault::drops, options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const input bytes{data, size};
#if defined(LICIT_FUZZ_HALVES) && defined(LICIT_FUZZ_PLANTED)
  licit_test::run_halves<number>(bytes, licit_test::half_without_room);
#elif defined(LICIT_FUZZ_HALVES)
  licit_test::run_halves<number>(bytes, licit_test::real_half);
  licit_test::run_halves<owned>(bytes, licit_test::real_half);
#elif defined(LICIT_FUZZ_PLANTED)
  check_faulty(bytes);
#else
  check<number>(bytes);
  check<owned>(bytes);
#endif
  return 0;
}
