// libFuzzer: every sequence of operations on two deques, half of the one taken to the other, agrees with a reference.
// With LICIT_FUZZ_PLANTED a theft does not see that there is no room: the fuzzer must find it.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "support/half_lockstep.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef LICIT_FUZZ_PLANTED
  licit_test::run_halves<licit_test::number>({data, size}, licit_test::half_without_room);
#else
  licit_test::run_halves<licit_test::number>({data, size}, licit_test::real_half);
  licit_test::run_halves<std::unique_ptr<licit_test::counted>>({data, size}, licit_test::real_half);
#endif
  return 0;
}
