// libFuzzer: every sequence of operations on an inject queue agrees with a std::deque, with segments long and short.
#include <cstddef>
#include <cstdint>

#include "inject_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::check_inject<licit::inject_queue<licit_test::number, licit_test::short_segments>>({data, size});
  licit_fuzz::check_inject<licit::inject_queue<licit_test::number>>({data, size});
  return 0;
}
