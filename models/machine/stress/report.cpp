#include "machine/stress/report.hpp"

#include <algorithm>

namespace licit::stress {

void report::say(std::string_view message) {
  unsigned nobody = 0;
  if (!stage.compare_exchange_strong(nobody, 1)) return;
  message = message.substr(0, text.size() - 1);
  *std::ranges::copy(message, text.begin()).out = '\0';
  stage.store(2);
}

}  // namespace licit::stress
