/// One task in a process of its own, so that whatever it does ends, and is told.
#ifndef LICIT_MODELS_STRESS_WATCH_HPP
#define LICIT_MODELS_STRESS_WATCH_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "machine/stress/subject.hpp"

namespace licit::stress {

struct result {
  std::uint64_t executions = 0;  ///< with the one that was caught
  double seconds = 0;
  bool caught = false;
  std::string kind = {};  ///< "check", "race", "hang", "crash"; empty if not caught
  std::string what = {};
};

struct patience {
  double asleep = 1;   ///< seconds in which every thread slept and nothing went on: a hang
  double endless = 5;  ///< seconds of processor time without an execution's end: a hang
};

/// The plugin could not go on soundly (qemu/guest.hpp has its statuses), and said why.
struct no_verdict : std::runtime_error {
  no_verdict(int by, const std::string& why) : std::runtime_error("no verdict: " + why), status{by} {}
  int status;
};

/// The process's only thread. Throws std::system_error when there is no process to be had, and no_verdict.
result watch(const task& t, bool plugin, const patience& p);

}  // namespace licit::stress

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

namespace licit::stress {

/// Of one row, program and seed.
struct found_by {
  std::string_view row;
  std::string_view program;
  std::uint64_t seed;
  result found;
};

/// `{"machine": …, "results": [{structure, row, program, seed, executions, seconds, caught, kind, what}]}`; without a
/// machine if it is empty. Control characters become spaces. Never fails.
std::string json_of(std::string_view structure, std::string_view machine, const std::vector<found_by>& all);

}  // namespace licit::stress

#endif
