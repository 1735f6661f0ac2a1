#include "machine/stress/report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "machine/stress/subject.hpp"

namespace licit::stress {

void report::say(std::string_view message) {
  unsigned nobody = 0;
  if (!stage.compare_exchange_strong(nobody, 1)) return;
  message = message.substr(0, text.size() - 1);
  *std::ranges::copy(message, text.begin()).out = '\0';
  stage.store(2);
}

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
