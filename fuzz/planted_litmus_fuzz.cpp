// The same fuzz target on a reader that takes an error in the first column for one before the file: the fuzzer must
// find it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checker/litmus/parser.hpp"
#include "litmus_property.hpp"

namespace {

licit::litmus::test parse(std::string_view source) {
  try {
    return licit::litmus::parse(source);
  } catch (const licit::litmus::syntax_error& e) {
    if (e.where().line == 1 || e.where().column != 1) throw;
    throw licit::litmus::syntax_error({0, 1}, e.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::check_reader({reinterpret_cast<const char*>(data), size}, parse);
  return 0;
}
