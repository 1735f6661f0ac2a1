// The reader of litmus files, on any bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checker/litmus/parser.hpp"
#include "litmus_property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::check_reader({reinterpret_cast<const char*>(data), size}, licit::litmus::parse);
  return 0;
}
