/// Seconds since it was made.
#ifndef LICIT_MODELS_STRESS_CLOCK_HPP
#define LICIT_MODELS_STRESS_CLOCK_HPP

#include <chrono>

namespace licit::stress {

class clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace licit::stress

#endif
