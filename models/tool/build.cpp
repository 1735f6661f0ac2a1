#include "build.hpp"

#include <cstdint>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace licit::tool {

std::string build_digest() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;
  std::uint64_t bytes = 0;
  for (std::istreambuf_iterator<char> c(self), end; c != end; ++c, ++bytes) {
    hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
  }
  if (bytes == 0) throw std::runtime_error("cannot read /proc/self/exe, whose digest goes into the results");
  return fmt::format("{:016x}", hash);
}

}  // namespace licit::tool
