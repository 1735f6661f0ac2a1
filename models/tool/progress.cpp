#include "progress.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace licit::tool {

std::string progress_text(double done, double total, double seconds, std::string_view what) {
  constexpr double width = 24;
  constexpr double least = 0.02;  // of the work: of less, the rest cannot be told
  constexpr double a_minute = 60;
  const double share = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 1.0;
  const auto marks = static_cast<int>(share * width);
  std::string left;
  if (share >= least) {
    const double rest = seconds * (1 - share) / share;
    left =
        rest < 2 * a_minute ? fmt::format("  {:.0f} s left", rest) : fmt::format("  {:.0f} min left", rest / a_minute);
  }
  return fmt::format("[{:.<24}] {:>3.0f} %{}  {}", std::string(static_cast<std::size_t>(marks), '#'), share * 100, left,
                     what);
}

progress::progress(double total, bool wanted) : total_{total}, wanted_{wanted && ::isatty(STDERR_FILENO) == 1} {}

progress::~progress() { clear(); }

void progress::show(std::string_view what) const {
  if (!wanted_) return;
  const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
  fmt::print(stderr, "\r\x1b[K{}", progress_text(done_, total_, seconds, what));
}

void progress::clear() const {
  if (wanted_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace licit::tool
