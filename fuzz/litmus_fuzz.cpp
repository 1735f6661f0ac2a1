/// Any bytes as a litmus file: read, or refused with a place in the file; and what is read, is explored for a moment.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "litmus/explore.hpp"
#include "litmus/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  try {
    const licit::litmus::test t = licit::litmus::parse(source);
    licit::litmus::explore(t, {.max_executions = 20, .unroll = 2});
  } catch (const licit::litmus::syntax_error& e) {
    const bool inside = e.where().line >= 1 && e.where().column >= 1 && e.where().line <= size + 1;
    if (!inside || *e.what() == '\0') std::abort();
  }
  return 0;
}
