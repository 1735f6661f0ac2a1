#include "machine/stress/failure.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "machine/stress/run.hpp"

namespace licit::stress {

failing& on_failure() {
  static failing how;
  return how;
}

void fail(std::string_view message) {
  if (on_failure().to != nullptr) {
    on_failure().to->say(message);
    on_failure().stop();
  }
  std::fprintf(stderr, "licit: outside of a run: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

void fail_invariant(int number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "invariant I%d of deque/README.md does not hold", number);
  fail(text.data());
}

}  // namespace licit::stress
