/// Executions of one subject, in this process.
#ifndef LICIT_MODELS_STRESS_RUN_HPP
#define LICIT_MODELS_STRESS_RUN_HPP

#include <cstdint>

#include "machine/stress/report.hpp"
#include "machine/stress/subject.hpp"

namespace licit::stress {

struct task {
  const subject* what;
  std::uint64_t seed;
  std::uint64_t first = 0;  ///< the number of the first execution: its chances follow from that and the seed
  std::uint64_t executions = 1;
  double seconds = 1;
};

/// The process's first thread, while there is no other; a process runs one task. The subject's threads are made once,
/// the calling one is the subject's first, and all meet before and after each execution. A failure ends the process at
/// once: the other threads may never end. Returns when the executions or the seconds are over.
void run_on_threads(const task& t, report& to);

/// The same where models/machine/qemu's plugin chooses schedule and values: workers run one at a time, the calling thread is
/// none of them. A failure ends its execution, which the plugin may ask for again; then the process ends.
void run_under_plugin(const task& t, report& to);

/// What a thread of the subject does that has failed, set by whoever runs it.
struct failing {
  report* to = nullptr;
  void (*stop)() = nullptr;  ///< does not return
};
failing& on_failure();

}  // namespace licit::stress

#endif
