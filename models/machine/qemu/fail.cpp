#include "fail.hpp"

#include <cstdio>
#include <unistd.h>

namespace licit::qemu {

void fail(const std::string& what, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "licit's plugin: %s\n", what.c_str());
  _exit(status);
}

}  // namespace licit::qemu
