// libFuzzer: every sequence of operations on two run queues agrees with two std::deques, also past the largest index.
#include <cstddef>
#include <cstdint>
#include <memory>

#include <licit/deque/run_queue.hpp>

#include "run_queue_program.hpp"

namespace {

struct late : licit::native_checked {
  static constexpr std::uint64_t start = ~std::uint64_t{0} - 20;
};

template <class Policy>
void check(std::span<const std::uint8_t> input) {
  using queue = licit::run_queue<licit_test::number, Policy>;
  licit_fuzz::check_run_queue<queue>(
      input, [](const licit::run_queue_options& options) { return std::make_unique<queue>(options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check<licit::native_checked>({data, size});
  check<late>({data, size});
  return 0;
}
