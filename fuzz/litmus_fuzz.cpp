// libFuzzer: any bytes as a litmus file. They are read, or refused with a place in the file; and what is read, is
// explored for a moment. With LICIT_FUZZ_PLANTED the reader takes an error in the first column for one before the file:
// the fuzzer must find it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "checker/litmus/ast.hpp"
#include "checker/litmus/explore.hpp"

namespace {

#ifdef LICIT_FUZZ_PLANTED
licit::litmus::test parse(std::string_view source) {
  try {
    return licit::litmus::parse(source);
  } catch (const licit::litmus::syntax_error& e) {
    if (e.where().line == 1 || e.where().column != 1) throw;
    throw licit::litmus::syntax_error({0, 1}, e.what());
  }
}
#else
using licit::litmus::parse;
#endif

/// Aborts when the reader does neither.
void check_reader(std::string_view source) {
  try {
    licit::litmus::explore(parse(source), {.max_executions = 20, .unroll = 2});
  } catch (const licit::litmus::syntax_error& e) {
    const bool inside = e.where().line >= 1 && e.where().column >= 1 && e.where().line <= source.size() + 1;
    if (inside && *e.what() != '\0') return;
    std::fprintf(stderr, "litmus reader: an error at line %u, column %u of %zu bytes: '%s'\n", e.where().line,
                 e.where().column, source.size(), e.what());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_reader({reinterpret_cast<const char*>(data), size});
  return 0;
}
