// The same fuzz target on an inject queue that turns batches round: the fuzzer must find it.
#include <cstddef>
#include <cstdint>

#include "inject_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::check_inject<licit_test::swapping_inject_queue>({data, size});
  return 0;
}
