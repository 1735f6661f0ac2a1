// The same fuzz target on idle sets that do not count who retracts: the fuzzer must find it.
#include <cstddef>
#include <cstdint>

#include "idle_set_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::check_idle_set<licit_test::uncounted_idle_set<licit::native_checked>>({data, size});
  return 0;
}
