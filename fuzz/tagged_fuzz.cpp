// libFuzzer: every sequence of operations on tagged deques agrees with a reference, singly and by halves, with tags
// that are soon used up.
#include <cstddef>
#include <cstdint>
#include <memory>

#include <licit/deque/tagged.hpp>

#include "program.hpp"
#include "support/half_lockstep.hpp"
#include "support/tagged_rules.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using licit_test::number;
  using owned = std::unique_ptr<licit_test::counted>;
  using wide = licit::owner<owned, licit::native_checked, licit::tagged_deque>;
  using narrow = licit::owner<number, licit_test::short_tags<>, licit::tagged_deque>;
  licit_fuzz::check<number>({data, size}, [](const licit::deque_options& options) { return narrow(options); });
  licit_test::run_halves<number, narrow>({data, size}, licit_test::real_half);
  licit_test::run_halves<owned, wide>({data, size}, licit_test::real_half);
  return 0;
}
