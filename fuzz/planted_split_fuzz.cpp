// The same fuzz target on a deque that loses an item on its way at every fourth raid: the fuzzer must find it.
#include <cstddef>
#include <cstdint>

#include "split_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::run_split<licit_test::forgetful_split<licit::native_checked>>({data, size});
  return 0;
}
