// libFuzzer: every sequence of operations agrees with a std::deque, for numbers and for owned items.
#include <cstddef>
#include <cstdint>
#include <memory>

#include <licit/deque.hpp>

#include "program.hpp"

namespace {

template <class T>
void check(std::span<const std::uint8_t> input) {
  using owner = licit::owner<T, licit::native_checked>;
  licit_fuzz::check<T>(input, [](const licit::deque_options& options) { return owner(options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check<licit_test::number>({data, size});
  check<std::unique_ptr<licit_test::counted>>({data, size});
  return 0;
}
