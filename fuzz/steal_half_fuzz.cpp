// libFuzzer: every sequence of operations on two deques, half of the one taken to the other, agrees with a reference.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "support/half_lockstep.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_test::run_halves<licit_test::number>({data, size}, licit_test::real_half);
  licit_test::run_halves<std::unique_ptr<licit_test::counted>>({data, size}, licit_test::real_half);
  return 0;
}
