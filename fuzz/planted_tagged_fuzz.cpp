// The same with thieves that take one item more than half: the fuzzer must find it.
#include <cstddef>
#include <cstdint>

#include <licit/deque/tagged.hpp>

#include "support/half_lockstep.hpp"
#include "support/tagged_rules.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using owner = licit::owner<licit_test::number, licit_test::greedy, licit::tagged_deque>;
  licit_test::run_halves<licit_test::number, owner>({data, size}, licit_test::real_half);
  return 0;
}
