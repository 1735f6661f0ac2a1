/// ThreadSanitizer, in executables that have it: the first race ends the process.
#ifndef LICIT_MODELS_STRESS_SANITIZER_HPP
#define LICIT_MODELS_STRESS_SANITIZER_HPP

#include <string>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LICIT_STRESS_CLANG_TSAN
#endif
#endif

namespace licit::stress::sanitizer {

#if defined(__SANITIZE_THREAD__) || defined(LICIT_STRESS_CLANG_TSAN)
inline constexpr bool present = true;
#else
inline constexpr bool present = false;
#endif

/// Seconds of sleep after which a process is a hang: a report takes some before it asks another for its words.
inline constexpr double asleep = 5;

/// Of a process that raced.
inline constexpr int exit_status = 66;

/// From its report: what it found, and in which function, without folders, builds and template arguments.
std::string summary(const std::string& report);

}  // namespace licit::stress::sanitizer

#endif
