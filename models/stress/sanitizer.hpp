/// ThreadSanitizer, in executables that have it: the first race ends the process.
#ifndef LICIT_MODELS_STRESS_SANITIZER_HPP
#define LICIT_MODELS_STRESS_SANITIZER_HPP

#include <string>

namespace licit::stress::sanitizer {

/// Of a process that raced.
inline constexpr int exit_status = 66;

/// From its report: what it found, and in which function, without folders and template arguments.
std::string summary(const std::string& report);

}  // namespace licit::stress::sanitizer

#endif
