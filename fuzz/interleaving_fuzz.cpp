// libFuzzer: bytes choose an execution of a client of the deque, in the checker's model of memory.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>

#include "programs/chase_lev/growth.hpp"
#include "programs/chase_lev/two_items.hpp"

namespace {

namespace checker = licit::checker;

template <template <class> class Program>
void check(std::span<const std::uint8_t> bytes) {
  const checker::verdict v = checker::run_bytes<Program<checker::model>>(bytes);
  if (v.outcome == checker::outcome::ok) return;
  std::fprintf(stderr, "%s: %s\n%s", std::string(name(v.kind)).c_str(), v.message.c_str(), v.trace.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
#ifdef LICIT_FUZZ_PLANTED
  licit::checker::live_orders<licit::chase_lev_orders>::apply({LICIT_FUZZ_PLANTED, licit::checker::change::drop});
#endif
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check<licit::models::two_items>({data, size});
  check<licit::models::growth>({data, size});
  return 0;
}
