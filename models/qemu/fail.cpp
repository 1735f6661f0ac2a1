#include "fail.hpp"

#include <cstdio>
#include <unistd.h>

namespace licit::qemu {

void fail(const std::string& what) {
  std::fflush(stdout);
  std::fprintf(stderr, "licit's plugin: %s\n", what.c_str());
  _exit(gave_up);
}

}  // namespace licit::qemu
