// libFuzzer: every sequence of operations on an idle set agrees with a std::set and a number, in both of its forms.
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/idle/idle_set.hpp>

#include "idle_set_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  licit_fuzz::check_idle_set<licit::idle_set<licit::native_checked>>({data, size});
  licit_fuzz::check_idle_set<licit::idle_set<licit_fuzz::wide>>({data, size});
  return 0;
}
