// libFuzzer: bytes choose an execution of a client of the deque, in the checker's model of memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>

#include "suites/chase_lev.hpp"

namespace {

namespace checker = licit::checker;
namespace suites = licit::suites;
using client = suites::chase_lev_client<checker::model>;
using program = suites::line_program<suites::chase_lev_client, checker::model>;

suites::line named(std::string_view name) {
  const auto found = std::ranges::find(suites::chase_lev_lines, name, &suites::client_line::name);
  if (found == suites::chase_lev_lines.end()) throw std::invalid_argument("the deque has no such client");
  return suites::parse(found->text, suites::vocabulary_of<client>());
}

void check(const suites::line& line, std::span<const std::uint8_t> bytes) {
  const checker::verdict v =
      checker::run_program_with<program>(line, line.threads, {.how = checker::mode::bytes, .sample = {.bytes = bytes}});
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
  static const suites::line two_items = named("two_items");
  static const suites::line growth = named("growth");
  check(two_items, {data, size});
  check(growth, {data, size});
  return 0;
}
