// The same fuzz target with a theft that does not see that there is no room: the fuzzer must find it.
#include <cstddef>
#include <cstdint>

#include "support/half_lockstep.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_test::run_halves<licit_test::number>({data, size}, licit_test::half_without_room);
  return 0;
}
