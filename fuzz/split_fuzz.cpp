// libFuzzer: every sequence of operations on two split deques agrees with the reference, with the word as it is and
// with few tags and few public items.
#include <cstddef>
#include <cstdint>

#include "split_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::run_split<licit_test::tagged_split<licit::native_checked>>({data, size});
  licit_fuzz::run_split<licit_test::tagged_split<licit_test::narrow_word<1, 2>>>({data, size});
  return 0;
}
