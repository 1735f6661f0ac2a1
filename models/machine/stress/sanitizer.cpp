#include "machine/stress/sanitizer.hpp"

#include <string_view>

namespace licit::stress::sanitizer {

std::string summary(const std::string& report) {
  constexpr std::string_view begins = "SUMMARY: ThreadSanitizer: ";
  const auto at = report.find(begins);
  if (at == std::string::npos) return "ThreadSanitizer ended the process: " + report.substr(0, 200);
  std::string line = report.substr(at + begins.size(), report.find('\n', at) - at - begins.size());
  // Code without lines is named by the executable: its folder, an offset and a build's number.
  while (true) {
    const auto open = line.find(" (");
    const auto close = line.find(')', open);
    if (open == std::string::npos || close == std::string::npos) break;
    line.erase(open, close + 1 - open);
  }
  if (const auto folder = line.find(" /"); folder != std::string::npos) {
    line.erase(folder + 1, line.rfind('/', line.find(':', folder)) - folder);
  }
  if (const auto arguments = line.find('<'); arguments != std::string::npos) line.erase(arguments);
  return "ThreadSanitizer: " + line;
}

}  // namespace licit::stress::sanitizer

// Asked by ThreadSanitizer as it starts; nobody else calls it.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "halt_on_error=1:exitcode=66:atexit_sleep_ms=0:report_thread_leaks=0:report_signal_unsafe=0";
}
