// The same fuzz target on run queues whose thieves take one more than half: the fuzzer must find it.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "run_queue_program.hpp"
#include "support/faulty_queue.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using queue = licit_test::faulty_queue<licit_test::number>;
  licit_fuzz::check_run_queue<queue>({data, size}, [](const licit::run_queue_options& options) {
    return std::make_unique<queue>(licit_test::queue_fault::takes_more, options);
  });
  return 0;
}
