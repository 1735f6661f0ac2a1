/// A client program with a row compiled in, as something to run.
#ifndef LICIT_MODELS_STRESS_SUBJECT_HPP
#define LICIT_MODELS_STRESS_SUBJECT_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/stress/report.hpp"
#include "suites/line.hpp"

namespace licit::stress {

struct subject {
  std::string_view structure;
  std::string_view row;
  std::string_view program;
  unsigned threads = 0;
  std::size_t size = 0;
  suites::line client = {};  ///< what a program that is a line performs
  void (*construct)(void* place, const suites::line& client) = nullptr;
  void (*thread)(void* object, unsigned i) = nullptr;
  void (*finish)(void* object) = nullptr;
  void (*destroy)(void* object) = nullptr;
};

/// Every subject of this executable, in the order of the structure's rows. Each translation unit of rows adds its own
/// before main.
std::vector<subject>& subjects();

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

/// The same where models/machine/qemu's plugin chooses schedule and values: workers run one at a time, the calling
/// thread is none of them. A failure ends its execution, which the plugin may ask for again; then the process ends.
void run_under_plugin(const task& t, report& to);

/// What a thread of the subject does that has failed, set by whoever runs it.
struct failing {
  report* to = nullptr;
  void (*stop)() = nullptr;  ///< does not return
};
failing& on_failure();

}  // namespace licit::stress

#endif
