/// One task in a process of its own, so that whatever it does ends, and is told.
#ifndef LICIT_MODELS_STRESS_WATCH_HPP
#define LICIT_MODELS_STRESS_WATCH_HPP

#include <cstdint>
#include <stdexcept>
#include <string>

#include "machine/stress/run.hpp"

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

#endif
