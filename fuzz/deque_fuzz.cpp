// libFuzzer: every sequence of operations agrees with a std::deque, for numbers and for owned items. With
// LICIT_FUZZ_PLANTED the deque forgets every 16th push: the fuzzer must find it.
#include <cstddef>
#include <cstdint>
#include <memory>

#include <licit/deque.hpp>

#include "program.hpp"
#include "support/faulty.hpp"

namespace {

template <class T>
void check(std::span<const std::uint8_t> input) {
  using owner = licit::owner<T, licit::native_checked>;
  licit_fuzz::check<T>(input, [](const licit::deque_options& options) { return owner(options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef LICIT_FUZZ_PLANTED
  using owner = licit_test::faulty_owner<licit_test::number>;
  licit_fuzz::check<licit_test::number>(
      {data, size}, [](const licit::deque_options& options) { return owner(licit_test::fault::drops, options); });
#else
  check<licit_test::number>({data, size});
  check<std::unique_ptr<licit_test::counted>>({data, size});
#endif
  return 0;
}
