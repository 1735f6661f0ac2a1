// The same fuzz target on a deque that forgets every 16th push: the fuzzer must find it.
#include <cstddef>
#include <cstdint>

#include "program.hpp"
#include "support/faulty_deque.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using owner = licit_test::faulty_owner<licit_test::number>;
  licit_fuzz::check<licit_test::number>(
      {data, size}, [](const licit::deque_options& options) { return owner(licit_test::fault::drops, options); });
  return 0;
}
